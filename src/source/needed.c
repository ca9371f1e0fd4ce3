/* Names lead from file to file. Every file is read to know what it defines, and kept only if it is needed: a tree may
 * have more files than memory has room for. Those that were read last need not be read again (pool.h). */
#include "source/needed.h"

#include "source/globals.h"
#include "source/references.h"

#include <stdlib.h>
#include <string.h>

struct needed_file {
    const struct unit *unit;
    struct program_request request; /* the unit alone */
    struct words defined;           /* that other files can see */
    struct words attributed;        /* of these, what has attributes, and may give way to another definition */
    const char *problem;            /* why it cannot be read; NULL when it can */
    bool is_indexed;
    /* read whole: */
    struct program program;
    struct sources sources;
    struct references references;
    bool is_read, is_needed;
    size_t followed; /* of references.used, how many names were looked for */
};

struct needed_index {
    struct arena *arena;
    struct needed_file *files;
    size_t count;
};

struct needed_index *needed_open(const struct unit *units, size_t count, struct arena *arena)
{
    struct needed_index *index = arena_allocate(arena, sizeof *index);
    *index = (struct needed_index){.arena = arena, .count = count};
    index->files = arena_allocate(arena, (count + 1) * sizeof *index->files);
    for (size_t i = 0; i < count; i++)
        index->files[i] = (struct needed_file){.unit = &units[i], .request = {.units = &units[i], .unit_count = 1}};
    return index;
}

static void close_file(struct needed_file *file)
{
    if (file->is_read) {
        references_close(&file->references);
        sources_free(&file->sources);
        program_free(&file->program);
    }
    file->is_read = file->is_needed = false;
}

void needed_close(struct needed_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        close_file(&index->files[i]);
        words_free(&index->files[i].defined);
        words_free(&index->files[i].attributed);
    }
}

static bool parse(struct needed_index *index, struct needed_file *file, struct program *program,
                  struct sources *sources)
{
    struct error error = {0};
    *sources = (struct sources){0};
    bool good = program_open(program, &file->request, &error) &&
                sources_parse(sources, program, CXTranslationUnit_None, &error);
    if (good)
        return true;
    file->problem = arena_copy_string(index->arena, error.message ? error.message : "unknown error");
    error_clear(&error);
    sources_free(sources);
    program_free(program);
    return false;
}

static void index_file(struct needed_index *index, struct needed_file *file)
{
    if (file->is_indexed)
        return;
    struct program program;
    struct sources sources;
    struct references references;
    file->is_indexed = true;
    if (!parse(index, file, &program, &sources))
        return;
    references_open(&references, index->arena);
    references_add_emitted(&references, 0, sources.units[0]);
    for (size_t i = 0; i < references.defined.count; i++) {
        const struct reference *defined = &references.defined.list[i];
        words_add(&file->defined, defined->name);
        if (references_have_attribute(defined->cursor))
            words_add(&file->attributed, defined->name);
    }
    references_close(&references);
    sources_free(&sources);
    program_free(&program);
}

/* Reads it whole, and what is used although nothing mentions it. */
static bool read_file(struct needed_index *index, struct needed_file *file)
{
    if (file->is_read)
        return true;
    if (!parse(index, file, &file->program, &file->sources))
        return false;
    file->is_read = true;
    file->followed = 0;
    references_open(&file->references, file->program.arena);
    references_add_start(&file->references, 0, file->sources.units[0]);
    return true;
}

/* How many characters of directories two paths have in common. */
static size_t nearness(const char *one, const char *other)
{
    size_t common = 0;
    for (size_t i = 0; one[i] && one[i] == other[i]; i++)
        if (one[i] == '/')
            common = i + 1;
    return common;
}

