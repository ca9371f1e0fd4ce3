#include "project/call.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 16 /* response files */ };

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

size_t call_length(const struct words *arguments, size_t place)
{
    static const char *const with_value[] = {
        "-o",        "-x",         "-I",       "-D",           "-U",
        "-L",        "-l",         "-include", "-imacros",     "-isystem",
        "-iquote",   "-idirafter", "-iprefix", "-isysroot",    "-MF",
        "-MT",       "-MQ",        "-Xlinker", "-Xclang",      "-Xassembler",
        "-T",        "-u",         "-z",       "-e",           "-Xpreprocessor",
        "--param",   "-target",    "-mllvm",   "-iwithprefix", "-iwithprefixbefore",
        "-A",        "-G",         "-h",       "-rpath",       "-arch",
        "-dumpbase", "-aux-info",  "-soname",  "--sysroot",    "-wrapper",
        NULL};
    return is_one_of(arguments->list[place], with_value) && place + 1 < arguments->count ? 2 : 1;
}

bool call_is_for_linker(const char *argument)
{
    static const char *const beginnings[] = {"-l", "-L", "-Wl,", "-Xlinker", "-T", NULL};
    static const char *const words[] = {
        "-shared",   "-static",        "-rdynamic",     "-pie", "-no-pie", "-static-pie", "-s", "-r",
        "-nostdlib", "-nodefaultlibs", "-nostartfiles", "-u",   "-z",      "-rpath",      "-e", NULL};
    for (const char *const *one = beginnings; *one; one++)
        if (text_begins_with(argument, *one))
            return true;
    return is_one_of(argument, words);
}

const char *call_object(struct arena *arena, const char *input)
{
    const char *name = basename(input), *dot = strrchr(name, '.');
    return arena_format(arena, "%.*s.o", dot ? (int)(dot - name) : (int)strlen(name), name);
}

/* ---- reading ---- */

static bool add_arguments(struct call *call, const char *const *list, size_t count, unsigned depth,
                          struct error *error);

static bool add_response(struct call *call, const char *path, unsigned depth, struct error *error)
{
    struct text text = {0};
    struct words words = {0};
    bool good = depth < MOST_NESTED || error_set(error, "%s: response files include each other", path);
    good = good && file_read(path, &text, error);
    if (good) {
        words_split(&words, arena_copy_string(call->arena, text_string(&text)));
        good = add_arguments(call, words.list, words.count, depth + 1, error);
    }
    text_free(&text);
    words_free(&words);
    return good;
}

static bool add_arguments(struct call *call, const char *const *list, size_t count, unsigned depth, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (*list[i] != '@')
            words_add(&call->arguments, arena_copy_string(call->arena, list[i]));
        else if (!add_response(call, list[i] + 1, depth, error))
            return false;
    }
    return true;
}

static bool is_c_language(const char *language)
{
    return !strcmp(language, "c") || !strcmp(language, "cpp-output");
}

bool call_is_c(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".i"));
}

static void add_input(struct call *call, size_t place, const char *language)
{
    const char *path = call->arguments.list[place];
    call->inputs = array_reserve(call->inputs, &call->capacity, call->count + 1, sizeof *call->inputs);
    call->inputs[call->count++] = (struct call_input){
        .place = place, .is_c = strcmp(path, "-") && (language ? is_c_language(language) : call_is_c(path))};
}

/* What an argument says of the whole call. */
static void obey(struct call *call, const char *word)
{
    static const char *const asks[] = {"-E",     "-M",        "-MM",          "-S",           "-fsyntax-only",
                                       "-###",   "--version", "-dumpversion", "-dumpmachine", "-emit-llvm",
                                       "--help", NULL};
    static const char *const bare[] = {"-nostdlib", "-nodefaultlibs", "-nostartfiles", "-ffreestanding", NULL};
    if (is_one_of(word, asks) || text_begins_with(word, "-print-"))
        call->action = CALL_OTHER;
    else if (!strcmp(word, "-c") && call->action != CALL_OTHER)
        call->action = CALL_COMPILE;
    call->is_shared |= !strcmp(word, "-shared") || !strcmp(word, "--shared");
    call->is_relocatable |= !strcmp(word, "-r") || !strcmp(word, "-Wl,-r");
    call->has_no_library |= is_one_of(word, bare);
}

/* With link-time optimisation an object is not what the linker sees; native programs need none. What warnings there are
 * depends on the compiler, and the build was made for another one: they are no errors but in configure's questions. */
static bool is_dropped(const struct call *call, const char *word)
{
    return (!strcmp(word, "-Werror") && !call->is_question) || text_begins_with(word, "-flto") ||
           text_begins_with(word, "-ffat-lto") || text_begins_with(word, "-fno-fat-lto") ||
           text_begins_with(word, "-fuse-linker-plugin") || text_begins_with(word, "-fwhopr");
}

static void drop_unwanted(struct call *call)
{
    struct words *words = &call->arguments;
    size_t kept = 0;
    for (size_t i = 0; i < words->count; i++)
        call->is_question |= text_begins_with(words->list[i], "conftest.");
    for (size_t i = 0; i < words->count; i++)
        if (!is_dropped(call, words->list[i]))
            words->list[kept++] = words->list[i];
    words->count = kept;
    if (words->list)
        words->list[kept] = NULL;
}

static void understand(struct call *call)
{
    const struct words *words = &call->arguments;
    const char *language = NULL;
    call->action = CALL_LINK;
    for (size_t i = 0; i < words->count; i += call_length(words, i)) {
        const char *word = words->list[i], *value = call_length(words, i) > 1 ? words->list[i + 1] : NULL;
        if (value && !strcmp(word, "-o"))
            call->output = value;
        else if (!strcmp(word, "-x") && value)
            language = strcmp(value, "none") ? value : NULL;
        else if (text_begins_with(word, "-x") && word[2])
            language = strcmp(word + 2, "none") ? word + 2 : NULL;
        else if (text_begins_with(word, "-o") && word[2])
            call->output = word + 2;
        else if (*word != '-' || !word[1])
            add_input(call, i, language);
        else
            obey(call, word);
    }
    if (!call->count)
        call->action = CALL_OTHER;
}

bool call_read(struct call *call, char *const *arguments, struct error *error)
{
    size_t count = 0;
    *call = (struct call){.arena = arena_create()};
    while (arguments[count])
        count++;
    if (!add_arguments(call, (const char *const *)arguments, count, 0, error))
        return false;
    drop_unwanted(call);
    understand(call);
    return true;
}

void call_free(struct call *call)
{
    words_free(&call->arguments);
    free(call->inputs);
    arena_destroy(call->arena);
}
