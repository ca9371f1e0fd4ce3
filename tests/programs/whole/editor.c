/* A line editor: commands from standard input change a file that is named, in memory, and `w` writes it back.
 * `Np` prints a line, `Nd` deletes it, `Na TEXT` appends behind it, `Ns/OLD/NEW/` replaces, `p` prints all, `q` ends. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12, LONGEST = 48 };

static char lines[MOST][LONGEST];
static int count;
static const char *name;

static void complain(const char *what)
{
    printf("? %s\n", what);
}

static void load(void)
{
    FILE *file = fopen(name, "r");
    if (!file)
        return;
    while (count < MOST && fgets(lines[count], LONGEST, file)) {
        lines[count][strcspn(lines[count], "\n")] = '\0';
        count++;
    }
    fclose(file);
}

static void save(void)
{
    FILE *file = fopen(name, "w");
    if (!file) {
        complain("cannot write");
        return;
    }
    for (int i = 0; i < count; i++)
        fprintf(file, "%s\n", lines[i]);
    fclose(file);
    printf("%d\n", count);
}

static void delete(int line)
{
    if (line < 1 || line > count) {
        complain("no such line");
        return;
    }
    for (int i = line; i < count; i++)
        strcpy(lines[i - 1], lines[i]);
    count--;
}

static void append(int line, const char *text)
{
    if (line < 0 || line > count) {
        complain("no such line");
        return;
    }
    if (count == MOST) {
        complain("full");
        return;
    }
    for (int i = count; i > line; i--)
        strcpy(lines[i], lines[i - 1]);
    snprintf(lines[line], LONGEST, "%s", text);
    count++;
}

static void substitute(int line, char *pattern)
{
    char separator = *pattern, *old = pattern + 1, *end = separator ? strchr(old, separator) : NULL, result[LONGEST];
    if (line < 1 || line > count || !end || end == old) {
        complain("wrong substitution");
        return;
    }
    *end = '\0';
    char *new = end + 1;
    new[strcspn(new, (char[]){separator, '\0'})] = '\0';
    char *place = strstr(lines[line - 1], old);
    if (!place) {
        complain("no match");
        return;
    }
    size_t before = (size_t)(place - lines[line - 1]);
    if (strlen(lines[line - 1]) - strlen(old) + strlen(new) >= LONGEST) {
        complain("too long");
        return;
    }
    memcpy(result, lines[line - 1], before);
    strcpy(result + before, new);
    strcat(result, place + strlen(old));
    strcpy(lines[line - 1], result);
}

static void print(int line)
{
    if (line < 1 || line > count)
        complain("no such line");
    else
        puts(lines[line - 1]);
}

static bool obey(char *command)
{
    char *rest;
    int line = (int)strtol(command, &rest, 10);
    bool has_line = rest != command;
    switch (*rest) {
    case 'p':
        if (has_line)
            print(line);
        for (int i = 1; i <= count && !has_line; i++)
            print(i);
        return true;
    case 'd': delete(has_line ? line : count); return true;
    case 'a': append(has_line ? line : count, rest[1] == ' ' ? rest + 2 : rest + 1); return true;
    case 's': substitute(has_line ? line : count, rest + 1); return true;
    case 'w': save(); return true;
    case 'q': return false;
    default: complain("unknown command"); return true;
    }
}

int main(int argc, char **argv)
{
    char command[80];
    if (argc != 2) {
        fprintf(stderr, "usage: editor FILE\n");
        return 1;
    }
    name = argv[1];
    load();
    while (fgets(command, sizeof command, stdin)) {
        command[strcspn(command, "\n")] = '\0';
        if (!obey(command))
            break;
    }
    return 0;
}
