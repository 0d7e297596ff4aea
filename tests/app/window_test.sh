#!/usr/bin/env bash
# window_test.sh PROGRAM SOURCE: the real window on a real X server: it appears, it moves by itself, and
# closing it ends the program with status 0. Skipped (77) without TLBSCOPE_TEST_DISPLAY, which
# tests/run sets.
set -euo pipefail
program=$1
if [ -z "${TLBSCOPE_TEST_DISPLAY:-}" ]; then
    echo "no X server: start tests/run, which brings one"
    exit 77
fi
export DISPLAY=$TLBSCOPE_TEST_DISPLAY QT_QPA_PLATFORM=xcb
folder=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$folder"' EXIT

"$program" --theme dark >"$folder/out" 2>&1 &
pid=$!
# --sync waits for the window; the timeout is for a program that never shows one.
window=$(timeout 60 xdotool search --sync --onlyvisible --pid "$pid" --name tlbscope | head -n 1)
[ -n "$window" ] || { echo "no window appeared:"; cat "$folder/out"; exit 1; }

look() { import -window "$window" "$1"; }
look "$folder/first.png"
colours=$(identify -format %k "$folder/first.png")
[ "$colours" -ge 50 ] || { echo "the window is nearly empty: $colours colours"; exit 1; }

# It runs without being touched: sooner or later two pictures differ.
for attempt in $(seq 1 200); do
    look "$folder/next.png"
    if [ "$(compare -metric AE "$folder/first.png" "$folder/next.png" null: 2>&1 || true)" != 0 ]; then
        moved=$attempt
        break
    fi
done
[ -n "${moved:-}" ] || { echo "the window does not move"; exit 1; }

# The window is gone before xdotool lets the key go, which it then reports as a failure.
xdotool windowfocus --sync "$window" key --window "$window" ctrl+q 2>/dev/null || true
status=0
timeout 60 tail --pid="$pid" -f /dev/null || { echo "Ctrl+Q does not close the window"; exit 1; }
wait "$pid" || status=$?
pid=
cat "$folder/out"
[ "$status" = 0 ] || { echo "the program ended with status $status"; exit 1; }
# Qt complains on stderr when objects are used wrongly.
if grep -qE 'QObject|QPainter|QWidget|ASSERT' "$folder/out"; then exit 1; fi
