#include "project/record.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *strings(const struct words *words)
{
    json_t *list = json_array();
    json_array_append_new(list, json_string("cc"));
    for (size_t i = 0; i < words->count; i++)
        json_array_append_new(list, json_stringn_nocheck(words->list[i], strlen(words->list[i])));
    return list;
}

json_t *record_make(const char *directory, const char *file, const struct words *arguments, json_t *dependencies)
{
    json_t *record = json_object();
    json_object_set_new(record, "directory", json_string(directory));
    if (file)
        json_object_set_new(record, "file", json_string(file));
    json_object_set_new(record, "arguments", strings(arguments));
    if (dependencies)
        json_object_set(record, "dependencies", dependencies);
    return record;
}

char *record_line(const json_t *record)
{
    char *compact = json_dumps(record, JSON_COMPACT);
    if (!compact)
        return NULL;
    size_t length = strlen(compact);
    char *line = realloc(compact, length + 2);
    memcpy(line + length, "\n", 2);
    return line;
}

/* ---- reading ---- */

static void add_lines(json_t *list, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    for (const char *at = bytes; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        json_t *record = json_loadb(at, (size_t)(stop - at), 0, NULL);
        if (json_is_object(record))
            json_array_append(list, record);
        json_decref(record);
        at = stop + 1;
    }
}

static void read_sections(Elf *elf, struct recorded *recorded)
{
    size_t names;
    if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names))
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        json_t *list = !name                        ? NULL
                       : !strcmp(name, RECORD_UNIT) ? recorded->units
                       : !strcmp(name, RECORD_LINK) ? recorded->links
                                                    : NULL;
        const Elf_Data *data = list ? elf_rawdata(section, NULL) : NULL;
        if (data && data->d_buf)
            add_lines(list, data->d_buf, data->d_size);
    }
}

static void read_members(Elf *archive, int descriptor, struct recorded *recorded)
{
    Elf_Cmd command = ELF_C_READ_MMAP;
    for (Elf *member; (member = elf_begin(descriptor, command, archive));) {
        read_sections(member, recorded);
        command = elf_next(member);
        elf_end(member);
    }
}

bool recorded_read(const char *path, struct recorded *recorded)
{
    *recorded = (struct recorded){json_array(), json_array()};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(descriptor, ELF_C_READ_MMAP, NULL);
    if (elf && elf_kind(elf) == ELF_K_AR)
        read_members(elf, descriptor, recorded);
    else if (elf)
        read_sections(elf, recorded);
    elf_end(elf);
    close(descriptor);
    return json_array_size(recorded->units) || json_array_size(recorded->links);
}

void recorded_free(struct recorded *recorded)
{
    json_decref(recorded->units);
    json_decref(recorded->links);
}
