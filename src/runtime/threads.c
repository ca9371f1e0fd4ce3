/* Threads of the program. The runtime follows one of them at a time: whoever starts another one waits until that has
 * ended, or for a while where it waits for something itself. So threads that are only started and joined run one after
 * the other, and their hooks do not disturb each other. That other orders were not seen is a limit. */
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

enum { PATIENCE = 10 * 1000 * 1000 }; /* nanoseconds */

/* Is never freed: who starts the thread may have gone on before it ends. */
struct begun {
    void *(*start)(void *);
    thrd_start_t start_c11;
    void *argument;
    sem_t has_ended;
};

/* After one that did not end, others of its kind will not, either. */
static bool has_waited_in_vain;

static void note_end(void *ended)
{
    sem_post(ended);
}

/* Also where the thread ends by pthread_exit(). */
static void *run_thread(void *argument)
{
    struct begun *begun = argument;
    void *result;
    pthread_cleanup_push(note_end, &begun->has_ended);
    result = begun->start ? begun->start(begun->argument) : (void *)(intptr_t)begun->start_c11(begun->argument);
    pthread_cleanup_pop(1);
    return result;
}

static void wait_for(struct begun *begun)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += PATIENCE;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int result;
    do
        result = sem_clockwait(&begun->has_ended, CLOCK_MONOTONIC, &until);
    while (result && errno == EINTR);
    has_waited_in_vain |= result != 0;
}

static int start_thread(pthread_t *thread, const pthread_attr_t *attributes, const struct begun *what)
{
    int (*start)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    struct begun *begun = malloc(sizeof *begun);
    *(void **)&start = dlsym(RTLD_NEXT, "pthread_create");
    if (!start || !begun)
        return EAGAIN;
    *begun = *what;
    sem_init(&begun->has_ended, 0, 0);
    int before = errno, problem = start(thread, attributes, run_thread, begun);
    if (!problem) {
        pn_trace->threads++;
        if (!has_waited_in_vain)
            wait_for(begun);
    }
    errno = before;
    return problem;
}

/* In place of the C library's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    return start_thread(thread, attributes, &(struct begun){.start = start, .argument = argument});
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    return start_thread(thread, NULL, &(struct begun){.start_c11 = start, .argument = argument}) ? thrd_error
                                                                                                 : thrd_success;
}
