/* The starts that a project's test suite makes of its program: recorded once, and chosen from. */
#include "base/file.h"
#include "campaign/project.h"
#include "campaign/touch.h"
#include "project/starts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool check_starts(const struct project *project, struct error *error)
{
    struct starts starts;
    bool good = starts_read(&starts, project->starts, error);
    const char *name = project->started ? project->started : "the programs of the build";
    if (good && !starts.count && project->records_calls)
        project_tell(project, "the test suite has not started %s (its log is %s/log): there are no seeds", name,
                     project->starts);
    else if (good && !starts.count)
        good =
            error_set(error,
                      "the test suite has not started %s (its log is %s/log): it must run the program that was built "
                      "in the tree",
                      name, project->starts);
    else if (good)
        project_tell(project, "the test suite has started %s %zu times%s", name,
                     starts.count + starts.duplicates + starts.oversized,
                     starts.duplicates ? ", some of them alike" : "");
    starts_free(&starts);
    return good;
}

/* What is not as it should be with the tests; "": nothing. */
static const char *describe_end(const struct project *project, const struct project_request *request,
                                const struct command_end *end)
{
    if (end->timed_out)
        return arena_format(project->arena, "the test suite did not end in %g s: what it had started by then is used",
                            request->test_seconds);
    if (!end->exit_status)
        return "";
    return arena_format(project->arena,
                        "the test suite fails, with exit status %d (its log is %s/log): what it has started is used",
                        end->exit_status, project->starts);
}

/* Of tests that were run before. */
static bool repeat_note(const struct project *project, const char *path, struct error *error)
{
    struct text note = {0};
    bool good = file_read(path, &note, error);
    if (note.length)
        project_tell(project, "%s", text_string(&note));
    text_free(&note);
    return good;
}

/* Runs the tests in the new tree, unless that was done before. */
bool project_record_starts(struct project *project, const struct project_request *request, struct error *error)
{
    const struct checkout *checkout = &project->checkouts[1];
    project->started = request->program || !project->records_calls ? project->programs[1]->name : NULL;
    const char *program = project->started ? project->started : "";
    const char *kept = request->build ? checkout_starts(checkout, request->test, program, project->arena) : NULL;
    if (!kept && !*project->versions.scratch && !file_make_scratch(project->versions.scratch, error))
        return false;
    project->starts = kept ? kept : arena_format(project->arena, "%s/starts", project->versions.scratch);
    const char *done = arena_format(project->arena, "%s/.done", project->starts);
    struct command_end end;
    struct starts_request wanted = {.command = request->test,
                                    .root = project->versions.new,
                                    .program = basename(program),
                                    .directory = project->starts,
                                    .seconds = request->test_seconds};
    if (!access(done, F_OK))
        return repeat_note(project, done, error) && check_starts(project, error);
    file_remove_tree(project->starts);
    project_tell(project, "running the tests of %s", project->versions.new_name);
    if (!starts_record(&wanted, &end, project->arena, error))
        return false;
    const char *note = describe_end(project, request, &end);
    if (*note)
        project_tell(project, "%s", note);
    return check_starts(project, error) && file_write(done, note, strlen(note), error);
}

/* Links to the folders of those that were chosen, in a directory of their own. */
static bool link_seeds(const struct starts *starts, const size_t *chosen, size_t count, const char *directory,
                       struct error *error)
{
    if (!file_make_directory(directory, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = starts->list[chosen[i]].name;
        if (symlink(arena_format(starts->arena, "../starts/%s", name),
                    arena_format(starts->arena, "%s/%s", directory, name)))
            return error_set(error, "cannot write %s: %s", directory, strerror(errno));
    }
    return true;
}

static bool choose(const struct project *project, const struct starts *starts, const char *directory,
                   struct arena *arena, struct preparation *preparation, struct error *error)
{
    enum { MOST_SEEDS = 8 };
    size_t chosen[MOST_SEEDS], count = starts_choose(starts, MOST_SEEDS, chosen), touching = 0;
    for (size_t i = 0; i < starts->count; i++) {
        touching += starts->list[i].touches;
        if (project->invocation && (size_t)atol(starts->list[i].name) == project->invocation)
            chosen[0] = i, count = 1;
    }
    preparation->seed_directory = arena_format(arena, "%s/seeds", directory);
    project_tell(project, "of %zu different starts %zu reach a change, %zu %s (penumbra seeds lists them)",
                 starts->count + starts->oversized, touching, count, count == 1 ? "is the seed" : "are seeds");
    if (starts->oversized)
        project_tell(project, "%zu starts are too large to be seeds", starts->oversized);
    json_object_set_new(
        preparation->json, "starts",
        json_pack("{sI sI sI sI sI}", "recorded", (json_int_t)(starts->count + starts->duplicates + starts->oversized),
                  "different", (json_int_t)(starts->count + starts->oversized), "oversized",
                  (json_int_t)starts->oversized, "touching", (json_int_t)touching, "seeds", (json_int_t)count));
    return link_seeds(starts, chosen, count, preparation->seed_directory, error);
}

/* The programs in which functions are called, each with what it is made of. */
static bool prepare_recording(struct project *project, const struct subject_options *options, const char *own,
                              struct preparation *preparation, struct error *error)
{
    struct versions *versions = &project->versions;
    if (!*versions->scratch && !file_make_scratch(versions->scratch, error))
        return false;
    struct recording_request request = {.built = &project->built[1],
                                        .starts = own,
                                        .directory = arena_format(project->arena, "%s/recording", versions->scratch),
                                        .links = &options->links,
                                        .sandbox = options->no_sandbox ? WORLD_OPEN : options->sandbox,
                                        .run_seconds = options->run_seconds,
                                        .memory_bytes = (size_t)(options->memory_megabytes * 1e6)};
    project->recording = recording_open(&request, preparation->entries, preparation->count, error);
    preparation->recording = project->recording;
    return project->recording;
}

bool project_choose_seeds(struct project *project, const struct subject_options *options, double seconds,
                          const char *directory, struct arena *arena, struct preparation *preparation,
                          struct error *error)
{
    struct starts starts = {0};
    struct error untold = {0};
    const char *own = arena_format(arena, "%s/starts", directory);
    if (!project->starts || !preparation->count)
        return true;
    if (project->records_calls)
        return file_copy_tree(project->starts, own, error) &&
               prepare_recording(project, options, own, preparation, error);
    struct touch_request request = {.entry = &preparation->entries[0],
                                    .links = &options->links,
                                    .sandbox = options->no_sandbox ? WORLD_OPEN : options->sandbox,
                                    .directory = own,
                                    .seconds = seconds,
                                    .run_seconds = options->run_seconds,
                                    .memory_bytes = (size_t)(options->memory_megabytes * 1e6)};
    bool good = file_copy_tree(project->starts, own, error) && starts_read(&starts, own, error);
    if (good && !touch_find(&request, &starts, &untold))
        project_tell(project, "which starts reach a change is not known: %s", untold.message ? untold.message : "");
    error_clear(&untold);
    good = good && choose(project, &starts, directory, arena, preparation, error);
    starts_free(&starts);
    return good;
}
