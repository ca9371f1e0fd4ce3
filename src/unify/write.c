/* Writing both versions into one text. An old declaration that stays itself is read with the old version's meaning of
 * every name in it:
 *
 *     #pragma push_macro("LIMIT")      the new version has another LIMIT
 *     #undef LIMIT
 *     #define LIMIT 10
 *     #line 12 "old.c"
 *     static int f__old(int x) ...
 *     #pragma pop_macro("LIMIT")
 */
#include "unify/write.h"

#include "build/source.h"
#include "unify/treat.h"

#include <ctype.h>
#include <string.h>

struct writer {
    const struct comparison *comparison;
    const struct layout *layout;
    struct text *out;
    struct words old_macros;       /* defined as NAME__old */
    struct words declared;         /* names that the text so far declares */
    size_t place_begin, place_end; /* of the last #line directive: one that nothing follows is replaced */
};

/* ---- pieces of text ---- */

static void begin_line(struct writer *writer)
{
    if (writer->out->length && writer->out->data[writer->out->length - 1] != '\n')
        text_add(writer->out, "\n");
}

static void add_place(struct writer *writer, const struct version *version, unsigned line)
{
    begin_line(writer);
    if (!writer->layout->places)
        return;
    if (writer->place_end && writer->place_end == writer->out->length)
        writer->out->length = writer->place_begin;
    const char *file = version_origin(version, &line);
    writer->place_begin = writer->out->length;
    text_format(writer->out, "#line %u \"", line);
    for (const char *at = file; *at; at++)
        text_format(writer->out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    text_add(writer->out, "\"\n");
    writer->place_end = writer->out->length;
}

/* The text from `begin` to `end`; files in quotes are included by their own paths, from wherever the result is. */
static void add_text(struct writer *writer, const struct version *version, size_t begin, size_t end)
{
    for (size_t i = 0; i < version->inclusion_count; i++) {
        const struct inclusion *inclusion = &version->inclusions[i];
        bool is_found = version == writer->comparison->new && writer->layout->keep_inclusions;
        if (is_found || !inclusion->name_end || inclusion->name_begin < begin || inclusion->name_end > end)
            continue;
        text_append(writer->out, version->text.data + begin, inclusion->name_begin - begin);
        text_format(writer->out, "\"%s\"", inclusion->path);
        begin = inclusion->name_end;
    }
    text_append(writer->out, version->text.data + begin, end - begin);
}

static enum CXChildVisitResult find_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    CXCursor *body = data;
    if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt)
        *body = cursor;
    return CXChildVisit_Continue;
}

static size_t body_of(const struct piece *function)
{
    CXCursor body = clang_getNullCursor();
    size_t begin = function->end, end;
    clang_visitChildren(function->cursor, find_body, &body);
    if (!clang_Cursor_isNull(body))
        cursor_range(body, &begin, &end);
    return begin;
}

/* What stands before a function's body. */
static const char *header_of(const struct version *version, const struct piece *function)
{
    size_t end = body_of(function);
    while (end > function->begin && isspace((unsigned char)version->text.data[end - 1]))
        end--;
    return arena_format(version->arena, "%.*s", (int)(end - function->begin), version->text.data + function->begin);
}

static bool is_declared(const struct writer *writer, const char *name)
{
    return words_have(&writer->declared, name);
}

static void declare(struct writer *writer, const char *name)
{
    if (*name && !is_declared(writer, name))
        words_add(&writer->declared, name);
}

/* ---- what the names in an old piece mean ---- */

/* The names that the tokens mention, and those that the old version's macros among them mention. */
static void collect_names(const struct version *version, size_t first, size_t end, struct words *names)
{
    size_t before = names->count;
    for (size_t i = first; i < end; i++)
        if (token_is_name(version, i)) {
            const char *name = token_text(version, &version->tokens[i]);
            if (!words_have(names, name))
                words_add(names, name);
        }
    size_t after = names->count;
    for (size_t i = before; i < after; i++) {
        const struct macro *macro = version_macro(version, names->list[i]);
        if (macro)
            collect_names(version, macro->first_token + 1, macro->end_token, names);
    }
}

