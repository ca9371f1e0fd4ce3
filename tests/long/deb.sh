#!/bin/sh
# The Debian package: lintian has nothing to say, and it installs and works in a bare Debian of this release.
release=$(. /etc/os-release && echo "${VERSION_ID-}")
if [ "$(id -u)" != 0 ]; then
    echo "ok deb # SKIP needs root"
    exit 0
fi
build=$(dirname "$PENUMBRA")
if make deb BUILD="$build" >"$SCRATCH/log" 2>&1; then
    echo "ok lintian"
else
    echo "not ok lintian: $(tail -n 1 "$SCRATCH/log")"
fi
if tools/fresh "$release" "$SCRATCH/tree" --install "$build"/penumbra_*.deb >"$SCRATCH/log" 2>&1; then
    echo "ok install"
else
    echo "not ok install: $(tail -n 1 "$SCRATCH/log")"
    sed 's/^/# /' "$SCRATCH/log"
fi
