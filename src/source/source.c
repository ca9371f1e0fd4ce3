#include "source/source.h"

#include "source/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERRORS_SHOWN = 20 };

const char *source_string(struct arena *arena, CXString string)
{
    const char *text = clang_getCString(string);
    const char *copy = arena_copy_string(arena, text ? text : "");
    clang_disposeString(string);
    return copy;
}

const char *source_name(struct arena *arena, CXCursor cursor)
{
    return source_string(arena, clang_getCursorSpelling(cursor));
}

const char *source_type(struct arena *arena, CXType type)
{
    return source_string(arena, clang_getTypeSpelling(type));
}

struct field {
    CXCursor cursor;
    const char *name; /* "" where it has none */
    size_t number;
};

struct field_list {
    struct arena *arena;
    struct field *list;
    size_t count, capacity;
};

static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data)
{
    struct field_list *fields = data;
    const char *name = source_name(fields->arena, cursor);
    fields->list = array_reserve(fields->list, &fields->capacity, fields->count + 1, sizeof *fields->list);
    fields->list[fields->count] = (struct field){cursor, strchr(name, ' ') ? "" : name, fields->count};
    fields->count++;
    return CXVisit_Continue;
}

static int compare_fields(const void *one, const void *other)
{
    const struct field *a = one, *b = other;
    int order = strcmp(a->name, b->name);
    return order ? order : a->number < b->number ? -1 : 1;
}

void source_visit_sorted_fields(struct arena *arena, CXType type, CXFieldVisitor visitor, CXClientData data)
{
    struct field_list fields = {.arena = arena};
    clang_Type_visitFields(type, add_field, &fields);
    if (fields.count)
        qsort(fields.list, fields.count, sizeof *fields.list, compare_fields);
    for (size_t i = 0; i < fields.count; i++)
        if (visitor(fields.list[i].cursor, data) == CXVisit_Break)
            break;
    free(fields.list);
}

const char *source_record_name(struct arena *arena, CXType type)
{
    const char *spelling = source_type(arena, clang_getUnqualifiedType(clang_getCanonicalType(type)));
    const char *const words[] = {"struct ", "union "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(spelling, words[i], strlen(words[i])))
            return spelling + strlen(words[i]);
    return spelling;
}

const char *source_place(struct arena *arena, CXCursor cursor)
{
    CXString file;
    unsigned line;
    clang_getPresumedLocation(clang_getCursorLocation(cursor), &file, &line, NULL);
    return arena_format(arena, "%s:%u", source_string(arena, file), line);
}

const char *source_position(struct arena *arena, CXCursor cursor)
{
    unsigned column;
    clang_getFileLocation(clang_getCursorLocation(cursor), NULL, NULL, &column, NULL);
    return arena_format(arena, "%s:%u", source_place(arena, cursor), column);
}

bool source_is_in_system_header(CXCursor cursor)
{
    return clang_Location_isInSystemHeader(clang_getCursorLocation(cursor));
}

struct search {
    struct arena *arena;
    const char *function;
    bool found;
};

static enum CXChildVisitResult find_definition(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    search->found = clang_getCursorKind(cursor) == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor) &&
                    !strcmp(source_name(search->arena, cursor), search->function);
    return search->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

bool source_defines(struct arena *arena, CXTranslationUnit unit, const char *function)
{
    struct search search = {arena, function, false};
    clang_visitChildren(clang_getTranslationUnitCursor(unit), find_definition, &search);
    return search.found;
}

struct constants {
    CXCursor *list;
    size_t count, capacity;
};

static enum CXChildVisitResult add_constant(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct constants *constants = data;
    if (clang_getCursorKind(cursor) != CXCursor_EnumConstantDecl)
        return CXChildVisit_Continue;
    constants->list =
        array_reserve(constants->list, &constants->capacity, constants->count + 1, sizeof *constants->list);
    constants->list[constants->count++] = cursor;
    return CXChildVisit_Continue;
}

