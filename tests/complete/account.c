/* A bank account: what mutate.py makes versions of, in the dialect of tests/random/dialect.h. */
#include "dialect.h"

int balance, refused;
int history[2];
unsigned char used;

static int deposit(int amount)
{
    if (BR(amount <= 0)) {
        refused = refused + 1;
        return 0;
    }
    balance = balance + amount;
    return 1;
}

/* Two below zero is the limit, and each withdrawal that ends below zero costs one. */
static int withdraw(int amount)
{
    if (BR(amount <= 0) || BR(balance - amount < -2)) {
        refused = refused + 1;
        return 0;
    }
    balance = balance - amount;
    if (BR(balance < 0))
        balance = balance - 1;
    return 1;
}

int session(int start, int in, int out)
{
    balance = start;
    int done = deposit(in) + withdraw(out);
    ASSERT(balance > -5);
    if (BR(done == 2))
        return balance;
    return done - 2;
}

static void note(int amount)
{
    AT(history, used, 2) = amount;
    used = (unsigned char)(used + 1);
}

/* Deposits are positive, withdrawals negative. Only two of either kind find room in the history. */
int replay(int amounts[3])
{
    int done = 0;
    for (int i = 0; BR(i < 3); i++) {
        int amount = AT(amounts, i, 3);
        if (BR(amount > 0))
            done = done + deposit(amount);
        else if (BR(amount < 0))
            done = done + withdraw(-amount);
        if (BR(amount > 1) || BR(amount < -1))
            note(amount);
    }
    AT(amounts, 0, 3) = balance;
    return done;
}

/* What a rate in percent gives after some months, in narrow types. */
short interest(unsigned char rate, short months)
{
    unsigned char percent = BR(rate > 200) ? (unsigned char)(rate - 200) : rate;
    short each = (short)DIV(120, months);
    if (BR(each > 60))
        each = (short)(each - percent);
    else if (BR(percent >= 100) || BR(each < 0))
        return (short)(each + months);
    return (short)(each * percent);
}
