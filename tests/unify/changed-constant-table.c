/* ==== old ==== */
static const char *const names[] = {"one", "two"};

const char *f(int x)
{
    return names[x & 1];
}
/* ==== new ==== */
static const char *const names[] = {"one", "zwei"};

const char *f(int x)
{
    return names[x & 1];
}
/* ==== unified ==== */
#pragma push_macro("names")
#undef names
#define names names__old
static const char *const names[] = {"one", "two"};
#pragma pop_macro("names")
static const char *const names[] = {"one", "zwei"};

const char *f(int x)
{
    return pn_change(names__old[x & 1], names[x & 1]);
}
