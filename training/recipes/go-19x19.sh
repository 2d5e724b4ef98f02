#!/usr/bin/env bash
# What the network for boards up to 19x19 began with, anew: 8.4 minutes on one H200, from records.
#     training/recipes/go-19x19.sh FOLDER RECORDS...
# RECORDS were 13,009 games of KGS between players of 6 dan and above and 50,876 of TOM between
# players of 9 dan, as SGF or JSON lines; they are not part of Montego.
set -euo pipefail
folder=${1:?say a folder for the run}
shift
montego train go --size 19 --records "$@" --begin-with training/go-9x9 --boards 9-19 \
    --output "$folder" --minutes 8.4 --reuse 1
montego network round --size 19 "$folder/net.onnx" "$folder/net-int8.onnx"
