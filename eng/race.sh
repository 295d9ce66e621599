# ./race: builds the peers that can be had, the C program when it was asked for, and the race itself, and runs it.

need_dotnet

# A peer that could not be restored is not asked for again until its .missing file, which says why, is deleted. The race names it.
build_peers() {
  local peers=$root/artifacts/race/peers peer log
  mkdir -p "$peers"
  for peer in Npgsql MySql.Data MySqlConnector; do
    [[ -e "$peers/$peer/$peer.dll" || -e "$peers/$peer.missing" ]] && continue
    log=$peers/$peer.log
    timed "Building the peer $peer" build_peer "$peer" "$log" || mv "$log" "$peers/$peer.missing"
  done
}

build_peer() { dotnet build "$root/bench/Race/Peers/$1/$1.csproj" -c Release -v q -nodeReuse:false >"$2" 2>&1; }

# The insert race in C. Without a compiler or the library C does not take part, and the race says why.
build_jet() {
  local folder=$root/artifacts/race packages="gcc libc6-dev libmariadb-dev"
  local jet=$folder/jet log=$folder/jet.log source=$root/bench/Race/Jet/jet.c
  mkdir -p "$folder"
  [[ $jet -nt $source ]] && return
  rm -f "$jet" "$jet.missing"
  if ! command -v cc >/dev/null || ! command -v mariadb_config >/dev/null; then
    if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
      echo "a C compiler and libmariadb's headers are missing. What to do: sudo apt-get install -y --no-install-recommends $packages" >"$jet.missing"
      return
    fi
    # shellcheck disable=SC2086
    if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages; } >"$log" 2>&1; then
      echo "$packages could not be installed: $(tail -n 1 "$log") (all of it: $log)" >"$jet.missing"
      return
    fi
  fi
  # shellcheck disable=SC2046
  cc -O2 -Wall -o "$jet" "$source" $(mariadb_config --cflags --libs) >"$log" 2>&1 || echo "jet.c could not be compiled: $(tail -n 1 "$log") (all of it: $log)" >"$jet.missing"
}

# The load generator of the web race.
need_wrk() {
  command -v wrk >/dev/null && return
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    echo "race: the load generator wrk is missing. What to do: sudo apt-get install -y --no-install-recommends wrk" >&2
    exit 1
  fi
  timed "Installing wrk" install_wrk || exit 1
}

install_wrk() { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends wrk; }

asked() {
  local word
  for word in "${arguments[@]+"${arguments[@]}"}"; do [[ $word == "$1" ]] && return; done
  return 1
}

# Each provider of EF Core is a program of its own. As with peers, one that could not be restored is not asked for again.
build_ef() {
  local folder=$root/artifacts/race/ef project name built log
  mkdir -p "$folder"
  for project in "$root"/bench/EfRace/Contestants/*/*.csproj; do
    name=$(basename "$project" .csproj)
    [[ -e $folder/$name.missing ]] && continue
    built=$folder/$name/EfRace.$name.dll
    [[ -e $built && -z $(find "$root/bench/EfRace" "$root/src" -name '*.cs' -newer "$built" -print -quit) ]] && continue
    log=$folder/$name.log
    timed "Building the contestant $name" build_contestant "$project" "$log" || mv "$log" "$folder/$name.missing"
  done
}

build_contestant() { dotnet build "$1" -c Release -v q -nodeReuse:false >"$2" 2>&1; }

arguments=("$@")
if asked --ef; then
  asked --list || build_ef
  build_program bench/EfRace bench/Shared tools/Lab
  exec dotnet "$program" "$@"
fi
asked --list || build_peers
if asked --failover; then
  build_program bench/FailoverRace bench/Shared tools/Lab src
  exec dotnet "$program" "$@"
fi
if asked --web; then
  need_wrk
  # The sites are programs of their own.
  build_program bench/WebRace/Site bench/WebRace bench/Race/Contestants src
  build_program bench/WebRace bench/Shared tools/Lab src
  exec dotnet "$program" "$@"
fi
if asked --jet; then timed "Building the C program" build_jet; fi
build_program bench/Race tools/Lab src
exec dotnet "$program" "$@"
