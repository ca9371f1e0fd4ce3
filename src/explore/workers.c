#include "explore/workers.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/process.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is explored in less time is not worth a process, nor is one that takes as long to make as it works. */
static const double FIRST_SECONDS = 0.3, SHORTEST_SECONDS = 0.05, TIMES_AS_LONG = 20, LOOK_SECONDS = 0.1;

enum { SEEN = 1 << 20, MOST_STEPS = 64 };

struct team {
    size_t most;
    _Atomic size_t at_work, made, findings;
    _Atomic size_t runs, paths, diff_paths;
    atomic_bool must_stop;
    pthread_mutex_t writing;
    _Atomic uint64_t seen[SEEN]; /* hashes, where they fall or in the places behind; 0: free */
};

/* ---- beginning and end ---- */

static void make_mutex(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

bool worker_begin(struct worker *worker, size_t most)
{
    struct team *team = mmap(NULL, sizeof *team, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (team == MAP_FAILED)
        return false;
    make_mutex(&team->writing);
    team->most = most;
    team->at_work = team->made = 1;
    *worker = (struct worker){.team = team, .is_first = true, .next_split = clock_seconds() + FIRST_SECONDS};
    return true;
}

void worker_leave(struct worker *worker)
{
    munmap(worker->team, sizeof *worker->team);
}

static bool has_ended_well(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool worker_end(struct worker *worker)
{
    bool good = true;
    worker->team->at_work--;
    for (size_t i = 0; i < worker->child_count; i++) {
        int status;
        pid_t ended;
        while ((ended = waitpid(worker->children[i], &status, 0)) < 0 && errno == EINTR)
            continue;
        good &= ended > 0 && has_ended_well(status);
    }
    free(worker->children);
    return good;
}

/* ---- another one ---- */

bool worker_wants_another(const struct worker *worker)
{
    return worker->team && worker->team->at_work < worker->team->most && clock_rough_seconds() >= worker->next_split;
}

static bool take_place(struct team *team)
{
    size_t at_work = team->at_work;
    while (at_work < team->most)
        if (atomic_compare_exchange_weak(&team->at_work, &at_work, at_work + 1))
            return true;
    return false;
}

static enum split begin(struct worker *worker, pid_t parent)
{
    process_follow(parent);
    free(worker->children);
    *worker = (struct worker){.team = worker->team, .next_split = clock_seconds() + FIRST_SECONDS};
    return SPLIT_BEGINS;
}

enum split worker_split(struct worker *worker)
{
    struct team *team = worker->team;
    pid_t parent = getpid();
    double start = clock_seconds();
    if (!take_place(team))
        return SPLIT_NOT;
    team->made++;
    pid_t child = fork();
    if (child == 0)
        return begin(worker, parent);
    double pause = (clock_seconds() - start) * TIMES_AS_LONG;
    worker->next_split = clock_seconds() + (pause > SHORTEST_SECONDS ? pause : SHORTEST_SECONDS);
    if (child < 0) {
        team->at_work--;
        return SPLIT_NOT;
    }
    worker->children =
        array_reserve(worker->children, &worker->child_capacity, worker->child_count + 1, sizeof *worker->children);
    worker->children[worker->child_count++] = child;
    return SPLIT_STAYS;
}

size_t worker_number(const struct worker *worker)
{
    return worker->team->made;
}

/* ---- stopping ---- */

void worker_stop_all(struct worker *worker)
{
    worker->team->must_stop = true;
}

/* One that died has left its part of the work undone. It is not waited for here: worker_end() sees it, too. */
static bool has_lost_one(const struct worker *worker)
{
    for (size_t i = 0; i < worker->child_count; i++) {
        siginfo_t end = {0};
        bool is_known = !waitid(P_PID, (id_t)worker->children[i], &end, WEXITED | WNOHANG | WNOWAIT) && end.si_pid;
        if (is_known && (end.si_code != CLD_EXITED || end.si_status))
            return true;
    }
    return false;
}

bool worker_must_stop(struct worker *worker)
{
    double now = clock_rough_seconds();
    if (worker->child_count && now >= worker->next_look) {
        worker->next_look = now + LOOK_SECONDS;
        if (has_lost_one(worker))
            worker_stop_all(worker);
    }
    return worker->team->must_stop;
}

/* ---- what they share ---- */

/* Whoever died in the middle of a message has spoilt the pipe; the others must come to their end all the same. */
void worker_lock(struct worker *worker)
{
    if (pthread_mutex_lock(&worker->team->writing) == EOWNERDEAD)
        pthread_mutex_consistent(&worker->team->writing);
}

void worker_unlock(struct worker *worker)
{
    pthread_mutex_unlock(&worker->team->writing);
}

size_t worker_next_finding(struct worker *worker)
{
    return worker->team->findings++;
}

bool worker_sees_first(struct worker *worker, const void *bytes, size_t length)
{
    uint64_t hash = hash_bytes(HASH_START, bytes, length) | 1;
    for (size_t step = 0; step < MOST_STEPS; step++) {
        _Atomic uint64_t *place = &worker->team->seen[((hash >> 20) + step) % SEEN];
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(place, &there, hash))
            return true;
        if (there == hash)
            return false;
    }
    return true;
}

struct worker_counts worker_count(struct worker *worker, const struct worker_counts *more)
{
    struct team *team = worker->team;
    return (struct worker_counts){.runs = team->runs += more->runs,
                                  .paths = team->paths += more->paths,
                                  .diff_paths = team->diff_paths += more->diff_paths};
}
