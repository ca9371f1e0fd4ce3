/* Versions that cannot be merged are two programs: what they must have in common to be compared, inputs and results,
 * and what of their variables is. */
#include "campaign/state.h"
#include "source/conversions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- inputs and results ---- */

/* Whether a plain `char` has a sign is a flag of each version's own: it is the same byte. */
static bool is_same_piece(const struct input_parameter *one, const struct input_parameter *other)
{
    bool is_byte = one->kind == INPUT_CHARACTER && one->element_size == 1;
    return one->kind == other->kind && (is_byte || one->is_signed == other->is_signed) &&
           one->is_array == other->is_array && one->is_pointer == other->is_pointer &&
           one->is_string == other->is_string && one->element_size == other->element_size && one->bits == other->bits &&
           one->element_count == other->element_count;
}

static bool refuse_entry(const struct campaign *campaign, const char *what, struct error *error)
{
    const struct program *old = &campaign->old.program, *new = &campaign->subject.program;
    return error_set(
        error,
        "%s:%u: '%s' cannot be an entry: %s at %s:%u; give both versions an entry with the same parameters "
        "and result that calls it",
        program_file_name(new, new->paths[new->entry_file]), new->entry_line, new->entry, what,
        program_file_name(old, old->paths[old->entry_file]), old->entry_line);
}

/* Inputs are known by their names, and lie in the same order. */
static bool check_inputs(const struct campaign *campaign, struct error *error)
{
    const struct input_layout *old = campaign->old.program.layout, *new = campaign->subject.program.layout;
    struct arena *arena = campaign->report.arena;
    for (size_t i = 0; i < old->count || i < new->count; i++) {
        const struct input_parameter *one = i < old->count ? &old->parameters[i] : NULL;
        const struct input_parameter *other = i < new->count ? &new->parameters[i] : NULL;
        if (!one || !other)
            return refuse_entry(
                campaign,
                arena_format(arena, "its input '%s' is %s", one ? one->name : other->name, one ? "only" : "not"),
                error);
        if (strcmp(one->name, other->name) || !is_same_piece(one, other))
            return refuse_entry(campaign,
                                arena_format(arena, "its input '%s' of type '%s' is '%s' of type '%s'", other->name,
                                             other->type, one->name, one->type),
                                error);
    }
    return true;
}

/* Whether the output or a part of it, as `name.member` or `name[1]` are, has another size in the other version. */
static bool has_other_parts(const struct input_layout *outputs, const struct input_layout *others, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < outputs->count; i++) {
        const struct input_parameter *piece = &outputs->parameters[i];
        char next = strncmp(piece->name, name, length) ? 'a' : piece->name[length];
        if (isalnum((unsigned char)next) || next == '_')
            continue;
        const struct input_parameter *other = input_layout_find(others, piece->name);
        if (!other || !is_same_piece(piece, other))
            return true;
    }
    return false;
}

static bool has_stub(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->stub_count; i++)
        if (!strcmp(program->stubs[i].name, name))
            return true;
    return false;
}

static bool check_stubs(const struct campaign *campaign, struct error *error)
{
    const struct words *stubs = &campaign->options->subject.stubs;
    for (size_t i = 0; i < stubs->count; i++)
        if (!has_stub(&campaign->old.program, stubs->list[i]) && !has_stub(&campaign->subject.program, stubs->list[i]))
            return error_set(error, "--stub '%s': no version calls such a function without defining it",
                             stubs->list[i]);
    return true;
}

static bool check_result(const struct campaign *campaign, struct error *error)
{
    const struct program *old = &campaign->old.program, *new = &campaign->subject.program;
    if (old->returns_value == new->returns_value && !strcmp(old->result_outputs, new->result_outputs) &&
        !has_other_parts(old->outputs, new->outputs, "return") &&
        !has_other_parts(new->outputs, old->outputs, "return"))
        return true;
    return refuse_entry(campaign, "its result has another type", error);
}

/* Structures whose members lie elsewhere are compared member by member. Where a pointer leads into one of them cannot
 * be. */
static bool check_layouts(const struct campaign *campaign, struct error *error)
{
    const struct program *old = &campaign->old.program, *new = &campaign->subject.program;
    bool is_same = !strcmp(text_string(&old->record_layouts), text_string(&new->record_layouts));
    if (is_same || (!old->outputs_pointers && !new->outputs_pointers))
        return true;
    return refuse_entry(campaign, "it can leave pointers into a structure whose members have other places", error);
}

/* ---- variables of both versions ---- */

/* How many variables have the name, in files of this name or, if it is NULL, in any; `found` is one of them. */
static size_t count_globals(const struct program *program, const char *name, const char *file,
                            struct program_global **found)
{
    size_t count = 0;
    for (size_t i = 0; i < program->global_count; i++) {
        struct program_global *global = &program->globals[i];
        if (strcmp(global->shown_name, name) || (file && strcmp(basename(program->paths[global->file]), file)))
            continue;
        *found = global;
        count++;
    }
    return count;
}

/* What a variable is in the other version; NULL where it is nothing there, or nobody knows. Files may have variables of
 * the same name, each for itself: then the file's name tells which is meant. */
