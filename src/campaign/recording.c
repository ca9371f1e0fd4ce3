#include "campaign/recording.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/set.h"
#include "campaign/native_start.h"
#include "project/starts.h"
#include "recorder/calls.h"
#include "source/recording.h"
#include "unify/flags.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SPARE = 4,           /* characters more than were seen */
    LONGEST_STRING = 41, /* its zero included: longer ones are cut, as every character makes an exploration longer */
    MOST_INPUTS = 16,    /* that become seeds */
    MOST_COLLECTED = 512 /* of which they are chosen */
};

/* A program that was started. */
struct started_program {
    const struct built_program *built;
    struct units units;
    const char **objects;
    const char *problem; /* why its units have no objects; NULL: they have */
};

struct recording {
    struct arena *arena;
    struct recording_request request;
    struct starts starts;
    struct started_program *programs;
    size_t count;
};

/* ---- the programs ---- */

/* What libtool starts before an installation is called lt-NAME, and lies in .libs. */
static const char *plain_path(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = (size_t)(name - path), own = strlen("/.libs/");
    if (!strncmp(name, "lt-", 3))
        name += 3;
    if (length >= own && !strncmp(path + length - own, "/.libs/", own))
        length -= own - 1;
    return arena_format(arena, "%.*s%s", (int)length, path, name);
}

/* A program that was copied elsewhere is known by its name. */
static bool is_start_of(const struct recording *recording, const struct start_record *start,
                        const struct built_program *program)
{
    const char *path = plain_path(recording->arena, start->program);
    const char *root = recording->request.built->root;
    size_t length = strlen(root);
    if (!strncmp(path, root, length) && path[length] == '/')
        return !strcmp(path + length + 1, program->name);
    return !strcmp(basename(path), basename(program->name));
}

static bool was_started(const struct recording *recording, const struct built_program *program)
{
    for (size_t i = 0; i < recording->starts.count; i++)
        if (is_start_of(recording, &recording->starts.list[i], program))
            return true;
    return false;
}

static void list_units(struct recording *recording, struct started_program *program)
{
    struct arena *arena = recording->arena;
    const char *root = recording->request.built->root;
    struct flags *flags = flags_take(program->built->units, root);
    struct words inside = {0}, outside = {0};
    flags_list(flags, arena, &inside, &outside);
    for (size_t i = 0; i < inside.count + outside.count; i++) {
        const char *file =
            i < inside.count ? arena_format(arena, "%s/%s", root, inside.list[i]) : outside.list[i - inside.count];
        units_add(&program->units, (struct unit){.file = file, .cflags = flags_of(flags, file, arena)});
    }
    flags_close(flags);
    words_free(&inside), words_free(&outside);
}

static bool is_same_file(const char *one, const char *other)
{
    char first[PATH_MAX], second[PATH_MAX];
    return realpath(one, first) && realpath(other, second) && !strcmp(first, second);
}

/* The number of its unit; units.count: it is not made of that file. */
static size_t find_unit(const struct started_program *program, const char *path)
{
    size_t i = 0;
    while (i < program->units.count && !is_same_file(program->units.list[i].file, path))
        i++;
    return i;
}

static bool has_entry(const struct started_program *program, const struct campaign_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (find_unit(program, entries[i].new_path) < program->units.count)
            return true;
    return false;
}

static bool open_native(const struct recording *recording, const char *name, struct arena *arena,
                        struct native_start *native, struct error *error)
{
    *native = (struct native_start){.arena = arena,
                                    .directory = recording->request.directory,
                                    .runtime = "calls.o",
                                    .input = CALLS_INPUT,
                                    .run_seconds = recording->request.run_seconds,
                                    .memory_bytes = recording->request.memory_bytes};
    return native_start_open(native, recording->request.sandbox, name, error);
}

static void compile_program(struct recording *recording, size_t number)
{
    static const char *const no_flags[] = {NULL};
    struct started_program *program = &recording->programs[number];
    struct arena *arena = recording->arena;
    struct native_start native;
    struct error error = {0};
    program->objects = arena_allocate(arena, (program->units.count + 1) * sizeof *program->objects);
    if (!open_native(recording, arena_format(arena, "program-%zu", number), arena, &native, &error) ||
        !native_start_compile(&native, program->units.list, program->units.count, no_flags, program->objects, &error))
        program->problem = arena_copy_string(arena, error.message ? error.message : "it cannot be built");
    error_clear(&error);
}

