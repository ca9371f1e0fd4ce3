# make            build/penumbra and what it needs beside it
# make help       the other targets

VERSION := 0.1.0
BUILD   ?= build
prefix  ?= /usr/local
PREFIX  ?= $(prefix)
ifeq ($(origin CC),default)
CC := gcc
endif
CLANG     := clang-19
OPTIMIZE  ?= -O2
SANITIZER :=
WARNINGS  ?= -Wall -Wextra

# Use every core unless an outer make hands out the jobs.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# Empty where LLVM is not installed yet: the targets that need it say so, `make setup` and `make help` work without.
LLVM := $(shell llvm-config-19 --prefix 2>/dev/null)
need_llvm = $(if $(LLVM),,$(error LLVM 19 is missing: run tools/setup))

CPPFLAGS += -D_GNU_SOURCE -DPENUMBRA_VERSION_STRING='"$(VERSION)"' -Isrc -Iinclude -isystem $(LLVM)/include -MMD -MP
CFLAGS   += -std=gnu17 $(WARNINGS) -g $(OPTIMIZE) $(SANITIZER)
LDFLAGS  += $(SANITIZER) -Wl,--as-needed -L$(LLVM)/lib
LDLIBS   += -lLLVM-19 -lclang-19 -lz3 -lcadical -ljansson -lsqlite3 -ldw -lelf -lstdc++ -lm -ldl -lpthread

