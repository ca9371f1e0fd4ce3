/* `penumbra trace`: runs given inputs once and shows what the runtime recorded, one JSON object a line. */
#include "base/file.h"
#include "base/places.h"
#include "campaign/subject.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "explore/path.h"
#include "report/document.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static const char *ending_name(const struct path *path)
{
    static const char *const names[] = {
        [PN_RUNNING] = "crashed",
        [PN_COMPLETED] = "completed",
        [PN_EXITED] = "exited",
        [PN_CHECK_FAILED] = "check-failed",
        [PN_ASSUMPTION_FAILED] = "assumption-failed",
    };
    return path->timed_out ? "timeout" : path->out_of_memory ? "out-of-memory" : names[path->ending];
}

static json_t *decision_object(const struct decision *decision, const struct subject *subject)
{
    static const char *const kinds[] = {
        [PN_EVENT_BRANCH] = "branch",         [PN_EVENT_CHECK] = "check",   [PN_EVENT_ASSUME] = "assume",
        [PN_EVENT_CONCRETISE] = "concretise", [PN_EVENT_CHANGE] = "change", [PN_EVENT_EXTERNAL] = "external",
        [PN_EVENT_UNMODELLED] = "unmodelled", [PN_EVENT_EFFECT] = "effect", [PN_EVENT_LEAVE] = "leave",
        [PN_EVENT_OUTPUT] = "output",
    };
    static const char *const sides[] = {[PN_SIDE_BOTH] = "both", [PN_SIDE_OLD] = "old", [PN_SIDE_NEW] = "new"};
    const struct site *site = site_table_get(subject->sites, decision_place(subject->sites, decision));
    bool is_branch = decision->kind == PN_EVENT_BRANCH;
    json_t *reaches =
        is_branch ? json_pack("[b, b]", site_reaches_change(subject->sites, decision->site, decision->part, false),
                              site_reaches_change(subject->sites, decision->site, decision->part, true))
                  : NULL;
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:b, s:b, s:i, s:i, s:o*}", "kind", kinds[decision->kind],
                     "file", program_file_name(&subject->program, site->file), "line", (int)site->line, "column",
                     (int)site->column, "part", (int)decision->part, "side", sides[decision->side], "what", site->what,
                     "symbolic", decision->symbolic, "shadowed", decision->shadowed, "new", (int)decision->new_outcome,
                     "old", (int)decision->old_outcome, "reaches_change", reaches);
}

static void print_path(const struct path *path, const struct subject *subject)
{
    struct text seed = {0};
    json_t *decisions = json_array(), *outputs = json_array();
    input_print(subject->program.layout, path->input, &seed);
    for (size_t i = 0; i < path->count; i++)
        json_array_append_new(decisions, decision_object(&path->decisions[i], subject));
    for (size_t i = 0; i < path->output_count; i++) {
        const struct path_output *output = &path->outputs[i];
        json_array_append_new(
            outputs, json_pack("{s:s, s:o, s:o}", "name", output->name, "new",
                               document_hexadecimal(output->new_bytes, output->size), "old",
                               path->diverged ? json_null() : document_hexadecimal(output->old_bytes, output->size)));
    }
    json_t *document = json_pack(
        "{s:s, s:s, s:i, s:o, s:o, s:o, s:i, s:i}", "seed", text_string(&seed), "ending", ending_name(path), "signal",
        path->signal, "diverged", path->diverged ? json_integer((json_int_t)path->divergence) : json_null(),
        "decisions", decisions, "outputs", outputs, "lost", (int)path->lost, "stale_labels", (int)path->stale_labels);
    json_dumpf(document, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(document);
    text_free(&seed);
}

static bool run_seeds(struct subject *subject, struct error *error)
{
    struct trace_reader reader = {.table = expr_table_create()};
    bool good = true;
    for (size_t i = 0; i < subject->seed_count && good; i++) {
        struct run run;
        good = target_run(subject->target, subject->program.layout, subject->seeds[i], subject->seed_size, &run, error);
        if (!good)
            break;
        struct path *path = path_read(&reader, &run);
        print_path(path, subject);
        path_free(path);
    }
    expr_table_destroy(reader.table);
    trace_reader_free(&reader);
    return good;
}

static void check(struct argp_state *state, const struct command_line *line)
{
    options_check_program(state, line->sets[0].record);
}

int cli_trace(int argc, char **argv)
{
    struct subject_options given = {0};
    struct command_line line = {
        .arguments = "FILE.c... --entry FUNCTION",
        .summary = "Run each seed once and show every decision in both versions, one JSON object a line.",
        .sets = {{NULL, subject_rows, &given}},
        .files = &given.files,
        .check = check,
    };
    options_parse(&line, argc, argv);
    struct error error = {0};
    struct subject subject = {0};
    char scratch[256];
    bool good = subject_read(&subject, &given, &error) && file_make_scratch(scratch, &error) &&
                subject_make_world(&given, NULL, scratch, &error);
    if (good) {
        places_add("scratch", scratch);
        subject.sites = site_table_create();
        good = subject_write_harness(&subject, scratch, &error) &&
               (subject.target = subject_build(&subject, scratch, subject.sites, &error)) &&
               run_seeds(&subject, &error);
        file_remove_tree(scratch);
    }
    subject_free(&subject);
    subject_options_free(&given);
    return good ? EXIT_NOTHING : cli_fail(&error);
}
