/* The options that name a program and its inputs: of every command that runs one. */
#include "campaign/subject.h"
#include "cli/options.h"

#define RECORD struct subject_options

const struct option_row subject_rows[] = {
    TEXT("e|entry", "[FILE:]FUNCTION", entry, "The function to run"),
    WORDS("seed", "'x=0,y=-3'", seeds, "An input to start from; what is not named is 0 (repeatable; default: all 0)"),
    WORDS("range", "'x=-100..100'", ranges, "Only inputs in this range (repeatable)"),
    WORDS("assume", "EXPRESSION", assumptions, "Only inputs for which this C expression over them holds (repeatable)"),
    WORDS("size", "'s=16'", sizes, "The number of elements behind a pointer parameter (default 8)"),
    NUMBER("depth", "N", depth, 1, 0, "The number of pointers that are followed from a parameter on (default 3)"),
    WORDS_OR_ALL(
        "null", "NAME", nulls, all_null,
        "Pointers, or this one, may be NULL (repeatable; those that the code compares with NULL may be anyway)"),
    WORDS_OR_ALL("no-null", "NAME", not_nulls, none_null,
                 "Pointers, or this one, are never NULL, even where the code compares them with NULL (repeatable)"),
    ON("distinct", distinct, "No two pointers point into the same object, even where the code could tell"),
    ON("twice", called_twice,
       "Call the entry twice, the first time with inputs of its own: the first call may leave something behind"),
    ON("made", made_by_library,
       "Make structures behind parameters with the program's own functions that return them, if there are any"),
    ON("alloc-fail", allocations_fail,
       "Which memory allocation fails is an input (where a change can tell, it is anyway)"),
    ON("no-alloc-fail", allocations_succeed, "Memory allocation never fails"),
    ON("leaks", leaks,
       "Compare lost memory: blocks that nothing points to any more. Objects that functions of the program made are "
       "destroyed by functions of the program first"),
    WORDS("zero", "NAME", zeros, "This is not an input and stays zero (repeatable)"),
    WORDS_OR_ALL("no-terminate", "NAME", unterminated, none_terminated,
                 "No zero at the end of strings, or of this one (repeatable)"),
    WORDS("global", "NAME", globals, "Make this global variable an input too (repeatable)"),
    ON("globals", all_globals,
       "Make every global variable an input that the entry uses and that something may have changed before, where "
       "possible"),
    WORDS("stub", "NAME", stubs, "Replace this undefined function by one that returns a fresh input (repeatable)"),
    WORDS("link", "FILE", links, "Link this object or library, uninstrumented (repeatable)"),
    ON("fold", fold,
       "Conditions with && and ||, and small branches, are one decision: fewer paths, the same verdict (default of "
       "diff)"),
    ON("no-fold", no_fold, "Every branch of the source is a decision of its own (default of run, and with --mode)"),
    CHOICE("overflow", "wrap|assume-none", overflow,
           "Signed overflow wraps around (default), or inputs that overflow are left out"),
    NUMBER("float-tolerance", "EPS", float_tolerance, 0, 0,
           "Floating-point outputs that differ by at most EPS times the greater of their magnitudes and 1 are the "
           "same"),
    TEXT("cflags", "FLAGS", cflags, "Flags for the C compiler"),
    NUMBER("run-time", "SECONDS", run_seconds, 0.01, 5, "Limit for one run"),
    NUMBER("memory", "MB", memory_megabytes, 16, 2000,
           "Limit for one run's resident memory; whole programs: larger allocations fail"),
    CHOICE("sandbox", "namespaces|landlock|none", sandbox,
           "How programs under test are confined: at this level, or the next lower one that the system offers, but "
           "never none unless asked for"),
    ON("no-sandbox", no_sandbox, "Run programs under test with your own rights: they may change and remove your files"),
    NUMBER("max-select", "N", most_selected, 0, 8192,
           "A read through a symbolic index stays symbolic in objects of up to N elements"),
    TEXT("stdin", "FILE", input, "Whole programs: standard input of the start (default: empty)"),
    TEXT("cwd", "DIR", directory,
         "Whole programs: the directory to start in; its files are inputs (default: the current one, with the files "
         "that an argument names)"),
    TEXT("root", "DIR", root,
         "Whole programs: files of a root directory of its own, which lie over the system's (etc/app.conf becomes "
         "/etc/app.conf); needs namespaces"),
    WORDS("file", "NAME", symbolic_files, "Whole programs: only this file of the directory is an input (repeatable)"),
    WORDS("env", "NAME[=VALUE]", variables, "Whole programs: make this environment variable an input (repeatable)"),
    WORDS("concrete", "args|stdin|files", concrete, "Whole programs: these are not inputs (repeatable)"),
    NUMBER("grow", "N", growth, 0, 64, "Whole programs: bytes by which an argument, file or standard input may grow"),
    TEXT("seeds", "DIR", seed_directory,
         "Whole programs: starts, one folder each, with args, stdin, env, cwd/, root/ (instead of arguments after --)"),
    TABLE_END,
};

void options_check_program(struct argp_state *state, const struct subject_options *options)
{
    if (!options->files.count)
        argp_error(state, "no C file given");
    if (!options->entry)
        argp_error(state, "no entry given: --entry FUNCTION names the function to run");
}
