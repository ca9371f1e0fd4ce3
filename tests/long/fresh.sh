#!/bin/sh
# What the README says works on a bare Debian 12 and 13: `make demo` and `make test`, without a warning.
if [ "$(id -u)" != 0 ]; then
    echo "ok fresh # SKIP needs root"
    exit 0
fi
for release in 12 13; do
    if tools/fresh $release >"$SCRATCH/log" 2>&1; then
        echo "ok debian-$release"
    else
        echo "not ok debian-$release: $(tail -n 1 "$SCRATCH/log")"
        sed 's/^/# /' "$SCRATCH/log"
    fi
done