/* Whether the name must be given its old meaning; `definition` is that meaning, NULL where the old version has none. */
static bool old_meaning(const struct writer *writer, const char *name, const char **definition)
{
    const struct comparison *comparison = writer->comparison;
    const struct macro *old = version_macro(comparison->old, name), *new = version_macro(comparison->new, name);
    bool is_split = words_have(&comparison->split, name);
    *definition = is_split              ? arena_format(comparison->arena, "%s %s__old", name, name)
                  : old && old->differs ? old->definition
                                        : NULL;
    return *definition || (new && new->differs);
}

static void begin_old_meanings(struct writer *writer, const struct words *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *definition;
        if (!old_meaning(writer, names->list[i], &definition))
            continue;
        begin_line(writer);
        text_format(writer->out, "#pragma push_macro(\"%s\")\n#undef %s\n", names->list[i], names->list[i]);
        if (definition)
            text_format(writer->out, "#define %s\n", definition);
    }
}

static void end_old_meanings(struct writer *writer, const struct words *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *definition;
        if (!old_meaning(writer, names->list[i], &definition))
            continue;
        begin_line(writer);
        text_format(writer->out, "#pragma pop_macro(\"%s\")\n", names->list[i]);
    }
}

/* ---- declarations ahead ---- */

/* The name that something of the old version has in the unified text. */
static const char *unified_name(const struct writer *writer, const char *name)
{
    bool is_split = words_have(&writer->comparison->split, name);
    return is_split ? arena_format(writer->comparison->arena, "%s__old", name) : name;
}

static void declare_function(struct writer *writer, const struct version *version, const struct piece *function)
{
    const char *name = version == writer->comparison->old ? unified_name(writer, function->name) : function->name;
    if (is_declared(writer, name))
        return;
    add_place(writer, version, function->line);
    CXType type = clang_getCursorType(function->cursor);
    const char *result = source_type(version->arena, clang_getResultType(type));
    if (strchr(header_of(version, function), ';') &&
        !strchr(result, '(')) /* its parameters' types come behind its head */
        text_format(writer->out, "%s%s %s();\n",
                    clang_Cursor_getStorageClass(function->cursor) == CX_SC_Static ? "static " : "", result,
                    function->name);
    else
        text_format(writer->out, "%s;\n", header_of(version, function));
    declare(writer, name);
}

/* A tentative definition, where the variable's own comes later. */
static void declare_variable(struct writer *writer, const struct piece *variable)
{
    const struct version *old = writer->comparison->old;
    size_t end = variable->end - 1, begin, initialiser_end;
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(variable->cursor);
    if (is_declared(writer, unified_name(writer, variable->name)) || variable->name_count > 1)
        return;
    if (!clang_Cursor_isNull(initialiser)) {
        cursor_range(initialiser, &begin, &initialiser_end);
        for (end = begin; end > variable->begin && old->text.data[end - 1] != '=';)
            end--;
        end -= end > variable->begin;
    }
    add_place(writer, old, variable->line);
    text_format(writer->out, "%.*s;\n", (int)(end - variable->begin), old->text.data + variable->begin);
    declare(writer, unified_name(writer, variable->name));
}

static bool calls_itself(const struct version *version, const struct piece *function)
{
    size_t count = 0;
    for (size_t i = function->first_token; i < function->end_token; i++)
        count += token_is_name(version, i) && token_is(version, &version->tokens[i], function->name);
    return count > 1;
}

/* What an old piece mentions and the new version's order has only later. */
static void declare_ahead(struct writer *writer, const struct piece *piece, const struct words *names)
{
    const struct version *old = writer->comparison->old;
    for (size_t i = 0; i < names->count; i++) {
        const struct piece *used = version_definition(old, names->list[i]);
        if (!used || (used == piece && (piece->treatment != WRAPPED || !calls_itself(old, piece))))
            continue;
        if (used->kind == PIECE_FUNCTION)
            declare_function(writer, old, used);
        else if (used->kind == PIECE_VARIABLE && used < piece)
            declare_variable(writer, used);
    }
}

/* ---- a changed function ---- */

