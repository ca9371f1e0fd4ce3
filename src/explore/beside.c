/* Exploring in processes of their own, beside the one that waits for what they find and proves it. */
#include "base/set.h"
#include "explore/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WAITING = 1000 };

struct receiver {
    const struct exploration *exploration;
    struct explore_outcome *outcome;
    struct error *error;
    size_t most;      /* workers */
    struct set *keys; /* of findings: two workers may come to the same */
    size_t *orders;   /* by number of a finding: which report it was */
    size_t order_capacity, reports;
    size_t *order_of_keys; /* by number of a key */
    size_t order_of_keys_capacity;
    size_t same_diff_paths, same_outputs; /* that were found twice */
    pid_t child;
    bool ended;
    bool failed;    /* a worker says so */
    bool is_mixed;  /* workers came to know inputs in different orders */
    bool is_behind; /* so many messages wait that not all can be dealt with in time */
    bool has_enough;
    bool is_told; /* that the user interrupts, or has enough */
};

/* ---- what was found ---- */

/* Whether it is the first report of the finding. Either way the report that it is in gets known. */
static bool take_order(struct receiver *receiver, const struct finding *finding)
{
    size_t order = receiver->reports;
    if (receiver->most > 1 && finding->kind <= FINDING_OUTPUT) { /* the others are told as often as they are met */
        struct text key = {0};
        text_append(&key, (const char *)&finding->kind, sizeof finding->kind);
        text_append(&key, finding->key, finding->key_length);
        size_t number = set_find(receiver->keys, text_string(&key), key.length);
        if (!set_add(receiver->keys, text_string(&key), key.length))
            order = receiver->order_of_keys[number];
        receiver->order_of_keys = array_reserve(receiver->order_of_keys, &receiver->order_of_keys_capacity, number + 1,
                                                sizeof *receiver->order_of_keys);
        receiver->order_of_keys[number] = order;
        text_free(&key);
    }
    receiver->orders =
        array_reserve(receiver->orders, &receiver->order_capacity, finding->number + 1, sizeof *receiver->orders);
    receiver->orders[finding->number] = order;
    return order == receiver->reports;
}

static bool take_finding(struct receiver *receiver, struct message *message)
{
    const struct explore_options *options = receiver->exploration->options;
    struct finding finding;
    const char **conditions;
    bool good = true;
    message_finding(message, &finding, &conditions);
    finding.many_wait = receiver->is_behind;
    if (take_order(receiver, &finding)) {
        receiver->reports++;
        good = options->report(options->context, &finding, receiver->error);
    } else {
        receiver->same_outputs += finding.kind == FINDING_OUTPUT;
        receiver->same_diff_paths += finding.kind != FINDING_OUTPUT;
    }
    free(conditions);
    return good;
}

static bool take_difference(struct receiver *receiver, struct message *message)
{
    const struct explore_options *options = receiver->exploration->options;
    struct finding_difference difference;
    message_difference(message, &difference);
    difference.finding = receiver->orders[difference.finding];
    return options->difference(options->context, &difference, receiver->error);
}

/* ---- what else is told ---- */

/* What one worker has come to know, another one may have, too; but they must not know it in another order. */
static void take_layout(struct receiver *receiver, struct message *message)
{
    struct input_layout *layout = receiver->exploration->layout;
    size_t place = message_number(message);
    const char *name = message_string(message);
    size_t size = message_number(message);
    if (place < layout->count)
        receiver->is_mixed |= strcmp(layout->parameters[place].name, name) != 0;
    else
        input_layout_learn(layout, name, size);
}

static void take_part(struct receiver *receiver, struct message *message)
{
    struct explore_outcome part;
    const char *problem;
    if (!message_part(message, &part, &problem)) {
        receiver->failed = true;
        error_set(receiver->error, "%s", problem);
    }
    explore_outcome_add(receiver->outcome, &part);
    explore_outcome_free(&part);
}

static void take_end(struct receiver *receiver)
{
    struct explore_statistics *statistics = &receiver->outcome->statistics;
    receiver->ended = true;
    statistics->diff_paths -= receiver->same_diff_paths;
    statistics->output_differences -= receiver->same_outputs;
    if (receiver->has_enough && statistics->interrupted)
        statistics->interrupted = false, statistics->had_enough = true;
}

static void take_progress(struct receiver *receiver, struct message *message)
{
    const struct explore_options *options = receiver->exploration->options;
    struct explore_progress progress;
    size_t length;
    memcpy(&progress, message_bytes(message, &length), sizeof progress);
    options->progress(options->context, &progress);
}

static bool take(struct receiver *receiver, struct message *message)
{
    switch (message->kind) {
    case MESSAGE_LAYOUT: take_layout(receiver, message); return !receiver->is_mixed;
    case MESSAGE_FINDING: return take_finding(receiver, message);
    case MESSAGE_DIFFERENCE: return take_difference(receiver, message);
    case MESSAGE_PROGRESS: take_progress(receiver, message); return true;
    case MESSAGE_PART: take_part(receiver, message); return !receiver->failed;
    case MESSAGE_END: take_end(receiver); return true;
    }
    return true;
}

