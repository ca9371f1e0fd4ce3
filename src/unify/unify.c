#include "unify/unify.h"

#include "base/file.h"
#include "base/places.h"
#include "source/globals.h"
#include "source/pool.h"
#include "source/program.h"
#include "source/source.h"
#include "unify/compare.h"
#include "unify/flatten.h"
#include "unify/hidden.h"
#include "unify/hoist.h"
#include "unify/hunks.h"
#include "unify/treat.h"
#include "unify/verify.h"
#include "unify/write.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The two versions, on their way into one text. */
struct unification {
    const struct unify_request *request;
    struct program programs[2];
    struct sources sources[2];
    struct version versions[2];
    struct comparison comparison;
    struct unified *unified;
    struct error *error;
    struct error obstacle; /* what keeps the versions from being merged */
    size_t hunks, lines;   /* by which the files differ */
};

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
    unified->lone_variables.count = 0;
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
    for (size_t i = 0; i < comparison->uncompared.count; i++) {
        words_add(&unified->lone_variables, comparison->uncompared.list[i]);
        words_add(&unified->lone_variables, arena_format(unified->arena, "%s__old", comparison->uncompared.list[i]));
    }
    words_free(&sides[0].names), words_free(&sides[1].names);
}

/* ---- the result ---- */

/* By the text, and to the compiler. */
static bool is_identical(const struct comparison *comparison)
{
    if (comparison->compiles_differently)
        return false;
    const struct version *versions[] = {comparison->old, comparison->new};
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; i < versions[v]->piece_count; i++)
            if (versions[v]->pieces[i].treatment != SHARED && versions[v]->pieces[i].kind < PIECE_TYPE)
                return false;
    return true;
}

static struct piece *function_named(const struct unification *unification, const char *name)
{
    size_t length = strlen(name);
    if (length > 5 && (!strcmp(name + length - 5, "__old") || !strcmp(name + length - 5, "__new")))
        name = arena_format(unification->unified->arena, "%.*s", (int)(length - 5), name);
    return version_piece(&unification->versions[1], PIECE_FUNCTION, name, 0);
}

/* Keeps a function from being merged finely. False when it was not. */
static bool make_coarse(struct unification *unification, const char *name, const char *why)
{
    struct piece *piece = function_named(unification, name);
    if (!piece || piece->treatment != MERGED || piece->obstacle)
        return false;
    piece->obstacle = why;
    return true;
}

struct enclosing {
    struct arena *arena;
    unsigned offset;
    const char *name;
};

static enum CXChildVisitResult find_enclosing(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct enclosing *enclosing = data;
    size_t begin, end;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor) ||
        !clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    cursor_range(cursor, &begin, &end);
    if (begin <= enclosing->offset && enclosing->offset < end)
        enclosing->name = source_name(enclosing->arena, cursor);
    return CXChildVisit_Continue;
}

static bool complain(struct unification *unification, CXDiagnostic diagnostic)
{
    CXString file;
    unsigned line, column;
    struct arena *arena = unification->unified->arena;
    clang_getPresumedLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column);
    return error_set(&unification->obstacle,
                     "%s:%u: this declaration keeps the versions from being merged (in one file: %s); make it "
                     "the same in both files, or annotate one file by hand and use 'penumbra run'",
                     program_file_name(&unification->programs[1], source_string(arena, file)), line,
                     source_string(arena, clang_getDiagnosticSpelling(diagnostic)));
}

/* A declaration that only the old version has, of something that the new one's headers declare in another way: the
 * headers' will do. Whether it does is seen when the versions are compared. */
static bool drop_declaration(struct unification *unification, CXTranslationUnit unit, CXDiagnostic diagnostic)
{
    CXCursor cursor = clang_getCursor(unit, clang_getDiagnosticLocation(diagnostic));
    const char *name = source_name(unification->unified->arena, cursor);
    for (size_t i = 0; *name && i < unification->versions[0].piece_count; i++) {
        struct piece *piece = &unification->versions[0].pieces[i];
        if (piece->kind != PIECE_DECLARATION || piece->other || piece->obstacle)
            continue;
        for (size_t k = 0; k < piece->name_count; k++)
            if (!strcmp(source_name(unification->unified->arena, piece->cursors[k]), name)) {
                piece->obstacle = "the new version's headers declare it";
                return true;
            }
    }
    return false;
}