/* The definition under another name, known in this file only. */
static void add_copy(struct writer *writer, const struct version *version, const struct piece *piece,
                     const char *suffix)
{
    unsigned name;
    clang_getFileLocation(clang_getCursorLocation(piece->cursor), NULL, NULL, NULL, &name);
    add_place(writer, version, piece->line);
    bool is_seen = piece->treatment == SPLIT; /* other files may call it, too */
    if (clang_Cursor_getStorageClass(piece->cursor) != CX_SC_Static && !is_seen)
        text_add(writer->out, "static ");
    size_t at = piece->begin;
    for (size_t i = piece->first_token; version->tokens[i].begin < name; i++) {
        if (is_seen || !token_is(version, &version->tokens[i], "extern"))
            continue;
        add_text(writer, version, at, version->tokens[i].begin);
        at = version->tokens[i].end;
    }
    add_text(writer, version, at, name);
    text_format(writer->out, "%s%s", piece->name, suffix);
    add_text(writer, version, name + strlen(piece->name), piece->end);
    begin_line(writer);
}

static void add_arguments(struct writer *writer, const struct piece *function)
{
    for (int i = 0; i < clang_Cursor_getNumArguments(function->cursor); i++)
        text_format(writer->out, "%s%s", i ? ", " : "",
                    source_name(writer->comparison->arena, clang_Cursor_getArgument(function->cursor, (unsigned)i)));
}

static void add_copy_call(struct writer *writer, const struct piece *function, const char *suffix)
{
    text_format(writer->out, "%s%s(", function->name, suffix);
    add_arguments(writer, function);
    text_add(writer->out, ")");
}

/* In one line, so that the call's place is the function's. */
static void add_wrapper(struct writer *writer, const struct version *version, const struct piece *function)
{
    bool is_void = clang_getCanonicalType(clang_getCursorResultType(function->cursor)).kind == CXType_Void;
    add_place(writer, version, function->line);
    text_format(writer->out, "%s { %s", header_of(version, function),
                is_void ? "if (pn_execute(PN_OLD)) " : "return pn_change(");
    add_copy_call(writer, function, "__old");
    text_add(writer->out, is_void ? "; else " : ", ");
    add_copy_call(writer, function, "__new");
    text_add(writer->out, is_void ? "; }\n" : "); }\n");
}

/* ---- a function with both versions in it ---- */

/* What the old version has of a macro, as NAME__old; the names in it that differ are old ones, too. */
static void define_old_macro(struct writer *writer, const char *name)
{
    const struct comparison *comparison = writer->comparison;
    const struct version *old = comparison->old;
    const struct macro *macro = version_macro(old, name);
    if (!macro || !words_have(&comparison->differing, name) || words_have(&writer->old_macros, name))
        return;
    words_add(&writer->old_macros, name);
    for (size_t i = macro->first_token + 1; i < macro->end_token; i++)
        if (token_is_name(old, i))
            define_old_macro(writer, token_text(old, &old->tokens[i]));
    begin_line(writer);
    text_add(writer->out, "#define ");
    for (size_t i = macro->first_token; i < macro->end_token; i++) {
        const struct token *token = &old->tokens[i];
        const char *text = token_text(old, token);
        if (i > macro->first_token)
            text_append(writer->out, old->text.data + token[-1].end, token->begin - token[-1].end);
        bool differs = token_is_name(old, i) && words_have(&comparison->differing, text);
        text_format(writer->out, "%s%s", text, differs ? "__old" : "");
    }
    text_add(writer->out, "\n");
}

static bool mentions_name(const struct version *version, const struct piece *piece, const char *name)
{
    for (size_t i = piece->first_token; i < piece->end_token; i++)
        if (token_is_name(version, i) && token_is(version, &version->tokens[i], name))
            return true;
    return false;
}

/* What the old version's part of the function needs to know. Nothing is written when it needs nothing. */
static void add_prelude(struct writer *writer, const struct piece *old)
{
    const struct version *new = writer->comparison->new;
    size_t before = writer->out->length, begin = writer->place_begin, end = writer->place_end;
    struct words names = {0};
    collect_names(writer->comparison->old, old->first_token, old->end_token, &names);
    begin_old_meanings(writer, &names);
    size_t prepared = writer->out->length;
    struct words unknown = {0};
    for (size_t i = 0; i < names.count; i++)
        if (!mentions_name(new, old->other, names.list[i]) || words_have(&writer->comparison->split, names.list[i]))
            words_add(&unknown, names.list[i]);
    declare_ahead(writer, old, &unknown);
    words_free(&unknown);
    if (writer->out->length > prepared) {
        end_old_meanings(writer, &names);
    } else {
        writer->out->length = before;
        writer->place_begin = begin, writer->place_end = end;
    }
    const struct version *version = writer->comparison->old;
    for (size_t i = old->first_token; i < old->end_token; i++)
        if (token_counts(&version->tokens[i]) && token_is_name(version, i))
            define_old_macro(writer, token_text(version, &version->tokens[i]));
    words_free(&names);
}

