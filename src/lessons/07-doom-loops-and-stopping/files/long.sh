#!/usr/bin/env bash
# Works for ten minutes.
echo "started"
sleep 600
echo "finished"
