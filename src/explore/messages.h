/* What an exploring process tells the one that waits for it: messages through a pipe, each with its kind and length,
 * and its fields one behind the other. */
#ifndef PENUMBRA_EXPLORE_MESSAGES_H
#define PENUMBRA_EXPLORE_MESSAGES_H

#include "explore/explore.h"
#include "explore/workers.h"

enum message_kind {
    MESSAGE_LAYOUT = 1, /* an input that the program made known itself */
    MESSAGE_FINDING,
    MESSAGE_DIFFERENCE,
    MESSAGE_PROGRESS,
    MESSAGE_PART, /* a worker has done its part: the outcome of that */
    MESSAGE_END,  /* all have; a process that dies without it was killed by a path */
};

/* ---- writing ---- */

struct sender {
    int pipe;
    struct worker *worker; /* others may write to it, too */
    struct text message;
    struct input_layout *layout;
    size_t layout_known; /* parameters that the other side knows */
};

/* Options for explore() that tell everything through the pipe. */
void sender_set_options(struct sender *sender, struct explore_options *options);
void send_part(struct sender *sender, bool good, const struct explore_outcome *outcome, const struct error *error);
void send_end(struct sender *sender);

/* ---- reading ---- */

/* Messages that have come and are still to be dealt with. Findings are proven one after the other, which takes longer
 * than finding them: the exploring process must not have to wait for it. */
struct message {
    struct message *next;
    enum message_kind kind;
    const char *at; /* what is read next */
    char bytes[];
};
struct messages {
    struct message *first, **last;
    size_t count;
};

/* False when nothing more comes. */
bool messages_read(struct messages *messages, int pipe);
/* The first one, which the caller frees; NULL: there is none. */
struct message *messages_take(struct messages *messages);
void messages_free(struct messages *messages);

uint64_t message_number(struct message *message);
const void *message_bytes(struct message *message, size_t *length);
const char *message_string(struct message *message);
/* The fields of a finding, but for what only the receiver knows. `conditions` is the list that it has, to be freed. */
void message_finding(struct message *message, struct finding *finding, const char ***conditions);
void message_difference(struct message *message, struct finding_difference *difference);
/* False where the worker has failed: `problem` says why. */
bool message_part(struct message *message, struct explore_outcome *outcome, const char **problem);

#endif
