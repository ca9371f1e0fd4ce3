/* From the command line to an instrumented program. */
#include "cli/campaign.h"
#include "base/confine.h"
#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_SEED = 256,
    KEY_RANGE,
    KEY_SIZE,
    KEY_POINTERS,
    KEY_NULL,
    KEY_NO_NULL,
    KEY_ZERO,
    KEY_UNTERMINATED,
    KEY_GLOBAL,
    KEY_ASSUME,
    KEY_STUB,
    KEY_LINK,
    KEY_OVERFLOW,
    KEY_TOLERANCE,
    KEY_CFLAGS,
    KEY_RUN,
    KEY_MEMORY,
    KEY_NO_SANDBOX,
    KEY_SELECT
};

static const struct argp_option options[] = {
    {"entry", 'e', "[FILE:]FUNCTION", 0, "The function to run", 0},
    {"seed", KEY_SEED, "'x=0,y=-3'", 0, "An input to start from; what is not named is 0 (repeatable; default: all 0)",
     0},
    {"range", KEY_RANGE, "'x=-100..100'", 0, "Only inputs in this range are of interest (repeatable)", 0},
    {"assume", KEY_ASSUME, "EXPRESSION", 0,
     "Only inputs for which this C expression over them holds are of interest (repeatable)", 0},
    {"size", KEY_SIZE, "'s=16'", 0, "How many elements lie behind a pointer parameter (default 8)", 0},
    {"depth", KEY_POINTERS, "N", 0, "How many pointers are followed on the way from a parameter (default 3)", 0},
    {"null", KEY_NULL, "NAME", OPTION_ARG_OPTIONAL,
     "Pointers, or this one, may be NULL (repeatable; those that the code compares with NULL may be anyway)", 0},
    {"no-null", KEY_NO_NULL, "NAME", OPTION_ARG_OPTIONAL,
     "Pointers, or this one, are never NULL, even where the code compares them with NULL (repeatable)", 0},
    {"zero", KEY_ZERO, "NAME", 0, "This is no input and stays zero (repeatable)", 0},
    {"no-terminate", KEY_UNTERMINATED, "NAME", OPTION_ARG_OPTIONAL,
     "No zero at the end of strings, or of this one (repeatable)", 0},
    {"global", KEY_GLOBAL, "NAME", 0, "Make this global variable an input too (repeatable)", 0},
    {"stub", KEY_STUB, "NAME", 0, "Replace this undefined function by one that returns a fresh input (repeatable)", 0},
    {"link", KEY_LINK, "FILE", 0, "Link this object or library, uninstrumented (repeatable)", 0},
    {"overflow", KEY_OVERFLOW, "wrap|assume-none", 0,
     "Signed overflow wraps around (default), or inputs that overflow are of no interest", 0},
    {"float-tolerance", KEY_TOLERANCE, "EPS", 0,
     "Floating-point outputs that differ by at most EPS times the greater of their magnitudes and 1 are the same", 0},
    {"cflags", KEY_CFLAGS, "FLAGS", 0, "Flags for the C compiler", 0},
    {"run-time", KEY_RUN, "SECONDS", 0, "Limit for one run (default 5)", 0},
    {"memory", KEY_MEMORY, "MB", 0, "Limit for one run's resident memory (default 2000)", 0},
    {"no-sandbox", KEY_NO_SANDBOX, NULL, 0,
     "Run programs under test with your own rights: they may change and remove your files", 0},
    {"max-select", KEY_SELECT, "N", 0,
     "A read through a symbolic index stays symbolic in objects of up to N elements (default 1024)", 0},
    {0},
};

