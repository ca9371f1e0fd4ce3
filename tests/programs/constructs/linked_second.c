static int helper(int x)
{
    return x * 2;
}

int second_file(int x)
{
    return helper(x);
}
