#include "execute/keeper.h"
#include "execute/left.h"
#include "execute/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ANSWERED = MOST_PLACES * (LEFT_MOST + 256) };

/* A command is one of these; the answer to the first two is a byte, TIDY or SPOILT, then the lines; to the last, an
 * int. */
enum command { TIDY = 't', TIDY_AND_TELL = 'l', AWAIT_END = 'w', SPOILT = 's' };

struct keeper {
    struct namespaces namespaces;
    struct statfs clean; /* our file system without anything of a run's */
    pid_t first;
};

/* ---- the keeper's side ---- */

static void note_clean(struct keeper *keeper)
{
    fstatfs(keeper->namespaces.root, &keeper->clean);
    for (size_t i = 0; i < keeper->namespaces.place_count; i++)
        place_note(&keeper->namespaces.places[i]);
}

/* Whatever is made in a place, or changed or removed in the working directory, takes a node of our file system. */
static bool is_clean(const struct keeper *keeper)
{
    struct statfs now;
    const struct namespaces *namespaces = &keeper->namespaces;
    for (size_t i = 0; i < namespaces->place_count; i++)
        if (place_has_other_mode(&namespaces->places[i]))
            return false;
    return !fstatfs(namespaces->root, &now) && now.f_ffree == keeper->clean.f_ffree &&
           now.f_bfree == keeper->clean.f_bfree;
}

/* The directories of the layer that is no more. */
static void remove_layer(unsigned number)
{
    static const char *const kinds[] = {"changes", "work"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char path[32];
        snprintf(path, sizeof path, "%s-%u", kinds[i], number);
        struct place place = {.name = "", .root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .original = -1};
        if (place.root < 0)
            continue;
        place_note(&place);
        place_empty(&place);
        close(place.root);
        rmdir(path);
    }
}

static bool clean_layer(struct namespaces *namespaces, struct place *place)
{
    struct failure ignored;
    unsigned last = place->layer;
    if (place_undo(place))
        return true;
    if (!namespaces_renew_layer(namespaces, place, &ignored))
        return false;
    remove_layer(last);
    return true;
}

/* No layer lies over another one (own_root.h): each is renewed by itself. */
static bool clean_up(struct keeper *keeper)
{
    struct namespaces *namespaces = &keeper->namespaces;
    for (size_t i = 0; i < namespaces->place_count; i++)
        if (!namespaces->places[i].is_layer)
            place_empty(&namespaces->places[i]);
        else if (!clean_layer(namespaces, &namespaces->places[i]))
            return false;
    note_clean(keeper);
    return true;
}

static void answer_tidy(struct keeper *keeper, int channel, bool tell)
{
    struct text answer = {0};
    text_add(&answer, "t");
    bool good = is_clean(keeper);
    if (!good) {
        for (size_t i = 0; tell && i < keeper->namespaces.place_count; i++)
            left_list(&keeper->namespaces.places[i], answer.length + LEFT_MOST, &answer);
        good = clean_up(keeper);
    }
    if (!good)
        answer.data[0] = SPOILT;
    if (send(channel, answer.data, answer.length, MSG_NOSIGNAL) < 0)
        _exit(1);
    text_free(&answer);
}

static _Noreturn void serve_commands(struct keeper *keeper, int channel)
{
    char command;
    int status = 0;
    while (read(channel, &command, 1) == 1) {
        if (command != AWAIT_END) {
            answer_tidy(keeper, channel, command == TIDY_AND_TELL);
            continue;
        }
        waitpid(keeper->first, &status, 0);
        if (send(channel, &status, sizeof status, MSG_NOSIGNAL) < 0)
            break;
    }
    kill(keeper->first, SIGKILL);
    _exit(0);
}

bool keeper_be(const struct world *world, int channel, void (*become)(void *), void (*release)(void *), void *context,
               struct failure *failure)
{
    struct keeper keeper = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!namespaces_enter(&keeper.namespaces, world, failure))
        return false;
    note_clean(&keeper);
    if (unshare(CLONE_NEWPID))
        return failure_note(failure, "make a namespace for processes");
    keeper.first = fork();
    if (keeper.first < 0)
        return failure_note(failure, "start a process in a namespace");
    if (keeper.first == 0) {
        close(channel);
        namespaces_mount_processes();
        become(context);
        _exit(127);
    }
    release(context);
    serve_commands(&keeper, channel);
}

/* ---- the other side ---- */

bool keeper_tidy(int channel, struct text *left)
{
    static char answer[MOST_ANSWERED];
    char command = left ? TIDY_AND_TELL : TIDY;
    if (send(channel, &command, 1, MSG_NOSIGNAL) != 1)
        return false;
    ssize_t length;
    do
        length = recv(channel, answer, sizeof answer, 0);
    while (length < 0 && errno == EINTR);
    if (length < 1 || *answer != TIDY)
        return false;
    if (left)
        text_append(left, answer + 1, (size_t)length - 1);
    return true;
}

bool keeper_await_end(int channel, int *status)
{
    char command = AWAIT_END;
    return send(channel, &command, 1, MSG_NOSIGNAL) == 1 && recv(channel, status, sizeof *status, 0) == sizeof *status;
}
