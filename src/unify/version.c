#include "unify/version.h"

#include "source/globals.h"
#include "source/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

static size_t offset_of(CXSourceLocation location)
{
    unsigned offset;
    clang_getFileLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

void cursor_range(CXCursor cursor, size_t *begin, size_t *end)
{
    CXSourceRange extent = clang_getCursorExtent(cursor);
    *begin = offset_of(clang_getRangeStart(extent));
    *end = offset_of(clang_getRangeEnd(extent));
}

bool token_is(const struct version *version, const struct token *token, const char *text)
{
    size_t length = strlen(text);
    return token->end - token->begin == length && !memcmp(version->text.data + token->begin, text, length);
}

const char *token_text(const struct version *version, const struct token *token)
{
    return arena_format(version->arena, "%.*s", (int)(token->end - token->begin), version->text.data + token->begin);
}

bool token_is_name(const struct version *version, size_t token)
{
    if (!version->tokens[token].is_identifier)
        return false;
    const struct token *before = token ? &version->tokens[token - 1] : NULL;
    return !before || (!token_is(version, before, ".") && !token_is(version, before, "->"));
}

/* Where the line ends, lines that are continued by a backslash taken as one. */
static size_t end_of_directive(const struct version *version, size_t at)
{
    const char *text = text_string(&version->text);
    for (; at < version->text.length; at++)
        if (text[at] == '\n' && text[at - 1] != '\\' && !(text[at - 1] == '\r' && text[at - 2] == '\\'))
            break;
    return at;
}

static void read_tokens(struct version *version)
{
    CXFile file = clang_getFile(version->unit, version->file);
    CXSourceRange all = clang_getRange(clang_getLocationForOffset(version->unit, file, 0),
                                       clang_getLocationForOffset(version->unit, file, (unsigned)version->text.length));
    CXToken *tokens = NULL;
    unsigned count = 0;
    size_t directive_end = 0;
    clang_tokenize(version->unit, all, &tokens, &count);
    version->tokens = array_reserve(NULL, &version->token_capacity, count + 1, sizeof *version->tokens);
    for (unsigned i = 0; i < count; i++) {
        CXSourceRange extent = clang_getTokenExtent(version->unit, tokens[i]);
        struct token token = {.begin = offset_of(clang_getRangeStart(extent)),
                              .end = offset_of(clang_getRangeEnd(extent))};
        clang_getFileLocation(clang_getRangeStart(extent), NULL, &token.line, NULL, NULL);
        CXTokenKind kind = clang_getTokenKind(tokens[i]);
        token.is_identifier = kind == CXToken_Identifier || kind == CXToken_Keyword; /* a macro may hide a keyword */
        token.is_comment = kind == CXToken_Comment;
        const struct token *before = version->token_count ? &version->tokens[version->token_count - 1] : NULL;
        if (token_is(version, &token, "#") && (!before || before->line < token.line) && token.begin >= directive_end)
            directive_end = end_of_directive(version, token.begin);
        token.is_directive = token.begin < directive_end;
        if (token.end <= version->text.length)
            version->tokens[version->token_count++] = token;
    }
    clang_disposeTokens(version->unit, tokens, count);
}

bool token_counts(const struct token *token)
{
    return !token->is_comment && !token->is_directive && !token->is_skipped;
}

size_t version_token_at(const struct version *version, size_t offset)
{
    size_t low = 0, high = version->token_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (version->tokens[middle].begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const char *join_tokens(const struct version *version, size_t first, size_t end)
{
    struct text joined = {0};
    for (size_t i = first; i < end; i++) {
        const struct token *token = &version->tokens[i];
        if (token->is_comment)
            continue;
        if (joined.length)
            text_add(&joined, " ");
        text_append(&joined, version->text.data + token->begin, token->end - token->begin);
    }
    const char *result = arena_copy_string(version->arena, text_string(&joined));
    text_free(&joined);
    return result;
}

static void mark_skipped(struct version *version)
{
    CXFile file = clang_getFile(version->unit, version->file);
    CXSourceRangeList *skipped = clang_getSkippedRanges(version->unit, file);
    for (unsigned i = 0; skipped && i < skipped->count; i++) {
        size_t end = offset_of(clang_getRangeEnd(skipped->ranges[i]));
        for (size_t k = version_token_at(version, offset_of(clang_getRangeStart(skipped->ranges[i])));
             k < version->token_count && version->tokens[k].begin < end; k++)
            version->tokens[k].is_skipped = true;
    }
    clang_disposeSourceRangeList(skipped);
}

/* ---- macros and included files ---- */

static void add_expansion(struct version *version, CXCursor cursor)
{
    struct span span;
    cursor_range(cursor, &span.begin, &span.end);
    if (version->expansion_count && span.begin < version->expansions[version->expansion_count - 1].end)
        return;
    version->expansions =
        array_reserve(version->expansions, &version->expansion_capacity, version->expansion_count + 1, sizeof span);
    version->expansions[version->expansion_count++] = span;
}

/* A use of __LINE__, by whatever macro. */
static void add_line_use(struct version *version, CXCursor cursor)
{
    struct span span;
    cursor_range(cursor, &span.begin, &span.end);
    version->line_uses =
        array_reserve(version->line_uses, &version->line_use_capacity, version->line_use_count + 1, sizeof span);
    version->line_uses[version->line_use_count++] = span;
}

static bool asks_for_line(CXCursor cursor)
{
    CXString name = clang_getCursorSpelling(cursor);
    bool asks = !strcmp(clang_getCString(name), "__LINE__");
    clang_disposeString(name);
    return asks;
}

/* `#define A (x)` has no parameter, `#define A(x)` has one. */
static const char *macro_tokens(const struct version *version, size_t first, size_t last)
{
    const struct token *name = &version->tokens[first];
    bool has_parameters = first + 1 < last && token_is(version, name + 1, "(") && name->end == name[1].begin;
    return arena_format(version->arena, "%s%s", has_parameters ? "()" : "", join_tokens(version, first, last));
}

static void add_macro(struct version *version, CXCursor cursor)
{
    size_t begin, end;
    cursor_range(cursor, &begin, &end);
    size_t first = version_token_at(version, begin), last = version_token_at(version, end);
    const char *name = source_name(version->arena, cursor), *tokens = macro_tokens(version, first, last);
    struct macro *macro = version_macro(version, name);
    if (!macro) {
        version->macros =
            array_reserve(version->macros, &version->macro_capacity, version->macro_count + 1, sizeof *macro);
        macro = &version->macros[version->macro_count++];
        *macro = (struct macro){.name = name, .tokens = ""};
    }
    macro->definition_count++;
    macro->definition = arena_format(version->arena, "%.*s", (int)(end - begin), text_string(&version->text) + begin);
    macro->tokens = arena_format(version->arena, "%s%s\n", macro->tokens, tokens);
    macro->first_token = first;
    macro->end_token = last;
    clang_getFileLocation(clang_getCursorLocation(cursor), NULL, &macro->line, NULL, NULL);
}

static void add_header_macro(struct version *version, CXCursor cursor)
{
    CXToken *tokens = NULL;
    unsigned count = 0;
    struct text joined = {0};
    clang_tokenize(version->unit, clang_getCursorExtent(cursor), &tokens, &count);
    if (clang_Cursor_isMacroFunctionLike(cursor))
        text_add(&joined, "()");
    for (unsigned i = 0; i < count; i++)
        text_format(&joined, "%s ", source_string(version->arena, clang_getTokenSpelling(version->unit, tokens[i])));
    clang_disposeTokens(version->unit, tokens, count);
    struct header_macro macro = {.name = source_name(version->arena, cursor),
                                 .tokens = arena_copy_string(version->arena, text_string(&joined)),
                                 .place = source_place(version->arena, cursor)};
    if (version->inclusion_count)
        macro.line = version->inclusions[version->inclusion_count - 1].line;
    text_free(&joined);
    version->header_macros = array_reserve(version->header_macros, &version->header_macro_capacity,
                                           version->header_macro_count + 1, sizeof macro);
    version->header_macros[version->header_macro_count++] = macro;
}

static void add_inclusion(struct version *version, CXCursor cursor)
{
    size_t begin, end;
    char path[PATH_MAX];
    cursor_range(cursor, &begin, &end);
    size_t first = version_token_at(version, begin), last = version_token_at(version, end_of_directive(version, begin));
    CXFile file = clang_getIncludedFile(cursor);
    const char *name = file ? source_string(version->arena, clang_getFileName(file)) : "";
    struct inclusion inclusion = {.tokens = join_tokens(version, first, last)};
    end = end_of_directive(version, begin);
    inclusion.text = arena_format(version->arena, "%.*s", (int)(end - begin), text_string(&version->text) + begin);
    inclusion.path = realpath(name, path) ? arena_copy_string(version->arena, path) : name;
    for (size_t i = first; i < last; i++)
        if (version->text.data[version->tokens[i].begin] == '"') {
            inclusion.name_begin = version->tokens[i].begin;
            inclusion.name_end = version->tokens[i].end;
        }
    clang_getFileLocation(clang_getCursorLocation(cursor), NULL, &inclusion.line, NULL, NULL);
    version->inclusions = array_reserve(version->inclusions, &version->inclusion_capacity, version->inclusion_count + 1,
                                        sizeof inclusion);
    version->inclusions[version->inclusion_count++] = inclusion;
}

/* ---- pieces ---- */

static bool is_type(enum CXCursorKind kind)
{
    return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl ||
           kind == CXCursor_TypedefDecl;
}

static enum piece_kind kind_of(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_FunctionDecl)
        return clang_isCursorDefinition(cursor) ? PIECE_FUNCTION : PIECE_DECLARATION;
    if (kind == CXCursor_VarDecl)
        return globals_is_definition(cursor) ? PIECE_VARIABLE : PIECE_DECLARATION;
    if (is_type(kind))
        return clang_isCursorDefinition(cursor) ? PIECE_TYPE : PIECE_DECLARATION;
    return PIECE_OTHER;
}

/* What comes before the declaration as libclang sees it, such as attributes, belongs to it. */
static size_t begin_of_statement(const struct version *version, size_t token)
{
    size_t limit = version->piece_count ? version->pieces[version->piece_count - 1].end_token : 0;
    for (; token > limit; token--) {
        const struct token *before = &version->tokens[token - 1];
        if (before->is_comment || before->is_directive || token_is(version, before, ";"))
            break;
    }
    return token;
}

/* Behind the semicolon; a function's body has none. */
static size_t end_of_statement(const struct version *version, size_t token, bool has_body)
{
    if (has_body)
        return token;
    while (token < version->token_count && !token_is(version, &version->tokens[token], ";"))
        token++;
    return token < version->token_count ? token + 1 : token;
}

static void set_end(struct version *version, struct piece *piece, size_t end_token)
{
    piece->end_token = end_token;
    piece->end = end_token > piece->first_token ? version->tokens[end_token - 1].end : piece->begin;
}

static void add_declared(struct version *version, struct piece *piece, CXCursor cursor)
{
    CXCursor *cursors = arena_allocate(version->arena, (piece->name_count + 1) * sizeof *cursors);
    if (piece->name_count)
        memcpy(cursors, piece->cursors, piece->name_count * sizeof *cursors);
    cursors[piece->name_count++] = cursor;
    piece->cursors = cursors;
}

static void add_piece(struct version *version, CXCursor cursor)
{
    size_t begin, end;
    cursor_range(cursor, &begin, &end);
    enum piece_kind kind = kind_of(cursor);
    struct piece *last = version->piece_count ? &version->pieces[version->piece_count - 1] : NULL;
    size_t end_token = end_of_statement(version, version_token_at(version, end), kind == PIECE_FUNCTION);
    const char *name = clang_Cursor_isAnonymous(cursor) ? "" : source_name(version->arena, cursor);
    if (last && begin < last->end) { /* the same statement declares another thing */
        add_declared(version, last, cursor);
        last->has_type |= kind == PIECE_TYPE;
        if (kind < last->kind || (kind == last->kind && is_type(clang_getCursorKind(cursor)))) {
            last->kind = kind;
            last->name = name;
            last->cursor = cursor;
        }
        if (end_token > last->end_token || kind == PIECE_FUNCTION)
            set_end(version, last, end_token);
        return;
    }
    version->pieces = array_reserve(version->pieces, &version->piece_capacity, version->piece_count + 1, sizeof *last);
    struct piece piece = {.kind = kind, .name = name, .cursor = cursor};
    add_declared(version, &piece, cursor);
    piece.has_type = kind == PIECE_TYPE;
    piece.first_token = begin_of_statement(version, version_token_at(version, begin));
    if (piece.first_token >= version->token_count)
        return;
    piece.begin = version->tokens[piece.first_token].begin;
    piece.line = version->tokens[piece.first_token].line;
    set_end(version, &piece, end_token);
    version->pieces[version->piece_count++] = piece;
}

static bool is_in_file(const struct version *version, CXCursor cursor)
{
    CXFile file;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    return file && clang_File_isEqual(file, clang_getFile(version->unit, version->file));
}

static bool is_in_header(CXCursor cursor)
{
    CXFile file;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    return file && !source_is_in_system_header(cursor);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct version *version = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (!is_in_file(version, cursor)) {
        if (kind == CXCursor_MacroDefinition && is_in_header(cursor))
            add_header_macro(version, cursor);
        return CXChildVisit_Continue;
    }
    if (kind == CXCursor_MacroDefinition)
        add_macro(version, cursor);
    else if (kind == CXCursor_InclusionDirective)
        add_inclusion(version, cursor);
    else if (kind == CXCursor_MacroExpansion) {
        if (asks_for_line(cursor))
            add_line_use(version, cursor);
        add_expansion(version, cursor);
    } else
        add_piece(version, cursor);
    return CXChildVisit_Continue;
}

static bool is_in_assertion(const struct version *version, const struct span *use)
{
    for (size_t i = 0; i < version->expansion_count; i++)
        if (version->expansions[i].begin <= use->begin && use->begin < version->expansions[i].end)
            return token_is(version, &version->tokens[version_token_at(version, version->expansions[i].begin)],
                            "assert");
    return false;
}

static const char *lines_asked_for(const struct version *version, const struct piece *piece)
{
    struct text text = {0};
    for (size_t i = 0; i < version->line_use_count; i++) {
        const struct span *use = &version->line_uses[i];
        if (use->begin < piece->begin || use->begin >= piece->end || is_in_assertion(version, use))
            continue;
        unsigned line = version->tokens[version_token_at(version, use->begin)].line;
        version_origin(version, &line);
        text_format(&text, "%u ", line);
    }
    const char *lines = arena_copy_string(version->arena, text_string(&text));
    text_free(&text);
    return lines;
}

void version_read(struct version *version)
{
    text_add(&version->text, ""); /* so that there is text even of an empty file */
    read_tokens(version);
    mark_skipped(version);
    clang_visitChildren(clang_getTranslationUnitCursor(version->unit), visit, version);
    for (size_t i = 0; i < version->piece_count; i++) {
        struct piece *piece = &version->pieces[i];
        piece->tokens = join_tokens(version, piece->first_token, piece->end_token);
        piece->lines = lines_asked_for(version, piece);
    }
}

void version_free(struct version *version)
{
    text_free(&version->text);
    free(version->tokens), free(version->pieces), free(version->macros), free(version->inclusions);
    free(version->header_macros), free(version->expansions), free(version->line_uses);
}

/* ---- finding ---- */

struct piece *version_piece(const struct version *version, enum piece_kind kind, const char *name, size_t earlier)
{
    for (size_t i = 0; i < version->piece_count; i++)
        if (version->pieces[i].kind == kind && !strcmp(version->pieces[i].name, name) && !earlier--)
            return &version->pieces[i];
    return NULL;
}

struct piece *version_definition(const struct version *version, const char *name)
{
    for (size_t i = 0; i < version->piece_count; i++)
        if (version->pieces[i].kind < PIECE_DECLARATION && !strcmp(version->pieces[i].name, name))
            return &version->pieces[i];
    return NULL;
}

struct piece *version_declaring(const struct version *version, const char *name)
{
    for (size_t i = 0; i < version->piece_count; i++) {
        struct piece *piece = &version->pieces[i];
        for (size_t k = 0; k < piece->name_count && piece->kind <= PIECE_VARIABLE; k++)
            if (!strcmp(source_name(version->arena, piece->cursors[k]), name))
                return piece;
    }
    return NULL;
}

struct macro *version_macro(const struct version *version, const char *name)
{
    for (size_t i = 0; i < version->macro_count; i++)
        if (!strcmp(version->macros[i].name, name))
            return &version->macros[i];
    return NULL;
}

const char *version_pragmas(const struct version *version)
{
    struct text all = {0};
    for (size_t i = 0; i + 1 < version->token_count; i++) {
        const struct token *token = &version->tokens[i];
        if (!token->is_directive || !token_is(version, token, "#") || !token_is(version, token + 1, "pragma"))
            continue;
        size_t end = version_token_at(version, end_of_directive(version, token->begin));
        text_format(&all, "%s\n", join_tokens(version, i, end));
    }
    const char *result = arena_copy_string(version->arena, text_string(&all));
    text_free(&all);
    return result;
}

const char *type_without_const(struct arena *arena, CXType type)
{
    char *spelling = (char *)source_type(arena, clang_getUnqualifiedType(clang_getCanonicalType(type)));
    for (char *at; (at = strstr(spelling, "const "));)
        memmove(at, at + 6, strlen(at + 6) + 1);
    return spelling;
}

const char *version_origin(const struct version *version, unsigned *line)
{
    const struct origin *origin = NULL;
    for (size_t i = 0; i < version->origins.count && version->origins.list[i].line <= *line; i++)
        origin = &version->origins.list[i];
    if (!origin)
        return version->shown;
    *line = *line - origin->line + origin->line_there;
    return strcmp(origin->file, version->file) ? origin->file : version->shown;
}

const char *piece_place(const struct version *version, const struct piece *piece)
{
    unsigned line = piece->line;
    const char *file = version_origin(version, &line);
    return arena_format(version->arena, "%s:%u", file, line);
}
