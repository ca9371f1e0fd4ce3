/* Static variables in functions, for native programs: no harness can name them, but the program's own table of symbols
 * does, `function.variable`. */
#ifndef PENUMBRA_CHECK_REPLAY_STATICS_H
#define PENUMBRA_CHECK_REPLAY_STATICS_H

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_STATICS = 1024 };

struct replay_static {
    const char *name; /* `function.variable`, or with a number behind it where there are several */
    uint64_t address, size;
};

struct replay_symbols {
    const Elf64_Sym *list;
    size_t count;
    const char *names;
};

/* The program's own file stays mapped. */
static inline bool replay_read_symbols(struct replay_symbols *symbols)
{
    struct stat status;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0)
        return false;
    const char *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (image == MAP_FAILED)
        return false;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        symbols->list = (const Elf64_Sym *)(image + sections[i].sh_offset);
        symbols->count = sections[i].sh_size / sizeof *symbols->list;
        symbols->names = image + sections[sections[i].sh_link].sh_offset;
        return true;
    }
    return false;
}

static inline bool replay_is_function(const struct replay_symbols *symbols, const char *name, size_t length)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const char *other = symbols->names + symbols->list[i].st_name;
        if (ELF64_ST_TYPE(symbols->list[i].st_info) == STT_FUNC && strncmp(other, name, length) == 0 && !other[length])
            return true;
    }
    return false;
}

static inline int replay_compare_statics(const void *one, const void *other)
{
    return strcmp(((const struct replay_static *)one)->name, ((const struct replay_static *)other)->name);
}

/* Sorted by name; those of this runtime, which stand behind its file's name, and of stubs are left out. `start` is
 * where the program was loaded. */
static inline size_t replay_find_statics(struct replay_static *statics, uint64_t start)
{
    struct replay_symbols symbols = {0};
    size_t count = 0;
    bool is_ours = false;
    if (!replay_read_symbols(&symbols))
        return 0;
    for (size_t i = 0; i < symbols.count && count < MOST_STATICS; i++) {
        const Elf64_Sym *symbol = &symbols.list[i];
        const char *name = symbols.names + symbol->st_name, *dot = strchr(name, '.');
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FILE)
            is_ours = strcmp(name, "replay_runtime.c") == 0;
        bool is_local = ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
        if (is_ours || !is_local || !dot || dot == name || strncmp(dot, ".__pn_", 6) == 0 ||
            symbol->st_shndx == SHN_UNDEF || !replay_is_function(&symbols, name, (size_t)(dot - name)))
            continue;
        statics[count++] = (struct replay_static){name, start + symbol->st_value, symbol->st_size};
    }
    qsort(statics, count, sizeof *statics, replay_compare_statics);
    return count;
}

#endif
