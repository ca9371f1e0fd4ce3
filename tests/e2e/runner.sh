#!/bin/bash
# The test runner itself: what passes, fails and crashes is counted as such.
mkdir -p "$SCRATCH/tests/e2e"
cp tests/run "$SCRATCH/tests/run"

# check NAME STATUS LAST_LINE SCRIPT...: runs the scripts as a test suite of their own.
check() {
    local name=$1 status=$2 last=$3 output i=0
    shift 3
    rm -f "$SCRATCH"/tests/e2e/*
    for script; do
        i=$((i + 1))
        printf '#!/bin/sh\n%s\n' "$script" >"$SCRATCH/tests/e2e/$i.sh"
        chmod +x "$SCRATCH/tests/e2e/$i.sh"
    done
    output=$("$SCRATCH/tests/run" --limit 3 2>&1)
    local got=$?
    if [ $got = "$status" ] && [ "$(tail -n 1 <<<"$output")" = "$last" ]; then
        echo "ok $name"
    else
        echo "not ok $name: status $got, expected $status and '$last'"
        sed 's/^/# /' <<<"$output"
    fi
}

check all-pass 0 '3 passed, 0 failed' 'echo ok a; echo ok b' 'echo "ok c"'
check one-fails 1 '2 passed, 1 failed' 'echo ok a; echo "not ok b: why"' 'echo ok c'
check crash-is-a-failure 1 '1 passed, 1 failed' 'echo ok a; kill -ABRT $$'
check bad-status-is-a-failure 1 '1 passed, 1 failed' 'echo ok a; exit 3'
check cases-that-did-not-run-are-a-failure 1 '1 passed, 1 failed' 'echo 1..3; echo ok 1; exit 0'
check silence-is-a-failure 1 '0 passed, 1 failed' 'true'
check nothing-ran 1 '0 passed, 0 failed'
check endless-is-a-failure 1 '1 passed, 1 failed' 'echo ok a; sleep 1000'
check scratch-is-private 0 '2 passed, 0 failed' \
    'touch "$SCRATCH/x"; sleep 0.5; [ -d "$SCRATCH" ] && echo ok a' '[ -z "$(ls "$SCRATCH")" ] && echo ok b'
