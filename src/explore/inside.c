/* Exploring in a process of its own, in which the program runs too. Findings come back through a pipe, one message
 * each: its kind and length, then its fields one after the other. The end is a message as well: a process that dies
 * without it was killed by a path. */
#include "base/file.h"
#include "explore/explore.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum message_kind { MESSAGE_LAYOUT = 1, MESSAGE_FINDING, MESSAGE_DIFFERENCE, MESSAGE_PROGRESS, MESSAGE_END };

/* ---- writing ---- */

struct sender {
    int pipe;
    struct text message;
    struct input_layout *layout;
    size_t layout_known; /* parameters that the other side knows */
};

static void put_number(struct text *text, uint64_t number)
{
    text_append(text, (const char *)&number, sizeof number);
}

static void put_bytes(struct text *text, const void *bytes, size_t length)
{
    put_number(text, length);
    if (length)
        text_append(text, bytes, length);
}

static void put_string(struct text *text, const char *string)
{
    put_bytes(text, string, strlen(string) + 1);
}

static bool send(struct sender *sender, enum message_kind kind)
{
    uint64_t head[] = {kind, sender->message.length};
    bool good = file_write_to(sender->pipe, head, sizeof head) &&
                file_write_to(sender->pipe, text_string(&sender->message), sender->message.length);
    sender->message.length = 0;
    return good;
}

/* Inputs that the program made known itself: the other side must know them before it hears of their values. */
static bool send_layout(struct sender *sender)
{
    for (; sender->layout_known < sender->layout->count; sender->layout_known++) {
        const struct input_parameter *parameter = &sender->layout->parameters[sender->layout_known];
        put_string(&sender->message, parameter->name);
        put_number(&sender->message, parameter->element_size * parameter->element_count);
        if (!send(sender, MESSAGE_LAYOUT))
            return false;
    }
    return true;
}

static bool send_finding(void *context, const struct finding *finding, struct error *error)
{
    struct sender *sender = context;
    struct text *message = &sender->message;
    size_t count = 0;
    if (!send_layout(sender))
        return error_set(error, "the exploring process lost its pipe");
    put_number(message, finding->kind);
    put_number(message, finding->site);
    put_number(message, finding->part);
    put_number(message, finding->failed);
    put_string(message, finding->phase);
    put_bytes(message, finding->input, finding->input_size);
    put_bytes(message, finding->key, finding->key_length);
    while (finding->conditions[count])
        count++;
    put_number(message, count);
    for (size_t i = 0; i < count; i++)
        put_string(message, finding->conditions[i]);
    return send(sender, MESSAGE_FINDING) || error_set(error, "the exploring process lost its pipe");
}

static bool send_difference(void *context, const struct finding_difference *difference, struct error *error)
{
    struct sender *sender = context;
    put_number(&sender->message, difference->finding);
    put_string(&sender->message, difference->condition);
    put_bytes(&sender->message, difference->input, difference->input ? difference->input_size : 0);
    return send(sender, MESSAGE_DIFFERENCE) || error_set(error, "the exploring process lost its pipe");
}

static void send_progress(void *context, const struct explore_progress *progress)
{
    struct sender *sender = context;
    put_bytes(&sender->message, progress, sizeof *progress);
    send(sender, MESSAGE_PROGRESS);
}

static void send_end(struct sender *sender, bool good, const struct explore_outcome *outcome, const struct error *error)
{
    struct text *message = &sender->message;
    send_layout(sender);
    put_number(message, good);
    put_string(message, good ? "" : error->message ? error->message : "");
    put_bytes(message, outcome, sizeof *outcome);
    for (size_t i = 0; i < outcome->statistics.loss_count; i++) {
        put_string(message, outcome->statistics.losses[i].what);
        put_number(message, outcome->statistics.losses[i].count);
    }
    send(sender, MESSAGE_END);
}

/* ---- reading ---- */

struct receiver {
    const struct exploration *exploration;
    struct explore_outcome *outcome;
    struct error *error;
    const char *at; /* in the message */
    bool ended, good;
    bool is_behind; /* so many messages wait that not all can be dealt with in time */
    pid_t child;
    bool has_enough;
    bool is_told; /* that the user interrupts, or has enough */
};

static uint64_t get_number(struct receiver *receiver)
{
    uint64_t number;
    memcpy(&number, receiver->at, sizeof number);
    receiver->at += sizeof number;
    return number;
}

static const void *get_bytes(struct receiver *receiver, size_t *length)
{
    *length = get_number(receiver);
    const void *bytes = receiver->at;
    receiver->at += *length;
    return bytes;
}

static const char *get_string(struct receiver *receiver)
{
    size_t length;
    return get_bytes(receiver, &length);
}

static void take_layout(struct receiver *receiver)
{
    const char *name = get_string(receiver);
    input_layout_learn(receiver->exploration->layout, name, get_number(receiver));
}

static bool take_finding(struct receiver *receiver)
{
    const struct explore_options *options = receiver->exploration->options;
    struct finding finding = {.kind = (enum finding_kind)get_number(receiver)};
    finding.site = (uint32_t)get_number(receiver);
    finding.part = (uint32_t)get_number(receiver);
    finding.failed = get_number(receiver);
    finding.many_wait = receiver->is_behind;
    finding.phase = get_string(receiver);
    finding.input = get_bytes(receiver, &finding.input_size);
    finding.key = get_bytes(receiver, &finding.key_length);
    size_t count = get_number(receiver);
    const char **conditions = calloc(count + 1, sizeof *conditions);
    for (size_t i = 0; i < count; i++)
        conditions[i] = get_string(receiver);
    finding.conditions = conditions;
    bool good = options->report(options->context, &finding, receiver->error);
    free(conditions);
    return good;
}

