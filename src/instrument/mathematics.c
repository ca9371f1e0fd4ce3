#include "instrument/mathematics.h"

#include <stdio.h>
#include <string.h>

static const struct mathematical functions[] = {
    {"fabs", MATHEMATICAL_ABSOLUTE, 0},
    {"copysign", MATHEMATICAL_COPY_SIGN, 0},
    {"sqrt", MATHEMATICAL_SQUARE_ROOT, 0},
    {"fma", MATHEMATICAL_FUSED, 0},
    {"fmin", MATHEMATICAL_MINIMUM, 0},
    {"fmax", MATHEMATICAL_MAXIMUM, 0},
    {"floor", MATHEMATICAL_ROUND, PN_DOWN},
    {"ceil", MATHEMATICAL_ROUND, PN_UP},
    {"trunc", MATHEMATICAL_ROUND, PN_TOWARDS_ZERO},
    {"rint", MATHEMATICAL_ROUND, PN_TO_NEAREST_EVEN},
    {"nearbyint", MATHEMATICAL_ROUND, PN_TO_NEAREST_EVEN},
    {"roundeven", MATHEMATICAL_ROUND, PN_TO_NEAREST_EVEN},
    {"round", MATHEMATICAL_ROUND, PN_TO_NEAREST_AWAY},
    {"lrint", MATHEMATICAL_ROUND_TO_INTEGER, PN_TO_NEAREST_EVEN},
    {"llrint", MATHEMATICAL_ROUND_TO_INTEGER, PN_TO_NEAREST_EVEN},
    {"lround", MATHEMATICAL_ROUND_TO_INTEGER, PN_TO_NEAREST_AWAY},
    {"llround", MATHEMATICAL_ROUND_TO_INTEGER, PN_TO_NEAREST_AWAY},
    {"acos", MATHEMATICAL_CALL, PN_FUNCTION_acos},
    {"acosh", MATHEMATICAL_CALL, PN_FUNCTION_acosh},
    {"asin", MATHEMATICAL_CALL, PN_FUNCTION_asin},
    {"asinh", MATHEMATICAL_CALL, PN_FUNCTION_asinh},
    {"atan", MATHEMATICAL_CALL, PN_FUNCTION_atan},
    {"atan2", MATHEMATICAL_CALL, PN_FUNCTION_atan2},
    {"atanh", MATHEMATICAL_CALL, PN_FUNCTION_atanh},
    {"cbrt", MATHEMATICAL_CALL, PN_FUNCTION_cbrt},
    {"cos", MATHEMATICAL_CALL, PN_FUNCTION_cos},
    {"cosh", MATHEMATICAL_CALL, PN_FUNCTION_cosh},
    {"erf", MATHEMATICAL_CALL, PN_FUNCTION_erf},
    {"erfc", MATHEMATICAL_CALL, PN_FUNCTION_erfc},
    {"exp", MATHEMATICAL_CALL, PN_FUNCTION_exp},
    {"exp10", MATHEMATICAL_CALL, PN_FUNCTION_exp10},
    {"exp2", MATHEMATICAL_CALL, PN_FUNCTION_exp2},
    {"expm1", MATHEMATICAL_CALL, PN_FUNCTION_expm1},
    {"fdim", MATHEMATICAL_CALL, PN_FUNCTION_fdim},
    {"fmod", MATHEMATICAL_CALL, PN_FUNCTION_fmod},
    {"hypot", MATHEMATICAL_CALL, PN_FUNCTION_hypot},
    {"ldexp", MATHEMATICAL_CALL, PN_FUNCTION_ldexp},
    {"log", MATHEMATICAL_CALL, PN_FUNCTION_log},
    {"log10", MATHEMATICAL_CALL, PN_FUNCTION_log10},
    {"log1p", MATHEMATICAL_CALL, PN_FUNCTION_log1p},
    {"log2", MATHEMATICAL_CALL, PN_FUNCTION_log2},
    {"logb", MATHEMATICAL_CALL, PN_FUNCTION_logb},
    {"nextafter", MATHEMATICAL_CALL, PN_FUNCTION_nextafter},
    {"pow", MATHEMATICAL_CALL, PN_FUNCTION_pow},
    {"remainder", MATHEMATICAL_CALL, PN_FUNCTION_remainder},
    {"scalbn", MATHEMATICAL_CALL, PN_FUNCTION_scalbn},
    {"sin", MATHEMATICAL_CALL, PN_FUNCTION_sin},
    {"sinh", MATHEMATICAL_CALL, PN_FUNCTION_sinh},
    {"tan", MATHEMATICAL_CALL, PN_FUNCTION_tan},
    {"tanh", MATHEMATICAL_CALL, PN_FUNCTION_tanh},
    {"tgamma", MATHEMATICAL_CALL, PN_FUNCTION_tgamma},
};

/* Intrinsics that are called otherwise than the functions, or that are none. */
static const struct mathematical intrinsics[] = {
    {"minnum", MATHEMATICAL_MINIMUM, 0},
    {"maxnum", MATHEMATICAL_MAXIMUM, 0},
    {"fmuladd", MATHEMATICAL_PRODUCT_AND_SUM, 0},
    {"is.fpclass", MATHEMATICAL_CLASS, 0},
};

static const struct mathematical *find_in(const struct mathematical *list, size_t count, const char *name,
                                          size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i].name) == length && !strncmp(list[i].name, name, length))
            return &list[i];
    return NULL;
}

static const struct mathematical *find_function(const char *name, size_t length)
{
    return find_in(functions, sizeof functions / sizeof *functions, name, length);
}

/* `llvm.NAME.TYPE`, of which there may be two types. */
static const struct mathematical *find_intrinsic(const char *name)
{
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++) {
        size_t length = strlen(intrinsics[i].name);
        if (!strncmp(name, intrinsics[i].name, length) && name[length] == '.')
            return &intrinsics[i];
    }
    return find_function(name, strcspn(name, "."));
}

const struct mathematical *find_mathematical(const char *name)
{
    if (!strncmp(name, "llvm.", 5))
        return find_intrinsic(name + 5);
    size_t length = strlen(name);
    const struct mathematical *found = find_function(name, length);
    return !found && length > 1 && name[length - 1] == 'f' ? find_function(name, length - 1) : found;
}
