/* Names that are linked from outside, read from the symbol tables of objects, archives and shared libraries. A library
 * is looked for where the linker would, and so is what it needs in turn. Names that a library defines count, too: where
 * the program has one of them, the library's own calls come to the program. The C library is not read: programs are
 * linked with it anyway. */
#include "build/mentioned.h"

#include "base/arena.h"
#include "base/links.h"
#include "base/process.h"
#include "base/text.h"
#include "base/words.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* Libraries that are read, with those that they need. */
enum { MOST_LIBRARIES = 100 };

struct reading {
    struct arena *arena;
    struct set *names;
    struct words directories; /* of -L */
    struct words files;       /* to be read; the list grows meanwhile */
    bool good;
};

/* The path of a library where gcc would find it; NULL: it finds none. */
static const char *ask_compiler(struct reading *reading, const char *file)
{
    const char *command[] = {"gcc", arena_format(reading->arena, "-print-file-name=%s", file), NULL};
    struct process_result result = {0};
    struct error ignored = {0};
    const char *path = NULL;
    if (process_run(command, NULL, NULL, &result, &ignored) && !result.exit_status) {
        char *answer = arena_copy_string(reading->arena, text_string(&result.output));
        answer[strcspn(answer, "\n")] = 0;
        path = strchr(answer, '/') ? answer : NULL;
    }
    process_result_free(&result);
    error_clear(&ignored);
    return path;
}

static const char *find_library(struct reading *reading, const char *file)
{
    for (size_t i = 0; i < reading->directories.count; i++) {
        const char *path = arena_format(reading->arena, "%s/%s", reading->directories.list[i], file);
        if (!access(path, R_OK))
            return path;
    }
    return ask_compiler(reading, file);
}

static void add_file(struct reading *reading, const char *path)
{
    if (!path || reading->files.count >= MOST_LIBRARIES)
        reading->good = false;
    else if (!words_have(&reading->files, path))
        words_add(&reading->files, path);
}

static void add_link(struct reading *reading, const char *link)
{
    const char *argument = link_argument(reading->arena, link);
    if (text_begins_with(argument, "-l")) {
        const char *path = find_library(reading, arena_format(reading->arena, "lib%s.so", argument + 2));
        add_file(reading, path ? path : find_library(reading, arena_format(reading->arena, "lib%s.a", argument + 2)));
    } else if (*argument != '-') {
        add_file(reading, argument);
    } else {
        reading->good = false;
    }
}

/* `libm.so.6`, as a library that needs it has it. */
static bool is_of_c_library(struct reading *reading, const char *file)
{
    if (!text_begins_with(file, "lib"))
        return text_begins_with(file, "ld-linux");
    const char *name = arena_format(reading->arena, "%.*s", (int)strcspn(file + 3, "."), file + 3);
    return links_are_c_library(&name, 1);
}

static void read_symbols(struct reading *reading, Elf *elf, const GElf_Shdr *header, Elf_Data *data)
{
    GElf_Sym symbol;
    for (int i = 1; gelf_getsym(data, i, &symbol); i++) {
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name && *name && GELF_ST_BIND(symbol.st_info) != STB_LOCAL)
            set_add(reading->names, name, strlen(name) + 1);
    }
}

static void read_needed(struct reading *reading, Elf *elf, const GElf_Shdr *header, Elf_Data *data)
{
    GElf_Dyn entry;
    for (int i = 0; gelf_getdyn(data, i, &entry); i++) {
        const char *name = entry.d_tag == DT_NEEDED ? elf_strptr(elf, header->sh_link, entry.d_un.d_val) : NULL;
        if (name && !is_of_c_library(reading, name))
            add_file(reading, find_library(reading, arena_copy_string(reading->arena, name)));
    }
}

static void read_object(struct reading *reading, Elf *elf)
{
    if (elf_kind(elf) != ELF_K_ELF) /* a linker script, bitcode */
        reading->good = false;
    for (Elf_Scn *section = NULL; reading->good && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        Elf_Data *data = gelf_getshdr(section, &header) ? elf_getdata(section, NULL) : NULL;
        if (data && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
            read_symbols(reading, elf, &header, data);
        if (data && header.sh_type == SHT_DYNAMIC)
            read_needed(reading, elf, &header, data);
    }
}

/* Members that are no objects are those that list the others. */
static void read_archive(struct reading *reading, Elf *archive, int descriptor)
{
    Elf_Cmd command = ELF_C_READ_MMAP;
    for (Elf *member; reading->good && (member = elf_begin(descriptor, command, archive));) {
        const Elf_Arhdr *header = elf_getarhdr(member);
        if (!header || !header->ar_name || header->ar_name[0] != '/')
            read_object(reading, member);
        command = elf_next(member);
        elf_end(member);
    }
}

static void read_file(struct reading *reading, const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = descriptor < 0 ? NULL : elf_begin(descriptor, ELF_C_READ_MMAP, NULL);
    if (elf && elf_kind(elf) == ELF_K_AR)
        read_archive(reading, elf, descriptor);
    else if (elf)
        read_object(reading, elf);
    else
        reading->good = false;
    elf_end(elf);
    if (descriptor >= 0)
        close(descriptor);
}

struct set *mentioned_by(const char *const links[], size_t count)
{
    struct reading reading = {.arena = arena_create(), .names = set_create(), .good = true};
    elf_version(EV_CURRENT);
    for (size_t i = 0; i < count; i++)
        if (text_begins_with(links[i], "-L"))
            words_add(&reading.directories, links[i] + 2);
    for (size_t i = 0; i < count && reading.good; i++)
        if (!links_are_c_library(&links[i], 1))
            add_link(&reading, links[i]);
    for (size_t i = 0; i < reading.files.count && reading.good; i++)
        read_file(&reading, reading.files.list[i]);
    words_free(&reading.directories), words_free(&reading.files);
    arena_destroy(reading.arena);
    if (reading.good)
        return reading.names;
    set_destroy(reading.names);
    return NULL;
}
