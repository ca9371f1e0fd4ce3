/* What a confined process can and cannot do. Each attempt is made in a child of its own. */
#include "base/file.h"
#include "execute/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char outside[256], scratch[256], victim[300], inside[300];

static int begin(void **state)
{
    (void)state;
    struct error error = {0};
    bool good = file_make_scratch(outside, &error) && file_make_scratch(scratch, &error);
    snprintf(victim, sizeof victim, "%s/victim", outside);
    snprintf(inside, sizeof inside, "%s/inside", scratch);
    return good && file_write(victim, "precious", 8, &error) ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    file_remove_tree(outside);
    file_remove_tree(scratch);
    return 0;
}

static bool confine_self(const char *directory)
{
    const char *const directories[] = {directory, NULL};
    return confine_rights() && confine_files(directories) && confine_calls(false);
}

/* The errno of an attempt in a confined child; 0 when it succeeds. */
static int attempt(int (*action)(void))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!confine_self(scratch))
            _exit(255);
        errno = 0;
        _exit(action() < 0 ? errno : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_not_equal(WEXITSTATUS(status), 255);
    return WEXITSTATUS(status);
}

static int write_to(const char *path, int flags)
{
    int file = open(path, flags, 0600);
    return file < 0 ? -1 : (int)write(file, "x", 1);
}

static int remove_file(void)
{
    return unlink(victim);
}
static int write_file(void)
{
    return write_to(victim, O_WRONLY);
}
static int truncate_file(void)
{
    return truncate(victim, 0);
}
static int truncate_by_opening(void)
{
    return open(victim, O_WRONLY | O_TRUNC);
}
static int append_to_file(void)
{
    return write_to(victim, O_WRONLY | O_APPEND);
}
static int rename_file(void)
{
    return rename(victim, inside);
}
static int replace_file(void)
{
    return write_to(inside, O_WRONLY | O_CREAT) < 0 ? -1 : rename(inside, victim);
}
static int link_file(void)
{
    return link(victim, inside);
}
static int write_through_a_link(void)
{
    return symlink(victim, inside) ? -1 : write_to(inside, O_WRONLY);
}
static int make_file(void)
{
    char path[400];
    snprintf(path, sizeof path, "%s/new", outside);
    return write_to(path, O_WRONLY | O_CREAT);
}
static int make_directory(void)
{
    char path[400];
    snprintf(path, sizeof path, "%s/directory", outside);
    return mkdir(path, 0700);
}
static int change_mode(void)
{
    return chmod(victim, 0);
}
static int change_owner(void)
{
    return chown(victim, 1, 1);
}
static int change_times(void)
{
    return utimes(victim, NULL);
}
static int run_a_program(void)
{
    char command[800];
    snprintf(command, sizeof command, "rm -f %s 2>/dev/null; test ! -e %s", victim, victim);
    errno = EACCES;
    return system(command) ? -1 : 0;
}
static int signal_the_parent(void)
{
    return kill(getppid(), SIGCONT);
}
static int open_a_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0);
}
static int open_a_datagram_socket(void)
{
    return socket(AF_INET6, SOCK_DGRAM, 0);
}
static int mount_something(void)
{
    return chroot("/");
}
static int confine_again_and_remove(void)
{
    return confine_self(outside) ? unlink(victim) : -1;
}

static void nothing_outside_changes(void **state)
{
    (void)state;
    int (*const actions[])(void) = {
        remove_file,          write_file,
        truncate_file,        truncate_by_opening,
        append_to_file,       rename_file,
        replace_file,         link_file,
        write_through_a_link, make_file,
        make_directory,       change_mode,
        change_owner,         change_times,
        run_a_program,        confine_again_and_remove,
        open_a_socket,        open_a_datagram_socket,
        mount_something,
    };
    struct stat before, after;
    assert_int_equal(stat(victim, &before), 0);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (!attempt(actions[i]))
            fail_msg("attempt %zu succeeded", i);
        file_remove_tree(scratch);
        assert_int_equal(mkdir(scratch, 0700), 0);
        assert_int_equal(stat(victim, &after), 0);
        assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof before.st_mtim);
        assert_int_equal(after.st_size, 8);
        assert_int_equal(after.st_mode, before.st_mode);
        assert_int_equal(after.st_uid, before.st_uid);
    }
    if (confine_version() >= 6)
        assert_int_equal(attempt(signal_the_parent), EPERM);
}

static int use_the_scratch(void)
{
    char path[400];
    snprintf(path, sizeof path, "%s/directory", scratch);
    return mkdir(path, 0700) || write_to(inside, O_WRONLY | O_CREAT) < 0 || truncate(inside, 0) || unlink(inside) ? -1
                                                                                                                  : 0;
}

static int read_a_file(void)
{
    char text[9] = "";
    int file = open(victim, O_RDONLY);
    return file >= 0 && read(file, text, 8) == 8 && !strcmp(text, "precious") ? 0 : -1;
}

static int write_to_nothing(void)
{
    return write_to("/dev/null", O_WRONLY);
}
static int start_a_process(void)
{
    return system("true");
}
static int signal_oneself(void)
{
    return raise(SIGCONT);
}

static void the_rest_goes_on(void **state)
{
    (void)state;
    assert_int_equal(attempt(use_the_scratch), 0);
    assert_int_equal(attempt(read_a_file), 0);
    assert_int_equal(attempt(write_to_nothing), 0);
    assert_int_equal(attempt(start_a_process), 0);
    assert_int_equal(attempt(signal_oneself), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_outside_changes), cmocka_unit_test(the_rest_goes_on)};
    if (!confine_version()) {
        puts("1..1\nok 1 - confinement # SKIP this kernel has no Landlock");
        return 0;
    }
    return cmocka_run_group_tests(tests, begin, end);
}
