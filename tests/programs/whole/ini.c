/* Reads an INI file and prints the value of SECTION.KEY, or with -l everything. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 40 };

struct setting {
    char section[LONGEST], key[LONGEST], value[LONGEST];
};

static struct setting settings[20];
static int count;

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

static int complain(int line, const char *what)
{
    fprintf(stderr, "ini: line %d: %s\n", line, what);
    return 1;
}

static char *unquote(char *value)
{
    size_t length = strlen(value);
    if (length >= 2 && value[0] == '"' && value[length - 1] == '"') {
        value[length - 1] = '\0';
        value++;
    }
    return value;
}

static int read_file(FILE *file)
{
    char line[128], section[LONGEST] = "";
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        char *text = trim(line);
        if (!*text || *text == ';' || *text == '#')
            continue;
        if (*text == '[') {
            char *end = strchr(text, ']');
            if (!end)
                return complain(number, "missing ]");
            *end = '\0';
            if (strlen(text + 1) >= LONGEST)
                return complain(number, "section too long");
            strcpy(section, text + 1);
            continue;
        }
        char *equals = strchr(text, '=');
        if (!equals)
            return complain(number, "missing =");
        *equals = '\0';
        char *key = trim(text), *value = unquote(trim(equals + 1));
        if (strlen(key) >= LONGEST || strlen(value) >= LONGEST)
            return complain(number, "too long");
        if (count == 20)
            return complain(number, "too many settings");
        strcpy(settings[count].section, section);
        strcpy(settings[count].key, key);
        strcpy(settings[count++].value, value);
    }
    return 0;
}

static const char *find(const char *name)
{
    const char *dot = strchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : 0;
    const char *key = dot ? dot + 1 : name;
    for (int i = count - 1; i >= 0; i--)
        if (strlen(settings[i].section) == length && strncmp(settings[i].section, name, length) == 0 &&
            strcmp(settings[i].key, key) == 0)
            return settings[i].value;
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: ini FILE SECTION.KEY | -l\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "r");
    if (!file) {
        perror(argv[1]);
        return 2;
    }
    if (read_file(file))
        return 1;
    if (strcmp(argv[2], "-l") == 0) {
        for (int i = 0; i < count; i++)
            printf("%s.%s=%s\n", settings[i].section, settings[i].key, settings[i].value);
        return 0;
    }
    const char *value = find(argv[2]);
    if (!value)
        return 1;
    puts(value);
    return 0;
}
