/* A build in a process of its own, which waits until it is wanted. What it has to say comes through a pipe when it is
 * done, its sites as bytes. */
#include "base/file.h"
#include "base/process.h"
#include "build/build.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUILT = '+', NOT_BUILT = '-' };

struct build {
    pid_t builder;
    int wish[2]; /* a byte; both ends stay open, so that no signal comes of a builder that is no more */
    int answer;  /* BUILT and the sites, or NOT_BUILT and the message */
    bool is_wanted;
};

/* It dies with its parent. */
static _Noreturn void be_builder(const struct build *build, const struct build_request *request, int answer,
                                 pid_t parent)
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
    _exit(file_write_to(answer, text_string(&text), text.length) ? 0 : 1);
}

struct build *build_start(const struct build_request *request, struct error *error)
{
    int answer[2];
    struct build *build = calloc(1, sizeof *build);
    if (!build)
        abort();
    if (pipe2(answer, O_CLOEXEC) != 0) {
        free(build);
        error_set(error, "cannot start a build: %s", strerror(errno));
        return NULL;
    }
    build->answer = answer[0];
    bool good = pipe2(build->wish, O_CLOEXEC) == 0;
    pid_t parent = getpid();
    build->builder = good ? fork() : -1;
    if (build->builder == 0)
        be_builder(build, request, answer[1], parent);
    close(answer[1]);
    if (build->builder > 0)
        return build;
    error_set(error, "cannot start a build: %s", strerror(errno));
    if (good)
        close(build->wish[0]), close(build->wish[1]);
    close(build->answer);
    free(build);
    return NULL;
}

void build_want(struct build *build)
{
    if (!build->is_wanted)
        file_write_to(build->wish[1], "", 1);
    build->is_wanted = true;
}

static void read_answer(const struct build *build, struct text *answer)
{
    char buffer[1 << 16];
    ssize_t count;
    while ((count = read(build->answer, buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR))
        if (count > 0)
            text_append(answer, buffer, (size_t)count);
}

/* A process that was forked after the build was started may not wait for it, which its parent does. */
static void end(struct build *build)
{
    while (waitpid(build->builder, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(build->wish[0]), close(build->wish[1]);
    close(build->answer);
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
