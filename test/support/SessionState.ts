/**
 * What a statement leaves in its session. A pooler in transaction mode (docs/scale.md, "Connection poolers") gives each
 * transaction another session, so the service keeps state in a session only where `ownSessions` allows it.
 */

/** Files of src that use a connection directly, so that Statements.ts does not see what they send. */
export const ownSessions: ReadonlyMap<string, string> = new Map([
  ["src/platform/database/Connections.ts", "the pool; it listens on DATABASE_DIRECT_URL"],
  ["src/platform/database/Replica.ts", "reads positions in the log, which keeps nothing in the session"],
  ["src/platform/queue/QueueNotifier.ts", "LISTEN, which Connections.ts sends on DATABASE_DIRECT_URL"],
  ["src/cells/MoveStateSql.ts", "the lock of moves, in a session of the command, which refuses poolers"],
  ["src/dev/EmbeddedPostgres.ts", "the lease of the embedded server, which has no pooler"],
])

/** The statements of a function's body are separated by `;` or the words of PL/pgSQL. */
const begin = String.raw`(?:^|;|\b(?:begin|then|else|loop)\s)\s*`

/** `set transaction` and `set constraints` last until the transaction ends. */
const rules: ReadonlyArray<readonly [state: string, RegExp]> = [
  ["a setting", new RegExp(String.raw`${begin}(?:set(?!\s+(?:local|transaction|constraints)\b)|reset)\s`)],
  ["a setting", /\bset_config\s*\((?![^;)]*,\s*true\s*\))/],
  ["LISTEN", new RegExp(String.raw`${begin}(?:un)?listen\b`)],
  ["an advisory lock", /\bpg_(?:try_)?advisory_(?:un)?lock/],
  ["a temporary table", /\b(?:create|into)\s+(?:local\s+|global\s+)?temp(?:orary)?\b|\bpg_temp\./],
  ["a prepared statement", /^\s*(?:prepare|deallocate)\b/],
  ["a cursor", /\bwith\s+hold\b/],
  ["the last value of a sequence", /\b(?:currval|lastval)\s*\(/],
]

/** Names what the statement, or the body of a function, leaves in its session. */
export const sessionStateOf = (text: string): ReadonlyArray<string> => {
  const words = text
    .replace(/--.*/g, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
  return [...new Set(rules.flatMap(([state, found]) => (found.test(words) ? [state] : [])))]
}
