#include "unify/statistics.h"

static const struct {
    const char *name, *words;
} patterns[PATTERN_COUNT] = {
    [PATTERN_VALUE] = {"1a", "changed value"},
    [PATTERN_ARGUMENT] = {"1b", "changed argument"},
    [PATTERN_CONDITION] = {"1c", "changed condition"},
    [PATTERN_WEAKENED] = {"1d", "condition weakened to A || B"},
    [PATTERN_STRENGTHENED] = {"1e", "condition strengthened to A && B"},
    [PATTERN_CLAUSE_OR_GONE] = {"1f", "condition strengthened from A || B"},
    [PATTERN_CLAUSE_AND_GONE] = {"1g", "condition weakened from A && B"},
    [PATTERN_ADDED_ASSIGNMENT] = {"2a", "added assignment"},
    [PATTERN_REMOVED_ASSIGNMENT] = {"2b", "removed assignment"},
    [PATTERN_ADDED_CONDITION] = {"2c", "added condition"},
    [PATTERN_REMOVED_CONDITION] = {"2d", "removed condition"},
    [PATTERN_REMOVED_CODE] = {"3a", "removed code"},
    [PATTERN_ADDED_CODE] = {"3b", "added code"},
    [PATTERN_DECLARATION] = {"4", "added or removed variable"},
    [PATTERN_TYPE] = {"5", "changed type or size of a variable"},
    [PATTERN_RENAMED] = {"renamed", "renamed variable, no annotation"},
    [PATTERN_GLOBAL] = {"global", "initial value or size at file scope"},
};

const char *pattern_name(enum pattern pattern)
{
    return patterns[pattern].name;
}

const char *pattern_words(enum pattern pattern)
{
    return patterns[pattern].words;
}

void statistics_add(struct unify_statistics *sum, const struct unify_statistics *part)
{
    sum->files += part->files;
    sum->hunks += part->hunks, sum->lines += part->lines;
    for (int i = 0; i < PATTERN_COUNT; i++)
        sum->patterns[i] += part->patterns[i];
    sum->fine += part->fine, sum->coarse += part->coarse, sum->not_merged += part->not_merged;
    sum->added += part->added, sum->removed += part->removed;
}
