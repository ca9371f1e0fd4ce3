#include "source/streams.h"

#include "source/outputs.h"
#include "source/pointer_tests.h"
#include "source/sizes.h"
#include "trace/given.h"

#include <string.h>

enum { DEFAULT_BYTES = DEFAULT_ELEMENTS };

/* What a stream is for. */
struct direction {
    bool reads, writes;
};

// clang-format off
static const char *const reading[] = {
    "fgetc", "getc", "_IO_getc", "fgetc_unlocked", "getc_unlocked", "ungetc", "fgets", "fgets_unlocked", "getdelim",
    "__getdelim", "getline", "fread", "fread_unlocked", "fscanf", "vfscanf", "__isoc99_fscanf", "__isoc99_vfscanf",
    "__isoc23_fscanf", "__isoc23_vfscanf", "fgetwc", "getwc", "fgetws", "ungetwc", "fwscanf", "vfwscanf", "getw",
    "feof", "feof_unlocked",
};
static const char *const writing[] = {
    "fputc", "putc", "_IO_putc", "fputc_unlocked", "putc_unlocked", "fputs", "fputs_unlocked", "fwrite",
    "fwrite_unlocked", "fprintf", "vfprintf", "fputwc", "putwc", "fputws", "fwprintf", "vfwprintf", "putw",
};
// clang-format on

bool stream_is_one(struct maker *maker, CXType pointee)
{
    CXType type = clang_getCanonicalType(pointee);
    return type.kind == CXType_Record &&
           !strcmp(source_name(maker->program->arena, clang_getTypeDeclaration(type)), "_IO_FILE");
}

static const char *length_name(struct maker *maker, const struct spot *spot)
{
    return arena_format(maker->program->arena, "length(%s)", spot->name);
}

static const char *written_name(struct maker *maker, const struct spot *spot)
{
    return arena_format(maker->program->arena, "written(%s)", spot->name);
}

/* The second of two versions does as the first. What nobody uses is there to be read. */
static struct direction direction_of(struct maker *maker, const struct spot *spot)
{
    const struct program *program = maker->program;
    const struct program_request *request = program->request;
    struct direction direction = {
        .reads = pointer_tests_given_to(program->pointer_tests, spot->place, reading, sizeof reading / sizeof *reading),
        .writes =
            pointer_tests_given_to(program->pointer_tests, spot->place, writing, sizeof writing / sizeof *writing),
    };
    if (request->named_like && !request->has_own_choices) {
        direction.reads = input_layout_find(request->named_like->layout, length_name(maker, spot));
        direction.writes = input_layout_find(request->named_like->outputs, written_name(maker, spot));
    }
    direction.reads |= request->also && input_layout_find(request->also, length_name(maker, spot));
    direction.reads |= !direction.writes;
    return direction;
}

static bool make_bytes(struct maker *maker, const struct spot *spot, size_t count, size_t number)
{
    struct arena *arena = maker->program->arena;
    const char *type = source_type(arena, spot->type);
    struct input_parameter bytes = {.name = spot->name,
                                    .type = type,
                                    .kind = INPUT_CHARACTER,
                                    .element_size = 1,
                                    .element_count = count,
                                    .is_array = true,
                                    .is_pointer = true,
                                    .is_stream = true};
    struct input_parameter length = {.name = length_name(maker, spot),
                                     .type = "unsigned",
                                     .kind = INPUT_UNSIGNED,
                                     .element_size = sizeof(unsigned),
                                     .element_count = 1};
    text_format(&maker->made->declarations,
                "static char __pn_stream_bytes_%zu[%zu];\nstatic unsigned __pn_stream_length_%zu;\n", number, count,
                number);
    if (!make_piece(maker, spot, &bytes) || !make_piece(maker, spot, &length))
        return false;
    make_symbolic(maker, &bytes, arena_format(arena, "__pn_stream_bytes_%zu", number));
    make_symbolic(maker, &length, arena_format(arena, "&__pn_stream_length_%zu", number));
    text_format(&maker->made->statements, "    pn_assume(__pn_stream_length_%zu <= %zu);\n", number, count);
    return true;
}

static void output_state(struct maker *maker, const struct spot *spot, struct direction direction, size_t number)
{
    static const struct {
        enum pn_stream_state state;
        const char *name;
        bool of_reading; /* only */
    } states[] = {{PN_STREAM_CLOSED, "fclose", false},
                  {PN_STREAM_POSITION, "ftell", true},
                  {PN_STREAM_END, "feof", true},
                  {PN_STREAM_ERROR, "ferror", true}};
    struct text *code = &maker->made->left;
    struct input_parameter piece = {.type = "long", .is_signed = true, .element_size = 8, .element_count = 1};
    text_format(code, "    {\n    long __pn_state[%d];\n    pn_stream_state(__pn_stream_%zu, __pn_state);\n",
                PN_STREAM_STATES, number);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (states[i].of_reading && !direction.reads)
            continue;
        piece.name = arena_format(maker->program->arena, "%s(%s)", states[i].name, spot->name);
        input_layout_add(maker->program->outputs, &piece);
        text_format(code, "    pn_output(\"%s\", &__pn_state[%d], sizeof(long));\n", piece.name, states[i].state);
    }
    text_add(code, "    }\n");
}

static void output_written(struct maker *maker, const struct spot *spot, size_t number)
{
    struct input_parameter piece = {.name = written_name(maker, spot),
                                    .type = "char *",
                                    .kind = INPUT_CHARACTER,
                                    .is_array = true,
                                    .is_string = true,
                                    .element_size = 1,
                                    .element_count = 1};
    text_format(&maker->made->left, "    __pn_output_written(\"%s\", __pn_stream_%zu);\n", piece.name, number);
    input_layout_add(maker->program->outputs, &piece);
}

static void note_stream(struct maker *maker, const struct spot *spot, struct direction direction, bool is_default)
{
    struct text *notes = &maker->program->notes;
    if (direction.reads && direction.writes)
        text_format(notes, "%s: a stream that is both read and written; its bytes are those of each run\n", spot->name);
    if (direction.reads && is_default)
        text_format(notes, "%s: a stream of up to %d bytes (--size %s=N to change)\n", spot->name, DEFAULT_BYTES,
                    spot->name);
}

bool stream_make(struct maker *maker, const struct spot *spot, const char **object)
{
    struct program *program = maker->program;
    struct direction direction = direction_of(maker, spot);
    size_t number = ++program->object_count, requested = sizes_requested(program, spot->name);
    if (program->stream_count == PN_MOST_STREAMS)
        return make_refuse(maker, spot, "there are too many streams");
    *object = arena_format(program->arena, "__pn_stream_%zu", number);
    text_format(&maker->made->declarations, "static void *__pn_stream_%zu;\n", number);
    if (direction.reads && !make_bytes(maker, spot, requested ? requested : DEFAULT_BYTES, number))
        return false;
    text_format(&maker->made->statements, "    __pn_stream_%zu = __pn_open_stream(%zu, \"%s\", \"%s\", ", number,
                program->stream_count++, direction.writes ? written_name(maker, spot) : spot->name,
                !direction.writes ? "r"
                : direction.reads ? "r+"
                                  : "w");
    if (direction.reads)
        text_format(&maker->made->statements, "__pn_stream_bytes_%zu, &__pn_stream_length_%zu);\n", number, number);
    else
        text_add(&maker->made->statements, "0, 0);\n");
    if (direction.writes)
        output_written(maker, spot, number);
    output_state(maker, spot, direction, number);
    note_stream(maker, spot, direction, !requested);
    return true;
}
