/* SARIF 2.1.0: a rule for each class, a result for each group, at the line that changed. */
#include "report/views.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *class, *name, *level, *short_text, *help;
} rules[] = {
    {"regression", "Regression", "error", "The new version fails where the old one does not.",
     "The input of this result was run on native builds of both versions: only the new one crashes, is stopped by a "
     "sanitizer, or does not end. Run the command of the message to see it, and fix the new version or, if the failure "
     "is intended, accept it."},
    {"output", "OutputDifference", "warning", "The versions' outputs differ.",
     "The input of this result was run on native builds of both versions: what they return, print, leave in memory or "
     "in "
     "files, or their exit status is not the same. If the change is intended, accept it or write a test for it with "
     "penumbra export --expect new."},
    {"fix", "Fix", "note", "The old version fails where the new one does not.",
     "The input of this result was run on native builds of both versions: only the old one fails. penumbra export "
     "--expect "
     "new writes a test that keeps it fixed."},
    {"leak", "Leak", "warning", "The versions lose other memory.",
     "The input of this result was run on native builds of both versions: their outputs are the same, but one of them "
     "leaves more blocks behind that nothing leads to."},
    {"both-fail", "BothFail", "note", "Both versions fail alike.",
     "The versions take different ways on this input, and both fail in the same way."},
    {"unreproduced", "Unreproduced", "note", "Native runs contradict the prediction.",
     "A difference was predicted that native runs do not show: a defect of Penumbra, please report it."},
};
enum { RULES = sizeof rules / sizeof *rules };

static size_t rule_of(const json_t *group)
{
    size_t i = 0;
    while (i < RULES && strcmp(rules[i].class, view_string(group, "class")))
        i++;
    return i;
}

static json_t *rules_array(void)
{
    json_t *array = json_array();
    for (size_t i = 0; i < RULES; i++)
        json_array_append_new(array, json_pack("{s:s, s:s, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}}", "id", rules[i].class,
                                               "name", rules[i].name, "shortDescription", "text", rules[i].short_text,
                                               "fullDescription", "text", rules[i].short_text, "help", "text",
                                               rules[i].help, "defaultConfiguration", "level", rules[i].level));
    return array;
}

/* A path as a URI. */
static json_t *uri(const char *path)
{
    struct text text = {0};
    text_add(&text, *path == '/' ? "file://" : "");
    for (; *path; path++)
        if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-~+", *path))
            text_append(&text, path, 1);
        else
            text_format(&text, "%%%02X", (unsigned char)*path);
    json_t *string = json_string(text_string(&text));
    text_free(&text);
    return string;
}

/* Where the versions part: in the new version's file, where that has a line for it. */
static json_t *location(const json_t *group)
{
    const json_t *place = json_object_get(group, "place");
    const char *file = view_string(place, "file");
    json_int_t line = json_integer_value(json_object_get(place, "line"));
    json_int_t column = json_integer_value(json_object_get(place, "column"));
    json_t *region = json_pack("{s:I}", "startLine", line > 0 ? line : 1);
    if (column > 0)
        json_object_set_new(region, "startColumn", json_integer(column));
    return json_pack("{s:{s:{s:o}, s:o}}", "physicalLocation", "artifactLocation", "uri", uri(file), "region", region);
}

static json_t *message(const json_t *group)
{
    struct text text = {0};
    const json_t *witness = json_object_get(group, "witness");
    text_format(&text, "%s, %s: %s. Old: ", view_string(group, "input"), view_string(group, "class"),
                view_class_sentence(view_string(group, "class")));
    view_add_end(json_object_get(witness, "old"), &text);
    text_add(&text, ". New: ");
    view_add_end(json_object_get(witness, "new"), &text);
    text_format(&text, ". %zu divergence%s.", view_count(group), view_count(group) == 1 ? "" : "s");
    json_t *string = json_string(text_string(&text));
    text_free(&text);
    return string;
}

static json_t *result(const json_t *group, size_t rule)
{
    const json_t *witness = json_object_get(group, "witness");
    json_t *object =
        json_pack("{s:s, s:i, s:s, s:{s:o}, s:[o], s:{s:s}, s:{s:O, s:O, s:O, s:O, s:O}}", "ruleId", rules[rule].class,
                  "ruleIndex", (int)rule, "level", rules[rule].level, "message", "text", message(group), "locations",
                  location(group), "partialFingerprints", "penumbraGroup/v1", view_string(group, "id"), "properties",
                  "entry", json_object_get(group, "entry"), "count", json_object_get(group, "count"), "when",
                  json_object_get(group, "when"), "inputs", json_object_get(witness, "inputs"), "repro",
                  json_object_get(witness, "repro"));
    if (json_is_true(json_object_get(group, "accepted")))
        json_object_set_new(object, "suppressions", json_pack("[{s:s}]", "kind", "external"));
    return object;
}

void view_sarif(const json_t *document, struct text *text)
{
    size_t i;
    json_t *group, *results = json_array();
    json_array_foreach (json_object_get(document, "groups"), i, group) {
        if (rule_of(group) < RULES) /* silent ones are of no interest to a reviewer */
            json_array_append_new(results, result(group, rule_of(group)));
    }
    json_t *driver = json_pack("{s:s, s:s, s:o}", "name", "penumbra", "version", view_string(document, "version"),
                               "rules", rules_array());
    json_t *log =
        json_pack("{s:s, s:s, s:[{s:{s:o}, s:s, s:[{s:b}], s:o}]}", "version", "2.1.0", "$schema",
                  "https://json.schemastore.org/sarif-2.1.0.json", "runs", "tool", "driver", driver, "columnKind",
                  "unicodeCodePoints", "invocations", "executionSuccessful", 1, "results", results);
    char *json = json_dumps(log, JSON_INDENT(2));
    text_format(text, "%s\n", json);
    free(json);
    json_decref(log);
}
