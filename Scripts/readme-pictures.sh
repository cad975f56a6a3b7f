#!/usr/bin/env bash
# Takes the README's pictures from the running sample applications: readme-pictures.sh [FOLDER].
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../Documentation/images}")
cd "$(dirname "$0")/.."
PICTURES=$folder Scripts/browser-tests.sh Tests/Browser/readme_pictures.py
ls -l "$folder"
