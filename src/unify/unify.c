#include "unify/unify.h"

#include "build/globals.h"
#include "build/program.h"
#include "build/source.h"
#include "unify/compare.h"
#include "unify/write.h"

#include <string.h>
#include <sys/stat.h>

/* ---- variables that only one version has ---- */

struct variables {
    struct arena *arena;
    struct words names;
};

static enum CXChildVisitResult add_variable(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct variables *variables = data;
    if (globals_is_definition(cursor) && clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
        words_add(&variables->names, source_name(variables->arena, cursor));
    return CXChildVisit_Continue;
}

static void find_lone_variables(const struct comparison *comparison, struct unified *unified)
{
    struct variables sides[] = {{.arena = unified->arena}, {.arena = unified->arena}};
    clang_visitChildren(clang_getTranslationUnitCursor(comparison->old->unit), add_variable, &sides[0]);
    clang_visitChildren(clang_getTranslationUnitCursor(comparison->new->unit), add_variable, &sides[1]);
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side].names.count; i++)
            if (!words_have(&sides[!side].names, sides[side].names.list[i]))
                words_add(&unified->lone_variables, sides[side].names.list[i]);
    for (size_t i = 0; i < comparison->old->piece_count; i++)
        if (comparison->old->pieces[i].treatment == COPIED)
            words_add(&unified->lone_variables,
                      arena_format(unified->arena, "%s__old", comparison->old->pieces[i].name));
    words_free(&sides[0].names), words_free(&sides[1].names);
}

/* ---- both versions ---- */

static bool is_identical(const struct comparison *comparison)
{
    const struct version *versions[] = {comparison->old, comparison->new};
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; i < versions[v]->piece_count; i++)
            if (versions[v]->pieces[i].treatment != SHARED && versions[v]->pieces[i].kind < PIECE_TYPE)
                return false;
    return true;
}

/* That the result is C was taken for granted while it was written: here it is checked. */
static bool check_result(const struct program *program, const struct sources *sources, const struct unified *unified,
                         struct error *error)
{
    CXTranslationUnit unit = source_parse_text(sources, program, "unified.c", text_string(&unified->text));
    bool good = unit != NULL;
    for (unsigned i = 0; good && i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        CXString file;
        unsigned line, column;
        clang_getPresumedLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column);
        const char *name = source_string(unified->arena, file);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            good = error_set(error,
                             "%s:%u: this declaration keeps the versions from being merged (in one file: %s); make it "
                             "the same in both files, or annotate one file by hand and use 'penumbra run'",
                             program_file_name(program, name), line,
                             source_string(unified->arena, clang_getDiagnosticSpelling(diagnostic)));
        clang_disposeDiagnostic(diagnostic);
    }
    if (unit)
        clang_disposeTranslationUnit(unit);
    return good || error->message || error_set(error, "clang cannot read the merged program");
}

static bool unify(const struct unify_request *request, const struct program *program, const struct sources *sources,
                  struct unified *unified, struct error *error)
{
    struct version versions[2] = {{0}, {0}};
    struct comparison comparison = {.arena = unified->arena,
                                    .old = &versions[0],
                                    .new = &versions[1],
                                    .entry = request->entry,
                                    .in_lines = !request->for_reading,
                                    .statistics = &unified->statistics,
                                    .error = error};
    struct layout layout = {.places = !request->for_reading, .keep_inclusions = request->keep_inclusions};
    bool good = true;
    for (size_t i = 0; i < 2 && good; i++)
        good = version_read(&versions[i], unified->arena, program->request->files[i], program->paths[i],
                            sources->units[i], error);
    good = good && compare_versions(&comparison);
    if (good) {
        unified->identical = is_identical(&comparison);
        find_lone_variables(&comparison, unified);
    }
    if (good && !unified->identical) {
        write_unified(&comparison, &layout, &unified->text);
        good = check_result(program, sources, unified, error);
    }
    comparison_free(&comparison);
    version_free(&versions[0]), version_free(&versions[1]);
    return good;
}

static bool is_one_file(const struct unify_request *request)
{
    struct stat old, new;
    return !stat(request->old_file, &old) && !stat(request->new_file, &new) &&
           old.st_dev == new.st_dev &&old.st_ino == new.st_ino;
}

bool unify_files(const struct unify_request *request, struct unified *unified, struct error *error)
{
    const char *files[] = {request->old_file, request->new_file};
    struct program_request both = {.files = files, .file_count = 2, .entry = request->entry, .cflags = request->cflags};
    struct program program;
    struct sources sources = {0};
    *unified = (struct unified){.arena = arena_create()};
    if (is_one_file(request)) {
        unified->identical = true;
        return true;
    }
    bool good = program_open(&program, &both, error) &&
                sources_parse(&sources, &program, CXTranslationUnit_DetailedPreprocessingRecord, error) &&
                unify(request, &program, &sources, unified, error);
    sources_free(&sources);
    program_free(&program);
    if (!good)
        unified_free(unified);
    return good;
}

void unified_free(struct unified *unified)
{
    text_free(&unified->text);
    words_free(&unified->lone_variables);
    if (unified->arena)
        arena_destroy(unified->arena);
    *unified = (struct unified){0};
}
