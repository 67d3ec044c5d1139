#!/usr/bin/env bash
# Prints what the pump house logged last night: one line for each of 3,000 readings.
awk 'BEGIN {
  for (n = 1; n <= 3000; n++) {
    if (n % 700 == 0) printf "reading %d ERROR pressure lost\n", n
    else printf "reading %d ok pressure %d\n", n, 40 + n % 9
  }
}'
