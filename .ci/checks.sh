# Sourced by .ci/run and .ci/full: counts tests and checks alike, and ends on "N passed, N failed".
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=true
unset CHROMIUM
passed=0
failed=0
declare -A begun
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # check NAME COMMAND…
  local name=$1
  shift
  local start=$SECONDS
  printf '\n== %s\n' "$name"
  export VENTANILLA_STEP=$name
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $name"; fi
  printf '(%s s)\n' $((SECONDS - start))
}

tests() { # tests COMMAND…: runs it, and counts its tests
  local report
  report=$(mktemp -p "$work" XXXXXX.json)
  reported "$report" "$@"
  counted $? "$report"
}

reported() { # reported REPORT COMMAND…: runs tests that write a report of that name
  "${@:2}" --reporter=default --reporter=json --outputFile.json="$1"
}

counted() { # counted CODE REPORT: counts the tests of a run that has ended with that code. No report, or no test, is a failure.
  local counts
  counts=$(node -p 'const r = require(process.argv[1]); `${r.numPassedTests} ${r.numTotalTests - r.numPassedTests}`' "$2") || return 1
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
  [ "$1" -eq 0 ] && [ "${counts% *}" -gt 0 ]
}

begin() { # begin NAME COMMAND…: runs it beside what follows
  VENTANILLA_STEP=$1 "${@:2}" > "$work/$1.log" 2>&1 &
  begun[$1]=$!
}

end() { # end NAME: the check of what was begun under that name
  check "$1" finished "$1"
}

finished() { # finished NAME: awaits it, and prints what it has printed
  wait "${begun[$1]}"
  local code=$?
  cat "$work/$1.log"
  return $code
}

programs() { # programs PACKAGE[:PROGRAM]…: installs the packages of Debian whose program is not there
  local missing=()
  for package; do
    command -v "${package#*:}" > /dev/null || missing+=("${package%:*}")
  done
  [ ${#missing[@]} -eq 0 ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "${missing[@]}" > /dev/null; }
}

ended() {
  printf '\n%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
