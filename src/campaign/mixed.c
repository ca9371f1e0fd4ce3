#include "campaign/mixed.h"
#include "base/file.h"
#include "campaign/state.h"
#include "check/native.h"
#include "check/observe.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANGES = 200 };

struct mixed {
    struct campaign *campaign;
    struct native_build *build;
    struct observed_program program;
    struct change *changes;
    size_t count, capacity;
};

/* ---- its changes ---- */

/* A place in a text, with what its #line directives make of it. */
struct place {
    const char *at, *end;
    const char *file;
    unsigned line;
};

static void read_directive(struct arena *arena, struct place *place)
{
    unsigned line;
    char file[4096];
    int found = sscanf(place->at, "#line %u \"%4095[^\"]\"", &line, file);
    if (found >= 1)
        place->line = line - 1;
    if (found == 2)
        place->file = basename(arena_copy_string(arena, file));
}

static void go_on(struct arena *arena, struct place *place)
{
    if (*place->at++ != '\n')
        return;
    place->line++;
    if (place->at < place->end && *place->at == '#')
        read_directive(arena, place);
}

static bool is_word(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

/* Behind the name of an annotation; NULL where none stands here. */
static const char *behind_annotation(const char *begin, const char *at)
{
    static const char *const names[] = {"pn_change(", "pn_execute(", "change(", "execute("};
    for (size_t i = 0; i < sizeof names / sizeof *names && (at == begin || !is_word(at[-1])); i++)
        if (!strncmp(at, names[i], strlen(names[i])))
            return at + strlen(names[i]);
    return NULL;
}

static void add_change(struct mixed *mixed, const char *file, unsigned first, unsigned last)
{
    struct change *before = mixed->count ? &mixed->changes[mixed->count - 1] : NULL;
    if (before && !strcmp(before->file, file) && first >= before->first && first <= before->last + 1) {
        before->last = last > before->last ? last : before->last;
        return;
    }
    mixed->changes = array_reserve(mixed->changes, &mixed->capacity, mixed->count + 1, sizeof *mixed->changes);
    mixed->changes[mixed->count++] = (struct change){file, first, last};
}

/* Which line an annotation of several lines has is the compiler's to say: all of them are its lines. */
static void find_changes(struct mixed *mixed, const char *path, const struct text *text)
{
    struct arena *arena = mixed->campaign->report.arena;
    const char *begin = text_string(text);
    struct place place = {begin, begin + text->length, basename(path), 1};
    while (place.at < place.end) {
        const char *inside = behind_annotation(begin, place.at);
        struct place last = place;
        for (int depth = inside != NULL; depth > 0 && last.at < last.end; go_on(arena, &last))
            if (last.at >= inside)
                depth += (*last.at == '(') - (*last.at == ')');
        if (inside)
            add_change(mixed, place.file, place.line, last.line);
        go_on(arena, &place);
    }
}

static bool read_changes(struct mixed *mixed, struct error *error)
{
    const struct program *program = &mixed->campaign->subject.program;
    bool good = true;
    for (size_t i = 0; i < program->request->unit_count && good; i++) {
        struct text text = {0};
        good = file_read(program->paths[i], &text, error);
        if (good)
            find_changes(mixed, program->paths[i], &text);
        text_free(&text);
    }
    return good;
}

/* ---- the program ---- */

static bool build(struct mixed *mixed, double latest, struct error *error)
{
    struct campaign *campaign = mixed->campaign;
    struct subject *subject = &campaign->subject;
    const char *directory = arena_format(campaign->report.arena, "%s/mixed", campaign->scratch);
    struct checker_options options = campaign_checker_options(campaign, subject, directory);
    if (!file_make_directory(directory, error))
        return false;
    mixed->build = native_start(&subject->program, subject->harness, directory, "MIXED", error);
    if (!mixed->build || !native_wait(mixed->build, NATIVE_ADDRESS, error))
        return false;
    mixed->program = (struct observed_program){
        .program = &subject->program,
        .executable = native_executable(mixed->build, NATIVE_ADDRESS),
        .world = options.world,
        .latest = latest,
        .limits = server_limits(options.run_seconds, options.run_memory_bytes),
    };
    return true;
}

struct mixed *mixed_start(struct campaign *campaign, double latest, struct error *error)
{
    struct mixed *mixed = arena_allocate(campaign->report.arena, sizeof *mixed);
    mixed->campaign = campaign;
    bool good = read_changes(mixed, error);
    if (good && (!mixed->count || mixed->count > MOST_CHANGES))
        good = error_set(error, "there are %zu changes", mixed->count);
    if (good && build(mixed, latest, error))
        return mixed;
    mixed_stop(mixed);
    return NULL;
}

void mixed_stop(struct mixed *mixed)
{
    if (!mixed)
        return;
    observe_stop(&mixed->program);
    native_stop(mixed->build);
    free(mixed->changes);
}

size_t mixed_count(const struct mixed *mixed)
{
    return mixed->count;
}

const struct change *mixed_change(const struct mixed *mixed, size_t number)
{
    return &mixed->changes[number];
}

bool mixed_run(struct mixed *mixed, const uint8_t *input, const struct change *change,
               struct check_observation *observation)
{
    struct text text = {0};
    struct error ignored = {0};
    input_print_file(mixed->campaign->report.layout, input, &text);
    for (unsigned line = change ? change->first : 1; change && line <= change->last; line++)
        text_format(&text, "%s:%u = 01\n", change->file, line);
    struct observed_input observed = {.name = "an input", .text = text_string(&text), .length = text.length};
    bool good = observe(&mixed->program, &observed, observation, &ignored);
    error_clear(&ignored);
    text_free(&text);
    return good;
}
