#!/usr/bin/env python3
"""Programs under test change nothing of the user's, whatever inputs are tried: explored, run natively, and checked."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import run_rows  # noqa: E402

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
HEAD = ("#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n"
        "#include <unistd.h>\n")

# What f() does to the file whose name it gets; the versions do it to another one.
ACTIONS = {
    "remove": "return remove(p);",
    "unlink": "return unlink(p);",
    "truncate": "return truncate(p, 0);",
    "overwrite": 'FILE *s = fopen(p, "w"); return s ? fclose(s) : -1;',
    "append": "int d = open(p, O_WRONLY | O_APPEND); return d < 0 ? -1 : (int)write(d, p, 1);",
    "chmod": "return chmod(p, 0);",
    "rename": 'return rename(p, "gone");',
    "system": 'char c[32] = "rm -f "; strcat(c, p); return system(c) != 0;',
    "mkdir": 'return mkdir("made", 0700);',
}


def expect(condition, why):
    if not condition:
        raise AssertionError(why)


def state_of(place):
    found = {}
    for name in sorted(os.listdir(place)):
        if name.startswith("penumbra-out"):
            continue
        status = os.stat(os.path.join(place, name))
        with open(os.path.join(place, name), encoding="utf-8") as file:
            found[name] = (status.st_mode, status.st_mtime_ns, file.read())
    return found


def check(name, *options):
    place = os.path.join(SCRATCH, name + "".join(options))
    os.makedirs(place)
    for file in ("a", "b"):
        with open(os.path.join(place, file), "w", encoding="utf-8") as out:
            out.write("precious")
    for file, letter in (("old.c", "a"), ("new.c", "b")):
        with open(os.path.join(place, file), "w", encoding="utf-8") as out:
            out.write(HEAD + "int f(const char *p) { if (p[0] == '%s' && p[1] == 0) { %s } return 7; }\n" % (letter, ACTIONS[name]))
    before = state_of(place)
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--json", "--quiet", *options], cwd=place,
                         capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
    expect(state_of(place) == before, f"something has changed: {run.stderr}")
    report = json.loads(run.stdout)
    expect(report["verdict"] == "different", report["limits"])


CASES = [(name, lambda name=name: check(name)) for name in ACTIONS]


# ---- what programs could do to the system; each case runs in a throw-away system of its own ----

DANGERS_HEAD = """#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
static void write_to(const char *path) { int d = open(path, O_WRONLY | O_TRUNC); if (d >= 0) (void)!write(d, "1", 1), close(d); }
"""

# By kind; each is a statement of a function that has `outside`, the absolute path of a directory with a file "victim".
DANGERS = {
    "files": [
        'remove(VICTIM);', 'rename(VICTIM, OUTSIDE "/gone");', 'rename(VICTIM, "taken");', 'truncate(VICTIM, 0);',
        'chmod(VICTIM, 0);', '(void)!chown(VICTIM, 1, 1);', 'utimes(VICTIM, NULL);', 'write_to(VICTIM);',
        '(void)!symlink(OUTSIDE, "link"); write_to("link/victim"); remove("link/victim");',
        '(void)!link(VICTIM, "hard"); write_to("hard"); chmod("hard", 0777);', 'mkdir(OUTSIDE "/made", 0700);',
        'mkfifo(OUTSIDE "/pipe", 0600);', 'mknod(OUTSIDE "/node", S_IFCHR | 0666, 259);', 'rmdir(OUTSIDE);',
        'remove("victim"); rmdir("full"); remove("full/a");',
        'chdir("/"); (void)!system("rm -rf " OUTSIDE " 2>/dev/null");', 'open(OUTSIDE, O_TMPFILE | O_WRONLY, 0600);',
    ],
    "system": [
        'write_to("/proc/self/oom_score_adj");', 'write_to("/proc/sys/kernel/hostname");',
        'write_to("/proc/1/mem");', 'write_to("/sys/kernel/mm/ksm/run");', 'write_to("/dev/kmsg");',
        'write_to("/dev/sda");', 'write_to("/dev/mem");', 'sethostname("x", 1);', 'settimeofday(&(struct timeval){1, 0}, NULL);',
        'mount("none", OUTSIDE, "tmpfs", 0, NULL);', 'umount2("/", MNT_DETACH);', 'unshare(CLONE_NEWUSER | CLONE_NEWNS);',
        'syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);', 'chroot(OUTSIDE);', '(void)!setuid(0);',
        'int d = open("/proc/1/ns/mnt", O_RDONLY); setns(d, 0);', '(void)!nice(-20);',
    ],
    "processes": [
        'kill(-1, SIGKILL);', 'kill(getppid(), SIGKILL); kill(getppid(), SIGSTOP);',
        'kill(getppid(), SIGSEGV); kill(getppid(), SIGABRT); kill(getppid(), SIGTERM);',
        'killpg(getpgid(getppid()), SIGKILL);', 'for (int i = 2; i < 300; i++) if (i != getpid()) kill(i, SIGKILL);',
        'ptrace(PTRACE_ATTACH, getppid(), 0, 0);', 'long v = 1; struct iovec l = {&v, 8}, r = {(void *)0x400000, 8}; '
        'process_vm_writev(getppid(), &l, 1, &r, 1, 0);',
        'if (fork() == 0) { setsid(); signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN); if (fork() == 0) for (;;) pause(); _exit(0); }',
        'for (int i = 0; i < 20; i++) if (fork() == 0) for (;;) pause();',
        'setpgid(0, 0); setsid();',
    ],
    "network": [
        'int d = socket(AF_INET, SOCK_STREAM, 0); struct sockaddr_in a = {AF_INET, htons(PORT), {htonl(0x7f000001)}}; '
        'if (d >= 0 && !connect(d, (void *)&a, sizeof a)) (void)!write(d, "x", 1);',
        'int d = socket(AF_INET, SOCK_DGRAM, 0); struct sockaddr_in a = {AF_INET, htons(PORT), {htonl(0x7f000001)}}; '
        'sendto(d, "x", 1, 0, (void *)&a, sizeof a);',
        'int d = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0); listen(d, 1); accept4(d, NULL, NULL, SOCK_NONBLOCK);',
        'int d = socket(AF_UNIX, SOCK_STREAM, 0); struct sockaddr_un a = {AF_UNIX, OUTSIDE "/socket"}; '
        'if (d >= 0 && !connect(d, (void *)&a, sizeof a)) (void)!write(d, "x", 1);',
        'int d = socket(AF_UNIX, SOCK_DGRAM, 0); struct sockaddr_un a = {AF_UNIX, "\\0penumbra-test"}; '
        'if (d >= 0) connect(d, (void *)&a, 16);',
    ],
    "protocol": [
        'for (int i = 3; i < 1024; i++) (void)!write(i, "garbage garbage garbage", 20);',
        'for (int i = 3; i < 1024; i++) close(i);',
        'for (int i = 3; i < 1024; i++) (void)!ftruncate(i, 0);',
        'for (int i = 3; i < 1024; i++) dup2(1, i);',
        'for (int i = 3; i < 1024; i++) lseek(i, 0, SEEK_SET), (void)!write(i, "\\377\\377\\377\\377\\377\\377\\377\\377", 8);',
    ],
    "disk": [
        'static char b[65536]; int d = open("big", O_CREAT | O_WRONLY, 0600); for (int i = 0; i < 4000 && write(d, b, sizeof b) > 0; i++);',
        'char n[40]; for (int i = 0; i < 30000; i++) { sprintf(n, "/tmp/f%d", i); int d = open(n, O_CREAT, 0600); if (d < 0) break; close(d); }',
        'mkdir("deep", 0700); for (int i = 0; i < 2000 && !chdir("deep"); i++) mkdir("deep", 0700);',
        'mkdir("closed", 0700); mkdir("closed/in", 0); chmod("closed", 0); chmod(".", 0);',
    ],
}

# These do not come to an end by themselves.
ENDLESS = {
    "fork": "for (;;) fork();",
    "memory": "for (size_t n = 1 << 20;; ) { char *p = malloc(n); if (p) memset(p, 1, n); }",
    "stubborn": "for (int s = 1; s < 65; s++) signal(s, SIG_IGN); for (;;) ;",
    "sleeping": "for (int s = 1; s < 65; s++) signal(s, SIG_IGN); for (;;) pause();",
}

# A system of its own: all file systems but `place` are read-only, and nothing outside can be seen or signalled.
OUTER = """set -e
mount --make-rprivate /
mount -t tmpfs -o mode=0755 none "$PLACE"
mkdir -p "$PLACE/work/full" "$PLACE/outside" "$PLACE/tmp"
cp "$FILES"/* "$PLACE/work"
echo precious >"$PLACE/outside/victim"; echo precious >"$PLACE/work/victim"; echo a >"$PLACE/work/full/a"
mount -o remount,bind,ro / || mount -o remount,bind,ro,nosuid,nodev /
[ -z "$BOUND" ] || echo 2000 >/proc/sys/kernel/pid_max
cd "$PLACE/work"
state() { (cd "$PLACE" && find outside work -path work/penumbra-out -prune -o -type f -printf '%p %m %u %T@ %s\\n' -o -printf '%p %y %m\\n' | sort); }
state >"$PLACE/before"
hostname >"$PLACE/host"
TMPDIR="$PLACE/tmp" "$PENUMBRA" diff old.c new.c --entry f --json --quiet $OPTIONS >"$PLACE/report" 2>"$PLACE/errors" </dev/null || echo "status $?" >>"$PLACE/errors"
state >"$PLACE/after"
hostname | cmp - "$PLACE/host"
cmp "$PLACE/before" "$PLACE/after" || { diff "$PLACE/before" "$PLACE/after" >&2; exit 3; }
[ -z "$(ls "$PLACE/tmp")" ] || { echo "left in TMPDIR: $(ls -R "$PLACE/tmp")" >&2; exit 3; }
for p in /proc/[0-9]*; do case ${p#/proc/} in 1|self|$$) ;; *) tr '\\0' ' ' <$p/cmdline 2>/dev/null || true;; esac; done >"$PLACE/processes"
grep -v '^cat\\|^tr\\|^ls' "$PLACE/processes" | grep 'penumbra\\|program\\|serve' >&2 && exit 4
cat "$PLACE/report"
cat "$PLACE/errors" >&2
"""


def can_nest():
    """Whether an outer system can be made at all: some containers refuse."""
    return subprocess.run(["unshare", "-Urmpfn", "--mount-proc", "unshare", "-Urm", "true"], check=False,
                          capture_output=True).returncode == 0


def has_bound():
    """Whether the number of processes in the outer system can be bounded: without that, starting them without end is not
    tried."""
    return subprocess.run(["unshare", "-Urpf", "--mount-proc", "sh", "-c", "echo 2000 >/proc/sys/kernel/pid_max"], check=False,
                          capture_output=True).returncode == 0


def run_outer(name, text, options="", user=None):
    place, files = (os.path.join(SCRATCH, name + "-" + part) for part in ("place", "files"))
    os.makedirs(place)
    os.makedirs(files)
    os.chmod(SCRATCH, 0o755)
    os.chmod(place, 0o777)
    for file, number in (("old.c", 100), ("new.c", 200)):
        with open(os.path.join(files, file), "w", encoding="utf-8") as out:
            out.write(text.replace("BASE", str(number)).replace("OUTSIDE", '"' + place + '/outside"')
                      .replace("VICTIM", '"' + place + '/outside/victim"').replace("PORT", "7"))
    command = ["unshare", "-Urmpfn", "--mount-proc", "sh", "-c", OUTER]
    if user:
        command = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", *command]
    run = subprocess.run(command, env={**os.environ, "PLACE": place, "FILES": files, "OPTIONS": options, "PENUMBRA": PENUMBRA, "BOUND": "yes" if has_bound() else ""},
                         capture_output=True, text=True, timeout=1500, check=False, stdin=subprocess.DEVNULL)
    expect(run.returncode == 0, f"status {run.returncode}: {run.stderr[-2000:]}")
    expect(run.stdout.strip(), run.stderr[-2000:])
    return json.loads(run.stdout)


def dangers_of(kind):
    actions = "".join("static void act%d(void) { %s }\n" % (i, action) for i, action in enumerate(DANGERS[kind]))
    cases = "".join("case %d: act%d(); return BASE + %d;\n" % (i, i, i) for i in range(len(DANGERS[kind])))
    return DANGERS_HEAD + actions + "int f(unsigned char x)\n{\n    switch (x) {\n" + cases + "    }\n    return 0;\n}\n"


def check_dangers(kind, level, user=None):
    report = run_outer(f"dangers-{kind}-{level}-{user}", dangers_of(kind), f"--run-time 20 --time 900 --sandbox={level}", user)
    found = [divergence["class"] for divergence in report["divergences"]]
    expect(report["sandbox"] == level, report["sandbox"])
    expect(found == ["output"] * len(DANGERS[kind]), f"{len(DANGERS[kind])} wanted: {found} {report['limits']}")


def check_endless(name, level):
    text = DANGERS_HEAD + "static void act(void) { %s }\nint f(unsigned char x)\n{\n    if (x == 5)\n        act();\n" \
        "    return x == 7 ? BASE : 0;\n}\n" % ENDLESS[name]
    report = run_outer(f"endless-{name}-{level}", text, f"--run-time 0.5 --memory 200 --time 900 --sandbox={level}")
    classes = [divergence["class"] for divergence in report["divergences"]]
    expect(report["verdict"] == "different" and classes == ["output"], f"{classes} {report['limits']}")


# What a container does: the root is a directory in another one, from which no namespace can be made.
CHROOT = """set -e
mkdir -p "$PLACE/root"
mount --rbind / "$PLACE/root"
exec chroot "$PLACE/root" sh -c 'cd "$FILES" && exec "$PENUMBRA" diff old.c new.c --entry f --json --quiet'
"""


def check_chroot():
    place, files = (os.path.join(SCRATCH, "chroot-" + part) for part in ("place", "files"))
    os.makedirs(place)
    os.makedirs(files)
    for file, letter in (("old.c", "a"), ("new.c", "b")):
        with open(os.path.join(files, file), "w", encoding="utf-8") as out:
            out.write(HEAD + "int f(const char *p) { if (p[0] == '%s' && p[1] == 0) return remove(p); return 7; }\n" % letter)
        with open(os.path.join(files, letter), "w", encoding="utf-8") as out:
            out.write("precious")
    before = state_of(files)
    run = subprocess.run(["unshare", "-Urm", "sh", "-c", CHROOT], env={**os.environ, "PLACE": place, "FILES": files},
                         capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
    expect(run.stdout, run.stderr)
    report = json.loads(run.stdout)
    expect(state_of(files) == before, "something has changed")
    expect(report["verdict"] == "different" and report["sandbox"] == "landlock", report["sandbox"])
    shown = [divergence[version]["output"] for divergence in report["divergences"] for version in ("old", "new")]
    expect(sum("./a = removed" in output for output in shown) == 1, shown)


def check_left(name, old, new, *expected):
    """The versions leave other things behind."""
    place = os.path.join(SCRATCH, "left-" + name)
    os.makedirs(place)
    for file, text in (("old.c", old), ("new.c", new), ("kept", "kept\n"), ("data/deep", "deep\n")):
        os.makedirs(os.path.dirname(os.path.join(place, file)), exist_ok=True)
        with open(os.path.join(place, file), "w", encoding="utf-8") as out:
            out.write(HEAD + "int f(int x) { if (x == 77) { %s } return 0; }\n" % text if file.endswith(".c") else text)
    os.chmod(os.path.join(place, "kept"), 0o644)
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet"], cwd=place, capture_output=True,
                         text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
    for fragment in expected:
        expect(fragment in run.stdout, f"no {fragment} in {run.stdout} {run.stderr}")
    expect(run.returncode == (1 if expected else 0), f"{run.returncode} {run.stdout}")


WRITE = 'FILE *s = fopen("%s", "w"); if (s) { fputs("%s", s); fclose(s); }'
LEFT = {
    "content": (WRITE % ("log", "one"), WRITE % ("log", "two"), './log = file 0644, 3 bytes: "one"', '3 bytes: "two"'),
    "name": (WRITE % ("one", "x"), WRITE % ("two", "x"), "./one = file", "./two = file"),
    "mode": ('chmod("kept", 0600);', 'chmod("kept", 0640);', "./kept = file 0600", "./kept = file 0640"),
    "target": ('(void)!symlink("a", "link");', '(void)!symlink("b", "link");', 'link to "a"', 'link to "b"'),
    "directory": ('mkdir("made", 0700);', 'mkdir("made", 0755);', "./made = directory 0700", "./made = directory 0755"),
    "removed": ('remove("data/deep");', 'remove("kept");', "./data/deep = removed", "./kept = removed"),
    "renamed": ('rename("kept", "a");', 'rename("kept", "b");', "./a = file", "./b = file"),
    "temporary": (WRITE % ("/tmp/left", "1"), WRITE % ("/tmp/left", "2"), '/tmp/left = file 0644, 1 bytes: "1"'),
    "appended": ('FILE *s = fopen("kept", "a"); if (s) { fputs("more", s); fclose(s); }', ";", './kept = file 0644, 9 bytes'),
    "same": (WRITE % ("kept", "kept\\n"), ";"),
    "nothing": ('FILE *s = tmpfile(); if (s) fclose(s); mkdir("m", 0700); rmdir("m");', ";"),
}


def check_assembly():
    """A system call that no function makes: such code does not run inside the tool."""
    place = os.path.join(SCRATCH, "assembly")
    os.makedirs(place)
    for file, limit in (("old.c", 1), ("new.c", 2)):
        with open(os.path.join(place, file), "w", encoding="utf-8") as out:
            out.write('int f(int x)\n{\n    static const char name[] = "victim";\n    long r = x > %d;\n    if (x == 50)\n'
                      '        __asm__ volatile("syscall" : "=a"(r) : "a"(87L), "D"(name) : "rcx", "r11", "memory");\n'
                      "    return (int)r;\n}\n" % limit)
    with open(os.path.join(place, "victim"), "w", encoding="utf-8") as out:
        out.write("precious")
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet", "--json"], cwd=place,
                         capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
    expect(os.path.exists(os.path.join(place, "victim")), "it is gone")
    expect(json.loads(run.stdout)["verdict"] == "different" and not json.loads(run.stdout)["inside"], run.stdout)


def check_words():
    """A program that prints what sanitizers print, and glibc, has not failed."""
    place = os.path.join(SCRATCH, "words")
    os.makedirs(place)
    for file, number in (("old.c", 1), ("new.c", 2)):
        with open(os.path.join(place, file), "w", encoding="utf-8") as out:
            out.write(HEAD + 'int f(int x)\n{\n    if (x != 7)\n        return 0;\n    fprintf(stderr, '
                      '"==1==ERROR: AddressSanitizer: heap-buffer-overflow on address\\n    #0 0x1 (/program+0x1)\\n"\n'
                      '        "program: a.c:1: f: Assertion `x\' failed.\\na.c:1:1: runtime error: signed integer overflow: 1 + 1 '
                      'cannot be represented\\npenumbra: the input does not fulfil an assumption of the program\\n");\n'
                      "    return %d;\n}\n" % number)
    run = subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet", "--json"], cwd=place,
                         capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
    divergences = json.loads(run.stdout)["divergences"]
    expect([d["class"] for d in divergences] == ["output"] and not divergences[0]["overflow"], divergences)
    expect(not divergences[0]["old"]["failed"] and not divergences[0]["undefined"], divergences)


CASES.append(("assembly", check_assembly))
CASES.append(("words", check_words))
for name, (old, new, *expected) in LEFT.items():
    CASES.append((f"left-{name}", lambda name=name, old=old, new=new, expected=expected: check_left(name, old, new, *expected)))


# Writes random bytes over the record of the run, and over its own variables and those of what is linked with it.
GARBAGE = DANGERS_HEAD + r"""
static unsigned long next;
static unsigned random_number(void) { next = next * 6364136223846793005ul + 1442695040888963407ul; return next >> 33; }
static void scribble(char *from, char *to)
{
    for (int i = 1 + random_number() % 40; i > 0; i--) {
        unsigned long at = random_number() % 3 ? random_number() % 4096 : random_number();
        from[at % (to - from)] = random_number();
    }
}
static void write_garbage(unsigned seed)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    next = seed;
    while (maps && fgets(line, sizeof line, maps)) {
        char *from, *to, rights[5] = "", *ours = strstr(line, "penumbra"), *program = strstr(line, "program");
        if (sscanf(line, "%p-%p %4s", (void **)&from, (void **)&to, rights) == 3 && rights[1] == 'w' &&
            (ours || (program && seed % 4 == 0)))
            scribble(from, to);
    }
}
int f(unsigned short x)
{
    for (unsigned short i = 0; i < COUNT; i++)
        if (x == i) {
            write_garbage(i);
            return i;
        }
    return x == 5000 ? BASE : 0;
}
"""


def check_garbage():
    count = int(os.environ.get("PENUMBRA_TEST_GARBAGE", 12))
    text = GARBAGE.replace("COUNT", str(count))
    report = run_outer("garbage", text, f"--run-time 2 --time {60 + 3 * count}")
    # paths that were not understood are not gone on with, so it need not be found; but nothing else is, and nothing is proven
    found = [(divergence["class"], divergence["inputs"]["x"]) for divergence in report["divergences"]]
    expect(found in ([], [("output", 5000)]) and report["verdict"] != "equivalent", f"{found} {report['limits']}")
    expect(report["counts"]["runs"] > 1, report["counts"])


if can_nest():
    CASES.append(("garbage", check_garbage))
    CASES.append(("chroot", check_chroot))
    for level in ("namespaces", "landlock"):
        for kind in DANGERS:
            if level == "namespaces" or kind in ("files", "protocol"):
                CASES.append((f"dangers-{kind}-{level}", lambda kind=kind, level=level: check_dangers(kind, level)))
    for name in ENDLESS:
        if name == "fork" and not has_bound():
            print("# the number of processes cannot be bounded here: starting them without end is not tried")
            continue
        CASES.append((f"endless-{name}", lambda name=name: check_endless(name, "namespaces")))
    if os.getuid() == 0:
        for kind in ("files", "processes", "protocol"):
            CASES.append((f"dangers-{kind}-user", lambda kind=kind: check_dangers(kind, "namespaces", "1234")))
else:
    print("# no namespaces in namespaces here: what programs could do to the system is not tried")


if __name__ == "__main__":
    sys.exit(run_rows(CASES, every=2))
