/* The program under test as the user named it, and what reading its source (libclang) taught: the entry's parameters,
 * the globals, the functions nobody defines. Everything later stages need to know of the C source is here. */
#ifndef PENUMBRA_SOURCE_PROGRAM_H
#define PENUMBRA_SOURCE_PROGRAM_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "base/words.h"
#include "input/input.h"
#include "input/invocation.h"
#include "source/option_names.h"
#include "source/unit.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether memory allocation may fail (allocations.h). */
enum allocations { ALLOCATIONS_FAIL_WHERE_IT_TELLS, ALLOCATIONS_FAIL, ALLOCATIONS_SUCCEED };

/* What the user asked for, as it stands on the command line. */
struct program_request {
    const struct unit *units;
    size_t unit_count;
    const char *entry; /* `f`, or `file.c:f` */
    /* How the whole program is started; the entry is `main` then. NULL: the entry is called as a function. */
    const struct invocation *invocation;
    const char *entry_path;   /* the one of the files that it is in; NULL: whichever defines it */
    const char *const *sizes; /* `s=16`: elements behind a pointer */
    size_t size_count;
    size_t usual_elements;           /* behind a pointer whose size nobody gave; 0: DEFAULT_ELEMENTS */
    size_t string_elements;          /* the same of strings, where it is more */
    const char *const *string_sizes; /* `s=16`: of strings that longer ones are known of */
    size_t string_size_count;
    unsigned depth;           /* pointers to follow on the way from a parameter; 0: as many as is usual */
    bool all_null;            /* every pointer may be NULL */
    const char *const *nulls; /* those that may be */
    size_t null_count;
    bool distinct;                /* no two pointers lead into one object */
    bool none_null;               /* no other may be, also where the code compares it with NULL */
    const char *const *not_nulls; /* those that may not be */
    size_t not_null_count;
    bool leaks;        /* memory that is lost is an output, and objects that were made are destroyed at the end */
    bool long_numbers; /* there is room for any number in strings that are read as such */
    bool twice;        /* the entry is called once before, with inputs of its own */
    bool made; /* structures behind parameters are made by the program's functions, where there are some: constructors.h
                */
    enum allocations allocations;
    size_t largest_allocation; /* bytes: larger ones fail, in a whole program; 0: none does for its size */
    bool none_terminated;      /* no array of characters behind a pointer has a zero at its end */
    const char *const *unterminated;
    size_t unterminated_count;
    const char *const *zeros; /* what is no input and stays zero */
    size_t zero_count;
    const char *const *common; /* functions that both versions have; NULL: all */
    size_t common_count;
    const char *const *values; /* seeds and ranges: what they give values to */
    size_t value_count;
    const char *const *globals; /* names to make symbolic */
    size_t global_count;
    bool all_globals; /* those, too, that the entry uses and something may have changed; as far as they can be */
    const char *const *stubs; /* functions to replace by one that returns a fresh input at each call */
    size_t stub_count;
    bool is_one_version;           /* what is named may be the other version's, and not be there */
    const char *const *uncompared; /* variables that are no output */
    size_t uncompared_count;
    const char *const *uncompared_members; /* members of structures that are no output */
    size_t uncompared_member_count;
    const char *unreadable;     /* lines: files of the tree that may define what is missing; NULL: none */
    const char *const *origins; /* files that the program was made from: #line directives name them */
    size_t origin_count;
    const char *const *assumptions; /* C expressions that hold for every input of interest */
    size_t assumption_count;
    const char *const *links; /* objects and libraries to link uninstrumented */
    size_t link_count;
    bool is_linked; /* a build has linked a program of these units: what is defined nowhere is never reached */
    /* Another version's program: the entry's parameters are called as they are there, by their places, and what options
     * name was found there; or NULL. */
    const struct program *named_like;
    bool has_own_choices; /* which pointers may be NULL or overlap is not taken from there */
    bool sorts_members;   /* those of structures, by name: the other version may have them in another order */
    const struct conversions *conversions; /* of what the versions take and give; NULL: none */
    const struct input_layout *also; /* another version's inputs: what has these choices there has them here; or NULL */
};

struct argument_lists;
struct pointer_tests;
struct single_pointers;
struct sources;