/* Where functions that are converted are mentioned by others, as callbacks for instance, their types can matter. */
static bool unconvert(struct unification *unification, bool *again)
{
    for (size_t i = 0; i < unification->versions[1].piece_count; i++) {
        struct piece *piece = &unification->versions[1].pieces[i];
        if (piece->kind == PIECE_FUNCTION && piece->is_converted)
            *again |= make_coarse(unification, piece->name, "its parameters differ, and others depend on their types");
    }
    return *again;
}

/* An error inside a function that was merged finely makes it coarse; any other is one of the whole file. */
static bool take_diagnostic(struct unification *unification, CXTranslationUnit unit, CXDiagnostic diagnostic,
                            bool *again)
{
    struct enclosing enclosing = {.arena = unification->unified->arena};
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), NULL, NULL, NULL, &enclosing.offset);
    clang_visitChildren(clang_getTranslationUnitCursor(unit), find_enclosing, &enclosing);
    struct piece *piece = enclosing.name ? function_named(unification, enclosing.name) : NULL;
    if (piece && piece->treatment == MERGED) {
        const char *message = source_string(unification->unified->arena, clang_getDiagnosticSpelling(diagnostic));
        *again |= make_coarse(unification, enclosing.name,
                              arena_format(unification->unified->arena, "the merged text is no C: %s", message));
        return true;
    }
    if (!enclosing.name && drop_declaration(unification, unit, diagnostic)) {
        *again = true;
        return true;
    }
    return *again || unconvert(unification, again) || complain(unification, diagnostic);
}

/* That the result is C was taken for granted while it was written: here it is checked. `again`: with a function less
 * that is merged finely, it may be. */
static bool check_result(struct unification *unification, bool *again)
{
    CXTranslationUnit unit =
        source_parse_text(&unification->sources[1], &unification->programs[1], unification->programs[1].paths[0],
                          text_string(&unification->unified->text), CXTranslationUnit_None);
    bool good = unit != NULL;
    for (unsigned i = 0; good && i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            good = take_diagnostic(unification, unit, diagnostic, again);
        clang_disposeDiagnostic(diagnostic);
    }
    if (unit)
        clang_disposeTranslationUnit(unit);
    if (!good)
        error_set(&unification->obstacle, "clang cannot read the merged program");
    return good;
}

/* ---- comparing it with the versions ---- */

static const char *const *verify_flags(struct unification *unification, size_t version)
{
    const struct program *program = &unification->programs[version];
    struct arena *arena = unification->unified->arena;
    size_t count = 0;
    while (program->cflags[0][count])
        count++;
    const char **flags = arena_allocate(arena, (count + 3) * sizeof *flags);
    memcpy(flags, program->cflags[0], count * sizeof *flags);
    const char *slash = strrchr(program->paths[0], '/');
    flags[count] = "-iquote";
    flags[count + 1] = arena_format(arena, "%.*s", (int)(slash - program->paths[0]), program->paths[0]);
    return flags;
}

/* Whether the function has to do with a struct whose layout is that of both versions together. */
static bool depends_on_layout(struct unification *unification, const char *function)
{
    struct words names = {0};
    bool depends = false;
    treat_widened_names(&unification->comparison, &names);
    for (size_t v = 0; v < 2; v++) {
        const struct version *version = &unification->versions[v];
        const struct piece *piece = version_piece(version, PIECE_FUNCTION, function, 0);
        depends |= piece && treat_mentions(&names, version, piece->first_token, piece->end_token);
    }
    words_free(&names);
    return depends;
}

/* A function that is not what it is in the versions, however it is written: nothing may be said about such a text. */
static void give_up(struct unification *unification, const char *name, const struct piece *piece)
{
    const struct version *new = &unification->versions[1];
    if (!unification->obstacle.message)
        error_set(&unification->obstacle,
                  "%s: %s() is compiled to something that one text cannot hold for both versions: make the flags, the "
                  "included files and what it mentions the same",
                  piece ? piece_place(new, piece) : new->shown, name);
}