/* ---- an old piece ---- */

static void words_remove(struct words *words, const char *word)
{
    size_t kept = 0;
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->list[i], word))
            words->list[kept++] = words->list[i];
    words->count = kept;
}

static void add_old_piece(struct writer *writer, const struct piece *piece)
{
    const struct version *old = writer->comparison->old;
    struct words names = {0};
    collect_names(old, piece->first_token, piece->end_token, &names);
    bool is_renamed = piece->treatment == SPLIT && piece->kind == PIECE_FUNCTION && !calls_itself(old, piece);
    if (is_renamed) /* its own name is written out */
        words_remove(&names, piece->name);
    begin_old_meanings(writer, &names);
    declare_ahead(writer, piece, &names);
    if (is_renamed)
        declare(writer, unified_name(writer, piece->name));
    if (piece->treatment == WRAPPED || is_renamed) {
        add_copy(writer, old, piece, "__old");
    } else {
        add_place(writer, old, piece->line);
        add_text(writer, old, piece->begin, piece->end);
        begin_line(writer);
        declare(writer, unified_name(writer, piece->name));
    }
    end_old_meanings(writer, &names);
    words_free(&names);
}

/* The old variable, whole, under a name of its own. */
static void add_old_variable(struct writer *writer, const struct piece *piece)
{
    const struct version *old = writer->comparison->old;
    struct words names = {0};
    collect_names(old, piece->first_token, piece->end_token, &names);
    begin_old_meanings(writer, &names);
    add_copy(writer, old, piece, "__old");
    end_old_meanings(writer, &names);
    add_place(writer, writer->comparison->new, piece->other->line);
    text_format(writer->out, "pn_global_copy(%s, %s__old);\n", piece->name, piece->name);
    words_free(&names);
}

static void add_old_value(struct writer *writer, const struct piece *piece)
{
    const struct version *old = writer->comparison->old;
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(piece->cursor);
    struct words names = {0};
    size_t begin = 0, end = 0;
    if (!clang_Cursor_isNull(initialiser)) {
        cursor_range(initialiser, &begin, &end);
        collect_names(old, piece->first_token, piece->end_token, &names);
    }
    begin_old_meanings(writer, &names);
    add_place(writer, writer->comparison->new, piece->other->line);
    text_format(writer->out, "pn_global(%s, (", piece->name);
    if (end > begin)
        text_append(writer->out, old->text.data + begin, end - begin);
    else
        text_add(writer->out, "0");
    text_add(writer->out, "));\n");
    end_old_meanings(writer, &names);
    words_free(&names);
}

static const char *cursor_text(const struct version *version, CXCursor cursor)
{
    size_t begin, end;
    cursor_range(cursor, &begin, &end);
    return arena_format(version->arena, "%.*s", (int)(end - begin), version->text.data + begin);
}

/* Several variables: those that the new version has not, and the old values of the others. */
static void add_old_variables(struct writer *writer, const struct piece *piece)
{
    const struct comparison *comparison = writer->comparison;
    struct words names = {0};
    collect_names(comparison->old, piece->first_token, piece->end_token, &names);
    begin_old_meanings(writer, &names);
    for (size_t i = 0; i < piece->name_count; i++) {
        CXCursor variable = piece->cursors[i], initialiser = clang_Cursor_getVarDeclInitializer(variable);
        const char *name = source_name(comparison->arena, variable), *value = "0";
        bool is_kept = false, is_same = false;
        if (!clang_Cursor_isNull(initialiser))
            value = cursor_text(comparison->old, initialiser);
        for (size_t k = 0; k < piece->other->name_count; k++) {
            CXCursor other = piece->other->cursors[k], same = clang_Cursor_getVarDeclInitializer(other);
            if (strcmp(source_name(comparison->arena, other), name))
                continue;
            is_kept = true;
            is_same = !strcmp(value, clang_Cursor_isNull(same) ? "0" : cursor_text(comparison->new, same)) &&
                      !words_have(&comparison->differing, value);
        }
        if (is_same)
            continue;
        add_place(writer, comparison->new, piece->other->line);
        if (is_kept)
            text_format(writer->out, "pn_global(%s, (%s));\n", name, value);
        else
            text_format(writer->out, "%s%s%s%s;\n",
                        clang_Cursor_getStorageClass(variable) == CX_SC_Static ? "static " : "",
                        declaration_text(comparison->arena, clang_getCursorType(variable), name),
                        clang_Cursor_isNull(initialiser) ? "" : " = ", clang_Cursor_isNull(initialiser) ? "" : value);
        declare(writer, name);
    }
    end_old_meanings(writer, &names);
    words_free(&names);
}

