int library_twice(int x)
{
    return 2 * x;
}

int library_apply(int (*function)(int), int x)
{
    return function(x);
}
