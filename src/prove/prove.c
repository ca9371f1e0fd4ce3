/* From the versions' files to a proof, or to the reason why there is none. */
#include "prove/prove.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/links.h"
#include "base/process.h"
#include "check/native.h"
#include "instrument/bitcode.h"
#include "instrument/uninitialised.h"
#include "prove/prover.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Linker.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROVEN = '+', PROVEN_WITH_STACK = '*', NOT_PROVEN = '-' };

struct prover {
    struct arena *arena;
    const char *const *paths[2]; /* of the versions' bitcode, NULL-terminated */
    pid_t process;               /* 0: it has answered */
    int from;
    struct text answer;
    struct proof proof;
};

enum pieces { AS_A_WHOLE, IN_PARTS };
enum recursions { AS_THEY_ARE, AS_LOOPS };
static const double SHARE_OF_PARTS = 0.5; /* of the time, for functions that are followed one by one */
/* What functions that call themselves may need more of the stack in one version: some temporaries, not an array. */
enum { MOST_OTHER_BYTES = 256 };

/* ---- one version ---- */

/* How many characters of the files' names are a directory that all are in. */
static size_t common_length(const struct program *program)
{
    size_t length = 0;
    const char *first = program->paths[0];
    for (size_t i = 0; first[i]; i++) {
        for (size_t k = 1; k < program->request->unit_count; k++)
            if (program->paths[k][i] != first[i])
                return length;
        if (first[i] == '/')
            length = i + 1;
    }
    return length;
}

/* A file's name that it has in both versions. */
static const char *file_name(const struct program *program, size_t unit)
{
    return program->request->unit_count == 1 ? "" : program->paths[unit] + common_length(program);
}

static LLVMModuleRef read_unit(struct version *version, const struct program *program, const char *path, size_t unit,
                               struct error *error)
{
    struct version one = *version;
    one.module = bitcode_read(version->context, path, error);
    if (!one.module)
        return NULL;
    fill_uninitialised(one.module);
    name_variables(&one, file_name(program, unit));
    if (unit == program->entry_file)
        name_entry(&one, program);
    version->refused = one.refused;
    version->entry = one.entry;
    return one.module;
}

static bool read_version(struct version *version, const struct program *program, const char *const paths[],
                         struct error *error)
{
    for (size_t i = 0; i < program->request->unit_count; i++) {
        LLVMModuleRef module = read_unit(version, program, paths[i], i, error);
        if (!module)
            return false;
        if (!version->module)
            version->module = module;
        else if (LLVMLinkModules2(version->module, module))
            return error_set(error, "the files do not fit");
    }
    version->layout = LLVMGetModuleDataLayout(version->module);
    return true;
}

/* ---- both ---- */

/* For whoever wants to see why two versions are not the same: docs/proofs.md. */
static void keep(const struct version versions[], struct arena *arena)
{
    static const char *const names[] = {"old", "new"};
    const char *directory = getenv("PENUMBRA_KEEP_PROOFS");
    for (size_t i = 0; directory && i < 2; i++) {
        char *message = NULL;
        LLVMPrintModuleToFile(versions[i].module, arena_format(arena, "%s/%s.ll", directory, names[i]), &message);
        LLVMDisposeMessage(message);
        LLVMPrintModuleToFile(versions[i].followed, arena_format(arena, "%s/%s-followed.ll", directory, names[i]),
                              &message);
        LLVMDisposeMessage(message);
    }
}

static bool has_links(const struct program *program)
{
    size_t count = 0;
    while (program->links[count])
        count++;
    return !links_are_c_library(program->links, count);
}

static bool same_links(const struct program *old, const struct program *new)
{
    size_t i = 0;
    while (old->links[i] && new->links[i] && strcmp(old->links[i], new->links[i]) == 0)
        i++;
    return !old->links[i] && !new->links[i];
}

/* Both versions, optimised. Whatever is possible is inlined, or functions that both have stay what they are. */
struct attempt {
    enum pieces pieces;
    enum recursions recursions;
    struct version versions[2];
    struct error diagnosed; /* by LLVM */
    bool is_ready;          /* to be followed */
};

