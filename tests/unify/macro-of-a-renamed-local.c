/* ==== old ==== */
#define PUT(c) do { if (len < 8) buf[len++] = (c); } while (0)
int f(const char *s, char *out)
{
    char buf[8];
    int len = 0;
    int i;
    for (i = 0; s[i]; i++)
        PUT(s[i]);
    for (i = 0; i < len; i++)
        out[i] = buf[i];
    return len;
}
/* ==== new ==== */
#define PUT(c) do { if (count < 8) buf[count++] = (c); } while (0)
int f(const char *s, char *out)
{
    char buf[8];
    int count = 0;
    int i;
    for (i = 0; s[i]; i++)
        if (s[i] != ' ')
            PUT(s[i]);
    for (i = 0; i < count; i++)
        out[i] = buf[i];
    return count;
}
/* ==== unified ==== */
#define PUT(c) do { if (count < 8) buf[count++] = (c); } while (0)
#define PUT__old(c) do { if (count < 8) buf[count++] = (c); } while (0)
int f(const char *s, char *out)
{
    char buf[8];
    int count = 0;
    int i;
    for (i = 0; s[i]; i++)
        { if (pn_execute(PN_OLD)) {
            PUT__old(s[i]);
        } else {
            if (s[i] != ' ')
                PUT(s[i]);
        } }
    for (i = 0; i < count; i++)
        out[i] = buf[i];
    return count;
}
