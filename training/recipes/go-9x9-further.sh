#!/usr/bin/env bash
# How the run in training/go-9x9 went on from there, to minute 44.7. docs/learning.md has what it
# was worth.
#     cp -r training/go-9x9 FOLDER; training/recipes/go-9x9-further.sh FOLDER
set -euo pipefail
folder=${1:?say the folder of a run of go-9x9.sh}
montego train go --size 9 --output "$folder" --minutes 36.9 --rounded-minutes 0 --average 0.998
montego train go --size 9 --output "$folder" --minutes 44.7 --simulations 64 --reuse 4 \
    --rate 0.0015 --fall 0.175 --late-noise 0.2
montego network round "$folder/net.onnx" "$folder/net-int8.onnx"