static size_t resume(struct writer *writer, size_t at);

/* `int a[pn_size(2, 3)];  pn_global_bounds(a, 2, 3);` */
static size_t add_resized(struct writer *writer, const struct piece *piece)
{
    const struct version *new = writer->comparison->new;
    unsigned name_at;
    clang_getFileLocation(clang_getCursorLocation(piece->cursor), NULL, NULL, NULL, &name_at);
    size_t open = version_token_at(new, name_at) + 1, close = open;
    while (close < piece->end_token && !token_is(new, &new->tokens[close], "]"))
        close++;
    long long before = clang_getArraySize(clang_getCursorType(piece->other->cursor));
    long long after = clang_getArraySize(clang_getCursorType(piece->cursor));
    add_text(writer, new, piece->begin, new->tokens[open].end);
    text_format(writer->out, "pn_size(%lld, %lld)", before, after);
    add_text(writer, new, new->tokens[close].begin, piece->end);
    add_place(writer, new, piece->line);
    text_format(writer->out, "pn_global_bounds(%s, %lld, %lld);\n", piece->name, before, after);
    return resume(writer, piece->end);
}

/* Whether the old version's own declaration is to be seen: the new text does not say the same. */
static bool is_wanted(const struct writer *writer, const struct piece *old)
{
    const struct comparison *comparison = writer->comparison;
    if (old->kind == PIECE_DECLARATION && old->obstacle)
        return false;
    if (old->kind == PIECE_DECLARATION) {
        if (words_have(&comparison->split, old->name))
            return true;
        return !old->other && *old->name && !version_definition(comparison->new, old->name) &&
               !version_piece(comparison->new, PIECE_DECLARATION, old->name, 0);
    }
    return old->kind != PIECE_OTHER && old->treatment == ONE_VERSION;
}

/* Those whose place is before the new version's piece number `before`: they follow a piece that comes earlier. */
static bool has_old_pieces(const struct writer *writer, size_t before)
{
    const struct comparison *comparison = writer->comparison;
    size_t place = 0;
    for (size_t i = 0; i < comparison->old->piece_count; i++) {
        const struct piece *piece = &comparison->old->pieces[i];
        if (is_wanted(writer, piece) && place == before)
            return true;
        if (piece->other)
            place = (size_t)(piece->other - comparison->new->pieces) + 1;
    }
    return false;
}

static void add_old_pieces(struct writer *writer, size_t before)
{
    const struct comparison *comparison = writer->comparison;
    size_t place = 0;
    for (size_t i = 0; i < comparison->old->piece_count; i++) {
        const struct piece *piece = &comparison->old->pieces[i];
        if (is_wanted(writer, piece) && place == before)
            add_old_piece(writer, piece);
        if (piece->other)
            place = (size_t)(piece->other - comparison->new->pieces) + 1;
    }
}

/* ---- included files ---- */

static bool includes(const struct version *version, const struct inclusion *wanted)
{
    for (size_t i = 0; i < version->inclusion_count; i++)
        if (!strcmp(version->inclusions[i].tokens, wanted->tokens))
            return true;
    return false;
}

static bool has_old_inclusions(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->old->inclusion_count; i++)
        if (!includes(comparison->new, &comparison->old->inclusions[i]))
            return true;
    return false;
}

static void add_old_inclusions(struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    for (size_t i = 0; i < comparison->old->inclusion_count; i++) {
        const struct inclusion *inclusion = &comparison->old->inclusions[i];
        if (includes(comparison->new, inclusion))
            continue;
        add_place(writer, comparison->old, inclusion->line);
        if (inclusion->name_end)
            text_format(writer->out, "#include \"%s\"\n", inclusion->path);
        else
            text_format(writer->out, "%s\n", inclusion->text);
    }
}

/* ---- the whole text ---- */

