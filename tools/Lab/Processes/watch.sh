#!/bin/bash
# Starts one server and ends it when its last user is gone.
#   watch.sh INSTANCE_FOLDER SOCKET_FOLDER STOP_SIGNAL keep|remove COMMAND...
# Every user of the server holds a shared lock on users.lock. The kernel drops it when a user ends, kill -9 included, so the
# exclusive lock below is granted exactly when nobody is left. It is held until the server has ended: a new user waits for that.
folder=$1 sockets=$2 stop=$3 afterwards=$4
shift 4
cd "$folder" || exit 1
# The caller may have files open that every child inherits, such as a lock. The server outlives the caller and must not hold them. 255 is this script.
for open in /proc/$$/fd/*; do
  open=${open##*/}
  if [ "$open" -gt 2 ] && [ "$open" -ne 255 ]; then eval "exec $open>&-"; fi
done
exec </dev/null >>server.log 2>&1 9<users.lock

"$@" 9<&- &
server=$!
# proc(5): field 22 of stat is the start time, which tells a process from a later one of the same number.
started() { local stat; stat=$(<"/proc/$1/stat") && set -- ${stat##*) } && echo "${20}"; }
echo "$$ $(started $$)
$server $(started "$server")" >processes.new && mv processes.new processes

flock -x 9 &
waiter=$!
wait -n "$server" "$waiter"

if kill -0 "$waiter" 2>/dev/null; then
  # The server ended by itself.
  kill "$waiter"
  exit
fi

# A server that a test has stopped with SIGSTOP, and its children, hear no other signal.
for status in $(grep -ls "^PPid:[[:space:]]*$server\$" /proc/[0-9]*/status); do
  child=${status#/proc/}
  kill -CONT "${child%/status}" 2>/dev/null
done
kill -CONT "$server" 2>/dev/null
kill -s "$stop" "$server" 2>/dev/null
for ((tenths = 0; tenths < 300; tenths++)); do
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1 9<&-
done
kill -KILL "$server" 2>/dev/null
wait "$server"

if [ "$afterwards" = remove ]; then
  cd /
  rm -rf "$folder" "$sockets"
fi
