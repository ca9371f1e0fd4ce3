/* What the world outside sees of a run comes through channels, each of a kind: one row of a table for each, which says
 * how two versions are compared there. Within a channel, what is compared has a name, bytes and a length (a line, `name
 * = 07 00 00 00  # 7`), or is a stream of bytes. A new kind is a row, and its part of what was observed. */
#ifndef PENUMBRA_CHECK_CHANNEL_H
#define PENUMBRA_CHECK_CHANNEL_H

#include "check/check.h"

enum channel_kind {
    CHANNEL_PRINTED, /* standard output */
    CHANNEL_MEMORY,  /* what was returned, and what memory holds then: each pn_output() */
    CHANNEL_FILES,   /* what was left behind (execute/left.h) */
    CHANNEL_ERRORS,  /* standard error */
    CHANNEL_STATUS,  /* the exit status */
    CHANNEL_KINDS
};

enum channel_form {
    FORM_STREAM, /* bytes in their order */
    FORM_NAMED,  /* lines; versions may have them in another order: it is names that correspond */
    FORM_NUMBER,
};

struct channel {
    enum channel_form form;
    bool is_after_failure; /* it is compared between versions that both fail, too */
};
extern const struct channel channels[CHANNEL_KINDS];

/* A part of what a run wrote. Programs may write any bytes, zeros too. */
struct part {
    const char *at, *end;
};

/* What a run put into a channel that is no number. */
struct part channel_part(const struct check_observation *run, enum channel_kind kind);
/* Whether two runs put the same into it; floating-point numbers within the tolerance are the same. */
bool channel_is_same(const struct check_observation *old_run, const struct check_observation *new_run,
                     enum channel_kind kind, double tolerance);

/* The length of the part's first line, with its end; 0 where there is none. */
size_t part_line_length(const struct part *lines);

struct line {
    const char *at;
    size_t length, name_length;
    size_t number; /* in the order of the text */
};

struct lines {
    struct line *list; /* to be freed */
    size_t count, capacity;
};

struct lines part_lines_by_name(struct part part);
struct line part_first_line(struct part part); /* its length is 0 where there is none */
int line_compare_names(const struct line *one, const struct line *other);
bool line_is_same(const struct line *one, const struct line *other, double tolerance);

#endif
