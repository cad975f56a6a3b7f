#!/usr/bin/env bash
# Takes pictures of every screen of the sample applications, phone and desktop, light and dark: screenshots.sh [FOLDER].
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../.build-screenshots}")
cd "$(dirname "$0")/.."
SCREENSHOTS=$folder Scripts/browser-tests.sh Tests/Browser/screenshots.py
echo "$(find "$folder" -name '*.png' | wc -l) pictures in $folder"
