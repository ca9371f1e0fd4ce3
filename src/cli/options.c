#include "cli/options.h"

#include "base/arena.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/manual.h"

#include <stdlib.h>
#include <string.h>

/* Keys that are no letters. */
enum { FIRST_KEY = 256, KEYS_OF_SET = 256 };

/* The letter of `e|entry`; 0: none. */
static char letter_of(const struct option_row *row)
{
    return row->name[1] == '|' ? row->name[0] : 0;
}

static const char *name_of(const struct option_row *row)
{
    return letter_of(row) ? row->name + 2 : row->name + (row->name[0] == '.');
}

static int key_of(const struct command_line *line, size_t set, size_t row)
{
    char letter = letter_of(&line->sets[set].rows[row]);
    return letter ? letter : FIRST_KEY + (int)(set * KEYS_OF_SET + row);
}

/* ---- for argp ---- */

static struct argp_option describe(struct arena *arena, const struct option_row *row, int key, int group)
{
    int flags =
        (row->name[0] == '.' ? OPTION_HIDDEN : 0) | (row->kind == OPTION_WORDS_OR_ALL ? OPTION_ARG_OPTIONAL : 0);
    const char *help = row->usual > 0 ? arena_format(arena, "%s (default %g)", row->help, row->usual) : row->help;
    return (struct argp_option){name_of(row), key, row->argument, flags, help, group};
}

static const struct argp_option *describe_all(const struct command_line *line, struct arena *arena)
{
    size_t count = 0, most = OPTION_SETS + 1;
    for (size_t set = 0; set < OPTION_SETS && line->sets[set].rows; set++)
        for (const struct option_row *row = line->sets[set].rows; row->kind; row++)
            most++;
    struct argp_option *list = arena_allocate(arena, most * sizeof *list);
    for (size_t set = 0; set < OPTION_SETS && line->sets[set].rows; set++) {
        const struct option_set *here = &line->sets[set];
        int group = (int)set + 1;
        if (here->header)
            list[count++] = (struct argp_option){NULL, 0, NULL, 0, here->header, group};
        for (size_t row = 0; here->rows[row].kind; row++)
            list[count++] = describe(arena, &here->rows[row], key_of(line, set, row), group);
    }
    list[count] = (struct argp_option){0};
    return list;
}

/* ---- values ---- */

static double number(struct argp_state *state, const struct option_row *row, const char *value)
{
    char *end;
    double result = strtod(value, &end);
    if (end == value || *end || !(result >= row->lowest))
        argp_error(state, "--%s takes a number from %g on, not '%s'", name_of(row), row->lowest, value);
    return result;
}

static unsigned choice(struct argp_state *state, const struct option_row *row, const char *value)
{
    unsigned index = 0;
    size_t length = strlen(value);
    for (const char *name = row->argument; name; index++) {
        size_t name_length = strcspn(name, "|");
        if (length == name_length && !strncmp(name, value, length))
            return index;
        name = name[name_length] ? name + name_length + 1 : NULL;
    }
    argp_error(state, "--%s takes %s, not '%s'", name_of(row), row->argument, value);
    return 0;
}

static void *field_at(void *record, size_t offset)
{
    return (char *)record + offset;
}

static void take(struct argp_state *state, const struct option_row *row, void *record, const char *value)
{
    void *at = field_at(record, row->at);
    switch (row->kind) {
    case OPTION_NONE: break;
    case OPTION_TEXT: *(const char **)at = value; break;
    case OPTION_WORDS_OR_ALL:
        if (!value) {
            *(bool *)field_at(record, row->all) = true;
            break;
        }
        words_add(at, value);
        break;
    case OPTION_WORDS: words_add(at, value); break;
    case OPTION_NUMBER: *(double *)at = number(state, row, value); break;
    case OPTION_CHOICE: *(unsigned *)at = choice(state, row, value); break;
    case OPTION_ON: *(bool *)at = true; break;
    case OPTION_OFF: *(bool *)at = false; break;
    }
}

static void set_defaults(const struct command_line *line)
{
    for (size_t set = 0; set < OPTION_SETS && line->sets[set].rows; set++)
        for (const struct option_row *row = line->sets[set].rows; row->kind; row++)
            if (row->kind == OPTION_NUMBER && row->usual > 0)
                *(double *)field_at(line->sets[set].record, row->at) = row->usual;
}

/* ---- parsing ---- */

static error_t parse_option(int key, const char *value, struct argp_state *state)
{
    const struct command_line *line = state->input;
    for (size_t set = 0; set < OPTION_SETS && line->sets[set].rows; set++)
        for (size_t row = 0; line->sets[set].rows[row].kind; row++)
            if (key_of(line, set, row) == key) {
                take(state, &line->sets[set].rows[row], line->sets[set].record, value);
                return 0;
            }
    return ARGP_ERR_UNKNOWN;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    const struct command_line *line = state->input;
    switch (key) {
    case ARGP_KEY_ARG: words_add(line->files, value); return 0;
    case ARGP_KEY_END:
        if (line->check)
            line->check(state, line);
        return 0;
    default: return parse_option(key, value, state);
    }
}

void options_parse(const struct command_line *given, int argc, char **argv)
{
    struct arena *arena = arena_create();
    struct common_options common = {.log = LOG_WARNING};
    struct command_line line = *given;
    size_t set = 0;
    while (line.sets[set].rows)
        set++;
    line.sets[set] = (struct option_set){"Of every command:", common_rows, &common};
    if (manual_is_wanted(argc, argv)) {
        manual_print(&line, argv[0], stdout);
        exit(EXIT_NOTHING);
    }
    struct argp parser = {describe_all(&line, arena), parse, line.arguments, line.summary, NULL, NULL, NULL};
    set_defaults(&line);
    argp_err_exit_status = EXIT_ERROR;
    argp_parse(&parser, argc, argv, 0, NULL, &line);
    arena_destroy(arena);
    common_options_obey(&common);
}
