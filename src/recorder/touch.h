/* What a program that tells whether a start reaches a change shares with the tool: a file, open as SERVE_TRACE. */
#ifndef PENUMBRA_RECORDER_TOUCH_H
#define PENUMBRA_RECORDER_TOUCH_H

enum {
    TOUCH_MARK = 0,   /* a byte: 1 once a change was reached */
    TOUCH_INPUT = 64, /* from here to the end: standard input */
};

#endif
