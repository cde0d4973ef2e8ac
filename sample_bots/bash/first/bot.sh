#!/usr/bin/env bash
# The smallest player: it answers every question with the first legal move.
# One jq takes every request apart, into its id and its legal moves with tabs between,
# and must not wait for more of them: --unbuffered.  What bash prints goes out at once.
jq --unbuffered -r '[.id, (select(.type == "act") | .legal[])] | @tsv' |
    while IFS=$'\t' read -r id first _; do
        if [[ -n $first ]]; then
            printf '{"id":%d,"move":"%s"}\n' "$id" "$first"
        else
            printf '{"id":%d}\n' "$id"
        fi
    done
