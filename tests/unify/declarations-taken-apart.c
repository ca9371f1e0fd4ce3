/* ==== old ==== */
int g(char *, int);
int f(int n)
{
    char buf[16], *p = buf;
    int i, len;
    len = g(buf, n);
    for (i = 0; i < len; i++)
        *p++ = 'a';
    return p - buf;
}
/* ==== new ==== */
int g(char *, int);
int f(int n)
{
    char buf[16];
    char *p = buf;
    int len = g(buf, n);
    int i;
    for (i = 0; i <= len; i++)
        *p++ = 'a';
    return p - buf;
}
/* ==== unified ==== */
int g(char *, int);
int f(int n)
{ char buf[16]; char * p; int len; int i;
    
    p = buf;
    len = g(buf, n);
    
    for (i = 0; pn_change(i < len, i <= len); i++)
        *p++ = 'a';
    return p - buf;
}
