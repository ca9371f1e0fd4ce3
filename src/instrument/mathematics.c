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
    {"acos", MATHEMATICAL_UNFOLLOWED, 0},
    {"acosh", MATHEMATICAL_UNFOLLOWED, 0},
    {"asin", MATHEMATICAL_UNFOLLOWED, 0},
    {"asinh", MATHEMATICAL_UNFOLLOWED, 0},
    {"atan", MATHEMATICAL_UNFOLLOWED, 0},
    {"atan2", MATHEMATICAL_UNFOLLOWED, 0},
    {"atanh", MATHEMATICAL_UNFOLLOWED, 0},
    {"cbrt", MATHEMATICAL_UNFOLLOWED, 0},
    {"cos", MATHEMATICAL_UNFOLLOWED, 0},
    {"cosh", MATHEMATICAL_UNFOLLOWED, 0},
    {"erf", MATHEMATICAL_UNFOLLOWED, 0},
    {"erfc", MATHEMATICAL_UNFOLLOWED, 0},
    {"exp", MATHEMATICAL_UNFOLLOWED, 0},
    {"exp10", MATHEMATICAL_UNFOLLOWED, 0},
    {"exp2", MATHEMATICAL_UNFOLLOWED, 0},
    {"expm1", MATHEMATICAL_UNFOLLOWED, 0},
    {"fdim", MATHEMATICAL_UNFOLLOWED, 0},
    {"fmod", MATHEMATICAL_UNFOLLOWED, 0},
    {"hypot", MATHEMATICAL_UNFOLLOWED, 0},
    {"ldexp", MATHEMATICAL_UNFOLLOWED, 0},
    {"log", MATHEMATICAL_UNFOLLOWED, 0},
    {"log10", MATHEMATICAL_UNFOLLOWED, 0},
    {"log1p", MATHEMATICAL_UNFOLLOWED, 0},
    {"log2", MATHEMATICAL_UNFOLLOWED, 0},
    {"logb", MATHEMATICAL_UNFOLLOWED, 0},
    {"nextafter", MATHEMATICAL_UNFOLLOWED, 0},
    {"pow", MATHEMATICAL_UNFOLLOWED, 0},
    {"remainder", MATHEMATICAL_UNFOLLOWED, 0},
    {"scalbn", MATHEMATICAL_UNFOLLOWED, 0},
    {"sin", MATHEMATICAL_UNFOLLOWED, 0},
    {"sinh", MATHEMATICAL_UNFOLLOWED, 0},
    {"tan", MATHEMATICAL_UNFOLLOWED, 0},
    {"tanh", MATHEMATICAL_UNFOLLOWED, 0},
    {"tgamma", MATHEMATICAL_UNFOLLOWED, 0},
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