/* NULL, or why nothing is proven. */
static const char *prepare(const struct proof_request *request, const char *const *const paths[],
                           struct attempt *attempt, struct arena *arena)
{
    struct error error = {0};
    struct version *versions = attempt->versions;
    LLVMContextRef context = LLVMContextCreate();
    bool good = true;
    bitcode_catch_errors(context, &attempt->diagnosed);
    for (size_t i = 0; i < 2 && good; i++) {
        versions[i] = (struct version){.context = context,
                                       .arena = arena,
                                       .builder = LLVMCreateBuilderInContext(context),
                                       .is_called_back = has_links(request->programs[i]),
                                       .makes_loops = attempt->recursions == AS_LOOPS};
        good = read_version(&versions[i], request->programs[i], paths[i], &error);
    }
    for (size_t i = 0; i < 2 && good; i++)
        drop_promises(&versions[i], attempt->pieces == IN_PARTS ? versions[1 - i].module : NULL);
    for (size_t i = 0; i < 2 && good; i++) {
        accept_functions(&versions[i]);
        good = versions[i].refused || optimise(&versions[i], &error);
        if (good && versions[i].refused)
            return versions[i].refused;
    }
    return good ? NULL : error.message ? error.message : "unknown error";
}

static const char *compare_looks(const struct proof_request *request, const char *const *const paths[],
                                 struct attempt *attempt, struct arena *arena)
{
    struct version *versions = attempt->versions;
    const char *problem = prepare(request, paths, attempt, arena);
    if (problem)
        return problem;
    keep(versions, arena);
    uint64_t one = versions[0].frames, other = versions[1].frames;
    if (attempt->recursions == AS_THEY_ARE && (one > other ? one - other : other - one) > MOST_OTHER_BYTES)
        return "a recursion takes more of the stack in one version";
    if (attempt->diagnosed.message)
        return attempt->diagnosed.message;
    attempt->is_ready = true;
    return find_difference(&versions[0], &versions[1], request->uncompared, BY_LOOKS, INFINITY, arena);
}

static const char *compare_steps(const struct proof_request *request, struct attempt *attempt, double end,
                                 struct arena *arena)
{
    for (size_t i = 0; i < 2; i++)
        attempt->versions[i].module = attempt->versions[i].followed;
    return find_difference(&attempt->versions[0], &attempt->versions[1], request->uncompared, BY_STEPS, end, arena);
}

static bool has_functions(const struct attempt *attempt)
{
    return attempt->versions[0].function_count && attempt->versions[1].function_count;
}

/* One version calls itself where the other may have a loop. */
static bool has_other_recursions(const struct attempt *attempt)
{
    return attempt->versions[0].recursion_count != attempt->versions[1].recursion_count;
}

/* Functions that are compared one by one are followed sooner than one in which all of them are. But they may be the
 * same only as they are used. */
static const char *prove_as_they_are(const struct proof_request *request, const char *const *const paths[],
                                     struct arena *arena, bool *has_recursions)
{
    struct attempt whole = {.pieces = AS_A_WHOLE}, parts = {.pieces = IN_PARTS};
    double end = clock_seconds() + request->seconds * SHARE_OF_PARTS;
    const char *problem = compare_looks(request, paths, &whole, arena);
    *has_recursions = has_other_recursions(&whole);
    if (!problem || !whole.is_ready || *has_recursions)
        return problem;
    if (has_functions(&whole) && (!compare_looks(request, paths, &parts, arena) ||
                                  (parts.is_ready && !compare_steps(request, &parts, end, arena))))
        return NULL;
    return compare_steps(request, &whole, INFINITY, arena);
}

static const char *prove_as_loops(const struct proof_request *request, const char *const *const paths[],
                                  struct arena *arena)
{
    struct attempt whole = {.pieces = AS_A_WHOLE, .recursions = AS_LOOPS};
    const char *problem = compare_looks(request, paths, &whole, arena);
    return problem && whole.is_ready ? compare_steps(request, &whole, INFINITY, arena) : problem;
}

/* What is proven of the versions, and why not more. */
static char prove(const struct proof_request *request, const char *const *const paths[], struct arena *arena,
                  const char **problem)
{
    bool has_recursions = false;
    *problem = prove_as_they_are(request, paths, arena, &has_recursions);
    if (!*problem || !has_recursions)
        return *problem ? NOT_PROVEN : PROVEN;
    *problem = prove_as_loops(request, paths, arena);
    return *problem ? NOT_PROVEN : PROVEN_WITH_STACK;
}

/* ---- the process ---- */

