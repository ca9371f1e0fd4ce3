/* The options that name a program and its inputs: of every command that runs one. */
#include "campaign/subject.h"
#include "cli/options.h"

#define RECORD struct subject_options

const struct option_row subject_rows[] = {
    TEXT("e|entry", "[FILE:]FUNCTION", entry, "The function to run"),
    WORDS("seed", "'x=0,y=-3'", seeds, "An input to start from; what is not named is 0 (repeatable; default: all 0)"),
    WORDS("range", "'x=-100..100'", ranges, "Only inputs in this range are of interest (repeatable)"),
    WORDS("assume", "EXPRESSION", assumptions,
          "Only inputs for which this C expression over them holds are of interest (repeatable)"),
    WORDS("size", "'s=16'", sizes, "How many elements lie behind a pointer parameter (default 8)"),
    NUMBER("depth", "N", depth, 1, 0, "How many pointers are followed on the way from a parameter (default 3)"),
    WORDS_OR_ALL(
        "null", "NAME", nulls, all_null,
        "Pointers, or this one, may be NULL (repeatable; those that the code compares with NULL may be anyway)"),
    WORDS_OR_ALL("no-null", "NAME", not_nulls, none_null,
                 "Pointers, or this one, are never NULL, even where the code compares them with NULL (repeatable)"),
    ON("distinct", distinct, "No two pointers lead into one object, even where the code could tell"),
    ON("twice", called_twice, "The entry is called once before, with inputs of its own: for what it leaves behind"),
    ON("made", made_by_library,
       "Structures behind parameters are made by functions of the program that return them, where there are some"),
    ON("alloc-fail", allocations_fail,
       "Which memory allocation fails is an input (where a change can tell, it is anyway)"),
    ON("no-alloc-fail", allocations_succeed, "Memory allocation never fails"),
    ON("leaks", leaks,
       "Compare what memory is lost: blocks that nothing leads to any more; what the program's own functions have made "
       "is "
       "destroyed by them first"),
    WORDS("zero", "NAME", zeros, "This is no input and stays zero (repeatable)"),
    WORDS_OR_ALL("no-terminate", "NAME", unterminated, none_terminated,
                 "No zero at the end of strings, or of this one (repeatable)"),
    WORDS("global", "NAME", globals, "Make this global variable an input too (repeatable)"),
    ON("globals", all_globals,
       "Make every global variable an input that the entry uses and something may have changed before, as far as it "
       "can be"),
    WORDS("stub", "NAME", stubs, "Replace this undefined function by one that returns a fresh input (repeatable)"),
    WORDS("link", "FILE", links, "Link this object or library, uninstrumented (repeatable)"),
    ON("fold", fold,
       "Conditions with && and ||, and small branches, are one decision: fewer paths, the same verdict (default of "
       "diff)"),
    ON("no-fold", no_fold, "Every branch of the source is a decision of its own (default of run, and with --mode)"),
    CHOICE("overflow", "wrap|assume-none", overflow,
           "Signed overflow wraps around (default), or inputs that overflow are of no interest"),
    NUMBER("float-tolerance", "EPS", float_tolerance, 0, 0,
           "Floating-point outputs that differ by at most EPS times the greater of their magnitudes and 1 are the "
           "same"),
    TEXT("cflags", "FLAGS", cflags, "Flags for the C compiler"),
    NUMBER("run-time", "SECONDS", run_seconds, 0.01, 5, "Limit for one run"),
    NUMBER("memory", "MB", memory_megabytes, 16, 2000, "Limit for one run's resident memory"),
    CHOICE("sandbox", "namespaces|landlock|none", sandbox,
           "How programs under test are confined: the best that the system offers from this level on"),
    ON("no-sandbox", no_sandbox, "Run programs under test with your own rights: they may change and remove your files"),
    NUMBER("max-select", "N", most_selected, 0, 8192,
           "A read through a symbolic index stays symbolic in objects of up to N elements"),
    TEXT("stdin", "FILE", input, "What standard input is at first, of a whole program (default: empty)"),
    TEXT(
        "cwd", "DIR", directory,
        "The directory in which a whole program starts; its files are inputs (default: the current one, of which those "
        "are that an argument names)"),
    WORDS("file", "NAME", symbolic_files, "Only this file of that directory is an input (repeatable)"),
    WORDS("env", "NAME[=VALUE]", variables, "Make this variable of the environment an input (repeatable)"),
    WORDS("concrete", "args|stdin|files", concrete, "These are no inputs of a whole program (repeatable)"),
    NUMBER("grow", "N", growth, 0, 64, "Bytes by which an argument, file or standard input may grow"),
    TEXT("seeds", "DIR", seed_directory,
         "Starts of a whole program, one folder each: args, stdin, env, cwd/ (instead of arguments behind --)"),
    TABLE_END,
};

void options_check_program(struct argp_state *state, const struct subject_options *options)
{
    if (!options->files.count)
        argp_error(state, "no C file given");
    if (!options->entry)
        argp_error(state, "no entry given: --entry FUNCTION names the function to run");
}
