#include "unify/report.h"

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

void statistics_describe(const struct unify_statistics *statistics, struct text *out)
{
    size_t annotations = 0;
    for (int i = 0; i < PATTERN_COUNT; i++)
        annotations += i < PATTERN_DECLARATION || i == PATTERN_GLOBAL ? statistics->patterns[i] : 0;
    text_format(out,
                "%zu hunk%s, %zu line%s; functions: %zu fine, %zu coarse, %zu not merged, %zu added, %zu removed\n",
                statistics->hunks, plural(statistics->hunks), statistics->lines, plural(statistics->lines),
                statistics->fine, statistics->coarse, statistics->not_merged, statistics->added, statistics->removed);
    text_format(out, "%zu annotation%s", annotations, plural(annotations));
    const char *separator = ": ";
    for (int i = 0; i < PATTERN_COUNT; i++) {
        if (!statistics->patterns[i])
            continue;
        text_format(out, "%s%zu x %s (%s)", separator, statistics->patterns[i], pattern_name((enum pattern)i),
                    pattern_words((enum pattern)i));
        separator = ", ";
    }
    text_add(out, "\n");
}

/* What keeps a comparison from being as good as it could be. */
static void describe_problems(const struct unified *unified, struct text *out)
{
    for (size_t i = 0; i < unified->unknown.count; i++)
        text_format(out, "only a run can tell whether %s() is what the versions have\n", unified->unknown.list[i]);
    for (size_t i = 0; i < unified->defects.count; i++)
        text_format(out, "a defect of Penumbra's, please report it: %s\n", unified->defects.list[i]);
}

void unified_describe_briefly(const struct unified *unified, const char *name, struct text *out)
{
    const struct unify_statistics *statistics = &unified->statistics;
    const struct {
        size_t count;
        const char *what;
    } functions[] = {
        {statistics->added, "added"}, {statistics->removed, "removed"}, {statistics->not_merged, "not merged"}};
    if (unified->identical)
        return;
    text_format(out, "%s: %zu line%s changed in %zu place%s", name, statistics->lines, plural(statistics->lines),
                statistics->hunks, plural(statistics->hunks));
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].count)
            text_format(out, ", %zu function%s %s", functions[i].count, plural(functions[i].count), functions[i].what);
    text_add(out, "\n");
    for (size_t i = 0; i < unified->coarse.count; i++)
        text_format(out, "%s\n", unified->coarse.list[i]);
    describe_problems(unified, out);
}

void unified_describe(const struct unified *unified, const char *name, struct text *out)
{
    text_format(out, "%s: ", name);
    if (unified->identical) {
        text_add(out, "identical but for comments and layout\n");
        return;
    }
    statistics_describe(&unified->statistics, out);
    for (size_t i = 0; i < unified->coarse.count; i++)
        text_format(out, "%s\n", unified->coarse.list[i]);
    if (unified->verified)
        text_format(out, "verified by LLVM IR: %zu function%s of both versions\n",
                    unified->verified - unified->unknown.count, plural(unified->verified - unified->unknown.count));
    describe_problems(unified, out);
}

static json_t *list_json(const struct words *words)
{
    json_t *list = json_array();
    for (size_t i = 0; i < words->count; i++)
        json_array_append_new(list, json_string(words->list[i]));
    return list;
}

static json_t *number(size_t value)
{
    return json_integer((json_int_t)value);
}

json_t *statistics_json(const struct unify_statistics *statistics)
{
    json_t *patterns = json_object(), *all = json_object();
    for (int i = 0; i < PATTERN_COUNT; i++)
        json_object_set_new(patterns, pattern_name((enum pattern)i), number(statistics->patterns[i]));
    json_object_set_new(all, "hunks", number(statistics->hunks));
    json_object_set_new(all, "lines", number(statistics->lines));
    json_object_set_new(all, "patterns", patterns);
    json_object_set_new(all, "fine", number(statistics->fine));
    json_object_set_new(all, "coarse", number(statistics->coarse));
    json_object_set_new(all, "not_merged", number(statistics->not_merged));
    json_object_set_new(all, "added", number(statistics->added));
    json_object_set_new(all, "removed", number(statistics->removed));
    return all;
}

json_t *unified_json(const struct unified *unified, const char *name)
{
    json_t *all = statistics_json(&unified->statistics);
    json_object_set_new(all, "file", json_string(name));
    json_object_set_new(all, "identical", json_boolean(unified->identical));
    json_object_set_new(all, "changed", list_json(&unified->changed));
    json_object_set_new(all, "coarse_functions", list_json(&unified->coarse));
    json_object_set_new(all, "verified", number(unified->verified));
    json_object_set_new(all, "only_a_run_can_tell", list_json(&unified->unknown));
    json_object_set_new(all, "defects", list_json(&unified->defects));
    return all;
}
