/* Parameters that nothing reads. */
#ifndef PENUMBRA_SOURCE_UNREAD_H
#define PENUMBRA_SOURCE_UNREAD_H

#include <clang-c/Index.h>
#include <stdbool.h>

/* Whether no code looks at the parameter of a defined function: it is not mentioned, or only handed on to parameters of
 * which the same is true. */
bool parameter_is_unread(CXCursor parameter);

#endif
