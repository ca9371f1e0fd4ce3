#include "check/line_table.h"

#include "base/file.h"
#include "base/text.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* Bytes being read; running past the end gives zeros and sets `broken`. */
struct bytes {
    const unsigned char *at, *end;
    bool broken;
};

/* The sections that a line table is spread over. */
struct sections {
    struct bytes line, line_strings, strings;
};

static uint64_t read_fixed(struct bytes *bytes, unsigned size)
{
    uint64_t value = 0;
    if ((size_t)(bytes->end - bytes->at) < size) {
        bytes->broken = true;
        bytes->at = bytes->end;
        return 0;
    }
    memcpy(&value, bytes->at, size);
    bytes->at += size;
    return value;
}

static uint64_t read_uleb(struct bytes *bytes)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = read_fixed(bytes, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return value;
}

static int64_t read_sleb(struct bytes *bytes)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = read_fixed(bytes, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (shift < 64 && byte & 0x40)
        value |= UINT64_MAX << shift;
    return (int64_t)value;
}

static const char *string_in(struct bytes section, uint64_t offset)
{
    size_t size = (size_t)(section.end - section.at);
    if (offset >= size || !memchr(section.at + offset, 0, size - offset))
        return "";
    return (const char *)section.at + offset;
}

static struct bytes skip(struct bytes *bytes, uint64_t size)
{
    if (size > (uint64_t)(bytes->end - bytes->at)) {
        bytes->broken = true;
        size = (uint64_t)(bytes->end - bytes->at);
    }
    struct bytes skipped = {bytes->at, bytes->at + size, bytes->broken};
    bytes->at += size;
    return skipped;
}

/* What a directory or file entry says; the rest of it is skipped. */
struct entry {
    const char *path;
    uint64_t directory;
};

enum { CONTENT_PATH = 1, CONTENT_DIRECTORY = 2, MOST_FORMATS = 8 };
enum {
    FORM_DATA2 = 0x05,
    FORM_DATA4 = 0x06,
    FORM_STRING = 0x08,
    FORM_BLOCK = 0x09,
    FORM_DATA1 = 0x0b,
    FORM_STRP = 0x0e,
    FORM_UDATA = 0x0f,
    FORM_DATA16 = 0x1e,
    FORM_LINE_STRP = 0x1f,
};

struct format {
    unsigned count;
    uint64_t content[MOST_FORMATS], form[MOST_FORMATS];
};

static struct format read_format(struct bytes *unit)
{
    struct format format = {.count = (unsigned)read_fixed(unit, 1)};
    if (format.count > MOST_FORMATS)
        unit->broken = true;
    for (unsigned i = 0; i < format.count && !unit->broken; i++) {
        format.content[i] = read_uleb(unit);
        format.form[i] = read_uleb(unit);
    }
    return format;
}

static struct entry read_entry(struct bytes *unit, const struct sections *sections, const struct format *format)
{
    struct entry entry = {"", 0};
    for (unsigned i = 0; i < format->count && !unit->broken; i++) {
        const char *string = "";
        uint64_t number = 0;
        switch (format->form[i]) {
        case FORM_LINE_STRP: string = string_in(sections->line_strings, read_fixed(unit, 4)); break;
        case FORM_STRP: string = string_in(sections->strings, read_fixed(unit, 4)); break;
        case FORM_STRING:
            string = string_in(*unit, 0);
            skip(unit, strlen(string) + 1);
            break;
        case FORM_UDATA: number = read_uleb(unit); break;
        case FORM_DATA1: number = read_fixed(unit, 1); break;
        case FORM_DATA2: number = read_fixed(unit, 2); break;
        case FORM_DATA4: number = read_fixed(unit, 4); break;
        case FORM_DATA16: skip(unit, 16); break;
        case FORM_BLOCK: skip(unit, read_uleb(unit)); break;
        default: unit->broken = true; break;
        }
        if (format->content[i] == CONTENT_PATH)
            entry.path = string;
        else if (format->content[i] == CONTENT_DIRECTORY)
            entry.directory = number;
    }
    return entry;
}

/* A table of entries; the one at `index` is returned. */
static struct entry read_entries(struct bytes *unit, const struct sections *sections, uint64_t index)
{
    struct format format = read_format(unit);
    uint64_t count = read_uleb(unit);
    struct entry wanted = {"", 0};
    for (uint64_t i = 0; i < count && !unit->broken; i++) {
        struct entry entry = read_entry(unit, sections, &format);
        if (i == index)
            wanted = entry;
    }
    return wanted;
}

struct header {
    uint64_t instruction_length, line_range, opcode_base;
    int line_base;
    unsigned char lengths[256]; /* operands of each standard opcode */
};

struct row {
    uint64_t address, file, line, column;
};

/* The state machine that a line program drives. */
struct machine {
    struct row row, previous;
    bool has_previous; /* a row of the same sequence */
    bool found;        /* `previous` is the row with the wanted address */
    uint64_t wanted;
};

static void begin_sequence(struct machine *machine)
{
    machine->row = (struct row){.file = 1, .line = 1};
    machine->has_previous = false;
}

static void emit_row(struct machine *machine)
{
    if (machine->has_previous && machine->wanted >= machine->previous.address && machine->wanted < machine->row.address)
        machine->found = true;
    if (machine->found)
        return;
    machine->previous = machine->row;
    machine->has_previous = true;
}