struct recording *recording_open(const struct recording_request *request, const struct campaign_entry *entries,
                                 size_t count, struct error *error)
{
    struct recording *recording = calloc(1, sizeof *recording);
    const struct built *built = request->built;
    recording->arena = arena_create();
    recording->request = *request;
    recording->programs = calloc(built->count + 1, sizeof *recording->programs);
    if (!starts_read(&recording->starts, request->starts, error) || !file_make_directory(request->directory, error)) {
        recording_close(recording);
        return NULL;
    }
    for (size_t i = 0; i < built->count; i++) {
        struct started_program *program = &recording->programs[recording->count];
        *program = (struct started_program){.built = &built->programs[i]};
        if (!was_started(recording, program->built))
            continue;
        list_units(recording, program);
        if (has_entry(program, entries, count))
            compile_program(recording, recording->count++);
        else
            units_free(&program->units);
    }
    return recording;
}

void recording_close(struct recording *recording)
{
    if (!recording)
        return;
    for (size_t i = 0; i < recording->count; i++)
        units_free(&recording->programs[i].units);
    free(recording->programs);
    starts_free(&recording->starts);
    arena_destroy(recording->arena);
    free(recording);
}

/* ---- what a start has recorded ---- */

/* Inputs on their way. */
struct collected {
    uint8_t *bytes;
    size_t rank, serial;
};

/* Of the n-th record of a start: calls that are spread over all of them come first, the same of each start together. */
static size_t rank_of(size_t number)
{
    static const size_t ranks[CALLS_FIRST] = {0, 1, 100, 2, 101, 102, 103, 3, 104, 105, 106, 107, 108, 109, 110, 4};
    return number < CALLS_FIRST ? ranks[number] : number - CALLS_FIRST + 5;
}

struct collection {
    struct recorded *recorded;
    const struct input_layout *layout;
    struct set *seen, *named; /* inputs; names of what was recorded of them */
    struct collected list[MOST_COLLECTED];
    size_t count;
    double seconds; /* that are left for runs */
    size_t unrun;   /* starts for which nothing was left */
    bool has_started;
    bool was_cut; /* a string, or what there was no room for */
};

/* Behind the end of a string lies anything. */
static void clear_behind(const struct input_parameter *string, uint8_t *bytes)
{
    uint8_t *text = bytes + string->offset;
    size_t length = strnlen((const char *)text, string->element_count);
    memset(text + length, 0, string->element_count - length);
}

static void take_part(struct collection *collection, const struct calls_part *part, const char *name,
                      const uint8_t *given, uint8_t *bytes)
{
    const struct input_parameter *parameter = input_layout_find(collection->layout, name);
    if (!parameter || part->size != parameter->element_count * parameter->element_size)
        return;
    set_add(collection->named, name, part->name);
    memcpy(bytes + parameter->offset, given, part->size);
    if (parameter->is_string)
        clear_behind(parameter, bytes);
    for (size_t i = 0; i < part->size && parameter->kind == INPUT_BOOL; i++)
        bytes[parameter->offset + i] = given[i] != 0;
}

/* Whether a record reads as one; nothing in it is trusted. */
static bool take_record(struct collection *collection, const uint8_t *record, size_t length, size_t rank)
{
    uint8_t *bytes = calloc(collection->layout->size + 1, 1);
    size_t at = sizeof(uint32_t);
    while (at < length) {
        struct calls_part part;
        if (length - at < sizeof part)
            break;
        memcpy(&part, record + at, sizeof part);
        at += sizeof part;
        if (!part.name || part.name > length - at || part.size > length - at - part.name || record[at + part.name - 1])
            break;
        take_part(collection, &part, (const char *)record + at, record + at + part.name, bytes);
        at += (size_t)part.name + part.size;
    }
    if (at != length || collection->count == MOST_COLLECTED ||
        !set_add(collection->seen, bytes, collection->layout->size)) {
        free(bytes);
        return at == length;
    }
    collection->list[collection->count] = (struct collected){bytes, rank, collection->count};
    collection->count++;
    return true;
}

static void take_records(struct collection *collection, const uint8_t *shared)
{
    struct calls_header header;
    memcpy(&header, shared, sizeof header);
    size_t used = header.used < CALLS_BYTES ? header.used : CALLS_BYTES;
    collection->has_started |= header.has_started;
    collection->was_cut |= used < header.used;
    collection->recorded->calls += header.calls;
    collection->recorded->starts += header.calls > 0;
    for (size_t at = 0, rank = 0; at + sizeof(uint32_t) <= used; rank++) {
        uint32_t length;
        const uint8_t *record = shared + sizeof header + at;
        memcpy(&length, record, sizeof length);
        if (length < sizeof length || length > used - at || !take_record(collection, record, length, rank_of(rank)))
            break;
        at += CALLS_ROOM(length);
    }
}

