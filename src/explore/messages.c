#include "explore/messages.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

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
    worker_lock(sender->worker);
    bool good = file_write_to(sender->pipe, head, sizeof head) &&
                file_write_to(sender->pipe, text_string(&sender->message), sender->message.length);
    worker_unlock(sender->worker);
    sender->message.length = 0;
    return good;
}

/* Inputs that the program made known itself: the other side must know them before it hears of their values. */
static bool send_layout(struct sender *sender)
{
    for (; sender->layout_known < sender->layout->count; sender->layout_known++) {
        const struct input_parameter *parameter = &sender->layout->parameters[sender->layout_known];
        put_number(&sender->message, sender->layout_known);
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
    put_number(message, finding->number);
    put_number(message, finding->site);
    put_number(message, finding->part);
    put_number(message, finding->change);
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

void sender_set_options(struct sender *sender, struct explore_options *options)
{
    options->report = send_finding;
    options->difference = send_difference;
    options->progress = options->progress ? send_progress : NULL;
    options->is_enough = NULL; /* the other process knows, and tells */
    options->context = sender;
}

void send_part(struct sender *sender, bool good, const struct explore_outcome *outcome, const struct error *error)
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
    send(sender, MESSAGE_PART);
}

void send_end(struct sender *sender)
{
    send(sender, MESSAGE_END);
}

/* ---- reading ---- */

bool messages_read(struct messages *messages, int pipe)
{
    uint64_t head[2];
    if (!file_read_from(pipe, head, sizeof head))
        return false;
    struct message *message = malloc(sizeof *message + head[1] + 1);
    message->next = NULL;
    message->kind = (enum message_kind)head[0];
    message->at = message->bytes;
    if (!file_read_from(pipe, message->bytes, head[1])) {
        free(message);
        return false;
    }
    *messages->last = message;
    messages->last = &message->next;
    messages->count++;
    return true;
}

struct message *messages_take(struct messages *messages)
{
    struct message *message = messages->first;
    if (!message)
        return NULL;
    messages->first = message->next;
    messages->count--;
    if (!messages->first)
        messages->last = &messages->first;
    return message;
}

void messages_free(struct messages *messages)
{
    struct message *message;
    while ((message = messages_take(messages)))
        free(message);
}

uint64_t message_number(struct message *message)
{
    uint64_t number;
    memcpy(&number, message->at, sizeof number);
    message->at += sizeof number;
    return number;
}

const void *message_bytes(struct message *message, size_t *length)
{
    *length = message_number(message);
    const void *bytes = message->at;
    message->at += *length;
    return bytes;
}

const char *message_string(struct message *message)
{
    size_t length;
    return message_bytes(message, &length);
}

void message_finding(struct message *message, struct finding *finding, const char ***conditions)
{
    *finding = (struct finding){.kind = (enum finding_kind)message_number(message)};
    finding->number = message_number(message);
    finding->site = (uint32_t)message_number(message);
    finding->part = (uint32_t)message_number(message);
    finding->change = (uint32_t)message_number(message);
    finding->failed = message_number(message);
    finding->phase = message_string(message);
    finding->input = message_bytes(message, &finding->input_size);
    finding->key = message_bytes(message, &finding->key_length);
    size_t count = message_number(message);
    *conditions = calloc(count + 1, sizeof **conditions);
    for (size_t i = 0; i < count; i++)
        (*conditions)[i] = message_string(message);
    finding->conditions = *conditions;
}

void message_difference(struct message *message, struct finding_difference *difference)
{
    *difference = (struct finding_difference){.finding = message_number(message)};
    difference->condition = message_string(message);
    difference->input = message_bytes(message, &difference->input_size);
    if (!difference->input_size)
        difference->input = NULL;
}

bool message_part(struct message *message, struct explore_outcome *outcome, const char **problem)
{
    size_t length;
    bool good = message_number(message);
    *problem = message_string(message);
    memcpy(outcome, message_bytes(message, &length), sizeof *outcome);
    struct explore_statistics *statistics = &outcome->statistics;
    size_t count = statistics->loss_count; /* their texts follow */
    statistics->losses = NULL;
    statistics->loss_count = statistics->loss_capacity = 0;
    for (size_t i = 0; i < count; i++) {
        const char *what = message_string(message);
        explore_losses_add(statistics, what, message_number(message));
    }
    return good;
}
