#!/usr/bin/env bash
# Greets whoever is named.
echo "Helo, ${1:-you}!"
