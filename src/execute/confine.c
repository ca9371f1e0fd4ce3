#include "execute/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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
static const uint64_t sockets_and_signals = 3;

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

/* Of the system, nothing that these rights are about; what the kernel is too old for is left out. */
static int make_ruleset(uint64_t *files)
{
    int version = confine_version();
    struct ruleset_attributes attributes = {.files = first_changes};
    size_t size = sizeof attributes.files;
    if (version >= VERSION_REFER)
        attributes.files |= refer;
    if (version >= VERSION_TRUNCATE)
        attributes.files |= truncate_file;
    if (version >= VERSION_NETWORK)
        attributes.network = 0, size = offsetof(struct ruleset_attributes, scoped);
    if (version >= VERSION_SCOPED)
        attributes.scoped = sockets_and_signals, size = sizeof attributes;
    *files = attributes.files;
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
}

bool confine_files(const char *const directories[])
{
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"};
    uint64_t files;
    int ruleset = make_ruleset(&files);
    if (ruleset < 0)
        return false;
    bool good = true;
    for (; *directories; directories++)
        good = good && allow(ruleset, *directories, files);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        good = good && allow(ruleset, devices[i], files & (write_file | truncate_file));
    good = good && !syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return good;
}

/* Rights, owners, times and attributes of files: Landlock leaves them open, a read-only mount does not. */
static const uint16_t refused_for_files[] = {
    SYS_chmod,    SYS_fchmod,    SYS_fchmodat,  452 /* fchmodat2 */, SYS_chown,        SYS_fchown,
    SYS_lchown,   SYS_fchownat,  SYS_utime,     SYS_utimes,          SYS_utimensat,    SYS_futimesat,
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,     SYS_lremovexattr, SYS_fremovexattr,
};

/* The system itself, other processes, and ways to get rights again. */
static const uint16_t refused_always[] = {
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_ptrace,
    SYS_process_vm_writev,
    438 /* pidfd_getfd */,
    SYS_kcmp,
    428 /* open_tree */,
    429 /* move_mount */,
    430 /* fsopen */,
    432 /* fsmount */,
    433 /* fspick */,
    442 /* mount_setattr */,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    320 /* kexec_file_load */,
    SYS_bpf,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_quotactl,
    SYS_acct,
    SYS_iopl,
    SYS_ioperm,
    SYS_syslog,
    SYS_vhangup,
    SYS_open_by_handle_at,
    SYS_io_uring_setup,
    SYS_userfaultfd,
    SYS_perf_event_open,
};

enum {
    REFUSED_FOR_FILES = sizeof refused_for_files / sizeof *refused_for_files,
    REFUSED_ALWAYS = sizeof refused_always / sizeof *refused_always,
    SYSTEM_CLONE3 = 435,
    NEW_NAMESPACES = 0x7e020080, /* CLONE_NEW*, of clone() */
};

/* A filter under construction. */
struct filter {
    struct sock_filter code[(REFUSED_FOR_FILES + REFUSED_ALWAYS) * 2 + 40];
    uint16_t count;
};

static void add(struct filter *filter, uint16_t code, uint32_t value)
{
    filter->code[filter->count++] = (struct sock_filter){.code = code, .k = value};
}

static void add_jump(struct filter *filter, uint16_t condition, uint32_t value, uint8_t if_true, uint8_t if_false)
{
    filter->code[filter->count++] =
        (struct sock_filter){.code = BPF_JMP | condition | BPF_K, .jt = if_true, .jf = if_false, .k = value};
}

static void add_refusal(struct filter *filter, int reason)
{
    add(filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)reason);
}

static void refuse(struct filter *filter, const uint16_t *calls, size_t count, int reason)
{
    for (size_t i = 0; i < count; i++) {
        add_jump(filter, BPF_JEQ, calls[i], 0, 1);
        add_refusal(filter, reason);
    }
}

/* Another kind of system call than this machine's own is refused whole: the numbers mean something else there. */
static void refuse_other_machines(struct filter *filter)
{
    add(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    add_jump(filter, BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0);
    add_refusal(filter, ENOSYS);
    add(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    add_jump(filter, BPF_JGE, 0x40000000, 0, 1);
    add_refusal(filter, ENOSYS);
}

/* A namespace of its own would give a process capabilities in it. What clone3() asks for cannot be looked at: the C
 * library then uses clone(). */
static void refuse_namespaces(struct filter *filter)
{
    static const uint16_t clone3[] = {SYSTEM_CLONE3};
    refuse(filter, clone3, 1, ENOSYS);
    add_jump(filter, BPF_JEQ, SYS_clone, 0, 4);
    add(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]));
    add_jump(filter, BPF_JSET, NEW_NAMESPACES, 0, 1);
    add_refusal(filter, EPERM);
    add(filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}

/* A local socket reaches servers of the user's by their files, whatever is mounted how; socketpair() makes its own. Of
 * the others, a network namespace has only those that are its own. */
static void refuse_sockets(struct filter *filter, bool has_network)
{
    add_jump(filter, BPF_JEQ, SYS_socket, 0, 4);
    add(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]));
    add_jump(filter, BPF_JEQ, has_network ? AF_INET : AF_UNSPEC, 2, 0);
    add_jump(filter, BPF_JEQ, has_network ? AF_INET6 : AF_UNSPEC, 1, 0);
    add_refusal(filter, EACCES);
}

bool confine_calls(bool has_namespaces)
{
    struct filter filter = {.count = 0};
    refuse_other_machines(&filter);
    refuse(&filter, refused_always, REFUSED_ALWAYS, EPERM);
    if (!has_namespaces)
        refuse(&filter, refused_for_files, REFUSED_FOR_FILES, EPERM);
    refuse_namespaces(&filter);
    refuse_sockets(&filter, has_namespaces);
    add(&filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {filter.count, filter.code};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

bool confine_rights(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0); /* who may not do that has none that exec() could give back */
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return !syscall(SYS_capset, &header, none) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void confine_sizes(bool has_own_files)
{
    enum { LARGEST_FILE = 64 << 20 };
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (!has_own_files)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){LARGEST_FILE, LARGEST_FILE});
    setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_MSGQUEUE, &(struct rlimit){0, 0});
}
