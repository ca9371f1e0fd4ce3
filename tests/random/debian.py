"""Source packages of Debian, for trying things on what people have written. Nothing of them is part of this repository."""

import glob
import os
import re
import subprocess


def run(command, cwd=None):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL)


class Packages:
    """A directory that keeps them: what is there is not fetched again."""

    def __init__(self, place):
        self.place = place
        self.options = None

    def _list_sources(self):
        """A list of sources of our own: this machine's archive, as source packages."""
        lists = os.path.join(self.place, "apt")
        os.makedirs(os.path.join(lists, "lists/partial"), exist_ok=True)
        text = "\n\n".join(open(path, encoding="utf-8").read() for path in glob.glob("/etc/apt/sources.list.d/*.sources"))
        if not text and os.path.exists("/etc/apt/sources.list"):
            text = open("/etc/apt/sources.list", encoding="utf-8").read()
        is_list = not re.search(r"^Types:", text, re.MULTILINE)
        path = os.path.join(lists, "source.list" if is_list else "source.sources")
        with open(path, "w", encoding="utf-8") as file:
            file.write(re.sub(r"^deb(?=\s)", "deb-src", text, flags=re.MULTILINE) if is_list
                       else re.sub(r"^Types: .*$", "Types: deb-src", text, flags=re.MULTILINE))
        self.options = ["-o", f"Dir::Etc::sourcelist={path}", "-o", "Dir::Etc::sourceparts=/dev/null", "-o", f"Dir::State::lists={lists}/lists",
                        "-o", f"Dir::Cache::srcpkgcache={lists}/srcpkgcache.bin", "-o", f"Dir::Cache::pkgcache={lists}/pkgcache.bin", "-o",
                        "APT::Sandbox::User=root"]
        if not os.path.exists(lists + "/updated"):
            done = run(["apt-get", *self.options, "update"])
            if done.returncode:
                raise OSError(f"apt-get update: {done.stderr.strip()}")
            open(lists + "/updated", "w", encoding="utf-8").close()

    def _versions(self, package):
        """Newest first, each twice: archives are slow at times, and lack files of a version that they list at others."""
        shown = run(["apt-cache", *self.options, "showsrc", package]).stdout
        versions = re.findall(r"^Version: (.*)$", shown, re.MULTILINE)
        return [version for version in reversed(versions) for _ in range(2)]

    def tree(self, package):
        """The unpacked source, with Debian's patches in it; None where it cannot be had."""
        tree = os.path.join(self.place, package)
        if os.path.isdir(tree):
            return tree
        if not self.options:
            self._list_sources()
        download = os.path.join(self.place, "apt", package)
        os.makedirs(download, exist_ok=True)
        for version in self._versions(package):
            if run(["apt-get", *self.options, "source", "--download-only", f"{package}={version}"], cwd=download).returncode == 0:
                break
        described = glob.glob(download + "/*.dsc")
        if described:
            run(["dpkg-source", "--no-check", "-x", described[0], tree], cwd=download)
        return tree if os.path.isdir(tree) else None
