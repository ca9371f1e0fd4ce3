/* A collision-avoidance controller: two aircraft approach each other, and the one that carries it is advised to climb,
 * to descend, or to stay. Written for this benchmark, in the manner of controllers that studies of testing use: a dozen
 * numbers in, one of a few answers out, everything decided by comparisons. mutants.py changes it in twenty places. */

enum { STAY = 0, CLIMB = 1, DESCEND = 2, LEVEL_OFF = 3 };
enum { NO_INTENT = 0, WILL_CLIMB = 1, WILL_DESCEND = 2 };
enum { LOW_LAYER = 0, MIDDLE_LAYER = 1, HIGH_LAYER = 2, TOP_LAYER = 3 };

/* What the instruments say. */
struct situation {
    int own_height, own_rate;     /* feet, feet per minute */
    int other_height, other_rate; /* of the intruder */
    int range, closing;           /* feet, feet per second */
    int layer;                    /* of the sensitivity */
    int intent;                   /* what the intruder has announced */
    int equipped;                 /* whether it carries such a controller, too */
    int inhibited;                /* climbing is, by the flaps */
    int confident;                /* the track is good */
    int previous;                 /* what was advised before */
};

/* How near the aircraft may come, by layer. */
static int least_separation(int layer)
{
    if (layer == LOW_LAYER)
        return 300;
    if (layer == MIDDLE_LAYER)
        return 400;
    if (layer == HIGH_LAYER)
        return 500;
    return 640;
}

/* Seconds of warning, by layer. */
static int warning_time(int layer)
{
    if (layer <= LOW_LAYER)
        return 20;
    if (layer == MIDDLE_LAYER)
        return 25;
    return 35;
}

static int distance(int one, int other)
{
    return one > other ? one - other : other - one;
}

/* Where an aircraft is after so many seconds. */
static int height_after(int height, int rate, int seconds)
{
    return height + rate * seconds / 60;
}

/* The intruder comes near enough, soon enough. */
static int is_threat(const struct situation *now)
{
    if (!now->confident)
        return 0;
    if (now->range < 1000)
        return 1;
    if (now->closing <= 0)
        return 0;
    return now->range / 64 < now->closing * warning_time(now->layer) / 64;
}

/* Separation that is left when this aircraft goes up, or down, for the time of the warning. */
static int separation_up(const struct situation *now)
{
    int rate = now->inhibited ? 0 : 1500;
    int own = height_after(now->own_height, rate, warning_time(now->layer));
    int other = height_after(now->other_height, now->other_rate, warning_time(now->layer));
    return own > other ? own - other : 0;
}

static int separation_down(const struct situation *now)
{
    int own = height_after(now->own_height, -1500, warning_time(now->layer));
    int other = height_after(now->other_height, now->other_rate, warning_time(now->layer));
    return other > own ? other - own : 0;
}

static int is_above(const struct situation *now)
{
    return now->own_height > now->other_height;
}

/* Climbing is right unless going down leaves more room, or the intruder climbs. */
static int should_climb(const struct situation *now)
{
    int up = separation_up(now), down = separation_down(now);
    if (now->equipped && now->intent == WILL_CLIMB)
        return 0;
    if (up < least_separation(now->layer))
        return 0;
    if (now->inhibited)
        return up >= down + 100;
    return up >= down || is_above(now);
}

static int should_descend(const struct situation *now)
{
    int up = separation_up(now), down = separation_down(now);
    if (now->equipped && now->intent == WILL_DESCEND)
        return 0;
    if (down < least_separation(now->layer))
        return 0;
    if (now->own_height < 1000)
        return 0;
    return down > up || !is_above(now);
}

/* How long the answer took to find, in the units of the recorder: nobody reads it here. */
static int effort(const struct situation *now)
{
    int spent = 0;
    if (now->own_rate > 2000)
        spent += 3;
    if (now->own_rate < -2000)
        spent += 2;
    if (now->other_rate > 2000)
        spent += 5;
    if (now->range > 60000)
        spent++;
    if (now->previous == LEVEL_OFF)
        spent += 7;
    return spent;
}

int advise(int own_height, int own_rate, int other_height, int other_rate, int range, int closing, int layer,
           int intent, int equipped, int inhibited, int confident, int previous)
{
    struct situation now = {own_height, own_rate, other_height, other_rate, range,     closing,
                            layer,      intent,   equipped,     inhibited,  confident, previous};
    int climb, descend, advice = STAY;
    int spent = effort(&now);
    (void)spent;
    if (layer < LOW_LAYER || layer > TOP_LAYER)
        return STAY;
    if (!is_threat(&now))
        return previous == CLIMB || previous == DESCEND ? LEVEL_OFF : STAY;
    if (distance(own_height, other_height) > 3000)
        return STAY;
    climb = should_climb(&now);
    descend = should_descend(&now);
    if (climb && descend)
        advice = is_above(&now) ? CLIMB : DESCEND;
    else if (climb)
        advice = CLIMB;
    else if (descend)
        advice = DESCEND;
    if (previous == CLIMB && advice == DESCEND && distance(own_height, other_height) < 100)
        advice = LEVEL_OFF;
    if (previous == DESCEND && advice == CLIMB && distance(own_height, other_height) < 100)
        advice = LEVEL_OFF;
    return advice;
}
