/* Views of the document (document.h): other forms of the same report, each a file beside report.json. A view decides
 * nothing by itself; what it shows is in the document. */
#ifndef PENUMBRA_REPORT_VIEWS_H
#define PENUMBRA_REPORT_VIEWS_H

#include "base/error.h"
#include "base/text.h"

#include <jansson.h>

typedef void view_write(const json_t *document, struct text *text);

view_write view_html;     /* one page that needs nothing else */
view_write view_sarif;    /* SARIF 2.1.0, for code review */
view_write view_junit;    /* JUnit's XML, for build servers */
view_write view_markdown; /* for the comment of a pull request */

#define VIEW_NAMES "html, sarif, junit, md"

/* Whether `list`, `html,sarif`, names views only. */
bool views_are_known(const char *list, struct error *error);
/* Writes those of the list into the directory. */
bool views_write(const json_t *document, const char *list, const char *directory, struct error *error);

/* What several of them need. */
const char *view_string(const json_t *object, const char *key); /* "" where it has none */
const char *view_class_sentence(const char *class);             /* "fails only in the new version" */
void view_add_place(const json_t *group, struct text *text);    /* `file.c:7:3` */
void view_add_end(const json_t *run, struct text *text);        /* how a version ended, in a few words */
size_t view_count(const json_t *group);                         /* its divergences, run or not */
/* The output's lines that the other version's output does not have, as people read them. */
void view_add_output(const json_t *run, const json_t *other, const char *indent, struct text *text);

#endif