/* The file that defines what `user` calls by this name; of several, the nearest. */
static struct needed_file *find_definition(struct needed_index *index, const struct needed_file *user, const char *name,
                                           struct words *notes)
{
    struct needed_file *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < index->count; i++) {
        struct needed_file *file = &index->files[i];
        index_file(index, file);
        if (file == user || !words_have(&file->defined, name))
            continue;
        count++;
        bool is_nearer =
            found && nearness(file->unit->file, user->unit->file) > nearness(found->unit->file, user->unit->file);
        if (!found || (file->is_needed && !found->is_needed) || (is_nearer && file->is_needed == found->is_needed))
            found = file;
    }
    if (count > 1) {
        const char *note = arena_format(index->arena, "%s is defined in %zu files: that of %s is used", name, count,
                                        unit_name(found->unit));
        if (!words_have(notes, note))
            words_add(notes, note);
    }
    return found;
}

/* What the name leads to in its file; variables lead on through their initial values when they are used there. */
static void use(struct needed_index *index, struct needed_file *file, const char *name)
{
    file->is_needed = true;
    if (!read_file(index, file))
        return;
    references_add_definition(&file->references, 0, file->sources.units[0], name);
    if (file->references.is_unclear) /* it may use whatever the file does */
        references_add_all(&file->references, 0, file->sources.units[0]);
}

static bool follow_one(struct needed_index *index, struct needed_file *file, struct words *notes)
{
    if (!file->is_needed || !file->is_read || file->followed == file->references.used.count)
        return false;
    const char *name = file->references.used.list[file->followed++].name;
    struct needed_file *definition = strcmp(name, "main") ? find_definition(index, file, name, notes) : NULL;
    if (definition)
        use(index, definition, name);
    return true;
}

/* A weak definition would give way to that of another file, which is not linked: nobody asks for it. */
static void note_attributed(struct needed_index *index, const struct needed_file *user, struct words *notes)
{
    for (size_t i = 0; i < user->attributed.count; i++)
        for (size_t j = 0; j < index->count; j++) {
            struct needed_file *file = &index->files[j];
            const char *name = user->attributed.list[i];
            index_file(index, file);
            if (file == user || file->is_needed || !words_have(&file->defined, name))
                continue;
            words_add(notes,
                      arena_format(index->arena, "%s has an attribute, and is defined in %s too, which is not used",
                                   name, unit_name(file->unit)));
        }
}

bool needed_defines(struct needed_index *index, const char *path, const char *function)
{
    for (size_t i = 0; i < index->count; i++) {
        struct needed_file *file = &index->files[i];
        if (!strcmp(file->unit->file, path) && read_file(index, file))
            return source_defines(index->arena, file->sources.units[0], function);
    }
    return false;
}

const char *needed_unreadable(const struct needed_index *index)
{
    struct text text = {0};
    for (size_t i = 0; i < index->count; i++)
        if (index->files[i].problem)
            text_format(&text, "%s%s", text.length ? "\n" : "", index->files[i].problem);
    const char *lines = text.length ? arena_copy_string(index->arena, text_string(&text)) : NULL;
    text_free(&text);
    return lines;
}

void needed_add(struct needed_index *index, const char *path, const char *function, struct units *needed,
                struct words *notes)
{
    struct needed_file *first = NULL;
    for (size_t i = 0; i < index->count; i++) {
        close_file(&index->files[i]);
        if (!strcmp(index->files[i].unit->file, path))
            first = &index->files[i];
    }
    if (!first)
        return;
    use(index, first, function);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < index->count; i++)
            while (follow_one(index, &index->files[i], notes))
                more = true;
    }
    for (size_t i = 0; i < index->count; i++) {
        if (index->files[i].is_needed)
            index_file(index, &index->files[i]);
        if (index->files[i].is_needed)
            note_attributed(index, &index->files[i], notes);
    }
    units_add(needed, *first->unit);
    for (size_t i = 0; i < index->count; i++)
        if (index->files[i].is_needed && &index->files[i] != first)
            units_add(needed, *index->files[i].unit);
}

/* ---- members that only one version has ---- */

struct members {
    struct arena *arena;
    struct words types;
    struct words list; /* `type.member` */
    const char *type;  /* being visited */
};

