#!/usr/bin/env bash
# The network for Hex 11x11 that comes along, anew: 10.8 minutes on one H200.
#     training/recipes/hex-11x11.sh FOLDER
set -euo pipefail
folder=${1:?say a folder for the run}
montego train hex --size 11 --output "$folder" --minutes 8.3 --rounded-minutes 1
montego train hex --size 11 --output "$folder" --minutes 10.7 --reuse 3 --rounded-minutes 0.4
montego network round "$folder/net.onnx" "$folder/net-int8.onnx"
