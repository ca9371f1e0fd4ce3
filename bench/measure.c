/* measure REPORT COMMAND...: runs the command and writes its exit status, user time in microseconds, elapsed time in
 * microseconds and largest resident size in KB to the file REPORT. A process of its own, because a child's resident
 * size begins with its parent's, which should be small. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static long microseconds(struct timeval time)
{
    return time.tv_sec * 1000000L + time.tv_usec;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    struct timeval start, end;
    gettimeofday(&start, NULL);
    pid_t child = fork();
    if (child == 0) {
        execv(argv[2], argv + 2);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 2;
    gettimeofday(&end, NULL);
    FILE *report = fopen(argv[1], "w");
    if (!report)
        return 2;
    fprintf(report, "%d %ld %ld %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            microseconds(usage.ru_utime), microseconds(end) - microseconds(start), usage.ru_maxrss);
    return fclose(report) ? 2 : 0;
}