/* Back to the new version's text at the offset. */
static size_t resume(struct writer *writer, size_t at)
{
    const struct version *new = writer->comparison->new;
    unsigned line = 1;
    for (size_t i = 0; i < at && writer->layout->places; i++)
        line += new->text.data[i] == '\n';
    if (at < new->text.length &&new->text.data[at] == '\n')
        at++, line++;
    add_place(writer, new, line);
    return at;
}

/* Where something can be put before a piece: comments that stand right before it stay with it. */
static size_t place_before(const struct version *version, const struct piece *piece)
{
    size_t token = piece->first_token;
    for (; token > 0; token--) {
        const struct token *before = &version->tokens[token - 1];
        bool is_alone = token < 2 || version->tokens[token - 2].line < before->line;
        if (!before->is_comment || before->is_directive || !is_alone)
            break;
    }
    return token < version->token_count ? version->tokens[token].begin : version->text.length;
}

/* Returns where the new text goes on behind the piece. */
static size_t add_new_piece(struct writer *writer, const struct piece *piece)
{
    const struct version *new = writer->comparison->new;
    switch (piece->treatment) {
    case MERGED: text_add(writer->out, piece->merged); break;
    case WRAPPED:
        if (calls_itself(new, piece))
            declare_function(writer, new, piece);
        add_old_piece(writer, piece->other);
        add_copy(writer, new, piece, "__new");
        add_wrapper(writer, new, piece);
        return resume(writer, piece->end);
    case SPLIT:
        add_old_piece(writer, piece->other);
        resume(writer, piece->begin);
        add_text(writer, new, piece->begin, piece->end);
        break;
    case INITIALISED:
        add_text(writer, new, piece->begin, piece->end);
        add_old_value(writer, piece->other);
        return resume(writer, piece->end);
    case RESIZED: return add_resized(writer, piece);
    case TOGETHER:
        add_text(writer, new, piece->begin, piece->end);
        add_old_variables(writer, piece->other);
        return resume(writer, piece->end);
    case RENUMBERED:
        add_text(writer, new, piece->begin, piece->end);
        begin_line(writer);
        text_format(writer->out, "%s\n", piece->merged);
        return resume(writer, piece->end);
    case WIDENED: text_add(writer->out, piece->merged); return resume(writer, piece->end);
    case COPIED:
        add_text(writer, new, piece->begin, piece->end);
        add_old_variable(writer, piece->other);
        return resume(writer, piece->end);
    default: add_text(writer, new, piece->begin, piece->end); break;
    }
    return piece->end;
}

static void add_head(struct writer *writer)
{
    const struct version *new = writer->comparison->new;
    bool includes_ours = strstr(text_string(&new->text), "penumbra.h") != NULL;
    text_format(writer->out,
                "/* Two versions in one program: %s and %s. Compile with\n"
                " * -DPENUMBRA_VERSION=OLD or -DPENUMBRA_VERSION=NEW, or give it to penumbra run. */\n",
                writer->comparison->old->shown, new->shown);
    if (!includes_ours)
        text_add(writer->out, "#define PENUMBRA_NO_SHORT_NAMES\n");
    text_add(writer->out, "#include <penumbra.h>\n");
    add_place(writer, new, 1);
}

void write_unified(const struct comparison *comparison, const struct layout *layout, struct text *out)
{
    const struct version *new = comparison->new;
    struct writer writer = {.comparison = comparison, .layout = layout, .out = out};
    size_t at = 0;
    add_head(&writer);
    for (size_t i = 0; i < new->piece_count; i++) {
        const struct piece *piece = &new->pieces[i];
        bool adds_inclusions = i == 0 && has_old_inclusions(comparison);
        if (adds_inclusions || has_old_pieces(&writer, i) || piece->treatment == MERGED) {
            size_t place = place_before(new, piece);
            add_text(&writer, new, at, place);
            size_t before = writer.out->length;
            if (adds_inclusions)
                add_old_inclusions(&writer);
            add_old_pieces(&writer, i);
            if (piece->treatment == MERGED)
                add_prelude(&writer, piece->other);
            at = writer.out->length > before ? resume(&writer, place) : place;
        }
        add_text(&writer, new, at, piece->begin);
        at = add_new_piece(&writer, piece);
        declare(&writer, piece->name);
    }
    add_text(&writer, new, at, new->text.length);
    begin_line(&writer);
    add_old_pieces(&writer, new->piece_count);
    words_free(&writer.declared), words_free(&writer.old_macros);
}