/* A terminal interrupts the exploring process itself; whoever knows only this one does not. */
static void tell_interrupt(struct receiver *receiver)
{
    const struct explore_options *options = receiver->exploration->options;
    bool is_interrupted = options->interrupted && *options->interrupted;
    receiver->has_enough = !is_interrupted && options->is_enough && options->is_enough(options->context);
    if (receiver->is_told || (!is_interrupted && !receiver->has_enough))
        return;
    kill(receiver->child, SIGINT);
    receiver->is_told = true;
}

/* Until the end, or until nothing more comes. */
static bool receive(struct receiver *receiver, int pipe)
{
    const struct explore_options *options = receiver->exploration->options;
    struct messages messages = {.last = &messages.first};
    struct message *message;
    bool good = true, open = true;
    int patience = options->idle ? 0 : -1; /* milliseconds */
    while (good && (open || messages.first)) {
        struct pollfd more = {pipe, POLLIN, 0};
        while (open && poll(&more, 1, messages.first ? 0 : patience) > 0)
            open = messages_read(&messages, pipe);
        tell_interrupt(receiver);
        if (!messages.first && open && patience >= 0)
            patience = options->idle(options->context);
        receiver->is_behind = messages.count > MOST_WAITING;
        if ((message = messages_take(&messages)))
            good = take(receiver, message);
        free(message);
        open = open && !receiver->ended;
    }
    messages_free(&messages);
    return good;
}

/* ---- the processes ---- */

/* In the child, and in those that it makes: everything a program prints goes nowhere. */
__attribute__((noreturn)) static void explore_and_end(const struct exploration *exploration, struct worker *worker,
                                                      int pipe)
{
    struct rlimit no_core = {0, 0};
    struct error error = {0};
    struct explore_outcome outcome = {0};
    struct explore_options options = *exploration->options;
    struct exploration here = *exploration;
    struct sender sender = {
        .pipe = pipe, .worker = worker, .layout = exploration->layout, .layout_known = exploration->layout->count};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    sender_set_options(&sender, &options);
    here.options = &options;
    here.worker = worker;
    bool good = explore(&here, &outcome, &error);
    send_part(&sender, good, &outcome, &error);
    bool is_first = worker->is_first;
    good = worker_end(worker);
    if (good && is_first)
        send_end(&sender);
    _exit(good ? 0 : 1);
}

static bool explore_by(struct receiver *receiver, struct worker *worker)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return error_set(receiver->error, "no pipe for the exploring process: %s", strerror(errno));
    receiver->child = fork();
    if (receiver->child == 0) {
        close(ends[0]);
        explore_and_end(receiver->exploration, worker, ends[1]);
    }
    close(ends[1]);
    if (receiver->child < 0)
        error_set(receiver->error, "the exploring process cannot be started: %s", strerror(errno));
    bool good = receiver->child > 0 && receive(receiver, ends[0]);
    close(ends[0]);
    if (receiver->child > 0 && !good)
        kill(receiver->child, SIGKILL); /* and those that it has made with it */
    if (receiver->child > 0)
        waitpid(receiver->child, NULL, 0);
    return good;
}

/* What can be told of, or be written, by one worker only is done by one. */
static size_t choose_most(const struct exploration *exploration)
{
    const struct explore_options *options = exploration->options;
    return options->maximum_paths || options->dump_directory || exploration->workers < 1 ? 1 : exploration->workers;
}

/* False on an error. */
static bool explore_once(struct receiver *receiver)
{
    struct worker worker;
    if (!worker_begin(&worker, receiver->most))
        return error_set(receiver->error, "no memory to share with the exploring processes: %s", strerror(errno));
    receiver->keys = set_create();
    bool good = explore_by(receiver, &worker) || receiver->is_mixed;
    set_destroy(receiver->keys);
    free(receiver->orders);
    free(receiver->order_of_keys);
    worker_leave(&worker);
    return good;
}

bool explore_beside(const struct exploration *exploration, struct explore_outcome *outcome, bool *died,
                    struct error *error)
{
    bool is_library = exploration->is_library, good;
    struct receiver receiver = {.most = choose_most(exploration)};
    for (;;) {
        receiver = (struct receiver){.exploration = exploration,
                                     .outcome = outcome,
                                     .error = error,
                                     .most = receiver.most,
                                     .reports = receiver.reports};
        good = explore_once(&receiver);
        bool is_spoilt = receiver.is_mixed || (!receiver.ended && !is_library);
        if (!good || receiver.most == 1 || !is_spoilt)
            break;
        explore_outcome_free(outcome);
        receiver.most = 1; /* which finds again what was found */
    }
    /* What went another way than predicted may be something that a run inside left behind. */
    *died = good && (!receiver.ended || (is_library && outcome->statistics.mispredictions));
    if (*died)
        explore_outcome_free(outcome);
    return good;
}
