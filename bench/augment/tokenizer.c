/* A tokenizer for a small language, which tells what the tokens of a line are. Written for this benchmark, in the
 * manner of those that studies of testing use: a stream with one character of lookahead, a buffer for the token, a
 * chain of predicates that says what kind it is. mutants.py changes it in ten places. */

enum {
    END_OF_INPUT = 0,
    KEYWORD = 1,
    SPECIAL = 2,
    IDENTIFIER = 3,
    NUMBER = 4,
    STRING = 5,
    CHARACTER = 6,
    COMMENT = 7,
    ERROR = 8,
};

enum { LONGEST_LINE = 8, LONGEST_TOKEN = 8, MOST_TOKENS = 8, READ = 3 };

/* ---- the stream ---- */

struct stream {
    char text[LONGEST_LINE + 1];
    unsigned at;
    unsigned lines;
    int has_pushed, pushed;
};

static void open_stream(struct stream *stream, const char *text, unsigned length)
{
    unsigned i;
    for (i = 0; i < LONGEST_LINE; i++)
        stream->text[i] = i < length ? text[i] : '\0';
    stream->text[LONGEST_LINE] = '\0';
    stream->at = 0;
    stream->lines = 1;
    stream->has_pushed = 0;
    stream->pushed = 0;
}

static int next_character(struct stream *stream)
{
    int character;
    if (stream->has_pushed) {
        stream->has_pushed = 0;
        return stream->pushed;
    }
    if (stream->at >= LONGEST_LINE)
        return 0;
    character = stream->text[stream->at & 7];
    if (character == 0)
        return 0;
    stream->at++;
    if (character == '\n')
        stream->lines++;
    return character;
}

static void push_back(struct stream *stream, int character)
{
    stream->has_pushed = 1;
    stream->pushed = character;
}

/* ---- characters ---- */

static int is_letter(int character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character == '_';
}

static int is_digit(int character)
{
    return character >= '0' && character <= '9';
}

static int is_space(int character)
{
    return character == ' ' || character == '\t' || character == '\n';
}

static int is_special(int character)
{
    switch (character) {
    case '(':
    case ')':
    case '[':
    case ']':
    case '\'':
    case '`':
    case ',':
    case '=': return 1;
    default: return 0;
    }
}

/* ---- tokens ---- */

struct token {
    char text[LONGEST_TOKEN + 1];
    unsigned length;
    int is_cut;
};

static void clear_token(struct token *token)
{
    unsigned i;
    for (i = 0; i <= LONGEST_TOKEN; i++)
        token->text[i] = '\0';
    token->length = 0;
    token->is_cut = 0;
}

static void add_character(struct token *token, int character)
{
    if (token->length >= LONGEST_TOKEN) {
        token->is_cut = 1;
        return;
    }
    token->text[token->length & 7] = (char)character;
    token->length++;
}

static int skip_space(struct stream *stream)
{
    int character = next_character(stream);
    unsigned i;
    for (i = 0; i < LONGEST_LINE && is_space(character); i++)
        character = next_character(stream);
    return character;
}

/* Up to the closing quote; the quotes belong to it. */
static void read_string(struct stream *stream, struct token *token)
{
    unsigned i;
    for (i = 0; i < LONGEST_LINE; i++) {
        int character = next_character(stream);
        if (character == 0 || character == '\n')
            return;
        add_character(token, character);
        if (character == '"')
            return;
    }
}

static void read_comment(struct stream *stream, struct token *token)
{
    unsigned i;
    for (i = 0; i < LONGEST_LINE; i++) {
        int character = next_character(stream);
        if (character == 0)
            return;
        if (character == '\n') {
            push_back(stream, character);
            return;
        }
        add_character(token, character);
    }
}

/* Letters and digits, up to something else, which stays in the stream. */
static void read_word(struct stream *stream, struct token *token)
{
    unsigned i;
    for (i = 0; i < LONGEST_LINE; i++) {
        int character = next_character(stream);
        if (character == 0)
            return;
        if (!is_letter(character) && !is_digit(character)) {
            push_back(stream, character);
            return;
        }
        add_character(token, character);
    }
}

/* `#a`: the character behind the sign. */
static void read_quoted(struct stream *stream, struct token *token)
{
    int character = next_character(stream);
    if (character == 0)
        return;
    add_character(token, character);
}