static void run_extended(struct machine *machine, struct bytes *unit)
{
    struct bytes body = skip(unit, read_uleb(unit));
    switch (read_fixed(&body, 1)) {
    case 1: /* the end of a sequence */
        emit_row(machine);
        if (!machine->found)
            begin_sequence(machine);
        break;
    case 2: machine->row.address = read_fixed(&body, 8); break;
    default: break;
    }
}

static void run_standard(struct machine *machine, struct bytes *unit, const struct header *header, unsigned opcode)
{
    switch (opcode) {
    case 1: emit_row(machine); break;
    case 2: machine->row.address += read_uleb(unit) * header->instruction_length; break;
    case 3: machine->row.line += (uint64_t)read_sleb(unit); break;
    case 4: machine->row.file = read_uleb(unit); break;
    case 5: machine->row.column = read_uleb(unit); break;
    case 8:
        machine->row.address += (255 - header->opcode_base) / header->line_range * header->instruction_length;
        break;
    case 9: machine->row.address += read_fixed(unit, 2); break;
    default:
        for (unsigned i = 0; i < header->lengths[opcode]; i++)
            read_uleb(unit);
    }
}

static void run_program(struct machine *machine, struct bytes *unit, const struct header *header)
{
    begin_sequence(machine);
    while (unit->at < unit->end && !unit->broken && !machine->found) {
        unsigned opcode = (unsigned)read_fixed(unit, 1);
        if (opcode == 0) {
            run_extended(machine, unit);
        } else if (opcode < header->opcode_base) {
            run_standard(machine, unit, header, opcode);
        } else {
            uint64_t step = opcode - header->opcode_base;
            machine->row.address += step / header->line_range * header->instruction_length;
            machine->row.line += (uint64_t)(header->line_base + (int64_t)(step % header->line_range));
            emit_row(machine);
        }
    }
}

static void read_header(struct bytes *unit, struct header *header)
{
    header->instruction_length = read_fixed(unit, 1);
    skip(unit, 2); /* operations per instruction, is_stmt */
    header->line_base = (signed char)read_fixed(unit, 1);
    header->line_range = read_fixed(unit, 1);
    header->opcode_base = read_fixed(unit, 1);
    for (uint64_t i = 1; i < header->opcode_base; i++)
        header->lengths[i] = (unsigned char)read_fixed(unit, 1);
    if (header->line_range == 0)
        unit->broken = true;
}

static void fill_place(struct bytes tables, const struct sections *sections, const struct row *row,
                       struct line_place *place)
{
    struct bytes directories = tables;
    read_entries(&tables, sections, 0);
    struct entry file = read_entries(&tables, sections, row->file);
    struct entry directory = read_entries(&directories, sections, file.directory);
    bool is_absolute = file.path[0] == '/' || !directory.path[0];
    snprintf(place->file, sizeof place->file, "%s%s%s", is_absolute ? "" : directory.path, is_absolute ? "" : "/",
             file.path);
    place->line = (unsigned)row->line;
    place->column = (unsigned)row->column;
}

static bool find_in_unit(struct bytes unit, const struct sections *sections, uint64_t address, struct line_place *place)
{
    if (read_fixed(&unit, 2) != 5 || read_fixed(&unit, 1) != 8)
        return false;
    skip(&unit, 1); /* segment selectors */
    struct bytes tables = skip(&unit, read_fixed(&unit, 4));
    struct header header = {0};
    read_header(&tables, &header);
    if (tables.broken)
        return false;
    struct machine machine = {.wanted = address};
    run_program(&machine, &unit, &header);
    if (machine.found)
        fill_place(tables, sections, &machine.previous, place);
    return machine.found;
}

static struct bytes find_section(const struct text *image, const char *name)
{
    struct bytes none = {0};
    Elf64_Ehdr header;
    if (image->length < sizeof header)
        return none;
    memcpy(&header, image->data, sizeof header);
    size_t table = header.e_shoff, count = header.e_shnum;
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        table > image->length || count * sizeof(Elf64_Shdr) > image->length - table || header.e_shstrndx >= count)
        return none;
    Elf64_Shdr names, section;
    memcpy(&names, image->data + table + header.e_shstrndx * sizeof names, sizeof names);
    for (size_t i = 0; i < count; i++) {
        memcpy(&section, image->data + table + i * sizeof section, sizeof section);
        size_t at = names.sh_offset + section.sh_name;
        if (at >= image->length || section.sh_offset > image->length ||
            section.sh_size > image->length - section.sh_offset || section.sh_flags & SHF_COMPRESSED)
            continue;
        const unsigned char *start = (const unsigned char *)image->data + section.sh_offset;
        if (strcmp(image->data + at, name) == 0 && section.sh_type != SHT_NOBITS)
            return (struct bytes){start, start + section.sh_size, false};
    }
    return none;
}

bool line_table_find(const char *executable, uint64_t address, struct line_place *place)
{
    struct text image = {0};
    bool found = false;
    if (file_read(executable, &image, NULL)) {
        struct sections sections = {find_section(&image, ".debug_line"), find_section(&image, ".debug_line_str"),
                                    find_section(&image, ".debug_str")};
        while (sections.line.at < sections.line.end && !sections.line.broken && !found) {
            struct bytes unit = skip(&sections.line, read_fixed(&sections.line, 4));
            found = find_in_unit(unit, &sections, address, place);
        }
    }
    text_free(&image);
    return found;
}
