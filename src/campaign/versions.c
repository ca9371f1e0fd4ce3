#include "campaign/versions.h"

#include "base/file.h"
#include "base/places.h"
#include "base/process.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- running tools ---- */

static const char *first_line(struct arena *arena, const struct text *text)
{
    const char *string = text_string(text);
    return arena_format(arena, "%.*s", (int)strcspn(string, "\n"), string);
}

/* What the command prints; NULL, with its first complaint as the error, when it fails. */
static const char *output_of(const char *const command[], struct arena *arena, const char *what, struct error *error)
{
    struct process_result result = {0};
    if (!process_run(command, NULL, &(struct process_limits){.seconds = 600}, &result, error))
        return NULL;
    const char *output = arena_copy_string(arena, text_string(&result.output));
    bool good = result.exit_status == 0 && !result.signal;
    if (!good) {
        const char *complaint = first_line(arena, result.errors.length ? &result.errors : &result.output);
        error_set(error, "%s: %s", what, complaint);
    }
    process_result_free(&result);
    return good ? output : NULL;
}

/* ---- two revisions ---- */

static bool check_revision(const char *revision, struct arena *arena, struct error *error)
{
    const char *const command[] = {
        "git", "rev-parse", "--verify", "--quiet", arena_format(arena, "%s^{commit}", revision), NULL};
    struct error ignored = {0};
    bool exists = output_of(command, arena, "git", &ignored) != NULL;
    error_clear(&ignored);
    return exists || error_set(error, "there is no revision '%s' in this repository", revision);
}

/* The whole tree, wherever in it we are. */
static bool export(const char *revision, const struct versions *versions, const char *directory, struct arena *arena,
                   struct error *error)
{
    const char *archive = arena_format(arena, "%s/archive.tar", versions->scratch);
    const char *const save[] = {"git", "-C",    versions->original, "archive", "--format=tar",
                                "-o",  archive, revision,           NULL};
    const char *const extract[] = {"tar", "-xf", archive, "-C", directory, NULL};
    return file_make_directory(directory, error) && output_of(save, arena, "git archive", error) &&
           output_of(extract, arena, "tar", error);
}

static bool get_fixed_revision(const char *fixed, struct arena *arena, struct versions *versions, struct error *error)
{
    if (!fixed)
        return true;
    versions->fixed = arena_format(arena, "%s/fixed", versions->scratch);
    return check_revision(fixed, arena, error) && export(fixed, versions, versions->fixed, arena, error);
}

/* What is in the index, or in the work tree, as something that git can export. NULL on an error. */
static const char *uncommitted(bool cached, struct arena *arena, struct error *error)
{
    static const char *const of_index[] = {"git", "write-tree", NULL};
    static const char *const of_work[] = {"git", "-c", "user.name=-", "-c", "user.email=-", "stash", "create", NULL};
    const char *id =
        output_of(cached ? of_index : of_work, arena, cached ? "git write-tree" : "git stash create", error);
    if (!id)
        return NULL;
    return *id ? arena_format(arena, "%.*s", (int)strcspn(id, "\n"), id) : "HEAD"; /* nothing was changed */
}

static const char *top_of_repository(struct arena *arena, struct error *error)
{
    static const char *const command[] = {"git", "rev-parse", "--show-toplevel", NULL};
    struct error ignored = {0};
    const char *top = output_of(command, arena, "git", &ignored);
    error_clear(&ignored);
    if (top)
        return arena_format(arena, "%.*s", (int)strcspn(top, "\n"), top);
    error_set(error, "--git: the current directory is in no git repository");
    return NULL;
}

/* Two revisions, or one and what is not committed yet: sets the names, and what git calls the new version. */
static bool name_revisions(const struct versions_request *request, struct arena *arena, struct versions *versions,
                           const char **new, struct error *error)
{
    const char *given = request->revisions, *dots = strstr(given, "..");
    static const char *const status[] = {"git", "status", "--porcelain", "--untracked-files=no", NULL};
    if (dots && (dots == given || !dots[2] || dots[2] == '.' || request->cached))
        return error_set(
            error,
            "--git takes two revisions, as in 'v1.0..HEAD', or one to compare the work tree (--cached: the "
            "index) with, not '%s'%s",
            given, request->cached ? " and --cached" : "");
    versions->old_name = dots ? arena_format(arena, "%.*s", (int)(dots - given), given) : given;
    versions->new_name = dots ? dots + 2 : request->cached ? "the index" : "the work tree";
    if (!check_revision(versions->old_name, arena, error) || (dots && !check_revision(dots + 2, arena, error)))
        return false;
    *new = dots ? dots + 2 : uncommitted(request->cached, arena, error);
    const char *changes = dots ? output_of(status, arena, "git status", error) : "";
    if (changes && *changes)
        versions->note = "uncommitted changes are ignored";
    return *new && changes;
}