static bool run_start(struct collection *collection, const struct native_start *native,
                      const struct start_record *start, struct error *error)
{
    int shared = native_start_run(native, start, error);
    if (shared < 0)
        return false;
    uint8_t *memory = mmap(NULL, CALLS_INPUT, PROT_READ, MAP_PRIVATE, shared, 0);
    if (memory != MAP_FAILED) {
        take_records(collection, memory);
        munmap(memory, CALLS_INPUT);
    }
    close(shared);
    return true;
}

/* ---- one program ---- */

/* Its object in place of that of the entry's file. */
static bool build(const struct recording *recording, const struct started_program *program,
                  const struct campaign_entry *entry, size_t unit, const struct program *read,
                  const struct native_start *native, struct error *error)
{
    const char *source = arena_format(native->arena, "%s.c", native->executable), *object;
    const char *const flags[] = {recording_flag(read), NULL};
    const char **objects = arena_allocate(native->arena, (program->units.count + 1) * sizeof *objects);
    struct unit recorded = program->units.list[unit];
    struct words links = {0};
    recorded.file = source;
    recorded.name = entry->place;
    if (program->problem)
        return error_set(error, "%s", program->problem);
    if (!recording_write(read, source, error) || !native_start_compile(native, &recorded, 1, flags, &object, error))
        return false;
    for (size_t i = 0; i < program->units.count; i++)
        objects[i] = i == unit ? object : program->objects[i];
    for (size_t i = 0; i < recording->request.links->count; i++)
        words_add(&links, recording->request.links->list[i]);
    for (size_t i = 0; i < program->built->libraries.count; i++)
        words_add(&links, program->built->libraries.list[i]);
    bool good = native_start_link(native, objects, program->units.count, &links, error);
    words_free(&links);
    return good;
}

static bool run_starts(const struct recording *recording, const struct started_program *program,
                       const struct native_start *native, struct collection *collection, struct error *error)
{
    bool good = true, any = false;
    double start = clock_seconds(), seconds = collection->seconds;
    for (size_t i = 0; i < recording->starts.count && good; i++) {
        if (!is_start_of(recording, &recording->starts.list[i], program->built))
            continue;
        if (clock_seconds() - start > seconds || collection->count == MOST_COLLECTED) {
            collection->unrun++;
            continue;
        }
        good = run_start(collection, native, &recording->starts.list[i], error);
        any = true;
    }
    collection->seconds = seconds - (clock_seconds() - start);
    if (good && any && !collection->has_started)
        return error_set(error, "%s does not start when it is built for that", program->built->name);
    return good;
}

static bool record_program(const struct recording *recording, size_t number, const struct campaign_entry *entry,
                           struct collection *collection, struct error *error)
{
    const struct started_program *program = &recording->programs[number];
    struct recorded *recorded = collection->recorded;
    const struct program *read = &recorded->subject.program;
    size_t unit = find_unit(program, entry->new_path);
    struct native_start native;
    if (unit == program->units.count)
        return true;
    const char *name = arena_format(recorded->arena, "%s-%zu", entry->results, number);
    if (!open_native(recording, name, recorded->arena, &native, error) ||
        !build(recording, program, entry, unit, read, &native, error))
        return false;
    bool good = run_starts(recording, program, &native, collection, error);
    unlink(native.executable);
    return good;
}

/* ---- what becomes of it ---- */

static int by_rank(const void *one, const void *other)
{
    const struct collected *first = one, *second = other;
    if (first->rank != second->rank)
        return first->rank < second->rank ? -1 : 1;
    return first->serial < second->serial ? -1 : 1;
}

static void choose(struct collection *collection)
{
    struct recorded *recorded = collection->recorded;
    qsort(collection->list, collection->count, sizeof *collection->list, by_rank);
    recorded->inputs.layout = collection->layout;
    recorded->inputs.list = calloc(MOST_INPUTS, sizeof *recorded->inputs.list);
    for (size_t i = 0; i < collection->count; i++)
        if (i < MOST_INPUTS)
            recorded->inputs.list[recorded->inputs.count++] = collection->list[i].bytes;
        else
            free(collection->list[i].bytes);
    recorded->distinct = collection->count;
}

/* Strings of the exploration are a little longer than the longest that was recorded. */
static void give_sizes(struct collection *collection, struct subject_options *options)
{
    const struct recorded_inputs *inputs = &collection->recorded->inputs;
    for (size_t p = 0; p < collection->layout->count; p++) {
        const struct input_parameter *parameter = &collection->layout->parameters[p];
        size_t longest = 0;
        for (size_t i = 0; i < inputs->count && parameter->is_string; i++) {
            size_t length = strnlen((const char *)inputs->list[i] + parameter->offset, parameter->element_count);
            longest = length > longest ? length : longest;
        }
        collection->was_cut |= longest && longest == parameter->element_count;
        if (longest)
            words_add(&options->string_sizes,
                      arena_format(collection->recorded->arena, "%s=%zu", parameter->name, longest + SPARE + 1));
    }
}

