#include "campaign/project.h"

#include "base/file.h"
#include "unify/hidden.h"
#include "unify/pairs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void project_tell(const struct project *project, const char *format, ...)
{
    va_list arguments;
    char line[1000];
    if (!project->tell)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    project->tell(line);
}

/* ---- the trees ---- */

static const char *version_name(const struct versions *versions, size_t version)
{
    return version ? versions->new_name : versions->old_name;
}

static bool build(struct project *project, const struct project_request *request, struct error *error)
{
    struct versions *versions = &project->versions;
    const char *sources[] = {versions->old, versions->new};
    for (size_t i = 0; i < 2; i++)
        project->checkouts[i] = (struct checkout){.source = sources[i], .name = version_name(versions, i)};
    if (!*versions->scratch && !file_make_scratch(versions->scratch, error))
        return false;
    project_tell(project, "building %s and %s", versions->old_name, versions->new_name);
    if (!checkouts_build(project->checkouts, request->build, versions->scratch, project->arena, error)) {
        *versions->scratch = '\0'; /* the log stays */
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        const struct checkout *checkout = &project->checkouts[i];
        if (checkout->is_kept)
            project_tell(project, "%s was built before", checkout->name);
        else
            project_tell(project, "%s was built in %.1f s", checkout->name, checkout->seconds);
    }
    if (!versions->old_label)
        versions->old_label = arena_format(project->arena, "%s/", versions->old_name);
    versions->old = project->checkouts[0].root;
    versions->new = project->checkouts[1].root;
    versions->original = NULL;
    return true;
}

static bool read_trees(struct project *project, const struct project_request *request, struct error *error)
{
    const char *roots[] = {project->versions.old, project->versions.new};
    for (size_t i = 0; i < 2; i++)
        if (!built_read(&project->built[i], roots[i], version_name(&project->versions, i),
                        request->build ? &project->checkouts[i].done : NULL, error))
            return false;
    bool has[] = {built_any(&project->built[0]), built_any(&project->built[1])};
    if (request->build && !(has[0] && has[1])) {
        size_t without = has[0];
        return error_set(error,
                         "the build of %s made nothing with penumbra cc: it must use the compiler that CC names, or "
                         "one called cc, gcc or clang (its log is %s)",
                         project->checkouts[without].name, project->checkouts[without].log);
    }
    if (has[0] != has[1] && (request->program || request->test))
        return error_set(error, "%s was built with penumbra cc, %s was not", version_name(&project->versions, has[1]),
                         version_name(&project->versions, has[0]));
    if (!has[0] || !has[1])
        return !(request->program || request->test) ||
               error_set(error, "neither %s nor %s was built with penumbra cc: --build COMMAND builds them",
                         project->versions.old_name, project->versions.new_name);
    built_move_macros(project->built[0].units, project->built[0].root, project->built[1].root);
    for (size_t i = 0; i < 2; i++)
        project->units[i] = project->built[i].units;
    return true;
}

/* ---- which program ---- */

/* The files that differ, or are compiled otherwise, of all that was compiled. */
static bool find_changed(struct project *project, struct pairs *pairs, struct error *error)
{
    struct flags *flags[] = {flags_take(project->units[0], project->versions.old),
                             flags_take(project->units[1], project->versions.new)};
    struct arena *arena = project->arena;
    bool good = pairs_find_built(project->versions.old, project->versions.new, flags, arena, pairs, error);
    for (size_t i = 0; i < pairs->unchanged.count && good; i++) {
        const char *name = pairs->unchanged.list[i];
        if (!flags_are_same(flags[0], flags[1], arena_format(arena, "%s/%s", project->versions.old, name),
                            arena_format(arena, "%s/%s", project->versions.new, name), arena))
            words_add(&pairs->candidates, name);
    }
    flags_close(flags[0]), flags_close(flags[1]);
    return good;
}

/* The first file that differs and that the program is made of, NULL where there is none; `missing` receives how many of
 * those that differ it is not made of. */
static const char *changed_part(const struct project *project, const struct built_program *program,
                                const struct pairs *pairs, size_t *missing)
{
    struct words inside = {0}, outside = {0};
    const struct words *lists[] = {&pairs->candidates, &pairs->added};
    const char *found = NULL;
    struct flags *flags = flags_take(program->units, project->versions.new);
    flags_list(flags, project->arena, &inside, &outside);
    *missing = 0;
    for (size_t n = 0; n < 2; n++)
        for (size_t i = 0; i < lists[n]->count; i++)
            if (!words_have(&inside, lists[n]->list[i]))
                ++*missing;
            else if (!found)
                found = lists[n]->list[i];
    flags_close(flags);
    words_free(&inside), words_free(&outside);
    return found;
}

