/* getopt() and its relatives, as the C library has them: options and arguments may come in any order, long options may
 * be abbreviated, and messages are the same. */
#include "model.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum { PERMUTES, STOPS, RETURNS } order;
static int has_begun;
static char *next;                /* in an argument with several letters */
static int first_left, last_left; /* arguments that were passed over */

struct words {
    int argc;
    char **argv;
    const char *letters;
    const struct option *options;
    int *index;
    int is_long_only, says_errors;
};

/* What was passed over comes behind the options that were found since. */
static void exchange(char **argv)
{
    for (int at = last_left; at < optind; at++) {
        char *option = argv[at];
        for (int to = at; to > first_left; to--)
            argv[to] = argv[to - 1];
        argv[first_left++] = option;
    }
    last_left = optind;
}

static int is_option(const char *word)
{
    return word[0] == '-' && word[1];
}

static void begin(const char *letters)
{
    if (optind == 0)
        optind = 1;
    first_left = last_left = optind;
    next = NULL;
    order = letters[0] == '-' ? RETURNS : letters[0] == '+' ? STOPS : getenv("POSIXLY_CORRECT") ? STOPS : PERMUTES;
    has_begun = 1;
}

/* ---- long options ---- */

static int same_meaning(const struct option *one, const struct option *other)
{
    return one->has_arg == other->has_arg && one->flag == other->flag && one->val == other->val;
}

static void say_ambiguous(const struct words *words, const char *prefix, size_t length)
{
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", words->argv[0], prefix, next);
    for (const struct option *at = words->options; at->name; at++)
        if (!strncmp(at->name, next, length))
            fprintf(stderr, " '%s%s'", prefix, at->name);
    fprintf(stderr, "\n");
}

/* -1: there is none; -2: there are several. */
static int find_long(const struct words *words, size_t length)
{
    int found = -1, is_ambiguous = 0;
    for (int i = 0; words->options[i].name; i++) {
        const struct option *option = &words->options[i];
        if (strncmp(option->name, next, length))
            continue;
        if (strlen(option->name) == length)
            return i;
        if (found < 0)
            found = i;
        else
            is_ambiguous |= words->is_long_only || !same_meaning(&words->options[found], option);
    }
    return is_ambiguous ? -2 : found;
}

static int refuse(const struct words *words, const char *prefix, int found, size_t length)
{
    if (found == -1) {
        if (words->is_long_only && words->argv[optind][1] != '-' && strchr(words->letters, *next))
            return -1;
        if (words->says_errors)
            fprintf(stderr, "%s: unrecognized option '%s%s'\n", words->argv[0], prefix, next);
    } else if (words->says_errors) {
        say_ambiguous(words, prefix, length);
    }
    next = NULL;
    optind++;
    optopt = 0;
    return '?';
}

static int take_long(const struct words *words, const char *prefix)
{
    size_t length = 0;
    while (next[length] && next[length] != '=')
        length++;
    int found = find_long(words, length);
    if (found < 0)
        return refuse(words, prefix, found, length);
    const struct option *option = &words->options[found];
    char *value = next[length] ? next + length + 1 : NULL;
    optind++;
    next = NULL;
    if (value && !option->has_arg) {
        if (words->says_errors)
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", words->argv[0], prefix, option->name);
        optopt = option->val;
        return '?';
    }
    if (!value && option->has_arg == required_argument) {
        if (optind >= words->argc) {
            if (words->says_errors)
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", words->argv[0], prefix, option->name);
            optopt = option->val;
            return words->letters[0] == ':' ? ':' : '?';
        }
        value = words->argv[optind++];
    }
    optarg = value;
    if (words->index)
        *words->index = found;
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

/* ---- letters ---- */

static int lacks_argument(const struct words *words, char letter)
{
    if (words->says_errors)
        fprintf(stderr, "%s: option requires an argument -- '%c'\n", words->argv[0], letter);
    optopt = letter;
    return words->letters[0] == ':' ? ':' : '?';
}

static int take_letter(const struct words *words)
{
    char letter = *next++;
    const char *known = letter == ':' || letter == ';' ? NULL : strchr(words->letters, letter);
    if (!*next)
        optind++;
    if (!known) {
        if (words->says_errors)
            fprintf(stderr, "%s: invalid option -- '%c'\n", words->argv[0], letter);
        optopt = letter;
        return '?';
    }
    if (known[1] != ':')
        return letter;
    if (*next) {
        optarg = next;
        optind++;
    } else if (known[2] == ':') {
        optarg = NULL;
    } else if (optind == words->argc) {
        next = NULL;
        return lacks_argument(words, letter);
    } else {
        optarg = words->argv[optind++];
    }
    next = NULL;
    return letter;
}

/* ---- one after the other ---- */

/* Goes on to the next option; false where there is none any more. */
static int advance(const struct words *words)
{
    int argc = words->argc;
    char **argv = words->argv;
    last_left = last_left > optind ? optind : last_left;
    first_left = first_left > optind ? optind : first_left;
    if (order == PERMUTES) {
        if (first_left != last_left && last_left != optind)
            exchange(argv);
        else if (last_left != optind)
            first_left = optind;
        while (optind < argc && !is_option(argv[optind]))
            optind++;
        last_left = optind;
    }
    if (optind != argc && !strcmp(argv[optind], "--")) {
        optind++;
        if (first_left != last_left && last_left != optind)
            exchange(argv);
        else if (first_left == last_left)
            first_left = optind;
        last_left = argc;
        optind = argc;
    }
    if (optind == argc && first_left != last_left)
        optind = first_left;
    else if (optind != argc)
        return 1;
    return 0;
}

static int next_option(struct words words)
{
    optarg = NULL;
    if (words.argc < 1)
        return -1;
    if (optind == 0 || !has_begun)
        begin(words.letters);
    if (words.letters[0] == '-' || words.letters[0] == '+')
        words.letters++;
    words.says_errors = opterr && words.letters[0] != ':';
    if (!next || !*next) {
        if (!advance(&words))
            return -1;
        char *word = words.argv[optind];
        if (!is_option(word)) {
            if (order == STOPS)
                return -1;
            optarg = words.argv[optind++];
            return 1;
        }
        if (words.options && word[1] == '-') {
            next = word + 2;
            return take_long(&words, "--");
        }
        next = word + 1;
        if (words.options && words.is_long_only && (word[2] || !strchr(words.letters, word[1]))) {
            int code = take_long(&words, "-");
            if (code != -1)
                return code;
        }
    }
    return take_letter(&words);
}

int getopt(int argc, char *const argv[], const char *letters)
{
    return next_option((struct words){argc, (char **)argv, letters, NULL, NULL, 0, 0});
}

int getopt_long(int argc, char *const argv[], const char *letters, const struct option *options, int *index)
{
    return next_option((struct words){argc, (char **)argv, letters, options, index, 0, 0});
}

int getopt_long_only(int argc, char *const argv[], const char *letters, const struct option *options, int *index)
{
    return next_option((struct words){argc, (char **)argv, letters, options, index, 1, 0});
}
