#!/bin/bash
# Copies all data from one Galera node of the lab to another. Both are on this machine, so the donor copies files.
#   wsrep_sst_lab --role joiner --datadir FOLDER --parent PROCESS ...
#   wsrep_sst_lab --role donor --datadir FOLDER --address ADDRESS --gtid POSITION [--bypass] ...
# The server starts it on both nodes, and reads its output: the joiner's "ready ADDRESS" becomes the donor's --address.
# With --bypass, the joiner needs only the writes that it missed, which the servers send each other.
bypass=
while [ $# -gt 0 ]; do
  case $1 in
    --role) role=$2; shift ;;
    --datadir) data=${2%/}; shift ;;
    --parent) parent=$2; shift ;;
    --address) address=$2; shift ;;
    --gtid) position=$2; shift ;;
    --bypass) bypass=yes ;;
    --mysqld-args) break ;;
  esac
  shift
done

# What belongs to a node, or is there only while it copies.
own=(galera.cache 'gcache.page.*' grastate.dat gvwstate.dat server.pid sst_position tables_flushed 'ibtmp*')
rest=(-mindepth 1 -maxdepth 1)
for name in "${own[@]}"; do rest+=(! -name "$name"); done

if [ "$role" = joiner ]; then
  rm -f "$data/sst_position"
  echo "ready 127.0.0.1/$data"
  until [ -e "$data/sst_position" ]; do
    kill -0 "$parent" 2>/dev/null || exit 1
    sleep 0.02
  done
  cat "$data/sst_position"
  rm -f "$data/sst_position"
  exit
fi

joiner=${address#*/}
if [ -z "$bypass" ]; then
  rm -f "$data/tables_flushed"
  # The server stops its writes and then creates the file, with the position.
  echo "flush tables"
  until [ -s "$data/tables_flushed" ]; do sleep 0.02; done
  position=$(head -n 1 "$data/tables_flushed")
  find "$joiner" "${rest[@]}" -exec rm -rf {} + || exit 1
  find "$data" "${rest[@]}" -exec cp -a -t "$joiner" {} + || exit 1
  rm -f "$data/tables_flushed"
fi
echo continue
echo "$position" >"$joiner/sst_position.new" && mv "$joiner/sst_position.new" "$joiner/sst_position" || exit 1
echo "done $position"
