/* What functions of the C library read through their arguments, of those that have no model or are called where they
 * are not followed. Of all others nothing is known: whatever they could reach counts. */
#include "instrument/calls.h"

#include <string.h>

/* One letter for each argument, the last one for all that follow: t a text, w only written or a stream that is not
 * looked into, - no pointer, o the object with what its pointers lead to. */
static const struct reader {
    const char *name, *arguments;
} readers[] = {
    {"access", "t-"},     {"atof", "t"},       {"chdir", "t"},      {"dprintf", "-t"},   {"fclose", "w"},
    {"feof", "w"},        {"ferror", "w"},     {"fflush", "w"},     {"fgetc", "w"},      {"fgets", "w-w"},
    {"fileno", "w"},      {"fopen", "tt"},     {"fprintf", "wt"},   {"fputs", "tw"},     {"fread", "w--w"},
    {"fseek", "w--"},     {"ftell", "w"},      {"getc", "w"},       {"getcwd", "w-"},    {"getenv", "t"},
    {"mkdir", "t-"},      {"open", "t-"},      {"opendir", "t"},    {"perror", "t"},     {"printf", "t"},
    {"puts", "t"},        {"read", "-w-"},     {"remove", "t"},     {"rename", "tt"},    {"rmdir", "t"},
    {"setlocale", "-t"},  {"snprintf", "w-t"}, {"sprintf", "wt"},   {"stat", "tw"},      {"strchr", "t-"},
    {"strcoll", "tt"},    {"strtod", "tw"},    {"strtof", "tw"},    {"strtold", "tw"},   {"strxfrm", "wt-"},
    {"system", "t"},      {"unlink", "t"},     {"vfprintf", "wto"}, {"vprintf", "to"},   {"vsnprintf", "w-to"},
    {"vsprintf", "wto"},  {"setvbuf", "ww--"}, {"setbuf", "ww"},    {"setlinebuf", "w"}, {"flockfile", "w"},
    {"funlockfile", "w"},
};

enum seen seen_of_argument(const char *name, unsigned argument)
{
    static const char real[] = "__pn_real_"; /* as models call it */
    if (!strncmp(name, real, sizeof real - 1))
        name += sizeof real - 1;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (strcmp(readers[i].name, name))
            continue;
        size_t last = strlen(readers[i].arguments) - 1;
        char letter = readers[i].arguments[argument < last ? argument : last];
        return letter == 't' ? SEEN_TEXT : letter == 'o' ? SEEN_OBJECT : SEEN_NOTHING;
    }
    return SEEN_OBJECT;
}
