/* Calls of the functions of <math.h>: the library is asked. */
#include "trace/mathematics.h"
#include "expr/table.h"

uint64_t expr_call(enum pn_operation operation, uint32_t function, unsigned width, uint64_t a, uint64_t b)
{
    int error;
    uint64_t result = pn_function_value(function, width, a, b, &error);
    return operation == PN_FCALL ? result : (uint32_t)error;
}
