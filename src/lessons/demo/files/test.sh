#!/usr/bin/env bash
# Checks totals.sh against totals worked out by hand.
set -uo pipefail
failed=0

check() {
  local name=$1 expected=$2 actual=$3
  if [[ $actual == "$expected" ]]; then
    echo "ok    $name"
  else
    echo "FAIL  $name: expected $expected, got $actual"
    failed=$((failed + 1))
  fi
}

total_of() { bash totals.sh orders.csv | awk -v who="$1" '$1 == who { print $2 }'; }

check "two amounts with cents" 258.04 "$(total_of cleo)"
check "whole euros" 91.25 "$(total_of ben)"
check "one digit of cents" 28.40 "$(total_of ada)"
check "most first" "cleo ben ada" "$(bash totals.sh orders.csv | cut -d' ' -f1 | paste -sd' ' -)"

if [[ $failed -gt 0 ]]; then
  echo "$failed failed"
  exit 1
fi
echo "all passed"
