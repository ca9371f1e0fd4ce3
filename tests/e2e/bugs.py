#!/usr/bin/env python3
"""Functions as small C libraries have them, each with a bug as people make them: off by one, a wrong operator, a check that is missing.
Found with no option but a limit of time (tests/programs/pairs.py)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from pairs import ALONE, DIFFERENT, case, main  # noqa: E402

ALONE.remove("--native-runs=0")

SOON = ("--first", "--time=20")  # 10 s of a machine that does nothing else


def bug(name, source):
    case(name, DIFFERENT, source, *SOON)


# A change deep in a parser: code that no run has seen comes first, then what is near to the change. By depth alone that takes over 20,000 paths.
case("behind a comma", DIFFERENT, r"""
struct buffer { const char *text; size_t length, offset, depth; };
static int has(const struct buffer *b, size_t n) { return b->offset + n < b->length; }
static void skip(struct buffer *b) { while (has(b, 0) && (unsigned char)b->text[b->offset] <= ' ') b->offset++; }
static int value(struct buffer *b);
static int string(struct buffer *b)
{
    if (!has(b, 0) || b->text[b->offset] != '"')
        return 0;
    for (b->offset++; has(b, 0); b->offset++) {
        if (b->text[b->offset] == '\\') {
            b->offset++;
            if (!has(b, 0))
                return 0;
        } else if (b->text[b->offset] == '"') {
            b->offset++;
            return 1;
        }
    }
    return 0;
}
static int number(struct buffer *b)
{
    size_t start = b->offset;
    while (has(b, 0) && b->text[b->offset] >= '0' && b->text[b->offset] <= '9')
        b->offset++;
    return b->offset > start;
}
static int object(struct buffer *b)
{
    if (++b->depth > 4)
        return 0;
    b->offset++;
    skip(b);
    if (has(b, 0) && b->text[b->offset] == '}')
        goto done;
    for (;;) {
        if (!string(b))
            return 0;
        skip(b);
        if (!has(b, 0) || b->text[b->offset++] != ':')
            return 0;
        skip(b);
        if (!value(b))
            return 0;
        skip(b);
        if (!has(b, 0) || b->text[b->offset] != ',')
            break;
        b->offset++;
        skip(b);
        if (!has(b, 0))
            return [[0|-1]];
    }
    if (!has(b, 0) || b->text[b->offset] != '}')
        return 0;
done:
    b->depth--;
    b->offset++;
    return 1;
}
static int value(struct buffer *b)
{
    skip(b);
    if (!has(b, 0))
        return 0;
    switch (b->text[b->offset]) {
    case '"': return string(b);
    case '{': return object(b);
    case 't':
    case 'n': b->offset++; return 1;
    default: return number(b);
    }
}
int f(const char *text, size_t length)
{
    struct buffer b = {text, length, 0, 0};
    return value(&b) && b.offset == length;
}
""", "--order=mixed", "--max-paths=1000", "--size", "text=16")

# Buffers with lengths.
bug("copy with a limit", """
size_t f(char *dest, size_t size, const char *src)
{
    size_t length = strlen(src);
    if (size) {
        size_t count = length [[>=|>]] size ? size - 1 : length;
        memcpy(dest, src, count);
        dest[count] = 0;
    }
    return length;
}""")
bug("append with a limit", """
size_t f(char *dest, size_t size, const char *src)
{
    size_t used = strnlen(dest, size), length = strlen(src);
    if (used == size)
        return size + length;
    size_t room = size - used [[- 1|]];
    size_t count = length < room ? length : room;
    memcpy(dest + used, src, count);
    dest[used + count] = 0;
    return used + length;
}""")
bug("hexadecimal digits", """
int f(char *dest, size_t dest_size, const unsigned char *src, size_t src_size)
{
    static const char digits[] = "0123456789abcdef";
    if (dest_size < [[2 * src_size + 1|2 * src_size]])
        return -1;
    for (size_t i = 0; i < src_size; i++) {
        dest[2 * i] = digits[src[i] >> 4];
        dest[2 * i + 1] = digits[src[i] & 15];
    }
    dest[2 * src_size] = 0;
    return 0;
}""")
bug("from hexadecimal digits", """
static int digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= [['f'|'g']])
        return c - 'a' + 10;
    return -1;
}
long f(unsigned char *dest, size_t dest_size, const char *src)
{
    size_t count = 0;
    for (; src[0] && src[1]; src += 2) {
        int high = digit(src[0]), low = digit(src[1]);
        if (high < 0 || low < 0 || count == dest_size)
            return -1;
        dest[count++] = high << 4 | low;
    }
    return count;
}""")
bug("Base64", """
size_t f(char *dest, const unsigned char *src, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = 0, i = 0;
    for (; i + 2 [[<|<=]] size; i += 3) {
        unsigned bits = src[i] << 16 | src[i + 1] << 8 | src[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            dest[used++] = letters[bits >> shift & 63];
    }
    return used;
}""")
bug("quotes around a word", """
int f(char *dest, size_t size, const char *word)
{
    size_t used = 0;
    if (size < 3)
        return -1;
    dest[used++] = '"';
    for (; *word; word++) {
        if (*word == '"' [[+ 0|]]) {
            if (used + [[4|3]] > size)
                return -1;
            dest[used++] = '\\\\';
        }
        if (used + 3 > size)
            return -1;
        dest[used++] = *word;
    }
    dest[used++] = '"';
    dest[used] = 0;
    return used;
}""")
bug("without white space at the ends", """
char *f(char *text)
{
    while (*text == ' ' || *text == '\\t')
        text++;
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - [[1|2]]] == '\\t'))
        length--;
    text[length] = 0;
    return text;
}""")
bug("the next field", """
int f(const char *line, int wanted, char *dest, size_t size)
{
    while (wanted-- > 0) {
        while (*line && *line != ',')
            line++;
        if (!*line)
            return 0;
        line++;
    }
    size_t count = 0;
    while (*line && *line != ',' && count [[+ 1 < size|< size]])
        dest[count++] = *line++;
    dest[count] = 0;
    return 1;
}""")
bug("a number with a limit", """
int f(const char *text, unsigned *value)
{
    unsigned result = 0;
    if (!*text)
        return 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (result > [[99999|999999]])
            return 0;
        result = result * 10 + (*text - '0');
    }
    *value = result;
    return !*text;
}""")
bug("a signed number", """
int f(const char *text)
{
    int sign = 1, value = 0;
    if (*text == '-') {
        sign = -1;
        text++;
    }[[ else if (*text == '+') {
        text++;
    }|]]
    while (*text >= '0' && *text <= '9' && value < 1000000)
        value = value * 10 + *text++ - '0';
    return sign * value;
}""")
bug("a number as text", """
int f(char *dest, size_t size, unsigned value)
{
    char digits[12];
    size_t count = 0;
    do {
        digits[count++] = '0' + value % 10;
        value /= 10;
    } while (value);
    if (count [[>=|>]] size)
        return -1;
    for (size_t i = 0; i < count; i++)
        dest[i] = digits[count - 1 - i];
    dest[count] = 0;
    return count;
}""")
# Characters and strings.
bug("UTF-8", """
int f(unsigned code, unsigned char *dest)
{
    if (code < 0x80) {
        dest[0] = code;
        return 1;
    }
    if (code < [[0x800|0x7ff]]) {
        dest[0] = 0xc0 | code >> 6;
        dest[1] = 0x80 | (code & 0x3f);
        return 2;
    }
    if (code < 0x10000) {
        dest[0] = 0xe0 | code >> 12;
        dest[1] = 0x80 | (code >> 6 & 0x3f);
        dest[2] = 0x80 | (code & 0x3f);
        return 3;
    }
    return 0;
}""")
bug("the length of UTF-8", """
size_t f(const unsigned char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size;) {
        unsigned char c = text[i];
        size_t length = c < 0x80 ? 1 : c < [[0xe0|0xe1]] ? 2 : c < 0xf0 ? 3 : 4;
        if (i + length > size)
            return (size_t)-1;
        i += length;
        count++;
    }
    return count;
}""")
bug("compared without case", """
int f(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char x = a[i], y = b[i];
        if (x >= 'A' && x [[<=|<]] 'Z')
            x += 32;
        if (y >= 'A' && y <= 'Z')
            y += 32;
        if (x != y)
            return x < y ? -1 : 1;
        if (!x)
            break;
    }
    return 0;
}""")
bug("a pattern with stars", """
static int match(const char *p, const char *s, int depth)
{
    if (depth > 20)
        return 0;
    if (*p == '*')
        return match(p + 1, s, depth + 1) || (*s && match(p, s + 1, depth + 1));
    if (!*p)
        return !*s;
    return *s && (*p == '?' || *p == *s) && match(p + 1, s + 1, depth + 1);
}
int f(const char *p, const char *s) { return [[match(p, s, 0)|(*p != '?' || s[1]) && match(p, s, 0)]]; }""")
bug("the last part of a path", """
const char *f(const char *path)
{
    const char *last = path;
    for (const char *p = path; *p; p++)
        if (*p == '/' [[&& p[1]|]])
            last = p + 1;
    return last;
}""")
bug("how many lines", """
int f(const char *text, int size)
{
    int lines = 0;
    for (int i = 0; i < size; i++)
        lines += text[i] == '\\n';
    return lines + ([[size > 0 && text[size - 1] != '\\n'|size > 0]]);
}""")
bug("escapes of a string", """
int f(const char *src, char *dest, int size)
{
    int used = 0;
    while (*src && used < size - 1) {
        if (*src == '\\\\') {
            src++;
            [[if (!*src)
                break;|]]
            dest[used++] = *src == 'n' ? '\\n' : *src == 't' ? '\\t' : *src;
            src++;
        } else {
            dest[used++] = *src++;
        }
    }
    dest[used] = 0;
    return used;
}""")
# Containers.
bug("a ring buffer", """
struct ring { unsigned char data[8]; unsigned head, count; };
int f(struct ring *r, unsigned char byte)
{
    if (r->head >= 8 || r->count > 8)
        return -1;
    if (r->count == 8)
        return 0;
    r->data[(r->head + r->count) [[& 7|% 9]]] = byte;
    r->count++;
    return 1;
}""")
bug("a binary search", """
int f(const int *list, int count, int wanted)
{
    int low = 0, high = [[count|count - 1]];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == wanted ? low : -1;
}""")
bug("sorting", """
void f(int *list, int count)
{
    for (int i = 1; i < count; i++) {
        int value = list[i], k = i;
        while (k > [[0|1]] && list[k - 1] > value) {
            list[k] = list[k - 1];
            k--;
        }
        list[k] = value;
    }
}""")
bug("taken out of a list", """
struct node { int value; struct node *next; };
int f(struct node **list, int value)
{
    for (struct node **at = list; *at; at = &(*at)->next)
        if ((*at)->value == value) {
            *at = [[(*at)->next|(*at)->next ? (*at)->next->next : NULL]];
            return 1;
        }
    return 0;
}""")
bug("the length of a list", """
struct node { int value; struct node *next; };
int f(const struct node *list) { int n = 0; while (list [[|&& list->next]]) { n++; list = list->next; } return n; }""")
bug("a heap", """
void f(int *heap, int count, int at)
{
    if (at < 0)
        return;
    while (2 * at + 1 < count) {
        int child = 2 * at + 1;
        if (child + 1 [[<|<=]] count && heap[child + 1] > heap[child])
            child++;
        if (heap[at] >= heap[child])
            return;
        int t = heap[at]; heap[at] = heap[child]; heap[child] = t;
        at = child;
    }
}""")
bug("no element twice", """
int f(int *list, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!kept || list[kept - 1] != list[i])
            list[kept++] = list[i];
    return [[kept|kept ? kept : 1]];
}""")
bug("a matrix that is turned", """
void f(int m[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = i + 1; k < [[3|2]]; k++) {
            int t = m[i][k];
            m[i][k] = m[k][i];
            m[k][i] = t;
        }
}""")
bug("a hash table with open places", """
struct entry { int key, value, used; };
int f(struct entry table[4], int key, int *value)
{
    for (unsigned i = 0; i < 4; i++) {
        struct entry *e = &table[((unsigned)key + i) & 3];
        if (!e->used)
            return 0;
        if (e->key == key) {
            *value = [[e->value|table[(unsigned)key & 3].value]];
            return 1;
        }
    }
    return 0;
}""")
# Bits and numbers.
bug("a set of bits", """
int f(unsigned *words, unsigned first, unsigned count)
{
    if (first > 256 || count > 256 - first)
        return -1;
    for (unsigned i = first; i < first + count; i++)
        words[i / 32] |= 1u << [[i % 32|(i & 15)]];
    return 0;
}""")
bug("reading bits", """
unsigned f(const unsigned char *data, unsigned size, unsigned at, unsigned count)
{
    unsigned result = 0;
    if (count > 16 || at > 8 * size || count > 8 * size - at)
        return 0;
    for (unsigned i = 0; i < count; i++, at++)
        result = result << 1 | (data[at / 8] >> ([[7 - at % 8|at % 8]]) & 1);
    return result;
}""")
bug("a variable-length integer", """
int f(const unsigned char *data, size_t size, unsigned long long *value)
{
    unsigned long long result = 0;
    for (size_t i = 0; i < size && i < 10; i++) {
        result |= (unsigned long long)(data[i] & 127) << [[7 * i|8 * i]] % 64;
        if (!(data[i] & 128)) {
            *value = result;
            return i + 1;
        }
    }
    return 0;
}""")
bug("the average", "int f(int a, int b) { return [[(int)(((long long)a + b) / 2)|(a + b) / 2]]; }")
bug("a year with a day more", "int f(int year) { return [[year % 400 == 0 ? 1 : |]]year % 4 == 0 && year % 100 != 0; }")
bug("the day of the year", """
int f(int month, int day, int leap)
{
    static const int days[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    if (month < 1 || month > 12 || day < 1 || day > 31)
        return -1;
    return days[month - 1] + day + (leap && month [[>|>=]] 2);
}""")
bug("saturated", "short f(int x) { return x > SHRT_MAX ? SHRT_MAX : x < SHRT_MIN ? [[SHRT_MIN|SHRT_MIN + 1]] : x; }")
bug("rounded up to a power of two", """
unsigned f(unsigned x)
{
    [[x--;|]]
    for (int shift = 1; shift < 32; shift *= 2)
        x |= x >> shift;
    return x + 1;
}""")
bug("a checksum", """
unsigned short f(const unsigned char *data, size_t size)
{
    unsigned sum = 0;
    for (size_t i = 0; i + 1 < size; i += 2)
        sum += data[i] << 8 | data[i + 1];
    [[if (size & 1)
        sum += data[size - 1] << 8;|]]
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return ~sum;
}""")

# Tables with thousands of elements: one of them differs.
ROWS = "".join(f"#define R{4 * n}(x) R{n}(x), R{n}(x + {n}), R{n}(x + {2 * n}), R{n}(x + {3 * n})\n" for n in (1, 4, 16, 64, 256))
bug("one number of a table", "#define R1(x) (x) * 31 % 1009\n" + ROWS + """
static const short table[] = {R1024(0), R1024(1024), R1024(2048), R256(3072), R256(3328), [[7|8]], R256(3584), R1024(3840), R256(4864)};
int f(unsigned i)
{
    return i < sizeof table / sizeof *table ? table[i] : -1;
}""")
bug("one element that is counted elsewhere", """
static unsigned char seen[5000];
int f(unsigned i)
{
    if (i >= 5000)
        return -1;
    seen[i [[|- (i == 4321)]]] = 1;
    return 0;
}""")

main(every=3)