/* Whether the text of a function is the same in both versions: then it is not the merge that went wrong. */
static bool is_same_text(const struct piece *piece)
{
    return !piece || (piece->other && !piece->is_hoisted && !strcmp(piece->tokens, piece->other->tokens));
}

/* The old version's initial values may be stored at the start: the IR does not show these. */
static bool is_stored_at_start(const struct piece *piece)
{
    return piece->treatment == INITIALISED || piece->treatment == COPIED || piece->treatment == RESIZED ||
           piece->treatment == TOGETHER;
}

static void take_variable(struct unification *unification, const char *name, bool is_old, bool *again)
{
    const struct version *new = &unification->versions[1];
    const char *dot = strchr(name, '.');
    const struct piece *piece = version_declaring(new, name);
    if (dot) { /* a static variable inside a function */
        const char *function = arena_format(unification->unified->arena, "%.*s", (int)(dot - name), name);
        if (make_coarse(unification, function, "a static variable that differs"))
            *again = true;
        else
            give_up(unification, function, function_named(unification, function));
    } else if (!is_old || !piece || !is_stored_at_start(piece)) {
        if (!unification->obstacle.message)
            error_set(&unification->obstacle,
                      "%s: the initial value of '%s' is compiled to something that one text cannot hold for both "
                      "versions: make the flags, the included files and what it mentions the same",
                      piece ? piece_place(new, piece) : new->shown, name);
    }
}

static void take_mismatches(struct unification *unification, const struct verification *verification, bool *again)
{
    struct unified *unified = unification->unified;
    for (size_t i = 0; i < verification->mismatches.count; i++) {
        const char *name = arena_copy_string(unified->arena, verification->mismatches.list[i]);
        if (depends_on_layout(unification, name)) {
            if (!words_have(&unified->unknown, name))
                words_add(&unified->unknown, name);
            continue;
        }
        bool is_new = make_coarse(unification, name, "its merged text was not what the versions are");
        const struct piece *piece = function_named(unification, name);
        *again |= is_new;
        if (!is_new)
            give_up(unification, name, piece);
        const char *sentence = arena_format(unified->arena, "%s() as %s is not the %s version's: %s", name,
                                            verification->old_or_new.list[i],
                                            strcmp(verification->old_or_new.list[i], "OLD") ? "new" : "old",
                                            is_new ? "kept twice instead" : "the versions are explored apart");
        if (!is_same_text(piece) && (is_new || !piece->obstacle) && !words_have(&unified->defects, sentence))
            words_add(&unified->defects, sentence);
    }
    for (size_t i = 0; i < verification->variables.count; i++)
        take_variable(unification, verification->variables.list[i], verification->variable_is_old[i], again);
}

static bool verify(struct unification *unification, bool *again)
{
    struct unified *unified = unification->unified;
    char directory[256];
    struct verification verification;
    if (!file_make_scratch(directory, unification->error))
        return false;
    places_add("verified", directory);
    const char *file = arena_format(unified->arena, "%s/unified.c", directory);
    struct verify_request request = {.old_file = unification->programs[0].paths[0],
                                     .new_file = unification->programs[1].paths[0],
                                     .unified_file = file,
                                     .old_flags = verify_flags(unification, 0),
                                     .new_flags = verify_flags(unification, 1),
                                     .directory = directory,
                                     .without_lines = unification->request->for_reading,
                                     .widened = &unification->comparison.widened};
    bool good = file_write(file, text_string(&unified->text), unified->text.length, unification->error) &&
                verify_unified(&request, unified->arena, &verification, unification->error);
    file_remove_tree(directory);
    if (!good)
        return false;
    if (!verification.compiles) {
        words_add(&unified->defects, "the unified program does not compile as OLD and NEW");
        error_set(&unification->obstacle, "%s: the merged program does not compile", unification->versions[1].shown);
    }
    unified->verified = verification.compared;
    unified->unknown.count = 0;
    for (size_t i = 0; i < verification.unknown.count; i++)
        words_add(&unified->unknown, arena_copy_string(unified->arena, verification.unknown.list[i]));
    take_mismatches(unification, &verification, again);
    if (*again) /* what could not be mended may be, with others kept twice */
        error_clear(&unification->obstacle);
    verification_free(&verification);
    return *again || !unification->obstacle.message;
}