static bool take_difference(struct receiver *receiver)
{
    const struct explore_options *options = receiver->exploration->options;
    struct finding_difference difference = {.finding = get_number(receiver)};
    difference.condition = get_string(receiver);
    difference.input = get_bytes(receiver, &difference.input_size);
    if (!difference.input_size)
        difference.input = NULL;
    return options->difference(options->context, &difference, receiver->error);
}

static void take_end(struct receiver *receiver)
{
    size_t length;
    struct explore_statistics *statistics = &receiver->outcome->statistics;
    receiver->ended = true;
    receiver->good = get_number(receiver);
    const char *problem = get_string(receiver);
    if (!receiver->good)
        error_set(receiver->error, "%s", problem);
    memcpy(receiver->outcome, get_bytes(receiver, &length), sizeof *receiver->outcome);
    if (receiver->has_enough && statistics->interrupted)
        statistics->interrupted = false, statistics->had_enough = true;
    statistics->losses = calloc(statistics->loss_count + 1, sizeof *statistics->losses);
    for (size_t i = 0; i < statistics->loss_count; i++) {
        statistics->losses[i].what = strdup(get_string(receiver));
        statistics->losses[i].count = get_number(receiver);
    }
}

static void take_progress(struct receiver *receiver)
{
    const struct explore_options *options = receiver->exploration->options;
    struct explore_progress progress;
    size_t length;
    memcpy(&progress, get_bytes(receiver, &length), sizeof progress);
    options->progress(options->context, &progress);
}

static bool take(struct receiver *receiver, enum message_kind kind)
{
    switch (kind) {
    case MESSAGE_LAYOUT: take_layout(receiver); return true;
    case MESSAGE_FINDING: return take_finding(receiver);
    case MESSAGE_DIFFERENCE: return take_difference(receiver);
    case MESSAGE_PROGRESS: take_progress(receiver); return true;
    case MESSAGE_END: take_end(receiver); return true;
    }
    return true;
}

/* Messages that have come and are still to be dealt with. Findings are proven one after the other, which takes longer
 * than finding them: the exploring process must not have to wait for it. */
struct message {
    struct message *next;
    enum message_kind kind;
    char bytes[];
};
struct messages {
    struct message *first, **last;
    size_t count;
};
enum { MOST_WAITING = 1000 };

static bool read_message(struct messages *messages, int pipe)
{
    uint64_t head[2];
    if (!file_read_from(pipe, head, sizeof head))
        return false;
    struct message *message = malloc(sizeof *message + head[1] + 1);
    message->next = NULL;
    message->kind = (enum message_kind)head[0];
    if (!file_read_from(pipe, message->bytes, head[1])) {
        free(message);
        return false;
    }
    *messages->last = message;
    messages->last = &message->next;
    messages->count++;
    return true;
}

static bool take_first(struct receiver *receiver, struct messages *messages)
{
    struct message *message = messages->first;
    messages->first = message->next;
    messages->count--;
    if (!messages->first)
        messages->last = &messages->first;
    receiver->at = message->bytes;
    bool good = take(receiver, message->kind);
    free(message);
    return good;
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
    bool good = true, open = true;
    int patience = options->idle ? 0 : -1; /* milliseconds */
    while (good && (open || messages.first)) {
        struct pollfd more = {pipe, POLLIN, 0};
        while (open && poll(&more, 1, messages.first ? 0 : patience) > 0)
            open = read_message(&messages, pipe);
        tell_interrupt(receiver);
        if (!messages.first && open && patience >= 0)
            patience = options->idle(options->context);
        receiver->is_behind = messages.count > MOST_WAITING;
        if (messages.first)
            good = take_first(receiver, &messages);
        open = open && !receiver->ended;
    }
    while (messages.first) {
        struct message *message = messages.first;
        messages.first = message->next;
        free(message);
    }
    return good && (!receiver->ended || receiver->good);
}

/* ---- the two processes ---- */

/* In the child: everything the program prints goes nowhere. */
__attribute__((noreturn)) static void explore_and_end(const struct exploration *exploration, int pipe)
{
    struct rlimit no_core = {0, 0};
    struct error error = {0};
    struct explore_outcome outcome = {0};
    struct explore_options options = *exploration->options;
    struct exploration here = *exploration;
    struct sender sender = {.pipe = pipe, .layout = exploration->layout, .layout_known = exploration->layout->count};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    options.report = send_finding;
    options.difference = send_difference;
    options.progress = options.progress ? send_progress : NULL;
    options.is_enough = NULL; /* the other process knows, and tells */
    options.context = &sender;
    here.options = &options;
    here.target = target_load(exploration->library, &options.limits, &error);
    bool good = here.target && explore(&here, &outcome, &error);
    send_end(&sender, good, &outcome, &error);
    _exit(0);
}

bool explore_inside(const struct exploration *exploration, struct explore_outcome *outcome, bool *died,
                    struct error *error)
{
    int ends[2];
    struct receiver receiver = {.exploration = exploration, .outcome = outcome, .error = error};
    *died = false;
    if (pipe2(ends, O_CLOEXEC))
        return error_set(error, "no pipe for the exploring process: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0)
        return error_set(error, "the exploring process cannot be started: %s", strerror(errno));
    if (child == 0) {
        close(ends[0]);
        explore_and_end(exploration, ends[1]);
    }
    close(ends[1]);
    receiver.child = child;
    bool good = receive(&receiver, ends[0]);
    close(ends[0]);
    if (!good)
        kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    /* What went another way than predicted may be something that a run inside left behind. */
    *died = good && (!receiver.ended || outcome->statistics.mispredictions);
    if (*died) {
        explore_outcome_free(outcome);
        *outcome = (struct explore_outcome){0};
    }
    return good;
}
