#!/usr/bin/env bash
# The network for Go 9x9 that comes along, anew: 32.8 minutes on one H200.
#     training/recipes/go-9x9.sh FOLDER
# Ends early and goes on like every run. What is drawn by chance makes every run another one.
set -euo pipefail
folder=${1:?say a folder for the run}
montego train go --size 9 --output "$folder" --minutes 16
montego train go --size 9 --output "$folder" --minutes 24.3 --simulations 48 --reuse 3.6
montego train go --size 9 --output "$folder" --minutes 32.7 --rounded-minutes 0.8
montego network round "$folder/net.onnx" "$folder/net-int8.onnx"
