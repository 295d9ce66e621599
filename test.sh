#!/bin/bash
# Builds and runs the tests; ./test --help says how.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$root" || exit 1

usage() {
  cat <<'HELP'
Usage: ./test [FILTER]

Builds all test projects (Release) and runs them one after the other. The last line is 'N passed, N failed, N skipped'.
The exit code is 0 only when tests ran and none failed.

  FILTER    run only tests whose full name (Namespace.Class.Method) contains this, for example: ./test LabProxy

Live tests use private MariaDB, MySQL and PostgreSQL servers, which are installed and started by themselves (see ./lab --help).
A test whose server cannot be had is skipped with the reason.

  SLIPSTREAM_REQUIRE_SERVERS=1   a skipped test is a failure
  SLIPSTREAM_MARIADB, SLIPSTREAM_MYSQL, SLIPSTREAM_POSTGRESQL   existing servers to use instead (see ./lab --help)
HELP
}

filter=
case ${1-} in
  -h | --help) usage; exit 0 ;;
  -*) echo "test: there is no option '$1'." >&2; usage >&2; exit 2 ;;
  *) filter=${1-} ;;
esac
if [ $# -gt 1 ]; then
  echo "test: one FILTER at most; '$2' is one too many." >&2
  usage >&2
  exit 2
fi
if ! command -v dotnet >/dev/null; then
  echo "test: the .NET 10 SDK is missing: no 'dotnet' in PATH." >&2
  echo "  What to do: install the .NET 10 SDK (https://dotnet.microsoft.com/download) and open a new shell" >&2
  exit 1
fi
# Invariant: the SDK itself then needs no ICU library, which a small system lacks.
export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1

# Every project of the tests' folder that is not a library is a program full of tests.
mapfile -t projects < <(grep -L '<IsTestLibrary>true' test*/*/*.csproj)

echo "Building ${#projects[@]} test projects ..."
mkdir -p artifacts
{
  echo '<Solution>'
  for project in "${projects[@]}"; do echo "  <Project Path=\"../$project\" />"; done
  echo '</Solution>'
} >artifacts/test.slnx
if ! output=$(dotnet build artifacts/test.slnx -c Release --nologo -v quiet -nodeReuse:false 2>&1 </dev/null); then
  printf '%s\n' "$output" | sort -u
  echo "test: the build failed; the messages above say where." >&2
  exit 1
fi

# One program holds the servers up for all test programs. It ends when this script does, because its input ends then.
if [ -z "$filter" ]; then
  echo "Starting the servers ..."
  coproc LAB { exec ./lab run -- sh -c 'echo ready; exec cat >/dev/null'; }
  read -r _ <&"${LAB[0]}" || echo "test: the lab could not be started; tests that need servers say why." >&2
fi

arguments=(--no-ansi --no-progress)
[ -n "$filter" ] && arguments+=(--filter-method "*$filter*")
[ "${SLIPSTREAM_REQUIRE_SERVERS-}" = 1 ] && arguments+=(--fail-skips on)

passed=0 failed=0 skipped=0
broken=()
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'echo "test: interrupted" >&2; exit 130' INT

count() { sed -n "s/^  $1: \([0-9]*\)\$/\1/p" "$log" | tail -n 1; }

for project in "${projects[@]}"; do
  name=$(basename "$project" .csproj)
  # 20 minutes: a program that hangs must not take the whole run with it.
  assembly=$(sed -n 's:.*<AssemblyName>\(.*\)</AssemblyName>.*:\1:p' "$project")
  timeout --foreground --kill-after=10 1200 dotnet "artifacts/bin/$name/release/${assembly:-$name}.dll" "${arguments[@]}" >"$log" 2>&1 </dev/null
  code=$?
  # 8: no test matched.
  [ $code -eq 8 ] && [ -n "$filter" ] && continue

  echo
  echo "== $name"
  grep -v '^$' "$log"
  successes=$(count succeeded)
  passed=$((passed + ${successes:-0}))
  failures=$(count failed)
  failed=$((failed + ${failures:-0}))
  skips=$(count skipped)
  skipped=$((skipped + ${skips:-0}))
  if [ $code -ne 0 ] && [ "${failures:-0}" -eq 0 ]; then
    failed=$((failed + 1))
    case $code in
      8) broken+=("$name has no test") ;;
      124 | 137) broken+=("$name did not end within 20 minutes") ;;
      *) broken+=("$name ended with exit code $code without a failed test: it crashed") ;;
    esac
  fi
done

echo
for line in "${broken[@]+"${broken[@]}"}"; do echo "test: $line"; done
if [ $((passed + failed + skipped)) -eq 0 ]; then
  if [ -n "$filter" ]; then echo "test: no test's full name contains '$filter'."; else echo "test: there is no test project."; fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
# Nothing ran, or only skips: that proves nothing.
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
