#include "cli/manual.h"

#include <ctype.h>
#include <string.h>

bool manual_is_wanted(int argc, char **argv)
{
    return argc == 2 && !strcmp(argv[1], "--manual");
}

/* ---- text as roff has it ---- */

static void print_text(const char *text, size_t length, FILE *to)
{
    for (size_t i = 0; i < length; i++) {
        bool is_first = !i || text[i - 1] == '\n';
        if (is_first && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", to);
        if (text[i] == '\\')
            fputs("\\e", to);
        else if (text[i] == '-')
            fputs("\\-", to);
        else if (text[i] == '\'')
            fputs("\\(aq", to);
        else
            putc(text[i], to);
    }
}

static void print_string(const char *text, FILE *to)
{
    print_text(text, strlen(text), to);
}

/* ---- the parts of a page ---- */

static void print_title(const char *command, FILE *to)
{
    fputs(".\\\" Made from the tables of options: change those.\n.TH \"", to);
    for (; *command; command++)
        putc(*command == ' ' ? '-' : toupper((unsigned char)*command), to);
    fputs("\" 1 \"\" \"penumbra " PENUMBRA_VERSION_STRING "\" \"Penumbra\"\n", to);
}

/* `penumbra-diff - find inputs ...`: the first sentence. */
static void print_name(const char *command, const char *summary, FILE *to)
{
    fputs(".SH NAME\n", to);
    for (; *command; command++)
        fputs((const char[]){*command == ' ' ? '-' : *command, '\0'}, to);
    fputs(" \\- ", to);
    putc(tolower((unsigned char)*summary), to);
    print_text(summary + 1, strcspn(summary + 1, ".\v\n"), to);
    putc('\n', to);
}

/* One line for each way to give the command. */
static void print_synopsis(const char *command, const char *arguments, bool has_options, FILE *to)
{
    fputs(".SH SYNOPSIS\n.nf\n", to);
    do {
        size_t length = strcspn(arguments, "\n");
        fputs("\\fB", to);
        print_string(command, to);
        fputs(has_options ? "\\fR [\\fIOPTION...\\fR] " : "\\fR ", to);
        print_text(arguments, length, to);
        putc('\n', to);
        arguments += length + (arguments[length] == '\n');
    } while (*arguments);
    fputs(".fi\n", to);
}

/* What stands before the options in --help, and what behind them. */
static void print_description(const char *summary, FILE *to)
{
    size_t length = strcspn(summary, "\v");
    fputs(".SH DESCRIPTION\n", to);
    print_text(summary, length, to);
    if (summary[length]) {
        fputs("\n.PP\n", to);
        print_string(summary + length + 1, to);
    }
    putc('\n', to);
}

static void print_option(const struct option_row *row, FILE *to)
{
    const char *name = row->name, *argument = row->argument;
    bool is_optional = row->kind == OPTION_WORDS_OR_ALL;
    fputs(".TP\n", to);
    if (name[1] == '|') {
        fprintf(to, "\\fB\\-%c\\fR, ", name[0]);
        name += 2;
    }
    fputs("\\fB\\-\\-", to);
    print_string(name, to);
    fputs("\\fR", to);
    if (argument) {
        fprintf(to, "%s=\\fI", is_optional ? "[" : "");
        print_string(argument, to);
        fprintf(to, "\\fR%s", is_optional ? "]" : "");
    }
    putc('\n', to);
    print_string(row->help, to);
    if (row->usual > 0)
        fprintf(to, " (default %g)", row->usual);
    fputs(".\n", to);
}

static void print_options(const struct option_set *set, FILE *to)
{
    if (set->header) {
        fputs(".SS ", to);
        print_text(set->header, strcspn(set->header, ":"), to);
        putc('\n', to);
    }
    for (const struct option_row *row = set->rows; row->kind; row++)
        if (row->name[0] != '.')
            print_option(row, to);
}

static void print_end(FILE *to)
{
    fputs(".SH SEE ALSO\n.BR penumbra (1)\n", to);
}

void manual_print(const struct command_line *line, const char *command, FILE *to)
{
    print_title(command, to);
    print_name(command, line->summary, to);
    print_synopsis(command, line->arguments, true, to);
    print_description(line->summary, to);
    fputs(".SH OPTIONS\n", to);
    for (size_t i = 0; i < OPTION_SETS && line->sets[i].rows; i++)
        print_options(&line->sets[i], to);
    print_end(to);
}

/* The usage is lines with the ways to give the command, an empty line, and text. */
void manual_print_usage(const char *command, const char *usage, FILE *to)
{
    const char *text = strstr(usage, "\n\n") + 2;
    print_title(command, to);
    print_name(command, text, to);
    print_synopsis(command, "ARGUMENT...", false, to);
    fputs(".SH DESCRIPTION\n.nf\n", to);
    print_string(text, to);
    fputs("\n.fi\n", to);
    print_end(to);
}
