/* The report as one page: page.html, with the document in it. The page shows it by itself, from nothing else. */
#include "report/views.h"

#include <stdlib.h>
#include <string.h>

/* The file's bytes, in this program. */
extern const char page_html[];
__asm__(".pushsection .rodata\n"
        "page_html:\n"
        ".incbin \"src/report/page.html\"\n"
        ".byte 0\n"
        ".popsection\n");

#define PLACE "@DOCUMENT@"

/* No end of the script can stand in what is written so. */
static void add_safe(const char *json, struct text *text)
{
    for (const char *end; *json; json = end) {
        end = json + strcspn(json, "<");
        text_append(text, json, (size_t)(end - json));
        if (*end)
            text_add(text, "\\u003c"), end++;
    }
}

void view_html(const json_t *document, struct text *text)
{
    json_t *shown = json_copy((json_t *)document);
    json_object_del(shown, "divergences"); /* the witnesses are in the groups */
    json_object_del(shown, "unification");
    char *json = json_dumps(shown, JSON_COMPACT);
    const char *place = strstr(page_html, PLACE);
    text_append(text, page_html, (size_t)(place - page_html));
    add_safe(json, text);
    text_add(text, place + strlen(PLACE));
    free(json);
    json_decref(shown);
}
