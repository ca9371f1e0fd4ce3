/* The command line. An option is a row in a table, which says how it is called, what it takes, where its value goes
 * and what it is when it is not given; parsing, --help and defaults follow the tables. A new option is a row here or in
 * its command's file, and its use. */
#ifndef PENUMBRA_CLI_OPTIONS_H
#define PENUMBRA_CLI_OPTIONS_H

#include "base/words.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* What an option takes, and the type of its value. */
enum option_kind {
    OPTION_NONE,         /* the end of a table */
    OPTION_TEXT,         /* const char * */
    OPTION_WORDS,        /* struct words: each use adds one */
    OPTION_WORDS_OR_ALL, /* the same; without an argument, the bool at `all` becomes true */
    OPTION_NUMBER,       /* double, from `lowest` on */
    OPTION_CHOICE,       /* unsigned or an enumeration: the number of the word in `argument`, `one|two|three` */
    OPTION_ON,           /* bool; takes no argument */
    OPTION_OFF,
};

struct option_row {
    enum option_kind kind;
    const char *name;     /* `entry`, or with a letter, `e|entry`; one that begins with `.` is not in --help */
    const char *argument; /* how --help calls it; NULL: there is none */
    const char *help;
    size_t at;            /* of the value in the record */
    size_t all;           /* OPTION_WORDS_OR_ALL */
    double lowest, usual; /* OPTION_NUMBER; usual: shown by --help unless it is 0 */
};

/* A table is written with these, and RECORD as the struct that its fields are in; TABLE_END closes it. A field of
 * another type than the kind of option wants is a warning. */
#define OPTION_AT(field, type) (offsetof(RECORD, field) + 0 * sizeof(&((RECORD *)0)->field == (type *)0))
#define OPTION_ROW(what, of, takes, says, ...) {.kind = what, .name = of, .argument = takes, .help = says, __VA_ARGS__}
#define TEXT(name, argument, field, help)                                                                              \
    OPTION_ROW(OPTION_TEXT, name, argument, help, .at = OPTION_AT(field, const char *))
#define WORDS(name, argument, field, help)                                                                             \
    OPTION_ROW(OPTION_WORDS, name, argument, help, .at = OPTION_AT(field, struct words))
#define WORDS_OR_ALL(name, argument, field, all_field, help)                                                           \
    OPTION_ROW(OPTION_WORDS_OR_ALL, name, argument, help, .at = OPTION_AT(field, struct words),                        \
               .all = OPTION_AT(all_field, bool))
#define NUMBER(name, argument, field, from, default_value, help)                                                       \
    OPTION_ROW(OPTION_NUMBER, name, argument, help, .at = OPTION_AT(field, double), .lowest = from,                    \
               .usual = default_value)
#define CHOICE(name, choices, field, help)                                                                             \
    OPTION_ROW(OPTION_CHOICE, name, choices, help, .at = OPTION_AT(field, unsigned))
#define ON(name, field, help) OPTION_ROW(OPTION_ON, name, NULL, help, .at = OPTION_AT(field, bool))
#define OFF(name, field, help) OPTION_ROW(OPTION_OFF, name, NULL, help, .at = OPTION_AT(field, bool))
#define TABLE_END {.kind = OPTION_NONE}

/* The rows of one record. */
struct option_set {
    const char *header; /* for --help; NULL: none */
    const struct option_row *rows;
    void *record;
};

/* Those of a command, and behind them those of all commands, which options_parse() adds and obeys itself. */
enum { OPTION_SETS = 4 };

struct command_line {
    const char *arguments, *summary; /* for --help */
    struct option_set sets[OPTION_SETS];
    struct words *files; /* arguments that are no options */
    /* Refuses what does not go together, by argp_error(); or NULL. */
    void (*check)(struct argp_state *state, const struct command_line *line);
};

/* Fills the records. A wrong command line ends the process, with a message and EXIT_ERROR; --help and --manual end it,
 * too. */
void options_parse(const struct command_line *line, int argc, char **argv);

/* Of struct subject_options: the program and its inputs. */
extern const struct option_row subject_rows[];
struct subject_options;
/* Where the user must name a program: refuses the command line without a file or an entry. */
void options_check_program(struct argp_state *state, const struct subject_options *options);

#endif
