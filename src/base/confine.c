#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the kernel has them: the headers of older systems lack the later ones. */
struct ruleset_attributes {
    uint64_t files, network, scoped;
};

struct path_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

enum { CREATE_VERSION = 1, RULE_PATH_BENEATH = 1 };
enum { VERSION_REFER = 2, VERSION_TRUNCATE = 3, VERSION_NETWORK = 4, VERSION_SCOPED = 6 };

static const uint64_t write_file = 1 << 1, truncate_file = 1 << 14, refer = 1 << 13;
/* write, remove directories and files, make character devices, directories, files, sockets, pipes, block devices, links
 */
static const uint64_t first_changes = 1 << 1 | 0x1ff << 4;
static const uint64_t bind_and_connect = 3, sockets_and_signals = 3;

int confine_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_VERSION);
    return version > 0 ? (int)version : 0;
}

static bool allow(int ruleset, const char *path, uint64_t rights)
{
    struct path_beneath rule = {rights, open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent < 0)
        return true; /* what is not there cannot be written to */
    bool good = !syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent);
    return good;
}

static bool confine_files(const char *scratch)
{
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"};
    int version = confine_version();
    struct ruleset_attributes attributes = {.files = first_changes};
    size_t size = sizeof attributes.files;
    if (version >= VERSION_REFER)
        attributes.files |= refer;
    if (version >= VERSION_TRUNCATE)
        attributes.files |= truncate_file;
    if (version >= VERSION_NETWORK)
        attributes.network = bind_and_connect, size = offsetof(struct ruleset_attributes, scoped);
    if (version >= VERSION_SCOPED)
        attributes.scoped = sockets_and_signals, size = sizeof attributes;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (ruleset < 0)
        return false;
    bool good = allow(ruleset, scratch, attributes.files);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        good = good && allow(ruleset, devices[i], attributes.files & (write_file | truncate_file));
    good = good && !syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return good;
}

/* What Landlock leaves open: rights, owners, times and attributes of files; the system itself; other processes. */
static const uint16_t refused[] = {
    SYS_chmod,
    SYS_fchmod,
    SYS_fchmodat,
    452 /* fchmodat2 */,
    SYS_chown,
    SYS_fchown,
    SYS_lchown,
    SYS_fchownat,
    SYS_utime,
    SYS_utimes,
    SYS_utimensat,
    SYS_futimesat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_ptrace,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_bpf,
    SYS_keyctl,
    SYS_add_key,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_quotactl,
    SYS_acct,
    SYS_iopl,
    SYS_ioperm,
    SYS_syslog,
    SYS_vhangup,
    SYS_io_uring_setup,
    SYS_userfaultfd,
    SYS_perf_event_open,
};

enum { REFUSED = sizeof refused / sizeof *refused };

static struct sock_filter statement(uint16_t code, uint32_t value)
{
    return (struct sock_filter){.code = code, .k = value};
}

static struct sock_filter jump(uint32_t value, uint8_t if_equal, uint8_t if_not)
{
    return (struct sock_filter){.code = BPF_JMP | BPF_JEQ | BPF_K, .jt = if_equal, .jf = if_not, .k = value};
}

/* Another kind of system call than this machine's own is refused whole: the numbers mean something else there. */
static bool confine_calls(void)
{
    struct sock_filter code[REFUSED * 2 + 16];
    uint16_t count = 0;
    code[count++] = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[count++] = jump(AUDIT_ARCH_X86_64, 1, 0);
    code[count++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
    code[count++] = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    code[count++] = (struct sock_filter){.code = BPF_JMP | BPF_JGE | BPF_K, .jt = 0, .jf = 1, .k = 0x40000000};
    code[count++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
    for (size_t i = 0; i < REFUSED; i++) {
        code[count++] = jump(refused[i], 0, 1);
        code[count++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    }
    code[count++] = jump(SYS_socket, 0, 3);
    code[count++] = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]));
    code[count++] = jump(AF_UNIX, 1, 0);
    code[count++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
    code[count++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {count, code};
    return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

bool confine_self(const char *scratch)
{
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && confine_files(scratch) && confine_calls();
}