# What runs inside programs under test is built by the compiler that builds them, and never with AddressSanitizer: it
# would have its shadow where the labels are, and the program its own. With UndefinedBehaviorSanitizer the runtime traps.
# -fno-builtin keeps it from turning the runtime's own loops into calls of functions that it intercepts.
SUPPORT         := $(BUILD)/lib/penumbra
SUPPORT_FLAGS   := -std=gnu17 -D_GNU_SOURCE -Wall -Wextra $(filter -Werror,$(WARNINGS)) -g -Isrc -Iinclude -MMD -MP
# inside.c takes abort() and exit() over: only what runs inside the explorer is linked with it, and with guard.c last.
RUNTIME_SOURCES := $(filter-out src/runtime/hooks.c src/runtime/inside.c src/runtime/guard.c,$(wildcard src/runtime/*.c))
RUNTIME_OBJECTS := $(RUNTIME_SOURCES:%.c=$(BUILD)/obj/%.o)
RUNTIME_TRAPS   := $(if $(findstring undefined,$(SANITIZER)),-fsanitize=undefined -fsanitize-trap=undefined)

# Everything but main goes into an archive, so that a unit test links only the modules that it tests.
SOURCES := $(filter-out src/runtime/% src/check/replay_runtime.c src/check/replay_test.c src/recorder/% src/cli/main.c src/cli/cc_main.c,$(sort $(shell find src -name '*.c')))
OBJECTS := $(SOURCES:%.c=$(BUILD)/obj/%.o)
MODULES := $(BUILD)/obj/modules.a
MAIN    := $(BUILD)/obj/src/cli/main.o
TESTS   := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))

# While a part has no source yet, the rest can be built and tested.
PROGRAM := $(if $(wildcard src/cli/main.c),$(BUILD)/penumbra,$(MODULES))
SUPPORT_FILES := $(if $(wildcard src/runtime/hooks.c),$(SUPPORT)/libpenumbra-runtime.a $(SUPPORT)/inside.o $(SUPPORT)/guard.o \
                   $(SUPPORT)/hooks.bc) \
                 $(SUPPORT)/models.bc \
                 $(if $(wildcard src/check/replay_runtime.c),$(SUPPORT)/replay_runtime.o) \
                 $(SUPPORT)/penumbra_support.c $(SUPPORT)/include/penumbra.h $(SUPPORT)/recorder.o $(SUPPORT)/touch.o \
                 $(SUPPORT)/calls.o $(SUPPORT)/empty.o \
                 $(BUILD)/penumbra-cc

MANUAL := $(BUILD)/man/penumbra.1

# `make V=1` shows the commands.
Q := $(if $(V),,@)
say = @$(if $(V),:,printf '%-8s %s\n' $(1) $@)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all unit-tests demo test test-long run-demo run-test run-test-long format lint sanitize coverage bench install deb clean setup help

all: $(PROGRAM) $(SUPPORT_FILES) $(MANUAL) ## build the tool
unit-tests: $(TESTS)

$(BUILD)/penumbra: $(MAIN) $(MODULES)
	$(call say,link)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(MODULES): $(OBJECTS)
	@rm -f $@
	$(call say,archive)
	$(Q)$(AR) rcs $@ $^

$(BUILD)/obj/%.o: %.c Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/obj/src/report/html.o: src/report/page.html

$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(MODULES)
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

$(SUPPORT)/libpenumbra-runtime.a: $(RUNTIME_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,archive)
	$(Q)$(AR) rcs $@ $^

$(RUNTIME_OBJECTS): $(BUILD)/obj/%.o: %.c Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CLANG) $(SUPPORT_FLAGS) $(RUNTIME_TRAPS) -O2 -fPIC -fno-builtin -c -o $@ $<

$(SUPPORT)/inside.o $(SUPPORT)/guard.o: $(SUPPORT)/%.o: src/runtime/%.c Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CLANG) $(SUPPORT_FLAGS) $(RUNTIME_TRAPS) -MF $(BUILD)/obj/$*.d -O2 -fPIC -fno-builtin -c -o $@ $<

# The hooks are inlined and optimised inside each program under test; here they are only made ready for that.
# Without debug information: inlined into the program, the hooks take the place of the instruction they belong to.
$(SUPPORT)/hooks.bc: src/runtime/hooks.c Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CLANG) $(SUPPORT_FLAGS) -g0 -MF $(BUILD)/obj/hooks.d -O1 -emit-llvm -c -o $@ $<

# Library functions as plain C: compiled as programs under test are, and without lines of their own, since what happens
# in them happens where they are called. -fno-builtin: strlen() is not to be made of a call of strlen().
MODELS := $(patsubst models/%.c,$(BUILD)/obj/models/%.bc,$(wildcard models/*.c))
$(MODELS): $(BUILD)/obj/models/%.bc: models/%.c Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CLANG) $(SUPPORT_FLAGS) -g0 -O1 -Xclang -disable-llvm-passes -Xclang -disable-lifetime-markers -fno-builtin \
	    -fwrapv -fno-strict-aliasing -fPIC -emit-llvm -c -o $@ $<

$(SUPPORT)/models.bc: $(MODELS)
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(LLVM)/bin/llvm-link $^ -o $@

# The models once more, for their test: natively, with sanitizers, and as model_NAME beside the C library's functions.
MODEL_SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined
NATIVE_MODELS    := $(patsubst models/%.c,$(BUILD)/obj/models/%.o,$(wildcard models/*.c))
$(NATIVE_MODELS): $(BUILD)/obj/models/%.o: models/%.c Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CLANG) $(SUPPORT_FLAGS) -O1 -fno-builtin $(MODEL_SANITIZERS) -c -o $@ $<

$(BUILD)/obj/models/renamed.o: $(NATIVE_MODELS)
	$(call say,link)
	$(Q)$(LD) -r -o $@ $^
	$(Q){ nm --defined-only -g $@ | sed -n 's/.* [TDBRVW] \(.*\)/\1 model_\1/p'; \
	      nm -u $@ | sed -n 's/.* __pn_real_\(.*\)/__pn_real_\1 \1/p'; } > $@.names
	$(Q)objcopy --redefine-syms=$@.names $@

$(BUILD)/tests/test_models: tests/unit/test_models.c $(BUILD)/obj/models/renamed.o Makefile
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CLANG) -std=gnu17 -D_GNU_SOURCE $(WARNINGS) -g -O1 $(MODEL_SANITIZERS) -o $@ $(filter %.c %.o,$^) -lcmocka -ldl

# The runtime once more, for its test: with sanitizers, and all of it but main().
CHECKED_RUNTIME := $(patsubst src/runtime/%.c,$(BUILD)/obj/checked/%.o,$(filter-out src/runtime/hooks.c src/runtime/server.c,$(wildcard src/runtime/*.c)))
CHECKED_FLAGS   := $(MODEL_SANITIZERS) -fsanitize-address-use-after-return=never -DPN_BESIDE_ADDRESS_SANITIZER
$(CHECKED_RUNTIME): $(BUILD)/obj/checked/%.o: src/runtime/%.c Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CLANG) $(SUPPORT_FLAGS) -O1 -fno-builtin $(CHECKED_FLAGS) -c -o $@ $<

$(BUILD)/tests/test_runtime: tests/unit/test_runtime.c $(CHECKED_RUNTIME) Makefile
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CLANG) $(SUPPORT_FLAGS) -MF $(BUILD)/obj/test_runtime.d -O1 $(CHECKED_FLAGS) -o $@ $(filter %.c %.o,$^) -lcmocka -lm -ldl

$(SUPPORT)/replay_runtime.o: src/check/replay_runtime.c Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CLANG) $(SUPPORT_FLAGS) -MF $(BUILD)/obj/replay_runtime.d -O2 -fPIC -c -o $@ $<

# What `penumbra cc` links into programs, and what it puts a record into where it links nothing; touch.o is for programs
# that tell whether a start reaches a change, calls.o for those that record the calls of a function.
$(SUPPORT)/recorder.o $(SUPPORT)/touch.o $(SUPPORT)/calls.o: $(SUPPORT)/%.o: src/recorder/%.c Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CLANG) $(filter-out -g,$(SUPPORT_FLAGS)) -MF $(BUILD)/obj/$*.d -O2 -fPIC -c -o $@ $<

$(SUPPORT)/empty.o: Makefile
	$(need_llvm)@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CLANG) -c -x c -o $@ /dev/null

$(BUILD)/penumbra-cc: $(BUILD)/obj/src/cli/cc_main.o $(MODULES)
	$(call say,link)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# What exported tests are built with, in one file.
$(SUPPORT)/penumbra_support.c: src/check/replay_test.c tools/amalgamate $(wildcard src/check/replay_*.[ch] src/trace/*.h) \
                               src/execute/serve.h
	@mkdir -p $(@D)
	$(call say,write)
	$(Q)tools/amalgamate $< > $@

# A page of the manual for each command, from the tables that its --help comes from.
$(MANUAL): docs/penumbra.1 $(BUILD)/penumbra
	@mkdir -p $(@D)
	$(call say,write)
	$(Q)for command in $$($(BUILD)/penumbra --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do \
	    $(BUILD)/penumbra $$command --manual > $(@D)/penumbra-$$command.1 || exit 1; done
	$(Q)cp $< $@

$(SUPPORT)/include/penumbra.h: include/penumbra.h
	@mkdir -p $(@D)
	$(call say,copy)
	$(Q)cp $< $@

# A second make, so that what setup installed is seen.
demo: setup ## find the first divergences, from nothing
	@$(MAKE) --no-print-directory run-demo
test: setup ## the tests
	@$(MAKE) --no-print-directory run-test
test-long: ## the tests and those that take longer
	@tools/setup --long
	@$(MAKE) --no-print-directory run-test-long

run-demo: all
	PENUMBRA=$(abspath $(BUILD)/penumbra) tools/demo
run-test: all unit-tests
	tests/run --build $(BUILD)
run-test-long: all unit-tests
	tests/run --build $(BUILD) --long

C_FILES = $(sort $(shell find src include models tests/unit -name '*.[ch]'))
format: ## lay the source out
	clang-format-19 -i $(C_FILES)

TIDY_FLAGS = -std=gnu17 -D_GNU_SOURCE -DPENUMBRA_VERSION_STRING=\"\" -Isrc -Iinclude -isystem $(LLVM)/include
lint: ## layout, include graph, and no warning from gcc, clang, cppcheck and clang-tidy
	@tools/setup --long
	tools/graph
	clang-format-19 --dry-run -Werror $(C_FILES)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/lint-gcc CC=gcc WARNINGS='$(WARNINGS) -Werror' all unit-tests
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/lint-clang CC=$(CLANG) WARNINGS='$(WARNINGS) -Werror' all unit-tests
	cppcheck --quiet --std=c11 --enable=warning,performance,portability \
	    --inline-suppr --suppress=missingInclude --suppress=comparePointers --suppress=internalAstError \
	    --error-exitcode=1 -Isrc -Iinclude -j$(shell nproc) src
	find src -name '*.c' -print0 | xargs -0 -n 8 -P $(shell nproc) sh -c \
	    'clang-tidy-19 --quiet "$$@" -- $(TIDY_FLAGS)' clang-tidy

sanitize: setup ## the tests with the tool under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize OPTIMIZE='-O1 -fno-omit-frame-pointer' \
	    SANITIZER='-fsanitize=address,undefined -fno-sanitize-recover=undefined' all unit-tests
	PENUMBRA_TEST_SANITIZED=1 tests/run --limit 3600 --build $(BUILD)/sanitize

# Profiles are mapped files: what a process has counted is there however it ends. WORDS selects tests, as for tests/run.
# On other cores counts of one process may be lost, lines that were run are not.
COVERAGE := $(BUILD)/coverage
coverage: setup ## how much of src/ the tests run
	@$(MAKE) --no-print-directory BUILD=$(COVERAGE) CC=$(CLANG) OPTIMIZE=-O1 \
	    SANITIZER='-fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation' all unit-tests
	@rm -rf $(COVERAGE)/profiles
	LLVM_PROFILE_FILE=$(abspath $(COVERAGE))/profiles/%c%m.profraw tests/run --limit 3600 --build $(COVERAGE) $(WORDS)
	$(LLVM)/bin/llvm-profdata merge -sparse -o $(COVERAGE)/all.profdata $(COVERAGE)/profiles/*.profraw
	$(LLVM)/bin/llvm-cov report --summary-only --show-region-summary=false --show-branch-summary=false \
	    --instr-profile $(COVERAGE)/all.profdata $(COVERAGE)/penumbra \
	    $(patsubst tests/unit/%.c,--object $(COVERAGE)/tests/%,$(filter-out %/test_models.c %/test_runtime.c,$(wildcard tests/unit/test_*.c))) src

bench: all $(BUILD)/bench/solve $(BUILD)/bench/worlds ## measure
	PENUMBRA=$(abspath $(BUILD)/penumbra) bench/run
	PENUMBRA=$(abspath $(BUILD)/penumbra) bench/explore
	PENUMBRA=$(abspath $(BUILD)/penumbra) bench/workers
	PENUMBRA=$(abspath $(BUILD)/penumbra) bench/decide
	PENUMBRA=$(abspath $(BUILD)/penumbra) bench/unify
	PENUMBRA=$(abspath $(BUILD)/penumbra) bench/cache
	$(BUILD)/bench/solve
	$(BUILD)/bench/worlds

$(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(MODULES)
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

install: all ## install under PREFIX (/usr/local), inside DESTDIR
	install -D $(BUILD)/penumbra $(DESTDIR)$(PREFIX)/bin/penumbra
	install -D $(BUILD)/penumbra-cc $(DESTDIR)$(PREFIX)/bin/penumbra-cc
	install -D -m 644 include/penumbra.h $(DESTDIR)$(PREFIX)/include/penumbra.h
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(BUILD)/man/*.1 contrib/penumbra-review.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -D contrib/penumbra-review $(DESTDIR)$(PREFIX)/bin/penumbra-review
	install -D -m 644 contrib/completion/penumbra.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/penumbra
	install -D -m 644 contrib/completion/_penumbra $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_penumbra
	install -D -m 644 contrib/completion/penumbra.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/penumbra.fish
	install -d $(DESTDIR)$(PREFIX)/lib/penumbra
	cp -r $(SUPPORT)/. $(DESTDIR)$(PREFIX)/lib/penumbra

deb: all ## a Debian package, in build/
	@tools/setup --deb
	+@PENUMBRA_VERSION=$(VERSION) tools/deb $(BUILD)

setup: ## install the Debian packages that are missing
	@tools/setup

clean: ## remove what was built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
