/* ==== old ==== */
int init(int x);
#define LEAVE(label) do { ok = 0; goto label; } while (0)
#define CHECK(x, label) if ((x) < 3) LEAVE(label)

int f(int x)
{
    int ok;
    ok = init(x);
    CHECK(x, end);
    x *= 2;
end:
    return ok;
}

int g(int x)
{
    int ok = x;
    CHECK(x, end);
end:
    return ok;
}
/* ==== new ==== */
int init(int x);
#define LEAVE(label) do { ok = 0; goto label; } while (0)
#define CHECK(x, label) if ((x) < 3) LEAVE(label)

int f(int x)
{
    unsigned char ok;
    ok = init(x);
    CHECK(x, end);
    x *= 2;
end:
    return ok;
}

int g(int x)
{
    int ok = x;
    CHECK(x, end);
end:
    return ok;
}
/* ==== unified ==== */
int init(int x);
#define LEAVE(label) do { ok = 0; goto label; } while (0)
#define CHECK(x, label) if ((x) < 3) LEAVE(label)

#define LEAVE__old(label) do { ok__old = 0; goto label; } while (0)
#define CHECK__old(x, label) if ((x) < 3) LEAVE__old(label)
int f(int x)
{
    int ok__old;
    unsigned char ok;
    if (pn_execute(PN_OLD))
        ok__old = init(x);
    else
        ok = init(x);
    if (pn_execute(PN_OLD)) {
        CHECK__old(x, end);
    } else {
        CHECK(x, end);
    }
    x *= 2;
end:
    return pn_change(ok__old, ok);
}

int g(int x)
{
    int ok = x;
    CHECK(x, end);
end:
    return ok;
}