static int read_token(struct stream *stream, struct token *token)
{
    int character = skip_space(stream);
    clear_token(token);
    if (character == 0)
        return 0;
    add_character(token, character);
    if (character == '"')
        read_string(stream, token);
    else if (character == ';')
        read_comment(stream, token);
    else if (character == '#')
        read_quoted(stream, token);
    else if (!is_special(character))
        read_word(stream, token);
    return 1;
}

/* ---- kinds ---- */

static int is_keyword(const struct token *token)
{
    if (token->length == 2)
        return (token->text[0] == 'i' && token->text[1] == 'f') || (token->text[0] == 'o' && token->text[1] == 'r');
    if (token->length == 3)
        return token->text[0] == 'a' && token->text[1] == 'n' && token->text[2] == 'd';
    return 0;
}

static int is_number(const struct token *token)
{
    unsigned i;
    for (i = 0; i < LONGEST_TOKEN; i++) {
        if (i >= token->length)
            return i > 0;
        if (!is_digit(token->text[i]))
            return 0;
    }
    return 1;
}

static int is_identifier(const struct token *token)
{
    unsigned i;
    if (!is_letter(token->text[0]))
        return 0;
    for (i = 1; i < LONGEST_TOKEN; i++) {
        if (i >= token->length)
            return 1;
        if (!is_letter(token->text[i]) && !is_digit(token->text[i]))
            return 0;
    }
    return 1;
}

static int is_string(const struct token *token)
{
    return token->text[0] == '"' && token->length > 1 && token->text[(token->length - 1) & 7] == '"';
}

static int is_character(const struct token *token)
{
    return token->text[0] == '#' && token->length == 2 && is_letter(token->text[1]);
}

static int kind_of(const struct token *token)
{
    if (token->is_cut)
        return ERROR;
    if (token->length == 1 && is_special(token->text[0]))
        return SPECIAL;
    if (is_keyword(token))
        return KEYWORD;
    if (is_identifier(token))
        return IDENTIFIER;
    if (is_number(token))
        return NUMBER;
    if (is_string(token))
        return STRING;
    if (is_character(token))
        return CHARACTER;
    if (token->text[0] == ';')
        return COMMENT;
    return ERROR;
}

/* ---- what people want to know of a line ---- */

struct census {
    unsigned tokens, words, errors;
    unsigned deepest;
    int depth, first_error;
};

static void open_census(struct census *census)
{
    census->tokens = 0;
    census->words = 0;
    census->errors = 0;
    census->deepest = 0;
    census->depth = 0;
    census->first_error = -1;
}

/* Parentheses are counted, whether or not they fit. */
static void count_depth(struct census *census, const struct token *token)
{
    if (token->text[0] == '(')
        census->depth++;
    if (token->text[0] == ')')
        census->depth--;
    if (census->depth > (int)census->deepest)
        census->deepest = (unsigned)census->depth;
}

static void count_token(struct census *census, const struct token *token, int kind)
{
    census->tokens++;
    if (kind == KEYWORD || kind == IDENTIFIER)
        census->words++;
    if (kind == SPECIAL)
        count_depth(census, token);
    if (kind == ERROR) {
        census->errors++;
        if (census->first_error < 0)
            census->first_error = (int)census->tokens;
    }
}

/* A small number that stands for the text of a token, for people who look for doubles: nothing depends on it. */
static unsigned digest_of(const struct token *token)
{
    unsigned i, digest = 7;
    for (i = 0; i < LONGEST_TOKEN; i++) {
        if (i >= token->length)
            break;
        if (is_letter(token->text[i]))
            digest = digest * 31 + 1;
        else if (is_digit(token->text[i]))
            digest = digest * 37 + 2;
        else
            digest = digest * 41 + 3;
        if (digest > 100000)
            digest -= 99991;
    }
    return digest;
}

/* The kinds of the first tokens, in order, as decimal digits; negative where one of them is an error. */
int tokenize(const char *text)
{
    struct stream stream;
    struct token token;
    struct census census;
    int result = 0;
    unsigned i, seen = 0;
    open_stream(&stream, text, READ);
    open_census(&census);
    for (i = 0; i < MOST_TOKENS; i++) {
        int kind;
        if (!read_token(&stream, &token))
            break;
        kind = kind_of(&token);
        seen ^= digest_of(&token);
        count_token(&census, &token, kind);
        if (result < 10000)
            result = result * 10 + kind;
    }
    (void)seen;
    if (census.errors > 0)
        return -result;
    if (census.depth != 0)
        return result + 50000;
    return result;
}
