#!/bin/sh
# Dumps the database at PGHOST, PGUSER, PGPASSWORD and PGDATABASE to BACKUP_DIRECTORY, every BACKUP_INTERVAL seconds, and deletes
# dumps older than BACKUP_DAYS days. `backup.sh once` makes one dump and exits with 0 only if it is complete.
set -eu
directory=${BACKUP_DIRECTORY:-/backups}
umask 077
mkdir -p "$directory"

dump() {
  name=interviews-$(date -u +%Y%m%dT%H%M%SZ).dump
  # a dump has its name when it is complete
  if pg_dump --format=custom --file="$directory/$name.part" && pg_restore --list "$directory/$name.part" > /dev/null; then
    mv "$directory/$name.part" "$directory/$name"
    echo "wrote $name, $(du -h "$directory/$name" | cut -f1)"
    # only after a dump that succeeded, so that failures do not delete the last ones
    find "$directory" -name 'interviews-*.dump' -mtime "+$((${BACKUP_DAYS:-14} - 1))" -exec rm -- {} +
  else
    rm -f "$directory/$name.part"
    echo "the backup failed" >&2
    return 1
  fi
}

if [ "${1:-}" = once ]; then
  dump
  exit
fi
while true; do
  # five minutes later after a failure
  if dump; then pause=${BACKUP_INTERVAL:-86400}; else pause=300; fi
  sleep "$pause" &
  wait $!
done
