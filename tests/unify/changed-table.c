/* ==== old ==== */
static int table[4] = {1, 2, 3, 4};

int f(int x)
{
    return table[x & 3]++;
}
/* ==== new ==== */
static int table[4] = {1, 2, 3, 5};

int f(int x)
{
    return table[x & 3]++;
}
/* ==== unified ==== */
static int table[4] = {1, 2, 3, 5};
static int table__old[4] = {1, 2, 3, 4};
pn_global_copy(table, table__old);

int f(int x)
{
    return table[x & 3]++;
}
