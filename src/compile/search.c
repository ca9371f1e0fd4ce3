#include "compile/search.h"

#include "base/error.h"
#include "base/process.h"
#include "base/set.h"

#include <string.h>

/* The compiler's own flags that take a directory. */
static const char *const FLAGS[] = {
    "-I", "-isystem", "-iquote", "-idirafter", "-c-isystem", "-internal-isystem", "-internal-externc-isystem"};

static void add(struct words *directories, const char *directory, struct arena *arena)
{
    if (!words_have(directories, directory))
        words_add(directories, arena_copy_string(arena, directory));
}

static bool is_flag(const char *word)
{
    for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++)
        if (!strcmp(word, FLAGS[i]))
            return true;
    return false;
}

/* The line that is a command has its words in quotes. */
static bool read_command(const char *line, struct arena *arena, struct words *directories)
{
    struct words words = {0};
    words_split(&words, line);
    bool is_compiler = words_have(&words, "-cc1");
    for (size_t i = 0; is_compiler && i + 1 < words.count; i++)
        if (is_flag(words.list[i]))
            add(directories, words.list[i + 1], arena);
    words_free(&words);
    return is_compiler;
}

/* Flags that have nothing to do with directories: with others of these, the answer is the same. */
static bool is_unrelated(const char *word)
{
    static const char *const beginnings[] = {"-D", "-U", "-O", "-g", "-W", "-w", "-std=", "-f", "-emit-llvm", "-xc"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (!strncmp(word, beginnings[i], strlen(beginnings[i])))
            return true;
    return false;
}

/* One word more belongs to it. */
static bool has_argument(const char *word)
{
    return !strcmp(word, "-D") || !strcmp(word, "-U") || !strcmp(word, "-Xclang") || !strcmp(word, "-include") ||
           !strcmp(word, "-imacros");
}

static struct words related(const struct words *options)
{
    struct words words = {0};
    for (size_t i = 0; i < options->count; i++)
        if (has_argument(options->list[i]))
            i++;
        else if (!is_unrelated(options->list[i]))
            words_add(&words, options->list[i]);
    return words;
}

static bool ask(const struct words *options, struct arena *arena, struct words *directories)
{
    struct words question = {0};
    struct process_result result = {0};
    struct error ignored = {0};
    bool found = false;
    for (size_t i = 0; i < options->count; i++)
        words_add(&question, options->list[i]);
    const char *const more[] = {"-xc", "-c", "/dev/null", "-###"};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        words_add(&question, more[i]);
    if (process_run(question.list, NULL, &(struct process_limits){.seconds = 60}, &result, &ignored)) {
        for (const char *line = text_string(&result.errors); *line && !found;) {
            size_t length = strcspn(line, "\n");
            if (*line == ' ')
                found = read_command(arena_format(arena, "%.*s", (int)length, line), arena, directories);
            line += length + (line[length] == '\n');
        }
        process_result_free(&result);
    }
    error_clear(&ignored);
    words_free(&question);
    return found;
}

/* Answers that this process has. */
static struct {
    struct set *questions;
    struct words *answers;
    size_t capacity;
} known;

static size_t number_of(const struct words *options)
{
    struct text text = {0};
    for (size_t i = 0; i < options->count; i++)
        text_append(&text, options->list[i], strlen(options->list[i]) + 1);
    if (!known.questions)
        known.questions = set_create();
    set_add(known.questions, text_string(&text), text.length);
    size_t number = set_find(known.questions, text_string(&text), text.length);
    text_free(&text);
    return number;
}

bool search_directories(const struct words *options, struct arena *arena, struct words *directories)
{
    struct words question = related(options);
    size_t number = number_of(&question);
    known.answers = array_reserve_zeroed(known.answers, &known.capacity, number + 1, sizeof *known.answers);
    struct words *answer = &known.answers[number];
    if (!answer->arena)
        answer->arena = arena_create();
    bool good = answer->count || ask(&question, answer->arena, answer);
    words_free(&question);
    for (size_t i = 0; i < answer->count; i++)
        add(directories, answer->list[i], arena);
    return good;
}
