# ./test: builds the test programs, runs them one after the other, and adds up what they report.

cd "$root" || exit 1

filter='' set=usual
for argument; do
  case $argument in
    --fast | --all)
      [ $set = usual ] || misused "--fast and --all exclude each other."
      set=${argument#--} ;;
    -*) misused "there is no option '$argument'." ;;
    *)
      [ -z "$filter" ] || misused "one FILTER at most; '$argument' is one too many."
      filter=$argument ;;
  esac
done
need_dotnet
# Tests that repeat something take the number from here (tests/Shared/Storm.cs).
[ $set = all ] && export SLIPSTREAM_STORM="${SLIPSTREAM_STORM-10000}"

# Every project of the tests' folder that is not a library is a program full of tests. Those that need no server and little time say so in their project.
mapfile -t projects < <(grep -L '<IsTestLibrary>true' tests/*/*.csproj)
if [ $set = fast ]; then
  left_out=$(printf '%s\n' "${projects[@]}" | xargs grep -L '<IsFastTest>true' | sed 's:.*/::; s:\.csproj$::; s:\.Tests$::' | paste -s -d ' ')
  mapfile -t projects < <(printf '%s\n' "${projects[@]}" | xargs grep -l '<IsFastTest>true')
  echo "Left out, because they need servers or more time: $left_out"
fi

logs=artifacts/test
mkdir -p "$logs"
{
  echo '<Solution>'
  for project in "${projects[@]}"; do echo "  <Project Path=\"../../$project\" />"; done
  echo '</Solution>'
} >"$logs/$set.slnx"
# Without the property a solution builds what it refers to but does not list, the drivers, as Debug: whose async methods allocate.
build "${#projects[@]} test programs" "$logs/$set.slnx" -p:ShouldUnsetParentConfigurationAndPlatform=false

# One program holds the servers up for all test programs. It ends when this script does, because its input ends then.
if [ -z "$filter" ] && [ $set != fast ]; then
  echo "Starting the servers ..."
  coproc LAB { exec ./lab run -- sh -c 'echo ready; exec cat >/dev/null'; }
  read -r _ <&"${LAB[0]}" || echo "test: the lab could not be started; tests that need servers say why." >&2
fi

# How many seconds each program took: the last time on this machine, or once on another. A run with a filter neither reads nor writes it.
declare -A expected=()
durations=$logs/durations
[ $set = all ] && durations=$logs/durations-all
if [ -z "$filter" ]; then
  while read -r program seconds; do expected[$program]=$seconds; done < <(cat eng/test-durations.txt "$durations" 2>/dev/null)
fi

# time_left INDEX: what the programs from this one on took, times how much slower this run has been so far. Empty when one of them is new.
time_left() {
  local i seconds left=0
  [ -z "$filter" ] || return
  for ((i = $1; i < ${#projects[@]}; i++)); do
    seconds=${expected[$(basename "${projects[i]}" .csproj)]-}
    [ -n "$seconds" ] || return
    left=$((left + seconds))
  done
  [ $known -lt 10 ] || left=$((left * taken / known))
  if [ $left -ge 90 ]; then echo "about $(((left + 30) / 60)) min left"; elif [ $left -gt 0 ]; then echo "about $left s left"; fi
}

arguments=(--no-ansi --no-progress)
[ -n "$filter" ] && arguments+=(--filter-method "*$filter*")
# Tests of the set All take too long or too much memory for every change.
[ $set = all ] || arguments+=(--filter-not-trait Set=All)
[ "${SLIPSTREAM_REQUIRE_SERVERS-}" = 1 ] && arguments+=(--fail-skips on)

passed=0 failed=0 skipped=0 taken=0 known=0 reported=0
broken=()
trap 'echo "test: interrupted" >&2; jobs -p | xargs -r kill; exit 130' INT

# run PROJECT: runs a program, and leaves its output, its exit code and its seconds in files.
run() {
  local project=$1 program begun=$SECONDS assembly
  program=$(basename "$project" .csproj)
  assembly=$(sed -n 's:.*<AssemblyName>\(.*\)</AssemblyName>.*:\1:p' "$project")
  # 40 minutes, an hour for the long form: a program that hangs must not take the whole run with it.
  timeout --foreground --kill-after=10 $([ $set = all ] && echo 3600 || echo 2400) \
    dotnet "artifacts/bin/$program/release/${assembly:-$program}.dll" "${arguments[@]}" >"$logs/$program.log" 2>&1 </dev/null
  echo "$? $((SECONDS - begun))" >"$logs/$program.end"
}

count() { sed -n "s/^  $1: \([0-9]*\)\$/\1/p" "$log" | tail -n 1; }

heading() { printf '[%2d/%d] %-20s ' $((reported + 1)) $((${#beside[@]} + ${#projects[@]})) "$(basename "$1" .csproj)"; }

# report PROJECT: adds up what a program that has ended reported, and prints its line. Without a filter, the heading of a program that ran alone is there.
report() {
  local project=$1 program log code seconds successes failures skips result
  program=$(basename "$project" .csproj)
  log=$logs/$program.log
  read -r code seconds <"$logs/$program.end"
  # 8: no test matched.
  [ "$code" -eq 8 ] && [ -n "$filter" ] && return

  successes=$(count succeeded) failures=$(count failed) skips=$(count skipped)
  passed=$((passed + ${successes:-0}))
  failed=$((failed + ${failures:-0}))
  skipped=$((skipped + ${skips:-0}))
  if [ "$code" -ne 0 ] && [ "${failures:-0}" -eq 0 ]; then
    failed=$((failed + 1))
    case $code in
      8) broken+=("$program has no test") ;;
      124 | 137) broken+=("$program did not end in time") ;;
      *) broken+=("$program ended with exit code $code without a failed test: it crashed") ;;
    esac
  elif [ "${failures:-0}" -gt 0 ]; then
    broken+=("$failures failed in $program; all of its output is in $log")
  fi

  if ! is_beside "$project"; then
    taken=$((taken + seconds))
    known=$((known + ${expected[$program]-$seconds}))
  fi
  expected[$program]=$seconds
  result="${successes:-0} passed"
  [ "${failures:-0}" -gt 0 ] && result+=", $failures failed"
  [ "${skips:-0}" -gt 0 ] && result+=", $skips skipped"
  if [ -n "$filter" ] || is_beside "$project"; then heading "$project"; fi
  printf '%-36s %12s   %s\n' "$result" "$(duration "$seconds")" "$(time_left "$index")"
  reported=$((reported + 1))
  # What failed or was skipped, with the reasons.
  if [ "$code" -ne 0 ] || [ "${skips:-0}" -gt 0 ]; then
    sed '/^Test run summary/,$d; /^xUnit/d; /^$/d; s/^/    /' "$log"
  fi
}

# A program that mostly waits for compilers runs beside the others, which mostly wait for servers.
is_beside() { grep -q '<RunsBesideOthers>true' "$1"; }
beside=() others=() waiting=()
for project in "${projects[@]}"; do
  if is_beside "$project"; then beside+=("$project"); else others+=("$project"); fi
done
projects=("${others[@]}")

left=$(time_left 0)
echo "Running $((${#beside[@]} + ${#projects[@]})) test programs${left:+: $left}"
for project in "${beside[@]+"${beside[@]}"}"; do
  run "$project" &
  waiting+=($!)
done
for ((index = 0; index < ${#projects[@]};)); do
  project=${projects[index++]}
  [ -z "$filter" ] && heading "$project"
  run "$project"
  report "$project"
done
[ ${#waiting[@]} -gt 0 ] && wait "${waiting[@]}"
for project in "${beside[@]+"${beside[@]}"}"; do report "$project"; done

if [ -z "$filter" ]; then
  for program in "${!expected[@]}"; do echo "$program ${expected[$program]}"; done | sort >"$durations"
fi
echo
for line in "${broken[@]+"${broken[@]}"}"; do echo "test: $line"; done
if [ $((passed + failed + skipped)) -eq 0 ]; then
  if [ -n "$filter" ]; then echo "test: no test's full name contains '$filter'."; else echo "test: there is no test project."; fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
# Nothing ran, or only skips: that proves nothing.
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
