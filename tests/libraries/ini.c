/* Reads INI files: sections, names and values, comments, values that go on in the next line. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INI_MAX_LINE 64
#define INI_MAX_SECTION 16
#define INI_MAX_NAME 16

/* Like fgets(). */
typedef char *ini_reader(char *line, int size, void *stream);
/* Zero where something is wrong. */
typedef int ini_handler(void *user, const char *section, const char *name, const char *value);

static char *strip_end(char *text)
{
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = 0;
    return text;
}

static char *skip_space(const char *text)
{
    while (*text && isspace((unsigned char)*text))
        text++;
    return (char *)text;
}

/* The first of the characters, or of a comment that follows a space; the end where there is none. */
static char *find_any(const char *text, const char *characters)
{
    bool was_space = false;
    while (*text && (!characters || !strchr(characters, *text)) && !(was_space && *text == ';')) {
        was_space = isspace((unsigned char)*text);
        text++;
    }
    return (char *)text;
}

static char *copy_name(char *to, const char *from, size_t size)
{
    size_t i;
    for (i = 0; i < size - 1 && from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
    return to;
}

int ini_is_comment(const char *line)
{
    return *line == ';' || *line == '#';
}

/* The number in the text, or what is given where there is none. */
long ini_number(const char *text, long otherwise)
{
    char *end;
    long value;
    if (!text || !*text)
        return otherwise;
    value = strtol(text, &end, 0);
    return end > text && *end == 0 ? value : otherwise;
}

int ini_boolean(const char *text, int otherwise)
{
    if (!text)
        return otherwise;
    if (!strcmp(text, "yes") || !strcmp(text, "on") || !strcmp(text, "1"))
        return 1;
    if (!strcmp(text, "no") || !strcmp(text, "off") || !strcmp(text, "0"))
        return 0;
    return otherwise;
}

/* One line; 0, or 1 where it is wrong. */
static int parse_line(char *line, char *section, char *previous, ini_handler *handler, void *user)
{
    char *start = skip_space(strip_end(line)), *end, *name, *value;
    if (ini_is_comment(start) || !*start)
        return 0;
    if (*previous && start > line)
        return !handler(user, section, previous, start);
    if (*start == '[') {
        end = find_any(start + 1, "]");
        if (*end != ']')
            return 1;
        *end = 0;
        copy_name(section, start + 1, INI_MAX_SECTION);
        *previous = 0;
        return 0;
    }
    end = find_any(start, "=:");
    if (*end != '=' && *end != ':')
        return 1;
    *end = 0;
    name = strip_end(start);
    value = skip_space(end + 1);
    end = find_any(value, NULL);
    *end = 0;
    strip_end(value);
    copy_name(previous, name, INI_MAX_NAME);
    return !handler(user, section, name, value);
}

/* The number of the first line that is wrong, 0 where all are right, -2 where there is no memory. */
int ini_parse_stream(ini_reader *reader, void *stream, ini_handler *handler, void *user)
{
    char section[INI_MAX_SECTION] = "", previous[INI_MAX_NAME] = "";
    int number = 0, error = 0;
    char *line = malloc(INI_MAX_LINE);
    if (!line)
        return -2;
    while (reader(line, INI_MAX_LINE, stream)) {
        number++;
        if (parse_line(line, section, previous, handler, user) && !error)
            error = number;
    }
    free(line);
    return error;
}

static char *read_file(char *line, int size, void *stream)
{
    return fgets(line, size, stream);
}

int ini_parse_file(FILE *file, ini_handler *handler, void *user)
{
    return ini_parse_stream(read_file, file, handler, user);
}

struct memory_stream {
    const char *at;
    size_t left;
};

static char *read_memory(char *line, int size, void *stream)
{
    struct memory_stream *memory = stream;
    char *to = line;
    if (memory->left == 0 || size < 2)
        return NULL;
    while (size > 1 && memory->left > 0) {
        char character = *memory->at++;
        memory->left--;
        size--;
        *to++ = character;
        if (character == '\n')
            break;
    }
    *to = 0;
    return line;
}

int ini_parse_string(const char *text, ini_handler *handler, void *user)
{
    struct memory_stream memory = {text, strlen(text)};
    return ini_parse_stream(read_memory, &memory, handler, user);
}

/* ---- one value ---- */

struct wanted {
    const char *section, *name;
    char *to;
    size_t size;
    bool found;
};

static int take_wanted(void *user, const char *section, const char *name, const char *value)
{
    struct wanted *wanted = user;
    if (strcmp(section, wanted->section) || strcmp(name, wanted->name))
        return 1;
    copy_name(wanted->to, value, wanted->size);
    wanted->found = true;
    return 1;
}

bool ini_get(const char *text, const char *section, const char *name, char *to, size_t size)
{
    struct wanted wanted = {section, name, to, size, false};
    if (!text || size == 0)
        return false;
    return ini_parse_string(text, take_wanted, &wanted) == 0 && wanted.found;
}
