/* How a whole program is started: its arguments, standard input, the files in its working directory, variables of its
 * environment. Each of these is a channel: bytes that are an input, with room to grow, and a length that is one, too.
 * Several seeds are starts of the same program; the channels are those of all of them together. */
#ifndef PENUMBRA_INPUT_INVOCATION_H
#define PENUMBRA_INPUT_INVOCATION_H

#include "base/words.h"
#include "input/input.h"

enum input_channel_kind {
    INPUT_CHANNEL_ARGUMENT, /* a string; whether it is there at all, `argc` says */
    INPUT_CHANNEL_STREAM,   /* standard input */
    INPUT_CHANNEL_FILE,     /* of the working directory */
    INPUT_CHANNEL_VARIABLE, /* of the environment: a string */
};

struct input_channel {
    enum input_channel_kind kind;
    const char *name;   /* of the input: `argv[1]`, `stdin`, `file(name)`, `getenv(NAME)` */
    const char *length; /* of the input that is its length: `length(stdin)`; NULL where a zero byte ends it */
    const char *path;   /* a file's name, relative to the working directory; a variable's name */
    size_t capacity;    /* bytes */
    bool is_asked_for;  /* a file that the user named as an input */
};

/* What the user said. */
struct invocation_request {
    const struct words *arguments; /* of the only seed, without the program's name */
    const char *input;             /* a file for standard input; NULL: it is empty */
    const char *directory;         /* the working directory; NULL: none, where the program starts is empty */
    const char *root;              /* what lies over the system's root directory; NULL: nothing */
    const struct words *files;     /* of it that are inputs; none: all that are not too large */
    const struct words *variables; /* of the environment */
    const char *seeds;             /* a directory of seeds, one folder each; NULL: none */
    size_t growth;                 /* bytes by which each channel may grow */
    bool concrete_arguments, concrete_stream, concrete_files;
};

struct invocation {
    struct arena *arena;
    struct input_channel *channels;
    size_t count, capacity;
    const char *const *fixed; /* arguments that are no inputs, then there is no channel for any; NULL-terminated */
    size_t most_arguments;    /* without the program's name */
    const char *fixed_input;  /* bytes of standard input that are no input, or NULL */
    size_t fixed_input_length;
    const char *directory; /* absolute; or NULL */
    const char *root;      /* or NULL */
    struct words names;    /* of what is in the directory, and `.`: arguments may name these */
    struct seed *seeds;
    size_t seed_count, seed_capacity;
    struct text notes; /* lines: what is no input, and why */
};

/* Reads what the seeds are made of. NULL on an error, which names the file. */
struct invocation *invocation_read(const struct invocation_request *request, struct error *error);
void invocation_free(struct invocation *invocation);

/* Appends the inputs: `argc`, and those of the channels. */
void invocation_add_inputs(const struct invocation *invocation, struct input_layout *layout);
/* The bytes of a seed, in a layout to which the inputs were added. */
void invocation_fill(const struct invocation *invocation, size_t seed, const struct input_layout *layout,
                     uint8_t *bytes);

/* Where the bytes of a channel lie in an input, and how many there are. */
struct channel_content {
    size_t offset, length, capacity;
    const struct input_parameter *length_input; /* NULL: a zero byte ends it */
};
/* False: the layout has no such channel. */
bool invocation_content(const struct input_layout *layout, const struct input_channel *channel, const uint8_t *bytes,
                        struct channel_content *content);
/* Of an argument, by its place in `argv`. */
bool invocation_argument(const struct input_layout *layout, size_t number, const uint8_t *bytes,
                         struct channel_content *content);

/* The start that an input stands for, as a shell takes it: `program -n 'a b' <stdin`, and a line for each channel that
 * is no argument: `stdin: "a\n"`. */
void invocation_print(const struct invocation *invocation, const struct input_layout *layout, const uint8_t *bytes,
                      struct text *text);

#endif