const CXCursor *source_constants(struct arena *arena, CXCursor enumeration, size_t *count)
{
    struct constants constants = {0};
    clang_visitChildren(enumeration, add_constant, &constants);
    CXCursor *copy = arena_allocate(arena, (constants.count + 1) * sizeof *copy);
    if (constants.count)
        memcpy(copy, constants.list, constants.count * sizeof *copy);
    free(constants.list);
    *count = constants.count;
    return copy;
}

bool source_is_scalar(CXType type)
{
    type = clang_getCanonicalType(type);
    return (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) || type.kind == CXType_Enum ||
           type.kind == CXType_Pointer;
}

/* The messages of all files, on their way into one. */
struct complaints {
    struct arena *arena;
    struct text text;
    size_t count;
    const char *last_change; /* where the last complaint about a change() was: its consequences follow it */
    bool about_change;       /* a change() of incompatible types is among them */
    bool about_source;       /* something else is */
};

static void add_complaint(struct complaints *complaints, const char *line)
{
    const char *same = complaints->count > 0 ? strstr(text_string(&complaints->text), line) : NULL;
    if (same && same[strlen(line)] == '\n')
        return;
    if (complaints->count++ < ERRORS_SHOWN)
        text_format(&complaints->text, "%s\n", line);
}

/* Where a macro is used when the problem is inside it; NULL when the problem has no place (a bad flag). */
static const char *diagnostic_place(struct arena *arena, CXDiagnostic diagnostic)
{
    CXFile file;
    unsigned line, column;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column, NULL);
    if (!file)
        return NULL;
    return arena_format(arena, "%s:%u:%u", source_string(arena, clang_getFileName(file)), line, column);
}

/* Whether the tokens that clang dislikes are those of penumbra.h's macros, not of their arguments. */
static bool is_about_change(struct arena *arena, CXDiagnostic diagnostic)
{
    CXFile spelled, used;
    CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
    clang_getSpellingLocation(location, &spelled, NULL, NULL, NULL);
    clang_getFileLocation(location, &used, NULL, NULL, NULL);
    if (!spelled || clang_File_isEqual(spelled, used))
        return false;
    const char *name = source_string(arena, clang_getFileName(spelled));
    return strcmp(basename(name), "penumbra.h") == 0;
}

/* "pointer type mismatch ('int *' and 'char *')" says which types do not go together: returns "'int *' and 'char *'".
 * NULL for any other message. */
static const char *mismatched_types(struct arena *arena, const char *message)
{
    if (!strstr(message, "type mismatch") && !strstr(message, "incompatible operand types"))
        return NULL;
    const char *start = strstr(message, "('"), *end = strrchr(message, ')');
    if (!start || !end || end < start)
        return NULL;
    return arena_format(arena, "%.*s", (int)(end - start - 1), start + 1);
}

static void complain_about_change(struct complaints *complaints, CXDiagnostic diagnostic, const char *place)
{
    bool is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    const char *message = source_string(complaints->arena, clang_getDiagnosticSpelling(diagnostic));
    const char *types = mismatched_types(complaints->arena, message), *sentence;
    if (!types && (!is_error || (complaints->last_change && strcmp(complaints->last_change, place) == 0)))
        return;
    if (types)
        sentence = arena_format(complaints->arena, "change() of incompatible types %s", types);
    else if (strstr(message, "incomplete type") && strstr(message, "'void'"))
        sentence = "change() of incompatible types: 'void' has no value";
    else if (strstr(message, "not allowed at file scope"))
        sentence = "change() outside of functions: pn_global(), pn_size() and pn_bounds() say what differs there";
    else if (strstr(message, "constant"))
        sentence = "change() where C wants a constant: pn_global() or pn_size(), or a switch for each version";
    else
        sentence = arena_format(complaints->arena, "change(): %s", message);
    if (strstr(sentence, "incompatible types"))
        complaints->about_change = true;
    else
        complaints->about_source = true;
    complaints->last_change = place;
    add_complaint(complaints, arena_format(complaints->arena, "%s: error: %s", place, sentence));
}

static void complain_about_source(struct complaints *complaints, CXDiagnostic diagnostic, const char *place,
                                  const char *file)
{
    const char *message = source_string(complaints->arena, clang_getDiagnosticSpelling(diagnostic));
    complaints->about_source = true;
    add_complaint(complaints, arena_format(complaints->arena, "%s: error: %s", place ? place : file, message));
}