/* ---- both versions ---- */

static void find_limits(struct unification *unification)
{
    struct unified *unified = unification->unified;
    const struct comparison *comparison = &unification->comparison;
    for (size_t i = 0; i < comparison->uncompared.count; i++)
        words_add(&unified->limits, arena_format(unified->arena, "%s: the variable is not compared, its type differs",
                                                 comparison->uncompared.list[i]));
    for (size_t i = 0; i < unified->unknown.count; i++)
        words_add(&unified->limits,
                  arena_format(unified->arena,
                               "%s(): only a run can tell whether the unified program has it as the versions",
                               unified->unknown.list[i]));
    for (size_t i = 0; i < comparison->widened.count; i++)
        words_add(
            &unified->limits,
            arena_format(unified->arena,
                         "%s: the struct holds the members of both versions, its size and layout are no version's",
                         comparison->widened.list[i]));
}

static void find_callers(struct unification *unification)
{
    struct unified *unified = unification->unified;
    const struct version *new = &unification->versions[1];
    for (size_t i = 0; i < new->piece_count; i++) {
        const struct piece *piece = &new->pieces[i];
        if (piece->kind != PIECE_FUNCTION || !piece->other)
            continue;
        words_add(&unified->functions, piece->name);
        if (!words_have(&unified->changed, piece->name) &&
            treat_mentions(&unified->changed, new, piece->first_token, piece->end_token))
            words_add(&unified->callers, piece->name);
    }
}

/* The versions cannot be merged; which of their functions differ is known all the same. */
static bool describe_apart(struct unification *unification)
{
    struct unified *unified = unification->unified;
    const struct version *new = &unification->versions[1];
    unified->obstacle = arena_copy_string(unified->arena, unification->obstacle.message);
    unified->text.length = 0;
    unified->statistics = (struct unify_statistics){
        .files = 1, .not_merged = 1, .hunks = unification->hunks, .lines = unification->lines};
    compare_find_differing(&unification->comparison);
    for (size_t i = 0; i < new->piece_count; i++) {
        const struct piece *piece = &new->pieces[i];
        if (piece->kind == PIECE_FUNCTION && piece->other && compare_function_differs(&unification->comparison, piece))
            words_add(&unified->changed, piece->name);
    }
    find_callers(unification);
    return true;
}

static void add_split(struct unification *unification, const struct piece *piece)
{
    struct unified *unified = unification->unified;
    words_add(&unified->split, piece->name);
    words_add(&unified->split_reasons,
              arena_format(unified->arena, "%s: %s() has other parameters or another result than at %s",
                           piece_place(&unification->versions[1], piece), piece->name,
                           piece_place(&unification->versions[0], piece->other)));
}

static bool is_split_declaration(const struct piece *piece)
{
    enum CXCursorKind kind = clang_getCursorKind(piece->cursor);
    return piece->kind == PIECE_DECLARATION && piece->treatment == SPLIT &&
           (kind == CXCursor_FunctionDecl || kind == CXCursor_VarDecl) &&
           clang_getCursorLinkage(piece->cursor) == CXLinkage_External &&
           clang_Cursor_isNull(clang_getCursorDefinition(piece->cursor));
}

/* Other files must not take one for both. */
static void find_doubled(struct unification *unification)
{
    struct unified *unified = unification->unified;
    const struct words *split = &unification->comparison.split;
    for (size_t i = 0; i < split->count; i++)
        words_add(&unified->split_names, arena_copy_string(unified->arena, split->list[i]));
    for (size_t i = 0; i < unification->versions[1].piece_count; i++) {
        const struct piece *piece = &unification->versions[1].pieces[i];
        if (piece->kind <= PIECE_VARIABLE && piece->treatment == SPLIT &&
            clang_getCursorLinkage(piece->cursor) == CXLinkage_External)
            words_add(&unified->doubled, piece->name);
        if (is_split_declaration(piece))
            words_add(&unified->declared, piece->name);
    }
}