/* C text for the harness. */
struct made_input {
    struct text declarations; /* at file scope, behind the source: memory behind pointers, functions to call */
    struct text statements;   /* before the entry is called: everything gets its value */
    struct text outputs;      /* afterwards: memory behind pointers is compared */
    struct text left;         /* the same, for what no variable of the harness holds */
    struct text record;       /* of a call of the program's own: what is made of its arguments (recording.h) */
    struct text ends;         /* after all: what was made by the library is destroyed by it */
};

/* A parameter of the entry. */
struct program_parameter {
    const char *name;
    const char *type; /* as a declaration can name it; an array's is a pointer */
    const char *variable;
    const char *cast;     /* of a `void *`: what the code takes for what it points to; or NULL */
    const char *own_name; /* as the definition has it; "" where it has none */
    struct made_input made;
};

/* A global variable: an input, an output, or both. */
struct program_global {
    const char *name;
    const char *shown_name; /* as inputs and outputs call it: `::name` where a parameter has the name already */
    const char *type;
    size_t file; /* index into the request's units: statics are only visible there */
    bool is_static, is_constant;
    bool has_address;       /* that is known when the program starts */
    bool is_symbolic;       /* as --global or --globals say: the layout has it, or its parts, by shown_name */
    struct made_input made; /* when it is */
    const char *outputs;    /* C statements that call pn_output() on each part of it; "" when it cannot be compared */
};

/* A static variable in a function that is an input (statics.h). */
struct program_static {
    const char *name; /* `count in next()` */
    size_t file;
    struct made_input made;
};

/* A function that nobody defines, replaced as --stub says. */
struct program_stub {
    const char *name;
    size_t file; /* a file that declares it: the definition goes behind that file's text */
    const char *definition;
};

/* A definition that gives way to another file's, or may have to. */
struct program_duplicate {
    const char *name;
    size_t file;
};

/* A function of the harness that outputs a structure to which a pointer led. */
struct program_follower {
    size_t file;      /* whose harness file has it */
    const char *type; /* the structure's */
    const char *declaration, *definition;
};

