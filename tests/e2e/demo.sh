#!/bin/bash
# The first command of the README: what it shows is what the tool finds.
cp -r tools examples "$SCRATCH"
mkdir "$SCRATCH/build"
cp -r "$(dirname "$PENUMBRA")"/{penumbra,lib} "$SCRATCH/build"
if output=$(PENUMBRA="$SCRATCH/build/penumbra" "$SCRATCH/tools/demo" 2>&1) && grep -q "12 letters:  old returns -1  *new returns -1" <<<"$output" &&
    grep -q "^    different: 1 regression" <<<"$output" && grep -q "SUMMARY: AddressSanitizer: global-buffer-overflow" <<<"$output"; then
    echo "ok demo"
else
    echo "not ok demo: $(tail -n 5 <<<"$output" | tr '\n' ' ')"
fi