/* Nobody sees from another file what is static here: it counts by the functions that mention it, and those differ. */
static bool is_lone_and_seen(const struct piece *piece)
{
    return piece->kind <= PIECE_VARIABLE && clang_getCursorLinkage(piece->cursor) == CXLinkage_External &&
           (!piece->other || clang_getCursorLinkage(piece->other->cursor) != CXLinkage_External);
}

static bool is_other_variable(const struct piece *piece)
{
    return piece->kind == PIECE_VARIABLE && piece->treatment != ONE_VERSION &&
           (piece->treatment != SHARED || piece->compiles_differently);
}

/* Assembler between functions. */
static bool is_lone_and_nameless(const struct piece *piece)
{
    return piece->kind == PIECE_OTHER && !piece->other && clang_getCursorKind(piece->cursor) != CXCursor_StaticAssert;
}

/* A function that is not among the changed ones compiles to the same in both versions. */
static void find_beyond(struct unification *unification)
{
    struct unified *unified = unification->unified;
    for (size_t i = 0; i < 2; i++) {
        const struct version *version = &unification->versions[i];
        for (size_t k = 0; k < version->piece_count; k++) {
            const struct piece *piece = &version->pieces[k];
            const char *place = piece_place(version, piece), *which = i ? "new" : "old";
            if (is_lone_and_seen(piece))
                words_add(&unified->beyond,
                          arena_format(unified->arena, "%s: only the %s version has '%s' for other files to see", place,
                                       which, piece->name));
            else if (is_lone_and_nameless(piece))
                words_add(&unified->beyond,
                          arena_format(unified->arena, "%s: only the %s version has this", place, which));
            else if (i && is_other_variable(piece))
                words_add(&unified->beyond,
                          arena_format(unified->arena, "%s: the variable '%s' differs", place, piece->name));
        }
    }
}

static void describe(struct unification *unification)
{
    struct unified *unified = unification->unified;
    struct unify_statistics *statistics = &unified->statistics;
    find_limits(unification);
    find_doubled(unification);
    find_beyond(unification);
    for (size_t i = 0; i < unification->versions[1].piece_count; i++) {
        const struct piece *piece = &unification->versions[1].pieces[i];
        statistics->patterns[PATTERN_GLOBAL] += piece->kind != PIECE_FUNCTION && piece->treatment > MERGED;
        if (piece->kind != PIECE_FUNCTION)
            continue;
        statistics->fine += piece->treatment == MERGED;
        bool is_coarse = piece->treatment == WRAPPED || piece->treatment == SPLIT;
        statistics->coarse += is_coarse;
        statistics->added += piece->treatment == ONE_VERSION;
        bool is_hidden = piece->treatment == SHARED && piece->compiles_differently;
        if (piece->treatment == MERGED || is_coarse || is_hidden)
            words_add(&unified->changed, piece->name);
        if (piece->treatment == SPLIT || (piece->treatment == MERGED && piece->is_converted))
            add_split(unification, piece);
        if (is_coarse)
            words_add(&unified->coarse,
                      arena_format(unified->arena, "%s: %s() is kept twice: %s",
                                   piece_place(&unification->versions[1], piece), piece->name,
                                   piece->obstacle ? piece->obstacle : "its parameters or its result differ"));
    }
    find_callers(unification);
    for (size_t i = 0; i < unification->versions[0].piece_count; i++)
        statistics->removed += unification->versions[0].pieces[i].kind == PIECE_FUNCTION &&
                               unification->versions[0].pieces[i].treatment == ONE_VERSION;
    statistics->files = 1;
    statistics->hunks = unification->hunks;
    statistics->lines = unification->lines;
}

/* Where the text does not show what differs, it cannot show that it holds both versions either. */
static bool must_verify(const struct unification *unification)
{
    const struct version *new = &unification->versions[1];
    if (unification->request->verify || unification->comparison.hidden.count)
        return true;
    for (size_t i = 0; i < new->piece_count; i++)
        if (new->pieces[i].compiles_differently && is_same_text(&new->pieces[i]))
            return true;
    return false;
}

