# Sourced by scripts that do one step after the other, and some beside others. How long each step took, and how many seconds of processors,
# goes into one table, which the outermost script prints when it ends.

beside=()
LIFT_STEPS_OUTERMOST=
if [[ -z ${LIFT_STEPS-} ]]; then
    LIFT_STEPS="$(mktemp)"
    export LIFT_STEPS LIFT_STEPS_DEPTH=0
    LIFT_STEPS_OUTERMOST=1
fi
trap end_steps EXIT

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

# step_beside NAME COMMAND...: a step that runs beside those that follow, until `wait_for_steps`, which shows what it has printed. It gets a
# process group of its own, which ends with the script.
step_beside() {
    local name="$1" printed
    shift
    printed="$(mktemp)"
    set -m
    (LIFT_STEPS_DEPTH=$((LIFT_STEPS_DEPTH + 1)) "$@") </dev/null >"$printed" 2>&1 &
    set +m
    beside+=("$!" "$printed" "$name")
}

# Waits for the steps beside others. The table has the time that they are waited for.
wait_for_steps() {
    local process printed name
    while ((${#beside[@]} > 0)); do
        process=${beside[0]} printed=${beside[1]} name=${beside[2]}
        step "$name, beside the steps above" wait_for "$process" "$printed"
        beside=("${beside[@]:3}")
    done
}

# Returns what the process returned.
wait_for() {
    local status=0
    wait "$1" || status=$?
    cat "$2"
    rm "$2"
    return "$status"
}

end_steps() {
    local position
    for ((position = 0; position < ${#beside[@]}; position += 3)); do
        kill -- "-${beside[position]}" 2>/dev/null || true
    done
    [[ -z $LIFT_STEPS_OUTERMOST ]] || print_steps
}

print_steps() {
    echo
    echo "    time  processors"
    cat "$LIFT_STEPS"
    rm "$LIFT_STEPS"
}
