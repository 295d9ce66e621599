# What every command in the repository's root does first: the script sources this file and then holds only what is its own.
# Sourcing it finds the root and answers --help. need_dotnet, build and build_program do the rest.

set -uo pipefail

name=$(basename "${BASH_SOURCE[1]}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# The exit code when the command cannot run at all. A script whose exit code 1 says something else sets another.
cannot_run=${cannot_run-1}

show_help() { cat "$root/eng/help/$name.txt"; }

# Help needs neither a build nor the SDK. What follows '--' belongs to another program.
for argument; do
  case $argument in
    --) break ;;
    -h | --help | '-?') show_help; exit 0 ;;
  esac
done

# misused MESSAGE: the command line was not understood.
misused() {
  echo "$name: $1" >&2
  show_help >&2
  exit 2
}

need_dotnet() {
  if ! command -v dotnet >/dev/null; then
    echo "$name: the .NET 10 SDK is missing: no 'dotnet' in PATH." >&2
    echo "  What to do: install the .NET 10 SDK (https://dotnet.microsoft.com/download) and open a new shell" >&2
    exit "$cannot_run"
  fi
  # Invariant: the SDK itself then needs no ICU library, which a small system lacks.
  export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
}

# duration SECONDS: such as '48 s' or '3 min 5 s'.
duration() { if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi; }

# timed WHAT COMMAND...: one line on the error output says what is done, and then how long it took. What the command prints is shown only when it fails.
timed() {
  local what=$1 begun=$SECONDS printed code
  shift
  printf '%s ... ' "$what" >&2
  if printed=$("$@" 2>&1 </dev/null); then code=0; else code=$?; fi
  if [ $code -eq 0 ]; then
    duration $((SECONDS - begun)) >&2
  else
    echo "failed after $(duration $((SECONDS - begun)))" >&2
    # A build says the same for each project that needs the failed one.
    printf '%s\n' "$printed" | awk '!told[$0]++' >&2
  fi
  return $code
}

# build WHAT PROJECT ARGUMENT...: builds a project or solution (Release), or ends the command.
build() {
  local what=$1
  shift
  if ! timed "Building $what" dotnet build "$@" -c Release --nologo -v quiet -nodeReuse:false; then
    echo "$name: the build failed; the messages above say where." >&2
    exit "$cannot_run"
  fi
}

# build_program FOLDER SOURCE...: builds the program in FOLDER when a SOURCE has changed since, and leaves its path in $program. All paths are relative to the root.
# A folder is newer, too, when a file in it was removed.
build_program() {
  local folder=$1 project begun
  shift
  need_dotnet
  project=$(basename "$folder")
  program=$root/artifacts/bin/$project/release/Slipstream.$project.dll
  if [ -f "$program" ] && [ -z "$(cd "$root" && find "$folder" "$@" "eng/help/$name.txt" Directory.*.props global.json -newer "$program" -print -quit)" ]; then
    return
  fi
  begun=$(date +%s.%N)
  build "$folder" "$root/$folder/$project.csproj"
  # The build leaves an unchanged program as old as it was. What is edited while it runs is newer than this.
  touch -d "@$begun" "$program"
}