static bool write(struct unification *unification, bool *again)
{
    const struct unify_request *request = unification->request;
    struct layout layout = {.places = !request->for_reading, .keep_inclusions = request->keep_inclusions};
    struct unified *unified = unification->unified;
    unified->text.length = 0;
    *again = false;
    if (!compare_versions(&unification->comparison) || unification->obstacle.message)
        return false;
    unified->identical = is_identical(&unification->comparison);
    find_lone_variables(&unification->comparison, unified);
    if (unified->identical)
        return true;
    write_unified(&unification->comparison, &layout, &unified->text);
    return check_result(unification, again) && (*again || !must_verify(unification) || verify(unification, again));
}

/* The version as one text, with the headers in it that differ. */
static bool read_flat(struct unification *unification, size_t number, const struct words *headers)
{
    struct version *version = &unification->versions[number];
    CXTranslationUnit *unit = &unification->sources[number].units[0];
    if (!flatten(unification->unified->arena, *unit, version->file, headers, !unification->request->for_reading,
                 &version->text, &version->origins, unification->error))
        return false;
    pool_give_back(*unit);
    *unit = source_parse_text(&unification->sources[number], &unification->programs[number], version->file,
                              text_string(&version->text), CXTranslationUnit_DetailedPreprocessingRecord);
    for (unsigned i = 0; *unit && i < clang_getNumDiagnostics(*unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(*unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            error_set(&unification->obstacle, "%s: the headers that differ cannot be made part of it: %s",
                      version->file,
                      source_string(unification->unified->arena, clang_getDiagnosticSpelling(diagnostic)));
        clang_disposeDiagnostic(diagnostic);
    }
    return *unit || error_set(unification->error, "clang cannot read %s", version->file);
}

static bool read_versions(struct unification *unification)
{
    struct words headers = {0};
    struct arena *arena = unification->unified->arena;
    bool good = true;
    headers_find_differing(arena, unification->sources[0].units[0], unification->sources[1].units[0], &headers);
    for (size_t i = 0; i < 2 && good; i++) {
        struct version *version = &unification->versions[i];
        *version = (struct version){.arena = arena,
                                    .file = unification->programs[i].request->units[0].file,
                                    .path = unification->programs[i].paths[0]};
        const char *shown = i ? unification->request->new_name : unification->request->old_name;
        version->shown = shown ? shown : version->file;
        good = headers.count ? read_flat(unification, i, &headers)
                             : file_read(version->path, &version->text, unification->error);
        version->unit = unification->sources[i].units[0];
        if (good)
            version_read(version);
    }
    words_free(&headers);
    return good;
}

static bool has_errors(CXTranslationUnit unit)
{
    bool found = !unit;
    for (unsigned i = 0; !found && i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        found = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}

/* Reads a version anew from another text that means the same; where that is no C after all, it stays as it was. */
static CXTranslationUnit read_text(const struct unification *unification, size_t number, const struct text *text)
{
    CXTranslationUnit unit = source_parse_text(&unification->sources[number], &unification->programs[number],
                                               unification->versions[number].file, text_string(text),
                                               CXTranslationUnit_DetailedPreprocessingRecord);
    if (!has_errors(unit))
        return unit;
    if (unit)
        clang_disposeTranslationUnit(unit);
    return NULL;
}

static void take_text(struct unification *unification, size_t number, CXTranslationUnit unit, struct text *text,
                      const struct words *functions)
{
    struct version *version = &unification->versions[number];
    struct version read = {.arena = version->arena,
                           .file = version->file,
                           .path = version->path,
                           .shown = version->shown,
                           .text = *text,
                           .origins = version->origins,
                           .unit = unit};
    *text = (struct text){0};
    version_free(version);
    pool_give_back(unification->sources[number].units[0]);
    unification->sources[number].units[0] = unit;
    *version = read;
    version_read(version);
    for (size_t i = 0; i < version->piece_count; i++)
        version->pieces[i].is_hoisted =
            version->pieces[i].kind == PIECE_FUNCTION && words_have(functions, version->pieces[i].name);
}

/* Declarations that moved get one place in both versions. */
static void hoist(struct unification *unification)
{
    struct text texts[2] = {0};
    CXTranslationUnit units[2] = {0};
    struct words functions = {0};
    hoist_declarations(&unification->versions[0], &unification->versions[1], texts, &functions);
    for (size_t i = 0; i < 2 && functions.count; i++)
        units[i] = read_text(unification, i, &texts[i]);
    for (size_t i = 0; i < 2; i++) {
        if (units[0] && units[1])
            take_text(unification, i, units[i], &texts[i], &functions);
        else if (units[i])
            clang_disposeTranslationUnit(units[i]);
        text_free(&texts[i]);
    }
    words_free(&functions);
}

static bool unify(struct unification *unification)
{
    const struct unify_request *request = unification->request;
    struct unified *unified = unification->unified;
    if (!read_versions(unification))
        return false;
    hunks_count(&unification->versions[0].text, &unification->versions[1].text, &unification->hunks,
                &unification->lines);
    hoist(unification);
    unification->comparison = (struct comparison){.arena = unified->arena,
                                                  .old = &unification->versions[0],
                                                  .new = &unification->versions[1],
                                                  .entry = request->entry,
                                                  .in_lines = !request->for_reading,
                                                  .statistics = &unified->statistics,
                                                  .error = unification->error,
                                                  .obstacle = &unification->obstacle};
    struct hidden_request hidden = {.files = {unification->programs[0].paths[0], unification->programs[1].paths[0]},
                                    .flags = {verify_flags(unification, 0), verify_flags(unification, 1)},
                                    .comparison = &unification->comparison};
    if (!unification->obstacle.message && !hidden_find(&hidden, unification->error))
        return false;
    bool again = true;
    while (again)
        if (!write(unification, &again))
            return !unification->error->message && unification->obstacle.message && describe_apart(unification);
    describe(unification);
    return true;
}

static bool is_one_file(const struct unify_request *request)
{
    struct stat old, new;
    const char *old_flags = request->old_cflags ? request->old_cflags : "";
    return !strcmp(old_flags, request->new_cflags ? request->new_cflags : "") && !stat(request->old_file, &old) &&
           !stat(request->new_file, &new) && old.st_dev == new.st_dev &&old.st_ino == new.st_ino;
}

bool unify_files(const struct unify_request *request, struct unified *unified, struct error *error)
{
    const struct unit units[] = {{.file = request->old_file, .cflags = request->old_cflags},
                                 {.file = request->new_file, .cflags = request->new_cflags}};
    struct program_request requests[] = {{.units = &units[0], .unit_count = 1}, {.units = &units[1], .unit_count = 1}};
    struct unification unification = {.request = request, .unified = unified, .error = error};
    *unified = (struct unified){.arena = arena_create()};
    if (is_one_file(request)) {
        unified->identical = true;
        return true;
    }
    bool good = true;
    for (size_t i = 0; i < 2 && good; i++)
        good = program_open(&unification.programs[i], &requests[i], error);
    for (size_t i = 0; i < 2 && good; i++)
        good = sources_parse(&unification.sources[i], &unification.programs[i],
                             CXTranslationUnit_DetailedPreprocessingRecord, error);
    good = good && unify(&unification);
    comparison_free(&unification.comparison);
    error_clear(&unification.obstacle);
    for (size_t i = 0; i < 2; i++) {
        version_free(&unification.versions[i]);
        sources_free(&unification.sources[i]);
        program_free(&unification.programs[i]);
    }
    if (!good)
        unified_free(unified);
    return good;
}

void unified_free(struct unified *unified)
{
    struct words *lists[] = {&unified->lone_variables, &unified->beyond,  &unified->changed,       &unified->callers,
                             &unified->functions,      &unified->coarse,  &unified->defects,       &unified->limits,
                             &unified->unknown,        &unified->split,   &unified->split_reasons, &unified->doubled,
                             &unified->split_names,    &unified->declared};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        words_free(lists[i]);
    text_free(&unified->text);
    if (unified->arena)
        arena_destroy(unified->arena);
    *unified = (struct unified){0};
}
