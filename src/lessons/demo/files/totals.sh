#!/usr/bin/env bash
# Prints what each customer owes, in euros, most first.
# usage: bash totals.sh orders.csv
set -euo pipefail

declare -A owed

to_cents() {
  local euros=${1%%.*} cents=${1#*.}
  echo $((10#$euros * 100 + 10#$cents))
}

while IFS=, read -r customer item amount; do
  [[ $customer == customer ]] && continue
  before=${owed[$customer]:-0}
  owed[$customer]=$((before + $(to_cents "$amount")))
done < "$1"

for customer in "${!owed[@]}"; do
  printf '%s %d.%02d\n' "$customer" $((owed[$customer] / 100)) $((owed[$customer] % 100))
done | sort -k2 -rn
