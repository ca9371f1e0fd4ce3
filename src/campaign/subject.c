/* From options to an instrumented program. */
#include "campaign/subject.h"

#include "base/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements of an object: a choice among more is no help to any solver. */
enum { MOST_SELECTED = 1 << 20 };

void subject_options_free(struct subject_options *given)
{
    struct words *lists[] = {&given->files,
                             &given->seeds,
                             &given->ranges,
                             &given->sizes,
                             &given->globals,
                             &given->stubs,
                             &given->links,
                             &given->assumptions,
                             &given->uncompared,
                             &given->nulls,
                             &given->zeros,
                             &given->unterminated,
                             &given->uncompared_members,
                             &given->not_nulls,
                             &given->arguments,
                             &given->symbolic_files,
                             &given->variables,
                             &given->concrete,
                             &given->string_sizes};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        words_free(lists[i]);
}

/* ---- inputs ---- */

static bool read_ranges(struct subject *subject, struct error *error)
{
    const struct words *ranges = &subject->options->ranges;
    size_t capacity = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        subject->ranges =
            array_reserve(subject->ranges, &capacity, subject->range_count + subject->program.layout->count + 1,
                          sizeof *subject->ranges);
        if (!input_parse_range(subject->program.layout, ranges->list[i], subject->ranges, &subject->range_count, error))
            return false;
    }
    return true;
}

/* What is out of its range; NULL: nothing. */
static const struct input_parameter *find_outside(const struct subject *subject, const uint8_t *seed)
{
    for (size_t i = 0; i < subject->range_count; i++) {
        const struct input_range *range = &subject->ranges[i];
        const struct input_parameter *parameter = &subject->program.layout->parameters[range->parameter];
        for (size_t element = 0; element < parameter->element_count; element++)
            if (!input_is_in_range(parameter, range, input_element(parameter, seed, element)))
                return parameter;
    }
    return NULL;
}

static bool check_ranges(const struct subject *subject, const uint8_t *seed, const char *text, struct error *error)
{
    const struct input_parameter *outside = find_outside(subject, seed);
    return !outside ||
           error_set(error, "--seed '%s': %s is out of its --range: give the seed a value inside", text, outside->name);
}

/* Without a seed: zero, or what is nearest to it in the range. */
static void default_seed(const struct subject *subject, uint8_t *seed)
{
    for (size_t i = 0; i < subject->range_count; i++) {
        const struct input_range *range = &subject->ranges[i];
        const struct input_parameter *parameter = &subject->program.layout->parameters[range->parameter];
        __int128 value = input_nearest_to_zero(parameter, range);
        for (size_t element = 0; element < parameter->element_count; element++)
            input_set_element(parameter, seed, element, value);
    }
}

/* The starts that the user gave, of a whole program. */
static void fill_seeds(struct subject *subject)
{
    subject->seed_size = subject->program.layout->size;
    subject->seeds = calloc(subject->invocation->seed_count + 1, sizeof *subject->seeds);
    for (size_t i = 0; i < subject->invocation->seed_count; i++) {
        subject->seeds[subject->seed_count++] = calloc(subject->seed_size + 1, 1);
        invocation_fill(subject->invocation, i, subject->program.layout, subject->seeds[i]);
    }
}

static bool has_seed(const struct subject *subject, const uint8_t *seed)
{
    for (size_t i = 0; i < subject->seed_count; i++)
        if (!memcmp(subject->seeds[i], seed, subject->seed_size))
            return true;
    return false;
}

/* Those that are of interest. */
static void add_recorded(struct subject *subject)
{
    const struct recorded_inputs *recorded = subject->options->recorded;
    for (size_t i = 0; recorded && i < recorded->count; i++) {
        uint8_t *seed = calloc(subject->seed_size + 1, 1);
        recorded_convert(recorded, i, subject->program.layout, seed);
        if (find_outside(subject, seed) || has_seed(subject, seed)) {
            free(seed);
            continue;
        }
        subject->seeds[subject->seed_count++] = seed;
        subject->recorded_count++;
    }
}

