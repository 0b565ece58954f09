"""Speed and memory, measured side by side in one run; `make bench` prints and writes bench/latest.json."""
