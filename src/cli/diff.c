/* `penumbra diff`: two plain versions in, everything else as `penumbra run` does it. */
#include "base/file.h"
#include "base/log.h"
#include "campaign/entries.h"
#include "campaign/project.h"
#include "cli/cli.h"
#include "cli/explore.h"
#include "report/document.h"
#include "unify/patch.h"
#include "unify/report.h"
#include "unify/trees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
    const char *revisions, *patch, *fixed, *build, *program, *test;
    double test_seconds, invocation;
    bool verify, cached, functions;
    struct project project;
};

static const double TOUCH_SECONDS = 20; /* for finding out which starts reach a change */

#define RECORD struct input

static const struct option_row rows[] = {
    TEXT("git", "REV1..REV2", revisions,
         "Two revisions of the repository in the current directory; a single one is compared with the work tree"),
    ON("cached", cached, "Compare a single revision with the index"),
    TEXT("patch", "FILE", patch, "Compare a tree (default: the current directory) before and after this patch"),
    TEXT("fixed", "VERSION", fixed,
         "A later version that is known to be right (with --git a revision, else a file or a directory): say for each "
         "difference whether that version takes it back"),
    TEXT("build", "COMMAND", build,
         "Build a copy of each version with this shell command, with CC set to penumbra-cc; files and flags are those "
         "of "
         "the build"),
    TEXT("program", "NAME", program, "Explore this program of those that were built (a path below the trees)"),
    TEXT(
        "test", "COMMAND", test,
        "Run this shell command in the new version's tree, and use the starts of the program as seeds; with --entry or "
        "--functions, what functions were called with"),
    ON("functions", functions, "With --test: explore the changed functions, not the program"),
    NUMBER("test-time", "SECONDS", test_seconds, 1, 600, "Limit for --test"),
    NUMBER("invocation", "N", invocation, 1, 0, "Use only the recorded start of this number as a seed"),
    ON("verify", verify, "Compare the unified program with both versions, as LLVM IR (default)"),
    OFF("no-verify", verify, "Skip verification"),
    TABLE_END,
};

static void add_limit(json_t *limits, const char *place, const char *text)
{
    json_array_append_new(limits, document_limit("", "not-a-function", place, 1, true, text));
}

/* Entries are functions that both versions have: that all of them are equivalent says nothing of these. */
static json_t *find_limits(const struct unified_trees *trees, struct arena *arena)
{
    json_t *limits = json_array();
    const struct words *lone[] = {&trees->pairs.removed, &trees->pairs.added};
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; i < lone[v]->count; i++)
            add_limit(
                limits, lone[v]->list[i],
                arena_format(arena, "%s: only the %s version has this file", lone[v]->list[i], v ? "new" : "old"));
    for (size_t i = 0; i < trees->pairs.strange.count; i++)
        add_limit(limits, "", trees->pairs.strange.list[i]);
    for (size_t i = 0; i < trees->count; i++) {
        const struct unified_file *file = &trees->files[i];
        if (file->problem)
            add_limit(limits, file->name, arena_format(arena, "%s: not merged: %s", file->name, file->problem));
        for (size_t k = 0; k < file->unified.beyond.count && !file->problem; k++)
            add_limit(limits, file->name, file->unified.beyond.list[k]);
    }
    return limits;
}

static void describe(const struct unified_trees *trees, struct preparation *preparation)
{
    json_t *files = json_array(), *patch = json_array();
    for (size_t i = 0; i < trees->count; i++) {
        const struct unified_file *file = &trees->files[i];
        json_t *one = unified_json(&file->unified, file->name);
        const char *names[] = {trees->are_directories ? file->name : file->old_path, file->name};
        json_array_append_new(patch, patch_json(names, file->old_path, file->new_path));
        if (file->problem) {
            text_format(&preparation->text, "%s: not merged: %s\n", file->name, file->problem);
            json_object_set_new(one, "problem", json_string(file->problem));
        } else if (!file->unified.identical) {
            unified_describe_briefly(&file->unified, file->name, &preparation->text);
        }
        json_array_append_new(files, one);
    }
    for (size_t i = 0; i < trees->pairs.strange.count; i++)
        text_format(&preparation->text, "%s\n", trees->pairs.strange.list[i]);
    json_t *unification = statistics_json(&trees->statistics);
    json_object_set_new(unification, "files", files);
    preparation->json = json_object();
    json_object_set_new(preparation->json, "unification", unification);
    json_object_set_new(preparation->json, "patch", patch);
}