static bool read_seeds(struct subject *subject, struct error *error)
{
    const struct words *seeds = &subject->options->seeds;
    const struct recorded_inputs *recorded = subject->options->recorded;
    subject->seed_size = subject->program.layout->size;
    subject->seeds = calloc(seeds->count + (recorded ? recorded->count : 0) + 1, sizeof *subject->seeds);
    for (size_t i = 0; i < seeds->count; i++) {
        uint8_t *seed = calloc(subject->seed_size + 1, 1);
        subject->seeds[subject->seed_count++] = seed;
        if (!input_parse(subject->program.layout, seeds->list[i], seed, error) ||
            !check_ranges(subject, seed, seeds->list[i], error))
            return false;
    }
    add_recorded(subject);
    if (!subject->seed_count) {
        subject->seeds[subject->seed_count++] = calloc(subject->seed_size + 1, 1);
        default_seed(subject, subject->seeds[0]);
    }
    return true;
}

static bool check_concrete(const struct words *concrete, struct error *error)
{
    for (size_t i = 0; i < concrete->count; i++)
        if (strcmp(concrete->list[i], "args") && strcmp(concrete->list[i], "stdin") &&
            strcmp(concrete->list[i], "files"))
            return error_set(error, "--concrete takes args, stdin or files, not '%s'", concrete->list[i]);
    return true;
}

static bool read_invocation(struct subject *subject, const struct subject_options *given, struct error *error)
{
    struct invocation_request request = {
        .arguments = &given->arguments,
        .input = given->input,
        .directory = given->directory,
        .root = given->root,
        .files = &given->symbolic_files,
        .variables = &given->variables,
        .seeds = given->seed_directory,
        .growth = (size_t)given->growth,
        .concrete_arguments = words_have(&given->concrete, "args"),
        .concrete_stream = words_have(&given->concrete, "stdin"),
        .concrete_files = words_have(&given->concrete, "files"),
    };
    if (!given->is_program)
        return true;
    if (!check_concrete(&given->concrete, error))
        return false;
    subject->invocation = invocation_read(&request, error);
    return subject->invocation;
}

bool subject_read_program(struct subject *subject, const struct subject_options *given, struct error *error)
{
    subject->options = given;
    if (!read_invocation(subject, given, error))
        return false;
    for (size_t i = 0; !given->made && i < given->files.count; i++)
        units_add(&subject->units, (struct unit){.file = given->files.list[i], .cflags = given->cflags});
    const struct units *units = given->made ? given->made : &subject->units;
    for (size_t i = 0; i < given->seeds.count; i++)
        words_add(&subject->values, given->seeds.list[i]);
    for (size_t i = 0; i < given->ranges.count; i++)
        words_add(&subject->values, given->ranges.list[i]);
    subject->request = (struct program_request){
        .units = units->list,
        .unit_count = units->count,
        .unreadable = given->unreadable,
        .common = given->common && given->common->count ? given->common->list : NULL,
        .common_count = given->common ? given->common->count : 0,
        .origins = given->origins,
        .origin_count = given->origins ? 2 : 0,
        .uncompared = given->uncompared.list,
        .uncompared_count = given->uncompared.count,
        .uncompared_members = given->uncompared_members.list,
        .uncompared_member_count = given->uncompared_members.count,
        .entry = given->entry,
        .invocation = subject->invocation,
        .entry_path = given->entry_path,
        .sizes = given->sizes.list,
        .size_count = given->sizes.count,
        .depth = (unsigned)given->depth,
        .usual_elements = given->usual_elements,
        .string_elements = given->string_elements,
        .string_sizes = given->string_sizes.list,
        .string_size_count = given->string_sizes.count,
        .all_null = given->all_null,
        .nulls = given->nulls.list,
        .null_count = given->nulls.count,
        .none_null = given->none_null,
        .distinct = given->distinct,
        .made = given->made_by_library,
        .twice = given->called_twice,
        .long_numbers = given->long_numbers,
        .leaks = given->leaks,
        .allocations = given->allocations_succeed ? ALLOCATIONS_SUCCEED
                       : given->allocations_fail  ? ALLOCATIONS_FAIL
                                                  : ALLOCATIONS_FAIL_WHERE_IT_TELLS,
        .largest_allocation = given->is_program ? (size_t)(given->memory_megabytes * 1e6) : 0,
        .not_nulls = given->not_nulls.list,
        .not_null_count = given->not_nulls.count,
        .none_terminated = given->none_terminated,
        .unterminated = given->unterminated.list,
        .unterminated_count = given->unterminated.count,
        .zeros = given->zeros.list,
        .zero_count = given->zeros.count,
        .values = subject->values.list,
        .value_count = subject->values.count,
        .globals = given->globals.list,
        .global_count = given->globals.count,
        .all_globals = given->all_globals,
        .stubs = given->stubs.list,
        .stub_count = given->stubs.count,
        .is_one_version = given->is_one_version,
        .assumptions = given->assumptions.list,
        .assumption_count = given->assumptions.count,
        .links = given->links.list,
        .link_count = given->links.count,
        .is_linked = given->is_linked,
        .named_like = given->other_version,
        .sorts_members = given->sorts_members,
        .has_own_choices = given->has_own_choices,
        .also = given->also,
        .conversions = given->conversions,
    };
    return program_read(&subject->program, &subject->request, error);
}

