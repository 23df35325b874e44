#!/usr/bin/env bash
# Runs the Containerfile's steps without a container: a wheel in an empty environment, a build, the tables, two workers,
# the health check, a stop. It reports each step on standard error, and ends at the first step that fails.
#
#   packaging/container/rehearse.sh WORKSPACE            SQLite in a temporary folder
#   AWNING_DATABASE_URL=postgresql://... packaging/container/rehearse.sh WORKSPACE
#
# PYTHON is the Python to use, by default python3.
set -euo pipefail
workspace=$(realpath "${1:?the folder of a workspace}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(realpath "$here/../..")
python=${PYTHON:-python3}
work=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill -KILL "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
say() { printf 'rehearse: %s\n' "$*" >&2; }

say "a wheel"
"$python" -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --disable-pip-version-check hatchling==1.33.0
(cd "$root" && "$work/tools/bin/python" -m hatchling build -t wheel -d "$work/wheels")

say "installed with its extras, in an empty environment"
"$python" -m venv "$work/image"
"$work/image/bin/pip" install --quiet --disable-pip-version-check "$(echo "$work"/wheels/awning-*.whl)[host,postgres]"
export PATH="$work/image/bin:$PATH"

say "the build"
(cd "$workspace" && awning build --out "$work/dist")

export AWNING_DIST=$work/dist AWNING_STATE_DIR=$work/state AWNING_PUBLIC_URL=https://app.example
export AWNING_BASE_URL=http://127.0.0.1:9/v1 AWNING_API_KEY=rehearsal AWNING_APP_SECRET=rehearsal
cd "$work"

say "the tables"
awning host migrate --check >/dev/null && { say "an empty database lacks nothing?"; exit 1; }
awning host migrate >&2
awning host migrate --check >&2

port=$("$python" -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
# The Containerfile's own command and health check, on a free port.
health() {
  "$python" - "$here/Containerfile" "$port" <<'PY'
import json, re, subprocess, sys
text = open(sys.argv[1], encoding="utf-8").read()
command = json.loads(re.search(r"HEALTHCHECK[^\[]*CMD (\[.*\])", text).group(1))
sys.exit(subprocess.run([part.replace("8440", sys.argv[2]) for part in command], stderr=subprocess.DEVNULL).returncode)
PY
}

say "two workers on port $port"
health && { say "healthy before it runs?"; exit 1; }
awning host --host 127.0.0.1 --port "$port" --workers 2 2>"$work/log" &
server=$!
for _ in $(seq 100); do
  health && break
  kill -0 "$server" || { cat "$work/log" >&2; exit 1; }
  sleep 0.2
done
health
say "healthy"

kill -TERM "$server"
wait "$server" || { say "it ended with $?"; cat "$work/log" >&2; exit 1; }
server=
if grep -q Traceback "$work/log"; then cat "$work/log" >&2; exit 1; fi
say "ended by SIGTERM with 0"