double campaign_number(struct argp_state *state, const char *option, const char *value, double lowest)
{
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end || !(number >= lowest))
        argp_error(state, "--%s takes a number from %g on, not '%s'", option, lowest, value);
    return number;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct campaign_options *given = state->input;
    switch (key) {
    case 'e': given->entry = value; break;
    case KEY_SEED: words_add(&given->seeds, value); break;
    case KEY_RANGE: words_add(&given->ranges, value); break;
    case KEY_SIZE: words_add(&given->sizes, value); break;
    case KEY_POINTERS: given->depth = (unsigned)campaign_number(state, "depth", value, 1); break;
    case KEY_ZERO: words_add(&given->zeros, value); break;
    case KEY_NULL:
        given->all_null |= !value;
        if (value)
            words_add(&given->nulls, value);
        break;
    case KEY_NO_NULL:
        given->none_null |= !value;
        if (value)
            words_add(&given->not_nulls, value);
        break;
    case KEY_UNTERMINATED:
        given->none_terminated |= !value;
        if (value)
            words_add(&given->unterminated, value);
        break;
    case KEY_GLOBAL: words_add(&given->globals, value); break;
    case KEY_ASSUME: words_add(&given->assumptions, value); break;
    case KEY_STUB: words_add(&given->stubs, value); break;
    case KEY_LINK: words_add(&given->links, value); break;
    case KEY_CFLAGS: given->cflags = value; break;
    case KEY_RUN: given->run_seconds = campaign_number(state, "run-time", value, 0.01); break;
    case KEY_SELECT:
        given->most_selected = (uint32_t)fmin(campaign_number(state, "max-select", value, 0), 1 << 20);
        break;
    case KEY_NO_SANDBOX: given->no_sandbox = true; break;
    case KEY_MEMORY: given->memory_megabytes = campaign_number(state, "memory", value, 16); break;
    case KEY_TOLERANCE: given->float_tolerance = campaign_number(state, "float-tolerance", value, 0); break;
    case KEY_OVERFLOW:
        given->assume_no_overflow = !strcmp(value, "assume-none");
        if (!given->assume_no_overflow && strcmp(value, "wrap"))
            argp_error(state, "--overflow takes 'wrap' or 'assume-none', not '%s'", value);
        break;
    case ARGP_KEY_ARG: words_add(&given->files, value); break;
    case ARGP_KEY_INIT:
        given->run_seconds = 5;
        given->memory_megabytes = 2000;
        given->most_selected = 1024;
        break;
    case ARGP_KEY_END:
        if (given->makes_program)
            break;
        if (!given->files.count)
            argp_error(state, "no C file given");
        if (!given->entry)
            argp_error(state, "no entry given: --entry FUNCTION names the function to run");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp campaign_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

void campaign_options_free(struct campaign_options *given)
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
                             &given->not_nulls};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        words_free(lists[i]);
}

/* ---- inputs ---- */

static bool read_ranges(struct campaign *campaign, struct error *error)
{
    const struct words *ranges = &campaign->options->ranges;
    size_t capacity = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        campaign->ranges =
            array_reserve(campaign->ranges, &capacity, campaign->range_count + campaign->program.layout->count + 1,
                          sizeof *campaign->ranges);
        if (!input_parse_range(campaign->program.layout, ranges->list[i], campaign->ranges, &campaign->range_count,
                               error))
            return false;
    }
    return true;
}

static bool check_ranges(const struct campaign *campaign, const uint8_t *seed, const char *text, struct error *error)
{
    for (size_t i = 0; i < campaign->range_count; i++) {
        const struct input_range *range = &campaign->ranges[i];
        const struct input_parameter *parameter = &campaign->program.layout->parameters[range->parameter];
        for (size_t element = 0; element < parameter->element_count; element++) {
            __int128 value = input_element(parameter, seed, element);
            if (!input_is_in_range(parameter, range, value))
                return error_set(error, "--seed '%s': %s is out of its --range: give the seed a value inside", text,
                                 parameter->name);
        }
    }
    return true;
}

/* Without a seed: zero, or what is nearest to it in the range. */
static void default_seed(const struct campaign *campaign, uint8_t *seed)
{
    for (size_t i = 0; i < campaign->range_count; i++) {
        const struct input_range *range = &campaign->ranges[i];
        const struct input_parameter *parameter = &campaign->program.layout->parameters[range->parameter];
        __int128 value = input_nearest_to_zero(parameter, range);
        for (size_t element = 0; element < parameter->element_count; element++)
            input_set_element(parameter, seed, element, value);
    }
}

static bool read_seeds(struct campaign *campaign, struct error *error)
{
    const struct words *seeds = &campaign->options->seeds;
    campaign->seed_size = campaign->program.layout->size;
    campaign->seeds = calloc(seeds->count + 1, sizeof *campaign->seeds);
    for (size_t i = 0; i < seeds->count || i == 0; i++) {
        uint8_t *seed = calloc(campaign->seed_size + 1, 1);
        campaign->seeds[campaign->seed_count++] = seed;
        if (!seeds->count)
            default_seed(campaign, seed);
        else if (!input_parse(campaign->program.layout, seeds->list[i], seed, error) ||
                 !check_ranges(campaign, seed, seeds->list[i], error))
            return false;
    }
    return true;
}

bool campaign_read_program(struct campaign *campaign, const struct campaign_options *given, struct error *error)
{
    campaign->options = given;
    for (size_t i = 0; !given->made && i < given->files.count; i++)
        units_add(&campaign->units, (struct unit){.file = given->files.list[i], .cflags = given->cflags});
    const struct units *units = given->made ? given->made : &campaign->units;
    for (size_t i = 0; i < given->seeds.count; i++)
        words_add(&campaign->values, given->seeds.list[i]);
    for (size_t i = 0; i < given->ranges.count; i++)
        words_add(&campaign->values, given->ranges.list[i]);
    campaign->request = (struct program_request){
        .units = units->list,
        .unit_count = units->count,
        .unreadable = given->unreadable,
        .origins = given->origins,
        .origin_count = given->origins ? 2 : 0,
        .uncompared = given->uncompared.list,
        .uncompared_count = given->uncompared.count,
        .uncompared_members = given->uncompared_members.list,
        .uncompared_member_count = given->uncompared_members.count,
        .entry = given->entry,
        .entry_path = given->entry_path,
        .sizes = given->sizes.list,
        .size_count = given->sizes.count,
        .depth = given->depth,
        .all_null = given->all_null,
        .nulls = given->nulls.list,
        .null_count = given->nulls.count,
        .none_null = given->none_null,
        .not_nulls = given->not_nulls.list,
        .not_null_count = given->not_nulls.count,
        .none_terminated = given->none_terminated,
        .unterminated = given->unterminated.list,
        .unterminated_count = given->unterminated.count,
        .zeros = given->zeros.list,
        .zero_count = given->zeros.count,
        .values = campaign->values.list,
        .value_count = campaign->values.count,
        .globals = given->globals.list,
        .global_count = given->globals.count,
        .stubs = given->stubs.list,
        .stub_count = given->stubs.count,
        .is_one_version = given->is_one_version,
        .assumptions = given->assumptions.list,
        .assumption_count = given->assumptions.count,
        .links = given->links.list,
        .link_count = given->links.count,
        .named_like = given->other_version,
    };
    return program_read(&campaign->program, &campaign->request, error);
}

