#!/usr/bin/env bash
# The network that foretells people's moves on 9x9 by their rank, anew: 1.6 minutes on one H200.
#     training/recipes/people-9x9.sh FOLDER RECORDS...
# RECORDS were 25,817 even games of people on 9x9 with their ranks; they are not part of Montego.
# This network is rounded while the positions are at hand: where onnxruntime is installed, the
# command writes net-int8.onnx itself.
set -euo pipefail
folder=${1:?say a folder for the run}
shift
montego train go --size 9 --records "$@" --by-rank --output "$folder" --minutes 1.6 --reuse 10 \
    --batch 2048 --average 0.998 --fall 0.6 --decay 0.05