static bool get_revisions(const struct versions_request *request, struct arena *arena, struct versions *versions,
                          struct error *error)
{
    const char *new = NULL;
    versions->original = top_of_repository(arena, error);
    if (!versions->original || !name_revisions(request, arena, versions, &new, error) ||
        !file_make_scratch(versions->scratch, error))
        return false;
    places_add("versions", versions->scratch);
    versions->are_directories = true;
    versions->old_label = arena_format(arena, "%s:", versions->old_name);
    versions->old = arena_format(arena, "%s/old", versions->scratch);
    versions->new = arena_format(arena, "%s/new", versions->scratch);
    return export(versions->old_name, versions, versions->old, arena, error) &&
           export(new, versions, versions->new, arena, error);
}

/* ---- a tree and a patch ---- */

static bool touches_c(const char *patch, struct arena *arena, bool *result, struct error *error)
{
    struct text text = {0};
    if (!file_read(patch, &text, error))
        return false;
    *result = false;
    for (const char *at = text_string(&text); at && *at; at = strchr(at, '\n'), at += at != NULL) {
        if (strncmp(at, "+++ ", 4) && strncmp(at, "--- ", 4))
            continue;
        const char *name = arena_format(arena, "%.*s", (int)strcspn(at + 4, "\t\r\n "), at + 4);
        size_t length = strlen(name);
        *result |= length > 2 && (!strcmp(name + length - 2, ".c") || !strcmp(name + length - 2, ".h"));
    }
    text_free(&text);
    return true;
}

/* Applies the patch, or takes it back; false without an error when it does not fit. `problem` receives the first
 * complaint. */
static bool try_patch(const char *patch, const char *tree, bool is_reverse, struct arena *arena, const char **problem)
{
    for (int strip = 1; strip >= 0; strip--) {
        struct error here = {0};
        const char *level = arena_format(arena, "-p%d", strip), *way = is_reverse ? "-R" : "-N";
        const char *const try[] = {"patch", "-f", "-s", way, "--dry-run", level, "-d", tree, "-i", patch, NULL};
        const char *const really[] = {"patch", "-f", "-s",  way, "--no-backup-if-mismatch", level, "-d",
                                      tree,    "-i", patch, NULL};
        bool good = output_of(try, arena, "patch", &here) && output_of(really, arena, "patch", &here);
        if (!*problem && here.message)
            *problem = arena_copy_string(arena, here.message);
        error_clear(&here);
        if (good)
            return true;
    }
    return false;
}

/* The patches that come behind this one in the series that it belongs to, as quilt keeps it beside them. */
static void list_later(const char *patch, struct arena *arena, struct words *later)
{
    struct text text = {0};
    struct error ignored = {0};
    const char *slash = strrchr(patch, '/');
    const char *directory = arena_format(arena, "%.*s", (int)(slash - patch), patch);
    bool is_behind = false;
    file_read(arena_format(arena, "%s/series", directory), &text, &ignored);
    error_clear(&ignored);
    for (const char *at = text_string(&text); *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *name = arena_format(arena, "%.*s", (int)strcspn(at, " \t\r\n#"), at);
        if (*name && is_behind)
            words_add(later, arena_format(arena, "%s/%s", directory, name));
        is_behind |= !strcmp(arena_format(arena, "%s/%s", directory, name), patch);
    }
    text_free(&text);
}

/* Both versions are to be without them. */
static bool take_back_later(const char *patch, const struct versions *versions, struct arena *arena)
{
    struct words later = {0};
    const char *problem = NULL;
    list_later(patch, arena, &later);
    bool good = later.count > 0;
    for (size_t i = later.count; i-- > 0 && good;)
        good = try_patch(later.list[i], versions->old, true, arena, &problem) &&
               try_patch(later.list[i], versions->new, true, arena, &problem);
    words_free(&later);
    return good;
}

