/* All inputs, one after the other, where the conditions leave few: `a <= 200 && b <= 200` are 40,401. What is hard for
 * everybody else, a chain of divisions for example, is only evaluated. */
#ifndef PENUMBRA_SOLVE_ENUMERATE_H
#define PENUMBRA_SOLVE_ENUMERATE_H

#include "solve/slice.h"

enum enumerate_answer { ENUMERATE_NOTHING, ENUMERATE_MODEL, ENUMERATE_TOO_MANY };

struct enumeration;

struct enumeration *enumeration_create(struct expr_table *table);
void enumeration_destroy(struct enumeration *enumeration);

/* `bytes` are those that the conditions read. On ENUMERATE_MODEL, `model` holds it; else it may have been changed. */
enum enumerate_answer enumerate(struct enumeration *enumeration, const expr_id *conditions, size_t count,
                                const struct byte_list *bytes, uint8_t *model, size_t size);

#endif
