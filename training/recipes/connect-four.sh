#!/usr/bin/env bash
# The network for Connect 4 that comes along, anew: 2.4 minutes on one H200.
#     training/recipes/connect-four.sh FOLDER
set -euo pipefail
folder=${1:?say a folder for the run}
montego train connect-four --output "$folder" --minutes 2.3 --rounded-minutes 0.4
montego network round "$folder/net.onnx" "$folder/net-int8.onnx"
