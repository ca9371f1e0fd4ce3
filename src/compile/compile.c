#include "compile/compile.h"

#include "base/file.h"
#include "base/log.h"
#include "base/places.h"
#include "base/process.h"
#include "base/words.h"
#include "compile/identity.h"
#include "compile/manifest.h"
#include "compile/search.h"
#include "compile/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char NO_SOURCE[] = "/dev/null";
enum { MOST_OUTPUT = 1 << 20, MOST_RESULTS = 4 };

/* A job on its way. */
struct task {
    struct compile_job *job;
    struct arena *arena;
    const char *source;   /* by its fixed name */
    struct words options; /* the compiler and its flags */
    struct words command; /* these and the source */
    bool has_key;
    struct digest key; /* of the command and the source: what is known of its results is under it */
    struct timespec start;
    struct process *process;
    const char *overlay, *rule; /* files beside the output */
};

/* ---- the command ---- */

static bool is_fixed(const struct task *task)
{
    return places_is_fixed(task->source);
}

/* The driver looks for the source before anybody could tell it where that is; a header it leaves to the compiler. */
static void add_source(struct task *task)
{
    if (is_fixed(task)) {
        words_add(&task->command, "-xc");
        words_add(&task->command, "-include");
        words_add(&task->command, task->source);
    }
    words_add(&task->command, "-c");
    words_add(&task->command, is_fixed(task) ? NO_SOURCE : task->source);
}

static void add_words(struct words *words, const struct words *more)
{
    for (size_t i = 0; i < more->count; i++)
        words_add(words, more->list[i]);
}

static void make_command(struct task *task)
{
    words_add(&task->options, COMPILE_PROGRAM);
    words_add(&task->options, "--no-default-config");
    for (size_t i = 0; task->job->flags[i]; i++)
        words_add(&task->options, places_hide(task->arena, task->job->flags[i]));
    add_words(&task->command, &task->options);
    add_source(task);
}