static void read_diagnostics(struct complaints *complaints, CXTranslationUnit unit, const char *file)
{
    unsigned count = clang_getNumDiagnostics(unit);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        const char *place = diagnostic_place(complaints->arena, diagnostic);
        if (place && is_about_change(complaints->arena, diagnostic))
            complain_about_change(complaints, diagnostic, place);
        else if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            complain_about_source(complaints, diagnostic, place, file);
        clang_disposeDiagnostic(diagnostic);
    }
}

enum { MOST_ARGUMENTS = 1024 };

static int collect_arguments(const char *const *flags, const char *arguments[MOST_ARGUMENTS])
{
    int count = 0;
    arguments[count++] = "-xc";
    arguments[count++] = "-D__PENUMBRA__=1";
    for (size_t i = 0; flags[i] && count < MOST_ARGUMENTS - 1; i++)
        arguments[count++] = flags[i];
    return count;
}

CXTranslationUnit source_parse_text(const struct sources *sources, const struct program *program, const char *name,
                                    const char *text, enum CXTranslationUnit_Flags record)
{
    const char *arguments[MOST_ARGUMENTS];
    int count = collect_arguments(program->cflags[0], arguments);
    struct CXUnsavedFile file = {name, text, strlen(text)};
    CXTranslationUnit unit = NULL;
    arguments[count++] = "-w";
    if (clang_parseTranslationUnit2(sources->index, name, arguments, count, &file, 1, record, &unit))
        return NULL;
    return unit;
}

static void parse_file(struct sources *sources, const struct program *program, size_t index,
                       enum CXTranslationUnit_Flags record, struct complaints *complaints)
{
    const char *arguments[MOST_ARGUMENTS];
    int count = collect_arguments(program->cflags[index], arguments);
    const char *file = program->request->units[index].file;
    enum CXErrorCode code = pool_take(file, arguments, count, record, &sources->units[index]);
    if (code == CXError_Success) {
        read_diagnostics(complaints, sources->units[index], file);
        return;
    }
    complaints->about_source = true;
    add_complaint(complaints,
                  arena_format(complaints->arena, "%s: error: clang cannot read it with these flags", file));
}

static void add_remedies(struct complaints *complaints)
{
    if (complaints->count > ERRORS_SHOWN)
        text_format(&complaints->text, "and %zu more errors\n", complaints->count - ERRORS_SHOWN);
    if (complaints->about_change)
        text_add(&complaints->text, "Both arguments of change() must be values of one kind: cast one of them.\n");
    if (complaints->about_source)
        text_add(&complaints->text, "Correct the source, or give the flags that it needs with --cflags '...'.\n");
}

bool sources_parse(struct sources *sources, struct program *program, enum CXTranslationUnit_Flags record,
                   struct error *error)
{
    *sources = (struct sources){.count = program->request->unit_count};
    sources->index = clang_createIndex(0, 0);
    sources->units = arena_allocate(program->arena, sources->count * sizeof *sources->units);
    struct complaints complaints = {.arena = program->arena};
    for (size_t i = 0; i < sources->count; i++)
        parse_file(sources, program, i, record, &complaints);
    if (complaints.count == 0)
        return true;
    add_remedies(&complaints);
    error_set(error, "%.*s", (int)complaints.text.length - 1, text_string(&complaints.text));
    text_free(&complaints.text);
    return false;
}

void sources_free(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++)
        if (sources->units && sources->units[i])
            pool_give_back(sources->units[i]);
    if (sources->index)
        clang_disposeIndex(sources->index);
}

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

CXCursor source_first_child(CXCursor cursor)
{
    CXCursor first = clang_getNullCursor();
    clang_visitChildren(cursor, take_first, &first);
    return first;
}

CXCursor source_bare(CXCursor expression)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(expression);
        if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr)
            return expression;
        CXCursor inner = source_first_child(expression);
        if (clang_Cursor_isNull(inner))
            return expression;
        expression = inner;
    }
}