/* What the layout has and no call could show. */
static void note_unseen(const struct collection *collection, struct text *notes)
{
    size_t known = set_count(collection->named), count = 0;
    const char *first = NULL;
    for (size_t i = 0; i < collection->layout->count; i++) {
        const struct input_parameter *parameter = &collection->layout->parameters[i];
        if (parameter->is_overlap || parameter->is_background ||
            set_find(collection->named, parameter->name, strlen(parameter->name) + 1) < known)
            continue;
        first = first ? first : parameter->name;
        count++;
    }
    if (!first)
        return;
    text_format(notes, "%s", first);
    if (count > 1)
        text_format(notes, " and %zu more", count - 1);
    text_add(notes, ": zero in the recorded seeds, since that cannot be recorded\n");
}

static void note(const struct campaign_entry *entry, const struct collection *collection)
{
    struct recorded *recorded = collection->recorded;
    struct text notes = {0};
    if (!recorded->calls && !collection->unrun)
        text_format(&notes, "the tests never call %s(): there are no recorded seeds\n", entry->name);
    else
        text_format(&notes, "%zu call%s of %s() recorded from %zu start%s: %zu seed%s\n", recorded->calls,
                    recorded->calls == 1 ? "" : "s", entry->name, recorded->starts, recorded->starts == 1 ? "" : "s",
                    recorded->inputs.count, recorded->inputs.count == 1 ? "" : "s");
    if (collection->unrun)
        text_format(&notes, "%zu starts were not run to record calls of %s()\n", collection->unrun, entry->name);
    if (recorded->inputs.count)
        note_unseen(collection, &notes);
    if (collection->was_cut)
        text_format(&notes, "recorded seeds of %s() are cut where strings have more than %d characters\n", entry->name,
                    LONGEST_STRING - 1);
    log_line(LOG_INFO, "%zu calls of %s() recorded", recorded->calls, entry->name);
    recorded->note = arena_copy_string(recorded->arena, text_string(&notes));
    text_free(&notes);
}

/* ---- all of it ---- */

/* The new version's own program: that is what the tests run. */
static bool read_program(struct recorded *recorded, const struct campaign_entry *entry,
                         const struct subject_options *given, struct error *error)
{
    struct subject_options *options = &recorded->options;
    *options = *given;
    options->made = &entry->new;
    options->entry_path = entry->new_path;
    options->is_one_version = true;
    options->limits = NULL;
    options->conversions = NULL;
    options->all_globals = options->called_twice = options->made_by_library = false;
    options->string_elements = LONGEST_STRING;
    return subject_read_program(&recorded->subject, options, error);
}

static bool record(const struct recording *recording, const struct campaign_entry *entry,
                   const struct subject_options *options, struct collection *collection, struct error *error)
{
    struct recorded *recorded = collection->recorded;
    if (!read_program(recorded, entry, options, error))
        return false;
    collection->layout = recorded->subject.program.layout;
    for (size_t i = 0; i < recording->count; i++)
        if (!record_program(recording, i, entry, collection, error))
            return false;
    return true;
}

void recording_take(const struct recording *recording, const struct campaign_entry *entry, double seconds,
                    struct subject_options *options, struct recorded *recorded)
{
    struct error error = {0};
    if (recorded->is_done || !recording || entry->is_program)
        return;
    *recorded = (struct recorded){.is_done = true, .arena = arena_create(), .note = ""};
    struct collection collection = {
        .recorded = recorded, .seconds = seconds, .seen = set_create(), .named = set_create()};
    log_line(LOG_INFO, "recording the calls of %s()", entry->name);
    if (!record(recording, entry, options, &collection, &error) && !collection.count) {
        recorded->note = arena_format(recorded->arena, "calls of %s() could not be recorded: %s\n", entry->name,
                                      error.message ? error.message : "unknown error");
    } else {
        choose(&collection);
        give_sizes(&collection, options);
        note(entry, &collection);
        options->recorded = &recorded->inputs;
    }
    error_clear(&error);
    set_destroy(collection.seen);
    set_destroy(collection.named);
}

void recording_free(struct recorded *recorded)
{
    for (size_t i = 0; i < recorded->inputs.count; i++)
        free(recorded->inputs.list[i]);
    free(recorded->inputs.list);
    subject_free(&recorded->subject);
    if (recorded->arena)
        arena_destroy(recorded->arena);
}
