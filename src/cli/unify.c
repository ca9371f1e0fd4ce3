/* `penumbra unify`: two versions in, one annotated program out. */
#include "base/file.h"
#include "base/process.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "unify/report.h"
#include "unify/trees.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    struct words files;
    const char *out, *cflags;
    bool verify, json;
};

#define RECORD struct arguments

static const struct option_row rows[] = {
    TEXT("o|output", "UNIFIED", out, "Where the annotated program goes: a file, or a directory for two directories"),
    TEXT("cflags", "FLAGS", cflags, "Flags for the C compiler"),
    ON("verify", verify, "Compare the result with both versions, by LLVM IR"),
    OFF("no-verify", verify, "Skip verification (default)"),
    ON("json", json, "Print what was done as JSON"),
    TABLE_END,
};

static void check(struct argp_state *state, const struct command_line *line)
{
    const struct arguments *arguments = line->sets[0].record;
    if (arguments->files.count != 2)
        argp_error(state,
                   "unify takes two versions, the old and the new one: two files or two directories; %zu %s named",
                   arguments->files.count, arguments->files.count == 1 ? "is" : "are");
    if (!arguments->out)
        argp_error(state, "no place for the result is given: -o UNIFIED");
}

static void print_text(const struct unified_trees *trees)
{
    struct text text = {0};
    for (size_t i = 0; i < trees->count; i++) {
        const struct unified_file *file = &trees->files[i];
        if (file->problem)
            text_format(&text, "%s: not merged: %s\n", file->name, file->problem);
        else if (!file->unified.identical || !trees->are_directories)
            unified_describe(&file->unified, file->name, &text);
    }
    for (size_t i = 0; i < trees->pairs.strange.count; i++)
        text_format(&text, "%s\n", trees->pairs.strange.list[i]);
    for (size_t i = 0; i < trees->pairs.added.count; i++)
        text_format(&text, "%s: only in the new version\n", trees->pairs.added.list[i]);
    for (size_t i = 0; i < trees->pairs.removed.count; i++)
        text_format(&text, "%s: only in the old version\n", trees->pairs.removed.list[i]);
    if (trees->are_directories) {
        text_add(&text, "all files: ");
        statistics_describe(&trees->statistics, &text);
    }
    fputs(text_string(&text), stdout);
    text_free(&text);
}

static void print_json(const struct unified_trees *trees)
{
    json_t *all = statistics_json(&trees->statistics), *files = json_array();
    for (size_t i = 0; i < trees->count; i++) {
        const struct unified_file *file = &trees->files[i];
        json_t *one = unified_json(&file->unified, file->name);
        if (file->problem)
            json_object_set_new(one, "problem", json_string(file->problem));
        json_array_append_new(files, one);
    }
    json_object_set_new(all, "files", files);
    json_object_set_new(all, "identical", json_boolean(trees_are_identical(trees)));
    char *text = json_dumps(all, JSON_INDENT(2));
    puts(text);
    free(text);
    json_decref(all);
}

/* Whether the result lies in the directory of the new file, where its headers are found by their own names. */
static bool is_beside(const char *out, const char *new)
{
    char directories[2][PATH_MAX], paths[2][PATH_MAX];
    const char *given[] = {out, new};
    for (size_t i = 0; i < 2; i++) {
        const char *slash = strrchr(given[i], '/');
        snprintf(directories[i], PATH_MAX, "%.*s", slash ? (int)(slash - given[i] + 1) : 1, slash ? given[i] : ".");
        if (!realpath(directories[i], paths[i]))
            return false;
    }
    return !strcmp(paths[0], paths[1]);
}

static bool unify(const struct arguments *arguments, struct unified_trees *trees, struct error *error)
{
    struct trees_request request = {.old = arguments->files.list[0],
                                    .new = arguments->files.list[1],
                                    .cflags = arguments->cflags,
                                    .for_reading = true,
                                    .verify = arguments->verify,
                                    .beside_new = is_beside(arguments->out, arguments->files.list[1])};
    struct error ignored = {0};
    struct text probe = {0};
    bool new_is_file = file_read(request.new, &probe, &ignored);
    text_free(&probe);
    error_clear(&ignored);
    request.beside_new |= !new_is_file;
    if (!trees_unify(&request, trees, error))
        return false;
    if (!trees->are_directories && trees->files[0].problem)
        return error_set(error, "%s", trees->files[0].problem);
    if (trees->are_directories && !trees_are_identical(trees) && !file_copy_tree(request.new, arguments->out, error))
        return false;
    return trees_write(trees, arguments->out, error);
}

static bool is_all_merged(const struct unified_trees *trees)
{
    for (size_t i = 0; i < trees->count; i++)
        if (trees->files[i].problem)
            return false;
    return true;
}

int cli_unify(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct command_line line = {
        .arguments = "OLD NEW -o UNIFIED",
        .summary = "Make one annotated program of two versions, to read, to edit and to give to 'penumbra run'.\vOLD "
                   "and NEW are two C files or two directories. Exit status: 0 done, 2 usage error or nothing could "
                   "be merged, 3 some of the files could not.",
        .sets = {{NULL, rows, &arguments}},
        .files = &arguments.files,
        .check = check,
    };
    struct error error = {0};
    struct unified_trees trees;
    options_parse(&line, argc, argv);
    bool good = unify(&arguments, &trees, &error);
    if (good)
        arguments.json ? print_json(&trees) : print_text(&trees);
    int status = good && !is_all_merged(&trees) ? EXIT_NOT_DONE : EXIT_NOTHING;
    trees_free(&trees);
    words_free(&arguments.files);
    return good ? status : cli_fail(&error);
}