/* What differs all the same. */
static const char *list_others(const struct unified_trees *trees, struct arena *arena)
{
    const char *list = "";
    for (size_t i = 0; i < trees->count; i++)
        for (size_t k = 0; k < trees->files[i].unified.beyond.count; k++)
            list = arena_format(arena, "%s%s%s", list, *list ? "; " : " (", trees->files[i].unified.beyond.list[k]);
    return *list ? arena_format(arena, "%s)", list) : "";
}

static bool make_entries(const struct unified_trees *trees, const struct subject_options *given, const char *old_label,
                         struct arena *arena, struct preparation *preparation, struct error *error)
{
    struct entries_request request = {.trees = trees,
                                      .entry = given->entry,
                                      .old_label = old_label,
                                      .stubs = &given->stubs,
                                      .links = &given->links,
                                      .is_linked = given->is_linked};
    if (!entries_find(&request, arena, preparation, error))
        return false;
    if (given->entry || preparation->count)
        return true;
    for (size_t i = 0; i < trees->count; i++)
        if (trees->files[i].problem)
            return error_set(error, "%s", trees->files[i].problem);
    return error_set(error, "no function that both versions have was changed: there is nothing to explore%s",
                     list_others(trees, arena));
}

/* Lines that tell how far it is, on standard error. */
static void tell(const char *line)
{
    fprintf(stderr, "penumbra: %s\n", line);
}

static bool begin(void *opaque, struct subject_options *options, bool quiet, struct error *error)
{
    struct input *input = opaque;
    struct project_request request = {
        .versions = {&options->files, input->revisions, input->cached, input->patch, input->fixed},
        .build = input->build,
        .program = input->program,
        .test = input->test,
        .functions = input->functions,
        .test_seconds = input->test_seconds,
        .invocation = input->invocation,
        .tell = quiet ? NULL : tell};
    return project_open(&input->project, &request, options, error);
}

static bool prepare(void *opaque, const struct subject_options *given, struct arena *arena, const char *directory,
                    struct preparation *preparation, struct error *error)
{
    struct input *input = opaque;
    struct unified_trees trees;
    const struct versions *versions = &input->project.versions;
    struct trees_request request = {.old = versions->old,
                                    .new = versions->new,
                                    .original = versions->original,
                                    .old_label = versions->old_label,
                                    .built = {input->project.units[0], input->project.units[1]},
                                    .cflags = given->cflags,
                                    .entry = given->entry ? entries_function(given->entry) : NULL,
                                    .verify = input->verify};
    log_line(LOG_INFO, "unifying %s and %s", versions->old_name, versions->new_name);
    bool good = trees_unify(&request, &trees, error);
    preparation->origins[0] = versions->old_name;
    preparation->origins[1] = versions->new_name;
    preparation->new_version = versions->new;
    preparation->fixed_version = versions->fixed;
    preparation->identical = good && trees_are_identical(&trees);
    if (good && versions->note)
        text_format(&preparation->text, "%s\n", versions->note);
    if (good)
        describe(&trees, preparation);
    if (good && !preparation->identical) {
        const char *place = arena_format(arena, trees.are_directories ? "%s/unified" : "%s/unified.c", directory);
        if (!given->entry)
            json_object_set_new(preparation->json, "limits", find_limits(&trees, arena));
        log_line(LOG_INFO, "finding the files that entries need");
        good = trees_write(&trees, place, error) &&
               make_entries(&trees, given, versions->old_label, arena, preparation, error) &&
               project_choose_seeds(&input->project, given, TOUCH_SECONDS, directory, arena, preparation, error);
    }
    trees_free(&trees);
    return good;
}

int cli_diff(int argc, char **argv)
{
    struct input input = {.verify = true};
    struct explore_command command = {
        .arguments = "OLD NEW [--entry FUNCTION]\n--git REV1..REV2 [--entry FUNCTION]\n--patch FILE [TREE] [--entry "
                     "FUNCTION]",
        .summary =
            "Find inputs on which two versions of a C program behave differently, and prove each by running both "
            "natively.\vThe versions need no annotation: two C files or two directories are made into one program, "
            "which is unified.c (or below unified/) in the results directory; where a file cannot be merged, each "
            "version is explored by itself. Without --entry, each changed function is explored, "
            "those that cannot be an entry through functions that call them. Flags come from "
            "compile_commands.json where there is one, and from "
            "--cflags. Exit status: 0 nothing found, 1 differences found, 2 usage or build error, 3 the job was not "
            "done (interrupted, no change reached, none of the functions could be explored).",
        .mode = EXPLORE_COMPLETE,
        .more = {"The versions:", rows, &input},
        .input = &input,
        .prepare = prepare,
        .begin = begin,
    };
    int status = explore_command(&command, argc, argv);
    project_close(&input.project);
    return status;
}
