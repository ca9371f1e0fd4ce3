/* ==== old ==== */
int g(int x);
int f(int n)
{
    int i, total = 0;
    char c;
    if (n > 3) {
        int k = g(n);
        total += k;
    }
    for (i = 0; i < n; i++) {
        c = (char)g(i);
        total += c;
    }
    return total;
}
/* ==== new ==== */
int g(int x);
int f(int n)
{
    int total = 0;
    int k = 0;
    if (n > 4) {
        k = g(n);
        total += k;
    }
    for (int i = 0; i < n; i++) {
        char c = (char)g(i);
        total += c + k;
    }
    return total;
}
/* ==== unified ==== */
int g(int x);
int f(int n)
{ int total; int i; int k; char c;
    total = 0;
    k = pn_change(k, 0);
    if (n > pn_change(3, 4)) {
        k = g(n);
        total += k;
    }
    for (i = 0; i < n; i++) {
        c = (char)g(i);
        total += pn_change(c, c + k);
    }
    return total;
}