/* Whether quilt says that the tree has the patch: some apply a second time. */
static bool is_applied(const char *patch, const char *tree, struct arena *arena)
{
    struct text text = {0};
    struct error ignored = {0};
    bool found = false;
    size_t length = strlen(patch);
    file_read(arena_format(arena, "%s/.pc/applied-patches", tree), &text, &ignored);
    error_clear(&ignored);
    for (const char *at = text_string(&text); *at && !found; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t name = strcspn(at, "\n");
        found = name && name < length && patch[length - name - 1] == '/' && !strncmp(patch + length - name, at, name);
    }
    text_free(&text);
    return found;
}

/* A tree may be the one before the patch or, as Debian's source packages are, the one behind it. */
static bool apply(const char *patch, struct versions *versions, struct arena *arena, struct error *error)
{
    const char *problem = NULL;
    if (!is_applied(patch, versions->new, arena) && try_patch(patch, versions->new, false, arena, &problem))
        return true;
    versions->note = "the tree has the patch already: the old version is the tree without it";
    if (try_patch(patch, versions->old, true, arena, &problem))
        return true;
    versions->note = "the tree has the patch already: the versions are without what comes behind it in its series";
    return (take_back_later(patch, versions, arena) && try_patch(patch, versions->old, true, arena, &problem)) ||
           error_set(error, "%s does not apply to the tree, nor can it be taken back (%s)", patch, problem);
}

static bool get_patched(const struct versions_request *request, struct arena *arena, struct versions *versions,
                        struct error *error)
{
    const char *tree = request->named->count ? request->named->list[0] : ".";
    char path[PATH_MAX], patch[PATH_MAX];
    struct stat status;
    bool relevant;
    if (request->named->count > 1)
        return error_set(error, "--patch takes one tree, the current directory when none is named; %zu are named",
                         request->named->count);
    if (!touches_c(request->patch, arena, &relevant, error))
        return false;
    if (!relevant)
        return error_set(error, "%s touches no C file", request->patch);
    if (!realpath(tree, path) || !realpath(request->patch, patch) || stat(path, &status))
        return error_set(error, "cannot read %s: %s", tree, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return error_set(error, "--patch: %s is no directory", tree);
    if (!file_make_scratch(versions->scratch, error))
        return false;
    places_add("versions", versions->scratch);
    versions->original = arena_copy_string(arena, path);
    versions->are_directories = true;
    versions->old_name = tree;
    versions->new_name = request->patch;
    versions->old_label = "old:";
    versions->old = arena_format(arena, "%s/old", versions->scratch);
    versions->new = arena_format(arena, "%s/new", versions->scratch);
    return file_copy_tree(path, versions->old, error) && file_copy_tree(path, versions->new, error) &&
           apply(patch, versions, arena, error);
}

/* ---- all of them ---- */

static bool is_directory(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

bool versions_get(const struct versions_request *request, struct arena *arena, struct versions *versions,
                  struct error *error)
{
    *versions = (struct versions){0};
    if (request->cached && !request->revisions)
        return error_set(error, "--cached compares the index with a revision: --git HEAD --cached");
    if (request->revisions && request->patch)
        return error_set(error, "--git and --patch cannot be combined");
    if (request->revisions)
        return get_revisions(request, arena, versions, error) &&
               get_fixed_revision(request->fixed, arena, versions, error);
    if (request->fixed && access(request->fixed, R_OK))
        return error_set(error, "--fixed %s cannot be read: %s", request->fixed, strerror(errno));
    versions->fixed = request->fixed;
    if (request->patch)
        return get_patched(request, arena, versions, error);
    if (request->named->count != 2)
        return error_set(error, "diff takes two files or two directories, the old and the new version; %zu %s named",
                         request->named->count, request->named->count == 1 ? "is" : "are");
    versions->old = versions->old_name = request->named->list[0];
    versions->new = versions->new_name = request->named->list[1];
    versions->are_directories = is_directory(versions->old) && is_directory(versions->new);
    return true;
}

void versions_drop(struct versions *versions)
{
    if (*versions->scratch)
        file_remove_tree(versions->scratch);
    *versions->scratch = 0;
}
