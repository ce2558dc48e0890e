/**
 * Several servers in one DATABASE_URL, as in libpq: postgres://user:password@one:5432,two:5432/database. Connections go to the
 * one that accepts writes, which a failover changes.
 */
import { connect, type Socket } from "node:net"
import { PgPool } from "@effect/sql-pg"
import { Duration, Effect, type Redacted, Result } from "effect"
import { SqlError } from "effect/sql"
import { type DatabaseServer, readDatabaseUrl, tlsOf, urlsOf } from "../../config/DatabaseUrl.ts"

/** How long a server may take, and how often pods check it. docs/scale.md describes a failover with these limits. */
export const serverLimits = {
  /** For a new connection, with one server. */
  connect: Duration.seconds(5),
  /** For a new connection to one of several servers; shorter, because statements wait for it. */
  connectToOneOfSeveral: Duration.seconds(2),
  /** Between two checks of the current one of several servers. */
  checkInterval: Duration.seconds(1),
  /** For the answer to a check. Afterwards, connections go to another server as soon as one accepts writes. */
  check: Duration.seconds(2),
  /** Between two measurements of the database's clock. */
  clockInterval: Duration.seconds(30),
  /** For the answer to a health check. */
  ping: Duration.seconds(1),
  /** For the first answer when a pod starts, multiplied by the number of servers. */
  start: Duration.seconds(5),
  /** Until an idle connection is probed; without probes, LISTEN would not notice a lost server. */
  keepAlive: Duration.seconds(30),
} as const

/** The URLs of the servers, in their order. A wrong URL is returned unchanged: the driver reports it. */
export const serversOf = (url: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> =>
  Result.match(readDatabaseUrl(url), { onSuccess: urlsOf, onFailure: () => [url] })

/** The driver's `ssl` for the server of `url`. */
const sslOf = (url: Redacted.Redacted) =>
  Result.match(readDatabaseUrl(url), { onSuccess: tlsOf, onFailure: () => undefined })

/** `options` of the driver for the server of `url`. Files of certificates are read for each connection. */
export const connectingTo = <Options extends object>(options: Options, url: Redacted.Redacted) => ({
  ...options,
  url,
  get ssl() {
    return sslOf(url)
  },
})

const addressOf = (url: Redacted.Redacted): DatabaseServer | undefined =>
  Result.getOrUndefined(readDatabaseUrl(url))?.servers[0]

/** The servers of a database. Pools that share them connect to the same one. */
export class Servers {
  readonly urls: ReadonlyArray<Redacted.Redacted>
  /** Open sockets by the server's index; none when there is one server. */
  readonly #sockets = new Map<Socket, number>()
  readonly #first: Redacted.Redacted
  #at = 0

  constructor(url: Redacted.Redacted) {
    this.urls = serversOf(url)
    this.#first = this.urls[0] ?? url
  }

  get areSeveral(): boolean {
    return this.urls.length > 1
  }

  /** The index of the server that connections go to. */
  get index(): number {
    return this.#at
  }

  get url(): Redacted.Redacted {
    return this.urls[this.#at] ?? this.#first
  }

  /** Goes on to the next server, unless another attempt left the server at `index` already. */
  leave(index: number): void {
    if (this.#at === index) this.#at = (index + 1) % this.urls.length
  }

  /** Opens a socket to the current server. */
  connect(keepAlive: Duration.Input | undefined): Socket {
    const { host = "", port = 5432 } = addressOf(this.url) ?? {}
    const socket = connect({
      ...(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }),
      noDelay: true,
      ...(keepAlive !== undefined && { keepAlive: true, keepAliveInitialDelay: Duration.toMillis(keepAlive) }),
    })
    this.#sockets.set(socket, this.#at)
    return socket.once("close", () => this.#sockets.delete(socket))
  }

  /**
   * Goes on to the server at `index`, which accepts writes, and closes connections to the others. A server whose machine or
   * network failed does not close them, and TCP waits up to 15 minutes for the answer to a statement.
   */
  choose(index: number): void {
    this.#at = index
    for (const [socket, ofServer] of this.#sockets) if (ofServer !== index) socket.destroy()
  }
}

/** The connection failed, so no statement was sent. */
const isOfServer = (error: unknown): boolean =>
  SqlError.isSqlError(error) && "operation" in error.reason && error.reason.operation === "connect"

/**
 * A pool whose connections go to the current server. `onWritableServer` repeats an attempt with the next server when the
 * connection fails or the server does not accept writes (`isRefused`).
 */
export const makePool = Effect.fnUntraced(function* (
  { servers, ...options }: PgPool.Config & { readonly servers: Servers },
  isRefused: (error: unknown) => boolean,
) {
  const pool = yield* PgPool.make({
    ...options,
    // read for each connection
    get url() {
      return servers.url
    },
    get ssl() {
      return sslOf(servers.url)
    },
    ...(servers.areSeveral && { stream: () => servers.connect(options.keepAlive) }),
  })
  const isElsewhere = (error: unknown) => isRefused(error) || isOfServer(error)
  const onWritableServer = <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    // the pool may replace a closed connection before the server accepts writes. No schedule: this runs for each statement
    if (!servers.areSeveral) return Effect.catchIf(attempt, isRefused, () => attempt)
    const once = Effect.suspend(() => {
      const used = servers.index
      return Effect.tapError(attempt, (error) =>
        isElsewhere(error) ? Effect.sync(() => servers.leave(used)) : Effect.void,
      )
    })
    return Effect.retry(once, { times: servers.urls.length, while: isElsewhere })
  }
  return { pool, onWritableServer }
})