static struct program_global *find_same(const struct program *program, const struct program *other,
                                        const struct program_global *global)
{
    const char *name = global->shown_name, *file = basename(program->paths[global->file]);
    struct program_global *here, *there = NULL;
    if (count_globals(program, name, NULL, &here) == 1 && count_globals(other, name, NULL, &there) <= 1)
        return there;
    bool is_only_one = count_globals(program, name, file, &here) == 1 && count_globals(other, name, file, &there) == 1;
    return is_only_one ? there : NULL;
}

static void note_uncompared(struct program *new, const char *name, const char *why)
{
    struct text line = {0};
    text_format(&line, "%s: the variable is not compared, %s\n", name, why);
    if (!strstr(text_string(&new->notes), text_string(&line)))
        text_add(&new->notes, text_string(&line));
    text_free(&line);
}

static bool is_comparable(const struct program *program, const struct program *other,
                          const struct program_global *global, const struct program_global *there)
{
    return there && !strcmp(global->outputs, there->outputs) &&
           !has_other_parts(program->outputs, other->outputs, global->shown_name);
}

/* Variables that only one version has, or that are something else in the other, are no outputs. */
static void drop_outputs(struct campaign *campaign, struct program *program, struct program *other)
{
    for (size_t i = 0; i < program->global_count; i++) {
        struct program_global *global = &program->globals[i], *there = find_same(program, other, global), *any;
        if (global->is_symbolic || !*global->outputs || is_comparable(program, other, global, there))
            continue;
        global->outputs = "";
        if (there) {
            there->outputs = "";
            note_uncompared(&campaign->subject.program, global->shown_name, "its type differs");
        } else if (count_globals(other, global->shown_name, NULL, &any)) {
            note_uncompared(&campaign->subject.program, global->shown_name, "several have its name");
        }
    }
}

static int compare_globals(const void *one, const void *other)
{
    const struct program_global *a = one, *b = other;
    return a->file != b->file ? (a->file < b->file ? -1 : 1) : strcmp(a->shown_name, b->shown_name);
}

static struct program_global *next_output(const struct program *program, size_t *at)
{
    while (*at < program->global_count && !*program->globals[*at].outputs)
        ++*at;
    return *at < program->global_count ? &program->globals[(*at)++] : NULL;
}

/* Outputs are compared in their order, which is not to depend on the order of declarations. */
static void order_outputs(struct program *old, struct program *new)
{
    struct program_global *one, *other;
    qsort(old->globals, old->global_count, sizeof *old->globals, compare_globals);
    qsort(new->globals, new->global_count, sizeof *new->globals, compare_globals);
    size_t in_old = 0, in_new = 0;
    while ((one = next_output(old, &in_old)) && (other = next_output(new, &in_new))) {
        struct program_global *same = find_same(old, new, one);
        if (same == other)
            continue;
        note_uncompared(new, one->shown_name, "its place differs");
        if (same)
            same->outputs = "";
        one->outputs = "";
        in_old = in_new = 0;
    }
}

/* Pointers that either version compares with NULL may be NULL in both; so with overlaps. Neither knows what the other
 * looks at: each is read once to find out. */
static bool read_new(struct campaign *campaign, struct error *error)
{
    struct subject_options *options = &campaign->options->subject, old_options;
    struct subject new = {0}, old = {0};
    campaign_version_options(campaign, &campaign->entry->old, campaign->entry->old_path, &old_options);
    old_options.other_version = &new.program;
    old_options.has_own_choices = true;
    bool good = subject_read_program(&new, options, error) && subject_read_program(&old, &old_options, error);
    options->also = good ? old.program.layout : NULL;
    options->conversions = good ? conversions_find(campaign->report.arena, &old.program, &new.program) : NULL;
    if (options->conversions)
        campaign->report.apart =
            arena_format(campaign->report.arena, "%s; %s", campaign->report.apart, options->conversions->text);
    good = good && subject_read(&campaign->subject, options, error);
    campaign->subject.request.also = options->also = NULL;
    subject_free(&old);
    subject_free(&new);
    return good;
}

bool apart_read(struct campaign *campaign, struct error *error)
{
    const struct campaign_entry *entry = campaign->entry;
    campaign->options->mode = EXPLORE_COMPLETE;
    campaign->report.mode = EXPLORE_COMPLETE;
    campaign->options->subject.sorts_members = true;
    if (!read_new(campaign, error))
        return false;
    campaign_version_options(campaign, &entry->old, entry->old_path, &campaign->old_options);
    struct program *old = &campaign->old.program, *new = &campaign->subject.program;
    if (!subject_read(&campaign->old, &campaign->old_options, error) || !check_inputs(campaign, error) ||
        !check_result(campaign, error) || !check_layouts(campaign, error) || !check_stubs(campaign, error))
        return false;
    drop_outputs(campaign, old, new);
    drop_outputs(campaign, new, old);
    order_outputs(old, new);
    /* what one version makes known while it runs, the other is given too */
    input_layout_destroy(old->layout);
    old->layout = new->layout;
    campaign->native_old = &campaign->old;
    campaign->native_new = &campaign->subject;
    return true;
}
