# Sourced by scripts that do one step after the other. How long each step took, and how many seconds of processors, goes into one table,
# which the outermost script prints when it ends.

if [[ -z ${LIFT_STEPS-} ]]; then
    LIFT_STEPS="$(mktemp)"
    export LIFT_STEPS LIFT_STEPS_DEPTH=0
    trap print_steps EXIT
fi

# Sets `computed`: the seconds that all commands which have ended took of processors. `times` knows nothing of them in a subshell.
count_processor_seconds() {
    local counted
    counted="$(mktemp)"
    times >"$counted"
    computed="$(awk -F '[ms ]' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $4 * 60 + $5 }' "$counted")"
    rm "$counted"
}

# step NAME COMMAND...
step() {
    local name="$1" started=$SECONDS indent before computed
    shift
    indent="$(printf '%*s' $((2 * LIFT_STEPS_DEPTH)) '')"
    count_processor_seconds
    before=$computed
    echo
    echo "==== $name"
    LIFT_STEPS_DEPTH=$((LIFT_STEPS_DEPTH + 1)) "$@"
    count_processor_seconds
    printf '%6d s  %6d s  %s%s\n' $((SECONDS - started)) $((computed - before)) "$indent" "$name" >>"$LIFT_STEPS"
}

print_steps() {
    echo
    echo "    time  processors"
    cat "$LIFT_STEPS"
    rm "$LIFT_STEPS"
}