static enum CXVisitorResult add_member(CXCursor member, CXClientData data)
{
    struct members *members = data;
    const char *name = source_name(members->arena, member);
    CXType type = clang_getCanonicalType(clang_getCursorType(member));
    if (type.kind == CXType_Record && (!*name || strchr(name, ' '))) /* anonymous: its members are the outer one's */
        clang_Type_visitFields(type, add_member, members);
    else
        words_add(&members->list, arena_format(members->arena, "%s.%s", members->type, name));
    return CXVisit_Continue;
}

static enum CXChildVisitResult add_type(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct members *members = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if ((kind != CXCursor_StructDecl && kind != CXCursor_UnionDecl) || source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    members->type = source_record_name(members->arena, clang_getCursorType(cursor));
    if (!clang_isCursorDefinition(cursor) || words_have(&members->types, members->type))
        return CXChildVisit_Recurse;
    words_add(&members->types, members->type);
    clang_Type_visitFields(clang_getCursorType(cursor), add_member, members);
    return CXChildVisit_Recurse; /* types may be defined inside */
}

static struct members read_members(struct needed_index *index)
{
    struct members members = {.arena = index->arena};
    for (size_t i = 0; i < index->count; i++)
        if (index->files[i].is_needed && index->files[i].is_read)
            clang_visitChildren(clang_getTranslationUnitCursor(index->files[i].sources.units[0]), add_type, &members);
    return members;
}

static void add_lone(const struct members *one, const struct members *other, struct words *lone)
{
    for (size_t i = 0; i < one->list.count; i++) {
        const char *member = one->list.list[i], *dot = strrchr(member, '.');
        const char *type = arena_format(one->arena, "%.*s", (int)(dot - member), member);
        if (!words_have(&other->list, member) && words_have(&other->types, type) && !words_have(lone, member))
            words_add(lone, member);
    }
}

void needed_find_lone_members(struct needed_index *old, struct needed_index *new, struct words *lone)
{
    struct members before = read_members(old), after = read_members(new);
    add_lone(&before, &after, lone);
    add_lone(&after, &before, lone);
    words_free(&before.types), words_free(&before.list);
    words_free(&after.types), words_free(&after.list);
}

/* ---- variables ---- */

struct lone_variables {
    struct arena *arena;
    const char *path;     /* of the file that is visited; NULL: names are enough */
    struct words *others; /* names that do not count; or NULL */
    struct words *list;
};

static enum CXChildVisitResult add_variable(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct lone_variables *variables = data;
    if (!globals_is_definition(cursor) || source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    const char *name = source_name(variables->arena, cursor);
    bool is_static = clang_getCursorLinkage(cursor) == CXLinkage_Internal;
    if (variables->others && words_have(variables->others, name))
        return CXChildVisit_Continue;
    words_add(variables->list,
              variables->path && is_static ? arena_format(variables->arena, "%s:%s", variables->path, name) : name);
    return CXChildVisit_Continue;
}

void needed_list_variables(struct needed_index *index, struct words *names)
{
    struct lone_variables all = {.arena = index->arena, .list = names};
    for (size_t i = 0; i < index->count; i++)
        if (index->files[i].is_needed && index->files[i].is_read)
            clang_visitChildren(clang_getTranslationUnitCursor(index->files[i].sources.units[0]), add_variable, &all);
}

void needed_find_lone_variables(struct needed_index *index, const char *path, struct needed_index *other,
                                struct words *variables)
{
    struct words others = {0};
    struct lone_variables ours = {.arena = index->arena, .path = path, .others = &others, .list = variables};
    needed_list_variables(other, &others);
    for (size_t i = 0; i < index->count; i++)
        if (!strcmp(index->files[i].unit->file, path) && index->files[i].is_read)
            clang_visitChildren(clang_getTranslationUnitCursor(index->files[i].sources.units[0]), add_variable, &ours);
    words_free(&others);
}