bool subject_read(struct subject *subject, const struct subject_options *given, struct error *error)
{
    if (!subject_read_program(subject, given, error))
        return false;
    if (given->limits)
        text_add(&subject->program.notes, given->limits);
    if (!read_ranges(subject, error))
        return false;
    if (!subject->invocation)
        return read_seeds(subject, error);
    text_add(&subject->program.notes, text_string(&subject->invocation->notes));
    fill_seeds(subject);
    return true;
}

/* ---- building ---- */

bool subject_make_world(struct subject_options *given, const struct invocation *invocation, const char *directory,
                        struct error *error)
{
    if (!world_make(&given->world, given->no_sandbox ? WORLD_OPEN : given->sandbox, directory, error))
        return false;
    if (invocation && invocation->directory)
        snprintf(given->world.directory, sizeof given->world.directory, "%s", invocation->directory);
    return !invocation || !invocation->root || world_take_root(&given->world, invocation->root, error);
}

bool subject_write_harness(struct subject *subject, const char *directory, struct error *error)
{
    subject->harness = calloc(subject->request.unit_count + 1, sizeof *subject->harness);
    return harness_write(&subject->program, directory, subject->harness, error);
}

struct target_limits subject_limits(const struct subject *subject)
{
    /* Runs are many, and some never end. Whether one version alone does not, native runs with the whole limit say. */
    double given = subject->options->run_seconds, seconds = fmin(given, fmax(1, given / 5));
    /* Decisions that far behind the entry of a function are never taken otherwise (--max-depth). */
    const uint32_t program_events = 1 << 22, function_events = 1 << 18;
    return (struct target_limits){
        .run_seconds = seconds,
        .memory_bytes = (size_t)(subject->options->memory_megabytes * 1e6),
        .most_selected = (uint32_t)fmin(subject->options->most_selected, MOST_SELECTED),
        .event_capacity = subject->invocation ? program_events : function_events,
        .node_capacity = 1 << 26,
        .world = &subject->options->world,
    };
}

