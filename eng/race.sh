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

# java_jars: Debian's drivers and Netty, separated by colons.
java_jars() {
  local jar paths=()
  for jar in mariadb-java-client postgresql jctools-core netty-{buffer,codec,codec-http,common,handler,resolver,transport}; do paths+=("/usr/share/java/$jar.jar"); done
  (IFS=:; echo "${paths[*]}")
}

# need_packages WHAT PACKAGE...: installs Debian's packages, or leaves in $why what is missing.
need_packages() {
  local what=$1 log=$root/artifacts/race/$1.log
  shift
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    why="a package is missing. What to do: sudo apt-get install -y --no-install-recommends $*"
    return 1
  fi
  if ! timed "Installing $*" install_packages "$log" "$@"; then
    why="$* could not be installed: $(tail -n 1 "$log") (all of it: $log)"
    return 1
  fi
}

install_packages() {
  local log=$1
  shift
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1
}

# The contestants of other ecosystems. One that could not be had has a .missing file, which says why. The race names it.
build_java() {
  local folder=$root/artifacts/race/java sources=$root/bench/PeerRace/Java missing=$root/artifacts/race/java.missing why jar has_all=1
  mkdir -p "$folder"
  rm -f "$missing"
  command -v javac >/dev/null || has_all=0
  for jar in $(java_jars | tr : ' '); do [[ -e $jar ]] || has_all=0; done
  if [[ $has_all = 0 ]] && ! need_packages java openjdk-17-jdk-headless libmariadb-java libpostgresql-jdbc-java libnetty-java libjctools-java; then
    echo "$why" >"$missing"
    return
  fi
  [[ -e $folder/classpath && -z $(find "$sources" "$root/eng/race.sh" -newer "$folder/classpath" -print -quit) ]] && return
  rm -rf "$folder"
  mkdir -p "$folder/classes"
  if timed "Compiling the contestants in Java" compile_java "$folder/classes" "$sources" "$folder.log"; then
    echo "$folder/classes:$(java_jars)" >"$folder/classpath"
  else
    echo "the contestants could not be compiled: $(tail -n 1 "$folder.log") (all of it: $folder.log)" >"$missing"
  fi
}

compile_java() { javac -Xlint:all -d "$1" -cp "$(java_jars)" "$2"/*.java >"$3" 2>&1; }

build_node() {
  local folder=$root/artifacts/race/node sources=$root/bench/PeerRace/Node missing=$root/artifacts/race/node.missing why
  mkdir -p "$folder"
  rm -f "$missing"
  # Some packages of Node contain npm, Debian's does not.
  if ! command -v node >/dev/null && ! need_packages node nodejs || ! command -v npm >/dev/null && ! need_packages node npm; then
    echo "$why" >"$missing"
    return
  fi
  cp "$sources"/*.js "$folder"
  cmp -s "$sources/package-lock.json" "$folder/node_modules/.installed" && return
  cp "$sources"/package*.json "$folder"
  if timed "Installing the packages of Node" install_node "$folder" "$folder.log"; then
    cp "$sources/package-lock.json" "$folder/node_modules/.installed"
  else
    echo "the packages of Node could not be installed: $(grep -m 1 error "$folder.log") (all of it: $folder.log)" >"$missing"
  fi
}

install_node() { npm ci --prefix "$1" --omit=dev --ignore-scripts --no-audit --no-fund --no-update-notifier >"$2" 2>&1; }

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
if asked --killed; then
  build_program bench/KillRace bench/Shared bench/Race tools/Lab src
  exec dotnet "$program" "$@"
fi
if asked --model; then
  build_program bench/ScaleModel bench/Shared bench/WebRace/Tables.cs bench/Race tools/Lab src
  exec dotnet "$program" "$@"
fi
asked --list || { if asked --peer-java; then build_java; fi; if asked --peer-node; then build_node; fi; }
if asked --web; then
  need_wrk
  # The sites are programs of their own.
  build_program bench/WebRace/Site bench/WebRace bench/Race/Contestants src
  build_program bench/WebRace bench/Shared tools/Lab src
  exec dotnet "$program" "$@"
fi
if asked --peer-java || asked --peer-node; then
  # The contestants in C# are programs of their own.
  build_program bench/PeerRace/Worker bench/PeerRace/Checksum.cs bench/Race tools/Lab src
  build_program bench/PeerRace bench/Shared bench/WebRace/Tables.cs bench/Race tools/Lab src
  exec dotnet "$program" "$@"
fi
if asked --jet; then timed "Building the C program" build_jet; fi
build_program bench/Race tools/Lab src
exec dotnet "$program" "$@"
