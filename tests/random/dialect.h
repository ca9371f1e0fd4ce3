/* What generated programs include. Every decision is wrapped, so that a judge can log it:
 *
 *     BR(c)                     a condition that the program branches on
 *     SW(v)                     the value of a switch; the comment on its line lists the cases, `|` between two targets
 *     CALL(f)(...)              a call through a pointer to one of the array `functions`
 *     OUTSIDE(f(...))           a call of a library function that nothing is known of
 *
 * So is every operation that may fail:
 *
 *     DIV(a, b), MOD(a, b)      a division
 *     AT(array, i, count)       an element
 *     DEREF(p)                  what p points to, unless it is null
 *     ASSERT(c), FAIL           an assertion, abort()
 *
 * And the one-sided code that is not change(): BEGIN and END stand around a block under execute(). Behind LEAVE(n) a
 * jump or return leaves n such blocks early; behind JOIN(n) it leaves them for the place where both versions go on.
 *
 * With -DJUDGE these log what they see (judge.h), otherwise they are nothing. */
#ifndef DIALECT_H
#define DIALECT_H

#include "penumbra.h"

#include <assert.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A number that every integer type from short on holds, and one that is no NaN, whose sign and payload nobody knows. */
#define WITHIN(number) fmin(fmax((number), -30000), 30000)
#define NUMBER(number) fmax((number), -1e300)

#ifdef JUDGE
#include "judge.h"
#else
#define BR(condition) (condition)
#define SW(value) (value)
#define CALL(function) (function)
#define OUTSIDE(call) (call)
#define DIV(dividend, divisor) ((dividend) / (divisor))
#define MOD(dividend, divisor) ((dividend) % (divisor))
#define AT(array, index, count) ((array)[index])
#define DEREF(pointer) (*(pointer))
#define ASSERT(condition) assert(condition)
#define FAIL abort()
#define BEGIN
#define END
#define LEAVE(levels)
#define LEAVE_WITH(levels, value) (value)
#define JOIN(levels)
#define JOIN_WITH(levels, value) (value)
#endif

#endif
