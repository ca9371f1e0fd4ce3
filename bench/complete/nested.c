/* Switches in switches over eight bytes: a machine whose state and next letter choose together, as protocol decoders have
 * them. The new version takes a letter in the innermost switch for its neighbour. */
#include "penumbra.h"

enum state { START, NAME, VALUE, QUOTED, ESCAPED };

static int next(enum state *state, unsigned char c)
{
    switch (*state) {
    case START:
        switch (c) {
        case ' ':
        case '\t': return 0;
        case '=': return -1;
        default: *state = NAME; return 1;
        }
    case NAME:
        switch (c) {
        case '=': *state = VALUE; return 2;
        case ' ': return -1;
        default: return 1;
        }
    case VALUE:
        switch (c) {
        case '"': *state = QUOTED; return 0;
        case ';': *state = START; return 4;
        default: return 3;
        }
    case QUOTED:
        switch (c) {
        case '\\': *state = ESCAPED; return 0;
        case '"': *state = VALUE; return 0;
        default: return 3;
        }
    case ESCAPED:
        *state = QUOTED;
        switch (c) {
        case 'n': return 5;
        case 't': return change(6, 5);
        default: return 3;
        }
    }
    return -1;
}

int nested(const unsigned char text[8])
{
    enum state state = START;
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        int value = next(&state, text[i]);
        if (value < 0)
            return value;
        sum = sum * 7 + value;
    }
    return sum;
}
