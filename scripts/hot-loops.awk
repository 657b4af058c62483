# Finds the innermost loops of each function in the output of `perf annotate --stdio`, and describes those in which samples fall, or
# the whole function where it has none; for profile-pocl.sh.

# A line is `  1.25 :   16d0:   vmovaps 0x400(%rdi,%rdx,4),%xmm2`; an instruction without samples has 0.00.
/^ +[0-9]+\.[0-9]+ +: +[0-9a-f]+: / {
    share[++count] = $1
    address = $3
    sub(/:$/, "", address)
    at[count] = address
    position[address] = count
    line = $0
    sub(/^[^:]*:[^:]*: */, "", line)
    sub(/^\{evex\} /, "", line)
    text[count] = line
    next
}

# The head of the next function: `Percent | Source code & Disassembly of x.so for cpu-clock (81 samples, percent: local period)`.
/Percent.*\|/ {
    describe()
    taken = $0
    sub(/^.*\(/, "", taken)
    sub(/ samples.*/, "", taken)
}

/<[^ ]*>:$/ {
    name = $0
    sub(/^.*</, "", name)
    sub(/>:$/, "", name)
}

END {
    describe()
}

function describe(   i, fields, inner, j, best, shown) {
    if (!count) {
        return
    }
    printf "%s, %d samples\n", name, taken
    loops = shown = 0
    for (i = 1; i <= count; i++) {
        split(text[i], fields, " ")
        if (fields[1] ~ /^j/ && (fields[2] in position) && position[fields[2]] <= i) {
            loops++
            first[loops] = position[fields[2]]
            final[loops] = i
        }
    }
    for (i = 1; i <= loops; i++) {
        inner[i] = 1
        for (j = 1; j <= loops; j++) {
            if (j != i && first[j] >= first[i] && final[j] <= final[i] && (first[j] != first[i] || final[j] != final[i])) {
                inner[i] = 0
            }
        }
        samples[i] = 0
        for (j = first[i]; j <= final[i]; j++) {
            samples[i] += share[j]
        }
    }
    do {
        best = 0
        for (i = 1; i <= loops; i++) {
            if (inner[i] && samples[i] >= 2 && (!best || samples[i] > samples[best])) {
                best = i
            }
        }
        if (best) {
            show(best, "in a loop")
            inner[best] = 0
            shown++
        }
    } while (best)
    if (!shown) {
        first[1] = 1
        final[1] = count
        samples[1] = 100
        show(1, "in a function")
    }
    count = 0
    delete position
}

function show(one, where,   i, fields, width, lanes, results, stack, gathers, wide, shown) {
    results = stack = gathers = 0
    split("", wide)
    for (i = first[one]; i <= final[one]; i++) {
        split(text[i], fields, " ")
        if (text[i] ~ /\(%rsp/ || text[i] ~ /\(%rbp/) {
            stack++
        }
        if (fields[1] ~ /^v(p)?(gather|scatter)/) {
            gathers++
        }
        if (fields[1] ~ /^v(add|sub|mul|div|min|max|rsqrt|sqrt|rcp|fmadd|fmsub|fnmadd|fnmsub)[0-9]*[ps]s$/) {
            width = text[i] ~ /%zmm/ ? 16 : text[i] ~ /%ymm/ ? 8 : 4
            lanes = fields[1] ~ /ss$/ ? 1 : width
            results += lanes
            wide[lanes]++
        }
    }
    printf "  %.1f %% %s of %d instructions with %d results", samples[one], where, final[one] - first[one] + 1, results
    if (results) {
        printf " (%.2f instructions for each)", (final[one] - first[one] + 1) / results
    }
    printf "; %d accesses to the stack, %d gathers and scatters; arithmetic on 16, 8, 4 and 1 floats: %d, %d, %d, %d\n", stack, gathers, wide[16], wide[8], wide[4], wide[1]
    shown = 0
    for (i = first[one]; i <= final[one] && shown < lines; i++) {
        printf "    %5.2f %8s  %s\n", share[i], at[i], text[i]
        shown++
    }
    if (i <= final[one]) {
        printf "    ... %d more\n", final[one] - i + 1
    }
}
