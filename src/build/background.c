/* A build in a process of its own, which waits until it is wanted. What it has to say, its sites as bytes, is in memory
 * that it shares with whoever waits: those may be several. They see the end of a pipe when it is done. */
#include "base/file.h"
#include "base/process.h"
#include "build/build.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUILT = '+', NOT_BUILT = '-' };

struct build {
    pid_t builder;
    int wish[2]; /* a byte; both ends stay open, so that no signal comes of a builder that is no more */
    int answer;  /* a file in memory: BUILT and the sites, or NOT_BUILT and the message */
    int ending;  /* nothing ever comes, but it ends with the builder */
    bool is_wanted;
};

/* It dies with its parent. */
static _Noreturn void be_builder(const struct build *build, const struct build_request *request, pid_t parent)
{
    char wish;
    process_follow(parent);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    setpgid(0, 0);
    if (!file_read_from(build->wish[0], &wish, 1))
        _exit(0);
    struct site_table *sites = site_table_create();
    struct error error = {0};
    struct text text = {0};
    if (build_instrumented(request, sites, &error)) {
        text_append(&text, &(char){BUILT}, 1);
        site_table_write(sites, &text);
    } else {
        text_append(&text, &(char){NOT_BUILT}, 1);
        text_add(&text, error.message ? error.message : "unknown error");
    }
    _exit(file_write_to(build->answer, text_string(&text), text.length) ? 0 : 1);
}

static void close_all(const struct build *build)
{
    const int files[] = {build->wish[0], build->wish[1], build->answer, build->ending};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0)
            close(files[i]);
}

static bool start(struct build *build, const struct build_request *request)
{
    int ending[2];
    pid_t parent = getpid();
    build->answer = memfd_create("penumbra-build", MFD_CLOEXEC);
    if (build->answer < 0 || pipe2(build->wish, O_CLOEXEC) || pipe2(ending, O_CLOEXEC))
        return false;
    build->ending = ending[0];
    build->builder = fork();
    if (build->builder == 0)
        be_builder(build, request, parent);
    close(ending[1]);
    return build->builder > 0;
}

struct build *build_start(const struct build_request *request, struct error *error)
{
    struct build *build = calloc(1, sizeof *build);
    if (!build)
        abort();
    *build = (struct build){.wish = {-1, -1}, .answer = -1, .ending = -1};
    if (start(build, request))
        return build;
    error_set(error, "cannot start a build: %s", strerror(errno));
    close_all(build);
    free(build);
    return NULL;
}

void build_want(struct build *build)
{
    if (!build->is_wanted)
        file_write_to(build->wish[1], "", 1);
    build->is_wanted = true;
}

/* Each reads from the beginning. */
static void read_answer(const struct build *build, struct text *answer)
{
    char buffer[1 << 16];
    ssize_t count;
    while ((count = read(build->ending, buffer, 1)) > 0 || (count < 0 && errno == EINTR))
        continue;
    while ((count = pread(build->answer, buffer, sizeof buffer, (off_t)answer->length)) > 0)
        text_append(answer, buffer, (size_t)count);
}

/* A process that was forked after the build was started may not wait for it, which its parent does. */
static void end(struct build *build)
{
    while (waitpid(build->builder, NULL, 0) < 0 && errno == EINTR)
        continue;
    close_all(build);
    free(build);
}

bool build_finish(struct build *build, struct site_table *sites, struct error *error)
{
    struct text answer = {0};
    build_want(build);
    read_answer(build, &answer);
    bool good = answer.length && *answer.data == BUILT && site_table_read(sites, answer.data + 1, answer.length - 1);
    if (!good)
        error_set(error, "%s",
                  answer.length && *answer.data == NOT_BUILT ? answer.data + 1 : "a build ended unexpectedly");
    text_free(&answer);
    end(build);
    return good;
}

void build_stop(struct build *build)
{
    if (!build)
        return;
    kill(-build->builder, SIGKILL); /* with its compilers; */
    kill(build->builder, SIGKILL);  /* it may have no group yet */
    end(build);
}
