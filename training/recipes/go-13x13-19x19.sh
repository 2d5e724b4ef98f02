#!/usr/bin/env bash
# The network for boards up to 19x19 that comes along, anew: 8.8 minutes on one H200, from the
# weights that go-19x19.sh has learned from records.
#     training/recipes/go-13x13-19x19.sh FOLDER
set -euo pipefail
folder=${1:?say a folder for the run}
montego train go --sizes 13,19 --begin-with training/go-19x19 --boards 9-19 --output "$folder" \
    --minutes 8.8 --simulations 32 --reuse 3 --rate 0.0015 --late-noise 0.25 --random-moves 16 \
    --rating 0
montego network round --size 19 "$folder/net.onnx" "$folder/net-int8.onnx"
