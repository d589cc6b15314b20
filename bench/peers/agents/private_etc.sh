#!/bin/sh
# Runs a command with a private copy of /etc and /usr/local, in which tests may write an administrator's settings:
#   sudo bench/peers/agents/private_etc.sh deno task test:peers
# Needs root and a Linux with overlay mounts; nothing of the machine is changed.
exec unshare -m sh -ec '
  top=$(mktemp -d)
  mount -t tmpfs none "$top"
  for folder in etc usr/local; do
    mkdir -p "$top/$folder/new" "$top/$folder/work"
    mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$top/$folder/new,workdir=$top/$folder/work" "/$folder"
  done
  exec "$@"
' sh "$@"