static _Noreturn void be_prover(const struct proof_request *request, const char *const *const paths[],
                                struct arena *arena, int answer, pid_t parent)
{
    process_follow(parent);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); /* what LLVM says when it gives up */
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    const char *problem;
    char proven = prove(request, paths, arena, &problem);
    const char *text = arena_format(arena, "%c%s", proven, problem ? problem : "");
    _exit(file_write_to(answer, text, strlen(text)) ? 0 : 1);
}

/* ---- files ---- */

static const char *const *make_paths(struct arena *arena, const struct proof_request *request, size_t version)
{
    size_t count = request->programs[version]->request->unit_count;
    const char **paths = arena_allocate(arena, (count + 1) * sizeof *paths);
    for (size_t i = 0; i < count; i++)
        paths[i] = arena_format(arena, "%s/proof-%zu-%zu.bc", request->directory, version, i);
    paths[count] = NULL;
    return paths;
}

static void remove_files(const struct prover *prover)
{
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; prover->paths[i][k]; k++)
            unlink(prover->paths[i][k]);
}

static bool make_files(const struct proof_request *request, const struct prover *prover, struct error *error)
{
    const struct native_version versions[] = {
        {request->programs[0], request->harnesses[0], "OLD", prover->paths[0]},
        {request->programs[1], request->harnesses[1], "NEW", prover->paths[1]},
    };
    return native_bitcode(versions, sizeof versions / sizeof *versions, error);
}

/* ---- beside this process ---- */

static bool start(const struct proof_request *request, struct prover *prover, struct error *error)
{
    int answer[2];
    if (pipe2(answer, O_CLOEXEC) != 0)
        return error_set(error, "cannot start a proof: %s", strerror(errno));
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        be_prover(request, prover->paths, prover->arena, answer[1], parent);
    close(answer[1]);
    prover->from = answer[0];
    prover->process = child > 0 ? child : 0;
    return child > 0 || error_set(error, "cannot start a proof: %s", strerror(errno));
}

struct prover *prover_start(const struct proof_request *request, struct arena *arena, struct error *error)
{
    struct prover *prover = arena_allocate(arena, sizeof *prover);
    *prover = (struct prover){
        .arena = arena, .from = -1, .paths = {make_paths(arena, request, 0), make_paths(arena, request, 1)}};
    if (!same_links(request->programs[0], request->programs[1])) {
        prover->proof.problem = "other code without source is linked";
        return prover;
    }
    if (make_files(request, prover, error) && start(request, prover, error))
        return prover;
    prover_stop(prover);
    return NULL;
}

/* Whether the end has come. */
static bool read_answer(struct prover *prover, double until)
{
    char buffer[4096];
    for (;;) {
        struct pollfd poll_for = {.fd = prover->from, .events = POLLIN};
        double left = fmax(until - clock_seconds(), 0);
        int ready = poll(&poll_for, 1, (int)ceil(fmin(left, 1000) * 1000));
        ssize_t count = ready > 0 ? read(prover->from, buffer, sizeof buffer) : -1;
        if (count == 0 || (ready && count < 0 && errno != EINTR))
            return true;
        if (count > 0)
            text_append(&prover->answer, buffer, (size_t)count);
        else if (left <= 0)
            return false;
    }
}

/* The process has written what it knows, and ends. */
static void take_answer(struct prover *prover)
{
    int status;
    while (waitpid(prover->process, &status, 0) < 0 && errno == EINTR)
        continue;
    prover->process = 0;
    const char *words = text_string(&prover->answer);
    bool is_whole = WIFEXITED(status) && WEXITSTATUS(status) == 0 && prover->answer.length;
    prover->proof.needs_stack = is_whole && words[0] == PROVEN_WITH_STACK;
    prover->proof.is_proven = is_whole && (words[0] == PROVEN || words[0] == PROVEN_WITH_STACK);
    prover->proof.problem = is_whole ? arena_copy_string(prover->arena, words + 1) : "LLVM gave up";
}

bool prover_wait(struct prover *prover, double until, struct proof *proof)
{
    if (prover->process && read_answer(prover, until))
        take_answer(prover);
    *proof = prover->proof;
    return !prover->process;
}

void prover_stop(struct prover *prover)
{
    if (!prover)
        return;
    if (prover->process)
        kill(prover->process, SIGKILL);
    while (prover->process && waitpid(prover->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (prover->from >= 0)
        close(prover->from);
    text_free(&prover->answer);
    remove_files(prover);
}