/* A program of both versions that is made of a changed file. */
struct candidate {
    const struct built_program *program;
    const char *part; /* the first such file */
    size_t missing;   /* files that differ and that it is not made of */
    bool is_same;     /* the compiler makes the same of all these files, with the flags that they have in it */
};

static bool compiles_differently(const struct project *project, struct flags *const flags[2], const char *name)
{
    struct words words[2] = {{0}, {0}};
    struct hidden_request request = {0};
    for (size_t i = 0; i < 2; i++) {
        const char *tree = i ? project->versions.new : project->versions.old;
        request.files[i] = arena_format(project->arena, "%s/%s", tree, name);
        const char *given = flags_of(flags[i], request.files[i], project->arena);
        words_split(&words[i], given ? given : "");
        words_add(&words[i], NULL);
        request.flags[i] = words[i].list;
    }
    bool differs = hidden_is_any(&request);
    words_free(&words[0]), words_free(&words[1]);
    return differs;
}

/* A file can be part of a program that has nothing of what was changed in it: #ifdef takes it out. */
static bool is_same(const struct project *project, const struct built_program *old, const struct built_program *new,
                    const struct pairs *pairs)
{
    struct flags *flags[] = {flags_take(old->units, project->versions.old),
                             flags_take(new->units, project->versions.new)};
    struct words inside = {0}, outside = {0};
    bool differs = false;
    flags_list(flags[1], project->arena, &inside, &outside);
    for (size_t i = 0; i < pairs->added.count && !differs; i++)
        differs = words_have(&inside, pairs->added.list[i]);
    for (size_t i = 0; i < pairs->candidates.count && !differs; i++)
        differs = words_have(&inside, pairs->candidates.list[i]) &&
                  compiles_differently(project, flags, pairs->candidates.list[i]);
    flags_close(flags[0]), flags_close(flags[1]);
    words_free(&inside), words_free(&outside);
    return !differs;
}

/* The programs of both versions that are made of changed files. */
static bool find_candidates(struct project *project, struct candidate **list, size_t *count, struct pairs *pairs,
                            struct error *error)
{
    const struct built *new = &project->built[1];
    struct error ignored = {0};
    *list = arena_allocate(project->arena, (new->count + 1) * sizeof **list);
    *count = 0;
    if (!find_changed(project, pairs, error))
        return false;
    for (size_t i = 0; i < new->count; i++) {
        struct candidate candidate = {.program = &new->programs[i]};
        candidate.part = changed_part(project, candidate.program, pairs, &candidate.missing);
        const struct built_program *old =
            candidate.part ? built_find(&project->built[0], candidate.program->name, &ignored) : NULL;
        candidate.is_same = old && is_same(project, old, candidate.program, pairs);
        if (candidate.part)
            (*list)[(*count)++] = candidate;
        error_clear(&ignored);
    }
    return true;
}

/* The only program that has something of the change. */
static const struct built_program *find_only(struct project *project, struct error *error)
{
    struct pairs pairs;
    struct text list = {0};
    struct candidate *candidates;
    const struct built_program *found = NULL;
    size_t count, changed = 0;
    if (!find_candidates(project, &candidates, &count, &pairs, error))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (candidates[i].is_same && count > 1)
            continue;
        found = candidates[i].program;
        text_format(&list, "%s%s (of %s)", changed++ ? ", " : "", found->name, candidates[i].part);
    }
    if (!changed && project->built[1].count)
        error_set(error, count ? "what differs is in none of the programs that were built: --program names one of them"
                               : "none of the programs that were built is made of a file that differs");
    else if (!changed)
        error_set(error, "no program was built: there are only libraries and objects");
    else if (changed > 1)
        error_set(error, "several programs are made of files that differ: %s; --program names one of them",
                  text_string(&list));
    text_free(&list);
    pairs_free(&pairs);
    return changed == 1 ? found : NULL;
}

/* Rather one that has something of the change; of these, the smaller one. */
static bool is_better(const struct candidate *one, const struct candidate *other)
{
    if (!other || one->is_same != other->is_same)
        return !other || !one->is_same;
    return json_array_size(one->program->units) < json_array_size(other->program->units);
}

/* A program of both versions that is made of all files that differ. Of names that are defined several times in the
 * tree, its own count. */