struct program {
    struct arena *arena;
    const struct program_request *request;
    const char *const *paths;         /* of the request's units, absolute */
    const char *const *const *cflags; /* by unit, what every compilation of it needs: language, penumbra.h's directory,
                                         the unit's own flags; NULL-terminated */
    const char *const *links;         /* the request's links as a compiler driver takes them; NULL-terminated */
    const char *entry;                /* the function's name, without the file that --entry may name too */
    size_t entry_file;                /* which file defines the entry */
    const char *entry_path;           /* the file that people know it from: a unified program has #line */
    unsigned entry_line, entry_column;
    const char *entry_key;    /* libclang's name for it */
    const char *body_file;    /* the file that its body is in, as the compiler knows it */
    unsigned body_offset;     /* of the brace that opens it */
    bool keeps_state;         /* a call may leave something behind for the next one */
    struct words state;       /* keys of the variables that the entry uses and that something may have changed */
    bool uses_errno;          /* the entry leads to code that mentions it */
    bool has_numbers_as_text; /* a string is read as a number */
    bool has_usual_sizes;     /* of pointers whose size nobody gave, and that may lead to more */
    bool sees_padding;        /* the code may look at the bytes between members: padding.h */
    bool can_be_made;         /* functions could make structures behind parameters */
    bool fails_allocations;   /* one of them, as an input says: see allocations.h */
    bool bounds_allocations;  /* by their size */
    unsigned used_allocators; /* by any of the files: bits */
    bool makes_blocks;        /* what pointers lead to is allocated: the entry may come to free() it */
    struct input_layout *layout;
    struct input_layout *outputs; /* what is known of the types of outputs, by name */
    struct program_parameter *parameters;
    size_t parameter_count;
    struct program_parameter *before; /* of a call before the one that is compared; as many, or none */
    size_t before_count;
    struct argument_lists *lists;                          /* of an entry with variable arguments, else NULL */
    size_t object_count;                                   /* made for pointers, so far */
    size_t stream_count;                                   /* of them, streams */
    struct option_names sized, pointers, strings, members; /* what --size, --null, --no-terminate and --zero may name */
    struct option_names never_null;                        /* pointers that lead to an object in every run */
    struct option_names callbacks;                         /* functions that were made for pointers */
    bool
        has_filled_buffers; /* a callback is given memory that it may be meant to fill: the one that is made does not */
    bool has_parts_left_out;    /* parts of parameters that cannot be inputs stay zero */
    bool outputs_pointers;      /* what they may point to has to be known by name */
    struct text record_layouts; /* where the members of the entry's structures lie */
    const char *result_type;    /* as a declaration can name it; NULL: its own */
    const char *own_result;     /* its own, as the source has it */
    bool returns_value;         /* anything but void */
    const char *main_type;      /* of a whole program: how its `main` is declared, as `int main(int, char **)` */
    size_t main_count;          /* how many parameters it has */
    const char *result_outputs; /* C statements that call pn_output() on __pn_result; "" when it cannot be compared */
    struct program_global *globals; /* every file-scope variable that is not left out */
    size_t global_count;
    struct program_static *statics; /* variables of functions, as --globals says */
    size_t static_count;
    bool errno_is_input; /* so does it here */
    struct program_stub *stubs;
    size_t stub_count;
    const char **unreached; /* functions and variables that nobody defines, and that the entry does not lead to */
    size_t unreached_count;
    struct program_duplicate
        *duplicates; /* definitions that another file has, too, and that the entry does not lead to */
    size_t duplicate_count;
    struct program_duplicate *inlines; /* inline functions that are used: the compiler may leave them to another file */
    size_t inline_count;
    struct program_follower *followers; /* they may call each other */
    size_t follower_count, follower_capacity;
    struct pointer_tests *pointer_tests; /* while the source is read */
    struct single_pointers *single_pointers;
    const struct sources *sources; /* so are they */
    struct given_pointer *given;   /* parameters that are pointers: see overlaps.h */
    size_t given_count, given_capacity;
    size_t overlap_count; /* inputs that say whether two of them overlap */
    /* Parameters with so many parts that fewer pointers are followed than is usual. The other version does the same. */
    struct shallow_root {
        const char *name;
        unsigned depth;
    } * shallow;
    size_t shallow_count, shallow_capacity;
    struct pointer_input *pointer_inputs;
    size_t pointer_input_count, pointer_input_capacity;
    const char *assumptions; /* C statements that call pn_assume() for each assumption; parameters by their own names */
    struct text sizes;       /* lines: of what pointers lead to, where nobody gave them; limits if a run went beyond */
    struct text notes; /* lines worth telling the user: sizes chosen by default, outputs that cannot be compared */
};

/* Finds the files and the flags, and reads nothing yet; to be freed whatever it returns. */
bool program_open(struct program *program, const struct program_request *request, struct error *error);
/* Reads and checks the source. Errors: unreadable file, C that does not compile (the compiler's own message, with file
 * and line), no such entry (with the nearest names), an unsupported parameter type, an unknown --size or --global name,
 * an --assume that is no C expression over the inputs, change() of incompatible types, undefined functions that the
 * entry may reach (all in one message, offering --link and --stub). */
bool program_read(struct program *program, const struct program_request *request, struct error *error);
void program_free(struct program *program);

/* The name by which the user knows the file with this absolute path: as the request has it, or has the directory that a
 * header is in; otherwise the path itself. */
const char *program_file_name(const struct program *program, const char *path);

/* Writes one C file per source file into `directory`: it includes the source by absolute path (`main` renamed where it
 * is not the entry), and the entry's file goes on with
 *     void __pn_harness(void)
 * which declares each parameter's variable or buffer, calls pn_symbolic() on each and on each symbolic global,
 * pn_assume() on each assumption, calls the entry, and calls pn_output() for the result ("return"), the memory behind
 * pointer parameters (the parameter's name) and every global. Statics of other files are reached through functions that
 * their own harness file defines. The same text serves the instrumented and the native builds. `paths` receives
 * a name for each unit, owned by the program. */
bool harness_write(struct program *program, const char *directory, const char **paths, struct error *error);
/* The same harness as C for people to edit and to give to `penumbra run`: a function that makes the parameters with
 * pn_symbolic(), calls the entry and returns what it returns. Its variables are compared by whatever runs it. The
 * entry's file is included as `include` says. The function's name goes to `function`. */
void harness_print(struct program *program, const char *include, struct text *code, const char **function);

#endif
