/**
 * The way out for requests to places that somebody else named (webhook URLs, CV links): an undici dispatcher whose every
 * connection is checked, whoever asks for it and with whatever URL. What it takes care of, so that its users need not:
 *
 * - A connection goes only where `checkOrigin` and `checkAddress` let it go, and exactly there (`outbound/Names.ts`).
 * - TLS is always verified. HTTP/1.1 only, one request at a time on a connection, so that the number of connections is the
 *   number of requests. Nothing is decoded, no redirect is followed.
 * - A receiver that floods is cut off. Headers are limited to 16 KiB; status lines, informational answers, chunk framing
 *   and whatever else is no body are not counted by undici, so all bytes are counted here.
 * - Connections are pooled for each origin, capped, and closed when idle.
 *
 * What is left to its users: a deadline for the whole request, and when to stop reading a body.
 */
import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from "node:net"
import { connect as connectTls, type TLSSocket } from "node:tls"
import { Duration, Effect, Result, type Scope } from "effect"
import { Agent, type buildConnector, type Dispatcher } from "undici"
import { type AllowedNetworks, checkOrigin } from "../../values/OutboundAddress.ts"
import { AnswerTooLong, ConnectFailed, connectFailed, connectTimedOut, isOurs, type Stage } from "./OutboundFaults.ts"
import { guardedLookup, type Resolve, resolvePublic } from "./OutboundNames.ts"

export interface GuardOptions {
  /** Networks allowed besides the public ones. */
  readonly allowed: AllowedNetworks
  /** For DNS, connect and TLS of one connection together. */
  readonly timeout: Duration.Duration
  /**
   * Connections open to one origin. Give at least the number of requests that can be open at once: users may share an
   * origin, and a request over the limit waits for a connection.
   */
  readonly connectionsPerOrigin: number
  /** The longest answer, with all that stands around its body; bytes, give or take the 64 KiB that are read at once. */
  readonly maxAnswer: number
  /** Given only to stand in for DNS in a test. */
  readonly resolve?: Resolve | undefined
}

/** One lost SYN costs a second; only after more than that the name's next address is tried; milliseconds. */
const nextAddressAfter = 1_500
/** A connection is given up a little before the request that waits for it, so that the request can tell what it waited for. */
const connectShare = 0.99
/** The kernel asks whether the other side is still there; milliseconds. */
const probeAfter = 60_000
/** TLS sessions kept for resumption: a resumed handshake spares the receiver's signature and our check of its chain. */
const maxSessions = 1_000
/** Idle connections close before the 5 s after which node:http receivers close them; milliseconds. */
const idleTimeout = 4_000
const maxIdleTimeout = 30_000
/** With more connections open than this, each closes after its answer, so that idle ones cannot use up descriptors. */
const manyConnections = 1_000

/**
 * Ends a connection that goes on receiving although nothing new was asked on it. What has been sent is taken as the mark of
 * a new request: the count begins anew whenever it has changed.
 */
const limitAnswers = (socket: Socket, mostBytes: number): void => {
  let asked = -1
  let begun = 0
  socket.on("readable", () => {
    if (socket.bytesWritten !== asked) {
      asked = socket.bytesWritten
      begun = socket.bytesRead
    } else if (socket.bytesRead - begun > mostBytes) socket.destroy(new AnswerTooLong({ mostBytes }))
  })
}

/** Opens sockets for undici to origins that pass. `opened` is told of each socket at once. Errors: `ConnectFailed`, or ours. */
const connector = (options: GuardOptions, opened: (socket: Socket) => void): buildConnector.connector => {
  const { allowed, maxAnswer } = options
  const timeout = Duration.toMillis(options.timeout)
  const resolve = options.resolve ?? resolvePublic()
  const lookups = {
    public: guardedLookup(allowed, "public", resolve),
    allowed: guardedLookup(allowed, "allowed", resolve),
  }
  const sessions = new Map<string, Buffer>()
  const keepSession = (origin: string, session: Buffer) => {
    sessions.delete(origin)
    sessions.set(origin, session)
    const [oldest] = sessions.keys()
    if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest)
  }

  const open = (host: string, port: number, lookup: LookupFunction): TcpNetConnectOpts => ({
    host,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfter,
  })
  const openSecure = (plain: TcpNetConnectOpts, host: string): TLSSocket => {
    const origin = `${host}:${plain.port}`
    const session = sessions.get(origin)
    const socket = connectTls({
      ...plain,
      // SNI is a name, without the dot that may end it (RFC 6066, 3).
      servername: isIP(host) === 0 ? host.replace(/\.+$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
      ...(session === undefined ? {} : { session }),
    })
    // Emitted only once the certificate and the name have been verified.
    return socket.on("session", (session: Buffer) => keepSession(origin, session))
  }

  return (origin, callback) => {
    const reach = checkOrigin(origin, allowed)
    if (Result.isFailure(reach)) {
      const error = new ConnectFailed({ cause: "refused", message: reach.failure.reason })
      // undici does not expect an answer before this call is over.
      return queueMicrotask(() => callback(error, null))
    }
    const { hostname: host } = origin
    const secure = origin.protocol === "https:"
    const port = origin.port === "" ? (secure ? 443 : 80) : Number(origin.port)
    const plain = open(host, port, lookups[reach.success])
    const socket = secure ? openSecure(plain, host) : connect(plain)
    opened(socket)

    let stage: Stage = isIP(host) === 0 ? "dns" : "connect"
    const timer = setTimeout(() => socket.destroy(connectTimedOut(host, stage, timeout)), timeout * connectShare)
    const fail = (error: Error) => {
      callback(error instanceof ConnectFailed || isOurs(error) ? error : connectFailed(error, stage), null)
    }
    socket
      .setNoDelay(true)
      .setKeepAlive(true, probeAfter)
      .on("lookup", () => {
        stage = "connect"
      })
      .once("connect", () => {
        stage = "tls"
      })
      .once("error", fail)
      .once("close", () => clearTimeout(timer))
      .once(secure ? "secureConnect" : "connect", () => {
        clearTimeout(timer)
        socket.off("error", fail)
        limitAnswers(socket, maxAnswer)
        callback(null, socket)
      })
  }
}

/** A dispatcher for undici's `dispatch`, `request` or `fetch`. Closing the scope closes its connections. */
export const guardedDispatcher = (options: GuardOptions): Effect.Effect<Dispatcher, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    const opened = (socket: Socket) => {
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
    }
    const agent = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Agent({
            allowH2: false,
            connections: options.connectionsPerOrigin,
            pipelining: 1,
            keepAliveTimeout: idleTimeout,
            keepAliveMaxTimeout: maxIdleTimeout,
            maxHeaderSize: 16 * 1024,
            // The user's deadline covers both, in one timer.
            headersTimeout: 0,
            bodyTimeout: 0,
            connect: connector(options, opened),
          }),
      ),
      (agent) =>
        Effect.promise(async () => {
          await agent.destroy()
          // undici leaves alone what is still being connected.
          for (const socket of sockets) socket.destroy()
        }),
    )
    return agent.compose(
      (dispatch) => (request, handler) =>
        dispatch(sockets.size > manyConnections ? { ...request, reset: true } : request, handler),
    )
  })
