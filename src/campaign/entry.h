/* What is to be explored, once it is known: entries, each with the programs around it. */
#ifndef PENUMBRA_CAMPAIGN_ENTRY_H
#define PENUMBRA_CAMPAIGN_ENTRY_H

#include "base/text.h"
#include "base/words.h"
#include "source/unit.h"

#include <jansson.h>
#include <stdbool.h>

/* A function to explore, and the program around it. */
struct campaign_entry {
    const char *name;
    const char *label;   /* as --entry takes it: `name`, or FILE:NAME where several have that */
    const char *place;   /* file.c */
    const char *results; /* the name of its directory below that of all results */
    /* What is explored: the program that holds both versions or, where they cannot be merged, the new one's own. */
    struct units units;
    const char *path; /* the one of the units that the entry is in */
    struct words uncompared, uncompared_members;
    struct words common; /* functions of the entry's file that are one function in both versions; none: all are */
    const char *apart;   /* a sentence that says why the versions cannot be merged; NULL where one program holds both */
    /* The versions' own programs, of the files as they are: the proof is made of them. */
    struct units old, new;
    const char *old_path, *new_path;
    const char *limits; /* lines: what keeps the program from being both versions, and a verdict from being certain */
    /* Changed functions that cannot be entries are explored through functions that call them. */
    struct words leads_to;  /* of such a caller: those functions */
    struct words through;   /* of such a function: those callers */
    bool is_program;        /* `main` with parameters, and no start was given: it is started without arguments */
    bool is_uncertain;      /* which files the program is made of had to be chosen */
    const char *unreadable; /* lines: files that were left out because they could not be read; or NULL */
};

/* What was made of what the user has given. The arena that `prepare` gets owns the strings. */
struct preparation {
    const char *origins[2];                  /* how the user knows the versions */
    const char *new_version, *fixed_version; /* paths; the second one is NULL where none was given */
    bool identical;                          /* there is nothing to explore */
    const char *seed_directory;              /* of a whole program, instead of what the user has given; or NULL */
    struct recording *recording;             /* of functions: where their calls are recorded; or NULL */
    struct campaign_entry *entries;
    size_t count, capacity;
    struct text text; /* lines: what was done, for people */
    json_t *json;     /* for programs: `unification`, and `limits` of what the entries do not cover; may be NULL */
};

#endif
