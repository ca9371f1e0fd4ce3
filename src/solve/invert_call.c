/* Functions of <math.h> are inverted by asking them: at numbers of all sizes, and then, between two neighbours where
 * the value passes the wanted one, by halving. */
#include "solve/invert.h"
#include "trace/mathematics.h"

/* Ascending. */
static const double stations[] = {-INFINITY, -1e300, -1e40, -1e18, -1e9, -1e5,  -2000,   -700, -100, -30,
                                  -10,       -4,     -2,    -1.5,  -1,   -0.75, -0.5,    -0.1, -0.0, 0.1,
                                  0.5,       0.75,   1,     1.5,   2,    4,     10,      30,   100,  700,
                                  2000,      1e5,    1e9,   1e18,  1e40, 1e300, INFINITY};
enum { STATIONS = sizeof stations / sizeof *stations };

struct call {
    const struct step *step;
    bool first; /* the argument that is looked for */
    unsigned width;
};

static uint64_t station(const struct call *call, unsigned index)
{
    return pn_float_bits(stations[index], call->width);
}

static double value_at(const struct call *call, uint64_t argument, int *error)
{
    const struct step *step = call->step;
    uint64_t bits = pn_function_value((enum pn_function)step->expr->c, call->width, call->first ? argument : step->a,
                                      call->first ? step->b : argument, error);
    return pn_float_number(bits, call->width);
}

static bool is_between(double wanted, double one, double other)
{
    return (one <= wanted && wanted <= other) || (other <= wanted && wanted <= one);
}

/* The value is at or below the wanted one at one end, at or above it at the other. */
static uint64_t halve(const struct call *call, double wanted, uint64_t one, uint64_t other)
{
    int error;
    int64_t low = pn_float_place(one, call->width), high = pn_float_place(other, call->width);
    double at_low = value_at(call, one, &error);
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        double at_middle = value_at(call, pn_float_at(middle, call->width), &error);
        if (is_between(wanted, at_low, at_middle))
            high = middle;
        else
            low = middle, at_low = at_middle;
    }
    return pn_float_at(at_low == wanted ? low : high, call->width);
}

bool invert_call(struct step *step, bool first, uint64_t *child)
{
    struct call call = {.step = step, .first = first, .width = step->width};
    double wanted = pn_float_number(step->wanted, step->width);
    unsigned start = search_random(step->search, STATIONS);
    for (unsigned i = 0; i < STATIONS; i++) {
        int error;
        unsigned at = (start + i) % STATIONS, next = at + 1 < STATIONS ? at + 1 : at;
        uint64_t one = station(&call, at), other = station(&call, next);
        double here = value_at(&call, one, &error);
        if (here != wanted && !is_between(wanted, here, value_at(&call, other, &error)))
            continue;
        *child = here == wanted ? one : halve(&call, wanted, one, other);
        return true;
    }
    return false;
}

/* Which errors there are is not known: where it is not the wanted one, another than now may do as well. */
bool invert_call_error(struct step *step, bool first, uint64_t *child)
{
    struct call call = {.step = step, .first = first, .width = step->child_width};
    unsigned start = search_random(step->search, STATIONS);
    bool any = false;
    int now, error;
    value_at(&call, first ? step->a : step->b, &now);
    for (unsigned i = 0; i < STATIONS; i++) {
        uint64_t argument = station(&call, (start + i) % STATIONS);
        value_at(&call, argument, &error);
        if ((uint32_t)error == step->wanted || (!any && error != now))
            *child = argument, any = true;
        if ((uint32_t)error == step->wanted)
            break;
    }
    return any;
}