bool campaign_read(struct campaign *campaign, const struct campaign_options *given, struct error *error)
{
    if (!campaign_read_program(campaign, given, error))
        return false;
    if (given->limits)
        text_add(&campaign->program.notes, given->limits);
    return read_ranges(campaign, error) && read_seeds(campaign, error);
}

/* ---- building ---- */

bool campaign_make_world(struct campaign_options *given, struct arena *arena, const char *directory,
                         struct error *error)
{
    if (given->no_sandbox)
        return true;
    if (!confine_version())
        return error_set(error,
                         "this kernel has no Landlock: programs under test would run on invented inputs with your "
                         "own rights; --no-sandbox runs them all the same");
    given->world = arena_format(arena, "%s/world", directory);
    return file_make_directory(given->world, error);
}

bool campaign_write_harness(struct campaign *campaign, const char *directory, struct error *error)
{
    campaign->harness = calloc(campaign->request.unit_count + 1, sizeof *campaign->harness);
    return harness_write(&campaign->program, directory, campaign->harness, error);
}

struct target_limits campaign_limits(const struct campaign *campaign)
{
    return (struct target_limits){
        .run_seconds = campaign->options->run_seconds,
        .memory_bytes = (size_t)(campaign->options->memory_megabytes * 1e6),
        .most_selected = campaign->options->most_selected,
        .node_capacity = 1 << 26,
        .scratch = campaign->options->world,
    };
}

static struct build_request build_request(const struct campaign *campaign, const char *directory, const char *version,
                                          bool exchange)
{
    struct arena *arena = campaign->program.arena;
    size_t link_count = 0;
    while (campaign->program.links && campaign->program.links[link_count])
        link_count++;
    const char **names = arena_allocate(arena, (campaign->request.unit_count + 1) * sizeof *names);
    for (size_t i = 0; i < campaign->request.unit_count; i++)
        names[i] = unit_name(&campaign->request.units[i]);
    return (struct build_request){
        .sources = campaign->harness,
        .source_count = campaign->request.unit_count,
        .names = names,
        .cflags = campaign->program.cflags,
        .version = version,
        .exchange = exchange,
        .assume_no_overflow = campaign->options->assume_no_overflow,
        .links = campaign->program.links,
        .link_count = link_count,
        .directory = directory,
        .executable = arena_format(arena, "%s/program%s", directory,
                                   version    ? version
                                   : exchange ? "-exchanged"
                                              : ""),
    };
}

struct target *campaign_build(struct campaign *campaign, const char *directory, const char *version,
                              struct site_table *sites, struct error *error)
{
    struct build_request request = build_request(campaign, directory, version, false);
    struct target_limits limits = campaign_limits(campaign);
    return build_instrumented(&request, sites, error) ? target_start(request.executable, &limits, error) : NULL;
}

bool campaign_make(struct campaign *campaign, const char *directory, bool exchange, bool all_checks, bool as_library,
                   struct site_table *sites, const char **path, struct error *error)
{
    struct build_request request = build_request(campaign, directory, NULL, exchange);
    request.check_objects = all_checks;
    if (as_library)
        request.library = arena_format(campaign->program.arena, "%s.so", request.executable);
    if (!build_instrumented(&request, sites, error))
        return false;
    *path = as_library && !sites->lasting ? request.library : request.executable;
    return true;
}

const char *campaign_make_executable(struct campaign *campaign, const char *directory, struct error *error)
{
    struct build_request request = build_request(campaign, directory, NULL, false);
    return build_executable(&request, error) ? request.executable : NULL;
}

void campaign_free(struct campaign *campaign)
{
    target_stop(campaign->target);
    site_table_destroy(campaign->sites);
    for (size_t i = 0; i < campaign->seed_count; i++)
        free(campaign->seeds[i]);
    free(campaign->seeds);
    free(campaign->ranges);
    free(campaign->harness);
    words_free(&campaign->values);
    units_free(&campaign->units);
    program_free(&campaign->program);
}