/* Says where the places are. The names that the compiler tells are the fixed ones. */
static bool write_overlay(const struct task *task, struct error *error)
{
    struct text text = {0};
    text_add(&text, "{\"version\": 0, \"use-external-names\": false, \"roots\": [");
    for (size_t i = 0; i < places_count(); i++) {
        const char *fixed, *real;
        places_get(i, &fixed, &real);
        text_format(&text, "%s\n{\"type\": \"directory-remap\", \"name\": \"%s\", \"external-contents\": \"",
                    i ? "," : "", fixed);
        for (const char *at = real; *at; at++)
            text_format(&text, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
        text_add(&text, "\"}");
    }
    text_add(&text, "]}\n");
    bool good = file_write(task->overlay, text_string(&text), text.length, error);
    text_free(&text);
    return good;
}

/* ---- the cache ---- */

static bool make_key(struct task *task)
{
    struct digest tool, compiler;
    struct text source = {0};
    struct error ignored = {0};
    const char *why = "the source";
    task->has_key = store_is_open() && file_read(task->job->source, &source, &ignored) && identity_of_tool(&tool) &&
                    identity_of_compiler(COMPILE_PROGRAM, &compiler) && identity_knows_flags(task->job->flags, &why);
    if (task->has_key) {
        struct digester digester;
        digester_open(&digester, "compilation");
        digester_add_digest(&digester, &tool);
        digester_add_digest(&digester, &compiler);
        for (size_t i = 0; i < task->command.count; i++)
            digester_add_string(&digester, task->command.list[i]);
        digester_add(&digester, text_string(&source), source.length);
        task->key = digester_close(&digester);
    } else if (store_is_open()) {
        log_line(LOG_DEBUG, "%s is not cached: %s", task->job->source, why);
    }
    text_free(&source);
    error_clear(&ignored);
    return task->has_key;
}

static struct digest key_of_result(const struct task *task, const struct manifest *manifest)
{
    struct digester digester;
    digester_open(&digester, "result");
    digester_add_digest(&digester, &task->key);
    digester_add_digest(&digester, &manifest->state);
    return digester_close(&digester);
}

static bool take_result(struct task *task, const struct manifest *manifest)
{
    struct compile_job *job = task->job;
    struct text content = {0};
    struct error ignored = {0};
    struct digest key = key_of_result(task, manifest);
    bool good = store_get(&key, &content) && file_write(job->output, text_string(&content), content.length, &ignored);
    if (good)
        job->digest = digest_of(text_string(&content), content.length);
    text_free(&content);
    error_clear(&ignored);
    return good;
}

/* The newest of the results that still hold. */
static bool find_result(struct task *task)
{
    struct text known = {0};
    struct manifest manifest;
    bool good = false;
    if (!task->has_key || !store_get(&task->key, &known))
        return false;
    for (const char *at = text_string(&known); !good && manifest_parse(&at, task->arena, &manifest);) {
        good = manifest_holds(&manifest) && take_result(task, &manifest);
        manifest_free(&manifest);
    }
    text_free(&known);
    return good;
}

/* The newest first; others that were known stay behind it, if they are not too many. */
static void keep_manifest(const struct task *task, const struct manifest *newest)
{
    struct text known = {0}, all = {0};
    struct manifest manifest;
    int count = 1;
    store_get(&task->key, &known);
    manifest_print(newest, &all);
    for (const char *at = text_string(&known); count < MOST_RESULTS && manifest_parse(&at, task->arena, &manifest);) {
        if (!digest_equal(&manifest.state, &newest->state)) {
            manifest_print(&manifest, &all);
            count++;
        }
        manifest_free(&manifest);
    }
    store_put(&task->key, text_string(&all), all.length);
    text_free(&known), text_free(&all);
}

static void keep_result(struct task *task, const struct text *content)
{
    struct manifest manifest = {0};
    struct text rule = {0};
    struct error ignored = {0};
    bool good = file_read(task->rule, &rule, &ignored);
    if (good)
        manifest_read_rule(text_string(&rule), NO_SOURCE, task->arena, &manifest.files);
    good = good && search_directories(&task->options, task->arena, &manifest.directories) &&
           manifest_take(&manifest, &task->start, task->arena);
    if (good) {
        struct digest key = key_of_result(task, &manifest);
        store_put(&key, text_string(content), content->length);
        keep_manifest(task, &manifest);
    } else {
        log_line(LOG_DEBUG, "%s is not kept in the cache", task->job->source);
    }
    manifest_free(&manifest);
    text_free(&rule);
    error_clear(&ignored);
}

/* ---- running ---- */

static bool start(struct task *task, struct error *error)
{
    struct compile_job *job = task->job;
    struct process_limits limits = {.output_bytes = MOST_OUTPUT};
    task->arena = arena_create();
    task->source = places_hide(task->arena, job->source);
    task->overlay = arena_format(task->arena, "%s.overlay", job->output);
    task->rule = arena_format(task->arena, "%s.d", job->output);
    make_command(task);
    make_key(task);
    job->good = find_result(task);
    log_line(LOG_INFO, "%s %s: %s", job->good ? "from the cache:" : "compiling", job->what, job->source);
    if (job->good)
        return true;
    struct words whole = {0};
    add_words(&whole, &task->command);
    const char *const more[] = {"-ivfsoverlay", task->overlay, "-MD", "-MF", task->rule, "-o", job->output};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        words_add(&whole, more[i]);
    log_command(whole.list);
    clock_gettime(CLOCK_REALTIME_COARSE, &task->start); /* as files have it */
    if (write_overlay(task, error))
        task->process = process_start(whole.list, NULL, &limits, error);
    words_free(&whole);
    return task->process;
}

static void finish(struct task *task)
{
    struct compile_job *job = task->job;
    struct text content = {0};
    struct error ignored = {0};
    if (task->process) {
        struct process_result result = {0};
        process_finish(task->process, &result);
        job->good = result.exit_status == 0 && !result.signal && file_read(job->output, &content, &ignored);
        job->exit_status = result.exit_status;
        text_add(&job->errors, places_show(task->arena, text_string(&result.errors)));
        process_result_free(&result);
        if (job->good)
            job->digest = digest_of(text_string(&content), content.length);
        if (job->good && task->has_key)
            keep_result(task, &content);
        unlink(task->overlay);
        unlink(task->rule);
    }
    text_free(&content);
    error_clear(&ignored);
    words_free(&task->options), words_free(&task->command);
    arena_destroy(task->arena);
}

unsigned compile_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 1 ? (unsigned)cores : 1;
}

bool compile_run(struct compile_job *jobs, size_t count, unsigned at_once, struct error *error)
{
    size_t window = at_once ? at_once : compile_cores(), started = 0;
    bool good = true;
    struct task *tasks = calloc(count + 1, sizeof *tasks);
    for (size_t finished = 0; finished < count; finished++) {
        for (; good && started < count && started < finished + window; started++) {
            tasks[started].job = &jobs[started];
            good = start(&tasks[started], error);
        }
        if (finished < started)
            finish(&tasks[finished]);
    }
    free(tasks);
    return good;
}

bool compile_all_good(const struct compile_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!jobs[i].good)
            return false;
    return true;
}

void compile_free(struct compile_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_free(&jobs[i].errors);
}
