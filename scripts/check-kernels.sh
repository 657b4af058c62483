#!/usr/bin/env bash
# Runs the end-to-end tests on Oclgrind, a simulator of an OpenCL device that reports data races, accesses out of
# bounds, and barriers that not all work-items reach. (Its check for uninitialised memory crashes in version 21.10.)
# It has as much local memory as GPUs have. Kernels are compiled without optimisation: the simulator executes some optimised conditions wrongly, and every access stays.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v oclgrind >/dev/null; then
    echo "check-kernels: oclgrind is not installed; scripts/install-packages.sh installs it" >&2
    exit 1
fi

# All modules of these test programs are checked,
programs=(programs language interface against_eval)
# but not those that are too large for a simulator, choose their devices themselves, or run each program in a process of its own, and
# those about what is done before a launch.
skipped=(photograph large_numbers threads widths scalar_types papers_programs restricted warnings drivers hygiene obligations
    open_elements user_functions)
# Those that take longest come first, as several run at a time.
slowest=(product_forms product_stages forms benchmark_programs random_programs launches stencil_forms general_launches scans
    orders tables untuned data_driven iterations segments convolution strict thesis scan_programs early_end delimited_rows
    keyed choices reductions positions blocking pipelined products linear_algebra high_level stored_arrays language
    open_ranks interface)

# check PROGRAM MODULE: one test of a module at a time, and not the ones that launch from several threads: the simulator is not
# thread-safe. Buffers are no larger than their arrays, so that every access behind the end shows.
check() {
    local reports output status=0 tests
    reports="$(mktemp)"
    output="$(mktemp)"
    mapfile -t tests < <(grep "^$2::" "$PROGRAMS/$1.list" | grep --invert-match from_several_threads)
    env LIFT_DEVICE=oclgrind LIFT_KEEP_MEMORY=0 \
        oclgrind --local-mem-size 65536 --build-options -cl-opt-disable --data-races --log "$reports" \
        "$PROGRAMS/$1" --quiet --exact --test-threads=1 "${tests[@]}" > "$output" 2>&1 || status=1
    echo "$1, $2:"
    cat "$output"
    if [[ -s "$reports" ]]; then
        echo "check-kernels: Oclgrind reports in $2" >&2
        cat "$reports" >&2
        status=1
    fi
    rm "$reports" "$output"
    return "$status"
}
export -f check

# They are built as scripts/test.sh builds all tests. From then on nothing needs Cargo, which may build other things at the same time.
PROGRAMS="$(mktemp --directory)"
export PROGRAMS
trap 'rm -r "$PROGRAMS"' EXIT
built="$(cargo test --color never --profile tests --workspace --exclude lift-on-host --no-run $(printf -- '--test %s ' "${programs[@]}") 2>&1)" || {
    echo "$built" >&2
    exit 1
}
modules=()
for program in "${programs[@]}"; do
    cp "$(sed -n "s|^ *Executable tests/$program/main.rs (\(.*\))\$|\1|p" <<<"$built")" "$PROGRAMS/$program"
    "$PROGRAMS/$program" --list --format terse | sed -n 's/: test$//p' >"$PROGRAMS/$program.list"
    for module in $(sed 's/::.*//' "$PROGRAMS/$program.list" | sort -u); do
        modules+=("$module $program")
    done
done

# Where a module stands among the slowest; behind them if it is none of them.
place() {
    local name place=0
    for name in "${slowest[@]}"; do
        [[ $name != "$1" ]] || break
        place=$((place + 1))
    done
    echo "$place"
}

for pair in "${modules[@]}"; do
    read -r module program <<<"$pair"
    if [[ " ${skipped[*]} " != *" $module "* ]]; then
        echo "$(place "$module") $program $module"
    fi
done | sort -n | cut -d ' ' -f 2- | xargs --max-procs "$(nproc)" --replace={} bash -c 'check {}'
