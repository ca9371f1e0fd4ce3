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
    size_t number = number_of(options);
    known.answers = array_reserve_zeroed(known.answers, &known.capacity, number + 1, sizeof *known.answers);
    struct words *answer = &known.answers[number];
    if (!answer->arena)
        answer->arena = arena_create();
    if (!answer->count && !ask(options, answer->arena, answer))
        return false;
    for (size_t i = 0; i < answer->count; i++)
        add(directories, answer->list[i], arena);
    return true;
}