static bool find_covering(struct project *project, const struct built_program **found, struct error *error)
{
    struct pairs pairs;
    struct candidate *candidates;
    const struct candidate *best = NULL;
    struct error ignored = {0};
    size_t count;
    *found = NULL;
    if (!find_candidates(project, &candidates, &count, &pairs, error))
        return false;
    for (size_t i = 0; i < count && !pairs.removed.count; i++) {
        const struct candidate *one = &candidates[i];
        if (!one->missing && built_find(&project->built[0], one->program->name, &ignored) && is_better(one, best))
            best = one;
        error_clear(&ignored);
    }
    if (best)
        *found = best->program;
    if (best && project->built[1].count > 1)
        project->versions.note = arena_format(project->arena, "%s%sfiles and flags are those of %s",
                                              project->versions.note ? project->versions.note : "",
                                              project->versions.note ? "; " : "", (*found)->name);
    pairs_free(&pairs);
    return true;
}

static bool choose_program(struct project *project, const struct project_request *request,
                           const struct subject_options *options, struct error *error)
{
    const struct built_program *new = NULL;
    if (request->program)
        new = built_find(&project->built[1], request->program, error);
    else if ((request->test && !project->records_calls) || options->is_program)
        new = find_only(project, error);
    else if (!find_covering(project, &new, error) || !new)
        return !error->message;
    const struct built_program *old = new ? built_find(&project->built[0], new->name, error) : NULL;
    if (!old)
        return false;
    project->programs[0] = old;
    project->programs[1] = new;
    built_move_macros(old->units, project->built[0].root, project->built[1].root);
    for (size_t i = 0; i < 2; i++)
        project->units[i] = project->programs[i]->units;
    return true;
}

/* Nothing that is said of such a program is wrong, but it is hardly what was meant. */
static bool note_unchanged(struct project *project, struct error *error)
{
    struct pairs pairs = {0};
    size_t missing;
    if (!find_changed(project, &pairs, error))
        return false;
    if (!changed_part(project, project->programs[1], &pairs, &missing) && !pairs.removed.count)
        project_tell(project, "no file that %s is made of differs in the versions", project->programs[1]->name);
    pairs_free(&pairs);
    return true;
}

static void add_libraries(struct project *project, struct subject_options *options)
{
    for (size_t i = 0; i < 2; i++) {
        const struct words *libraries =
            project->programs[i] ? &project->programs[i]->libraries : &project->built[i].libraries;
        for (size_t k = 0; k < libraries->count; k++)
            if (!words_have(&options->links, libraries->list[k]))
                words_add(&options->links, libraries->list[k]);
    }
    /* What the optimiser has removed may mention what the linker was never asked for. */
    options->is_linked = project->programs[1];
    if (options->is_linked && options->links.count)
        words_add(&options->links, "-Wl,--unresolved-symbols=ignore-all");
}

/* ---- all of it ---- */

static bool needs_trees(const struct project_request *request)
{
    return request->build || request->program || request->test;
}

static bool explores_functions(const struct project_request *request, const struct subject_options *options)
{
    const char *colon = options->entry ? strrchr(options->entry, ':') : NULL;
    return request->functions || (options->entry && strcmp(colon ? colon + 1 : options->entry, "main") != 0);
}

bool project_open(struct project *project, const struct project_request *request, struct subject_options *options,
                  struct error *error)
{
    *project = (struct project){.arena = arena_create(), .tell = request->tell};
    if (!versions_get(&request->versions, project->arena, &project->versions, error))
        return false;
    bool are_directories = project->versions.are_directories;
    if (needs_trees(request) && !are_directories)
        return error_set(error, "%s is one file: --build, --program and --test take whole trees",
                         project->versions.new_name);
    bool is_own = !project->versions.original; /* what was exported has not been built */
    if (!are_directories || (!is_own && !request->build))
        return !needs_trees(request) ||
               error_set(error, "--program and --test need trees that were built: --build COMMAND builds them");
    if ((request->build && !build(project, request, error)) || !read_trees(project, request, error))
        return false;
    if (!project->units[0])
        return true;
    project->records_calls = request->test && explores_functions(request, options);
    if (!choose_program(project, request, options, error))
        return false;
    add_libraries(project, options);
    if (request->program && !note_unchanged(project, error))
        return false;
    if (!request->test)
        return true;
    options->is_program = !project->records_calls;
    project->invocation = (size_t)request->invocation;
    return project_record_starts(project, request, error);
}

void project_close(struct project *project)
{
    versions_drop(&project->versions);
    recording_close(project->recording);
    for (size_t i = 0; i < 2; i++)
        if (project->built[i].arena)
            built_free(&project->built[i]);
    arena_destroy(project->arena);
}
