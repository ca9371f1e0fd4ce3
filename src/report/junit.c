/* JUnit's XML: a suite for each entry, a case for each group of it, or one where there is none. */
#include "report/views.h"

#include <string.h>

/* What XML 1.0 cannot have at all is written as `?`. */
static void add_escaped(const char *string, struct text *text)
{
    for (; *string; string++) {
        unsigned char byte = (unsigned char)*string;
        if (strchr("<>&\"", *string))
            text_format(text, "&#%d;", byte);
        else if (byte < ' ' && byte != '\n' && byte != '\t')
            text_add(text, "?");
        else
            text_append(text, string, 1);
    }
}

static void add_attribute(const char *name, const char *value, struct text *text)
{
    text_format(text, " %s=\"", name);
    add_escaped(value, text);
    text_add(text, "\"");
}

static bool is_failure(const json_t *group)
{
    static const char *const failing[] = {"regression", "output", "leak"};
    bool counts = false;
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++)
        counts |= !strcmp(view_string(group, "class"), failing[i]);
    return counts && !json_is_true(json_object_get(group, "accepted"));
}

static bool is_of(const json_t *group, const json_t *entry)
{
    return !strcmp(view_string(group, "entry"), view_string(entry, "entry"));
}

static void add_details(const json_t *group, struct text *text)
{
    const json_t *witness = json_object_get(group, "witness");
    struct text details = {0};
    text_format(&details, "input: %s\nold:\n", view_string(group, "input"));
    view_add_output(json_object_get(witness, "old"), json_object_get(witness, "new"), "  ", &details);
    text_add(&details, "new:\n");
    view_add_output(json_object_get(witness, "new"), json_object_get(witness, "old"), "  ", &details);
    text_format(&details, "repro: %s\n", view_string(witness, "repro"));
    add_escaped(text_string(&details), text);
    text_free(&details);
}

static void add_case(const json_t *group, struct text *text)
{
    struct text name = {0};
    view_add_place(group, &name);
    text_format(&name, " %s", view_string(group, "input"));
    text_add(text, "    <testcase");
    add_attribute("classname", view_string(group, "entry"), text);
    add_attribute("name", text_string(&name), text);
    text_add(text, ">\n");
    const char *element = is_failure(group) ? "failure" : "system-out";
    text_format(text, "      <%s", element);
    if (is_failure(group)) {
        add_attribute("type", view_string(group, "class"), text);
        add_attribute("message", view_class_sentence(view_string(group, "class")), text);
    }
    text_add(text, ">");
    add_details(group, text);
    text_format(text, "</%s>\n    </testcase>\n", element);
    text_free(&name);
}

/* An entry that nothing was found for, or that was not explored. */
static void add_bare_case(const json_t *entry, struct text *text)
{
    bool is_explored = strcmp(view_string(entry, "verdict"), "not-explored");
    text_add(text, "    <testcase");
    add_attribute("classname", view_string(entry, "entry"), text);
    add_attribute("name", view_string(entry, "verdict"), text);
    text_add(text, ">");
    if (!is_explored) {
        text_add(text, "<skipped");
        add_attribute("message", view_string(entry, "problem"), text);
        text_add(text, "/>");
    }
    text_add(text, "</testcase>\n");
}

static void add_suite(const json_t *document, const json_t *entry, struct text *text)
{
    size_t i, cases = 0, failures = 0;
    json_t *group, *groups = json_object_get(document, "groups");
    json_array_foreach (groups, i, group) {
        if (is_of(group, entry))
            cases++, failures += is_failure(group);
    }
    bool is_skipped = !strcmp(view_string(entry, "verdict"), "not-explored");
    text_add(text, "  <testsuite");
    add_attribute("name", view_string(entry, "entry"), text);
    text_format(text, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%d\">\n", cases ? cases : 1, failures,
                is_skipped && !cases);
    if (!cases)
        add_bare_case(entry, text);
    json_array_foreach (groups, i, group) {
        if (is_of(group, entry))
            add_case(group, text);
    }
    text_add(text, "  </testsuite>\n");
}

void view_junit(const json_t *document, struct text *text)
{
    size_t i;
    json_t *entry;
    text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"penumbra\">\n");
    json_array_foreach (json_object_get(document, "entries"), i, entry) {
        add_suite(document, entry, text);
    }
    text_add(text, "</testsuites>\n");
}