static struct build_request build_request(const struct subject *subject, const char *directory, const char *version,
                                          bool exchange)
{
    struct arena *arena = subject->program.arena;
    size_t link_count = 0;
    bool is_explored = !version; /* it is not one that confirms a failure */
    version = version ? version : subject->version;
    while (subject->program.links && subject->program.links[link_count])
        link_count++;
    const char **names = arena_allocate(arena, (subject->request.unit_count + 1) * sizeof *names);
    for (size_t i = 0; i < subject->request.unit_count; i++)
        names[i] = unit_name(&subject->request.units[i]);
    return (struct build_request){
        .sources = subject->harness,
        .source_count = subject->request.unit_count,
        .names = names,
        .cflags = subject->program.cflags,
        .version = version,
        .exchange = exchange,
        .dependences = is_explored && subject->dependences,
        .assume_no_overflow = subject->options->overflow == OVERFLOW_ASSUMED_NONE,
        .fold = subject->options->fold && !version && !subject->dependences,
        .links = subject->program.links,
        .link_count = link_count,
        .directory = directory,
        .executable = arena_format(arena, "%s/program%s", directory,
                                   version    ? version
                                   : exchange ? "-exchanged"
                                              : ""),
    };
}

struct target *subject_build(struct subject *subject, const char *directory, struct site_table *sites,
                             struct error *error)
{
    struct build_request request = build_request(subject, directory, NULL, false);
    struct target_limits limits = subject_limits(subject);
    return build_instrumented(&request, sites, error) ? target_start(request.executable, &limits, error) : NULL;
}

bool subject_start_version(struct subject *subject, const char *directory, const char *version,
                           struct subject_build *started, struct error *error)
{
    started->request = build_request(subject, directory, version, false);
    started->build = build_start(&started->request, error);
    if (started->build)
        build_want(started->build);
    return started->build;
}

struct target *subject_finish_version(struct subject *subject, struct subject_build *started, struct site_table *sites,
                                      struct error *error)
{
    struct target_limits limits = subject_limits(subject);
    bool good = build_finish(started->build, sites, error);
    started->build = NULL;
    return good ? target_start(started->request.executable, &limits, error) : NULL;
}

static struct build_request checked_request(const struct subject *subject, const char *directory, bool exchange,
                                            bool all_checks, bool as_library)
{
    struct build_request request = build_request(subject, directory, NULL, exchange);
    request.check_objects = all_checks;
    if (as_library)
        request.library = arena_format(subject->program.arena, "%s.so", request.executable);
    return request;
}

static const char *made_by(const struct build_request *request, const struct site_table *sites)
{
    return request->library && !sites->lasting ? request->library : request->executable;
}

bool subject_prepare(struct subject *subject, const char *directory, bool exchange, bool as_library,
                     struct subject_build *prepared, struct error *error)
{
    prepared->request = checked_request(subject, directory, exchange, true, as_library);
    prepared->build = build_start(&prepared->request, error);
    return prepared->build;
}

bool subject_make_prepared(struct subject_build *prepared, struct site_table *sites, const char **path,
                           struct error *error)
{
    bool good = build_finish(prepared->build, sites, error);
    prepared->build = NULL;
    *path = good ? made_by(&prepared->request, sites) : NULL;
    return good;
}

bool subject_make(struct subject *subject, const char *directory, bool exchange, bool all_checks, bool as_library,
                  struct site_table *sites, const char **path, struct error *error)
{
    struct build_request request = checked_request(subject, directory, exchange, all_checks, as_library);
    if (!build_instrumented(&request, sites, error))
        return false;
    *path = made_by(&request, sites);
    return true;
}

const char *subject_make_executable(struct subject *subject, const char *directory, struct error *error)
{
    struct build_request request = build_request(subject, directory, NULL, false);
    return build_executable(&request, error) ? request.executable : NULL;
}

void subject_free(struct subject *subject)
{
    target_stop(subject->target);
    site_table_destroy(subject->sites);
    for (size_t i = 0; i < subject->seed_count; i++)
        free(subject->seeds[i]);
    free(subject->seeds);
    free(subject->ranges);
    free(subject->harness);
    words_free(&subject->values);
    invocation_free(subject->invocation);
    units_free(&subject->units);
    program_free(&subject->program);
}
