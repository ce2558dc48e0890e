/**
 * An undici dispatcher for addresses that users enter (webhook URLs, CV links). Connects only where `checkOrigin` and
 * `checkAddress` allow. Redirects are not followed, responses are not decoded. The caller sets the deadline of the
 * request and stops reading a long body.
 */
import type { LookupAddress } from "node:dns"
import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from "node:net"
import { connect as connectTls, type TLSSocket } from "node:tls"
import { Duration, Effect, Result, type Scope } from "effect"
import { Agent, type buildConnector, type Dispatcher } from "undici"
import { type AllowedNetworks, checkAddress, checkOrigin, type Reach } from "../../values/OutboundAddress.ts"
import type { OutboundProxy } from "../../values/OutboundProxy.ts"
import { AnswerTooLong, ConnectFailed, connectFailed, connectTimedOut, isOurs, type Stage } from "./OutboundErrors.ts"
import { AddressRefused, guardedLookup, type Resolve, resolvePublic } from "./OutboundNames.ts"
import { openTunnel } from "./ProxyTunnel.ts"

export interface GuardOptions {
  readonly allowed: AllowedNetworks
  /** DNS, connect and TLS together. */
  readonly timeout: Duration.Duration
  /** At least the maximum of concurrent requests: users may share an origin. */
  readonly connectionsPerOrigin: number
  /** Bytes of a response with its head and framing, exact to 64 KiB. */
  readonly maxAnswer: number
  readonly resolve?: Resolve | undefined
  /** For public addresses; allowed networks are reached directly. */
  readonly proxy?: OutboundProxy | undefined
}

/** Milliseconds until the next address of a name is tried; a lost SYN costs 1,000. */
const nextAddressAfter = 1_500
/** Share of `timeout`: connecting ends before the caller's deadline, so that the error names the stage. */
const connectShare = 0.99
/** TCP keep-alive; milliseconds. */
const probeAfter = 60_000
/** Resumed TLS sessions save the receiver's signature and the check of its chain. */
const maxSessions = 1_000
/** Milliseconds; node:http receivers close idle connections after 5 s. */
const idleTimeout = 4_000
const maxIdleTimeout = 30_000
/** Above it, connections close after their responses, to save file descriptors. */
const manyConnections = 1_000

/**
 * undici's limits omit status lines, informational responses and chunk framing. A change of `bytesWritten` marks a new
 * request.
 */
const limitAnswers = (socket: Socket, maxBytes: number): void => {
  let lastWritten = -1
  let answerStart = 0
  socket.on("readable", () => {
    if (socket.bytesWritten !== lastWritten) {
      lastWritten = socket.bytesWritten
      answerStart = socket.bytesRead
    } else if (socket.bytesRead - answerStart > maxBytes) socket.destroy(new AnswerTooLong({ maxBytes }))
  })
}

/** The target of a connection that `checkOrigin` admits. */
interface Checked {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly reach: Reach
}

/** Fails with `ConnectFailed` or an error that `isOurs`. */
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
  /** `over`: options of a direct connection, or the socket of a tunnel. */
  const openSecure = (over: TcpNetConnectOpts | { readonly socket: Socket }, host: string, port: number): TLSSocket => {
    const origin = `${host}:${port}`
    const session = sessions.get(origin)
    const socket = connectTls({
      ...over,
      // for the check of a literal address in the certificate
      host,
      // SNI has no trailing dot (RFC 6066, 3)
      servername: isIP(host) === 0 ? host.replace(/\.+$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
      session,
    })
    // emitted after the certificate is verified
    return socket.on("session", (issued: Buffer) => keepSession(origin, issued))
  }

  const connectDirectly = ({ host, port, reach, secure }: Checked, callback: buildConnector.Callback) => {
    let stage: Stage = isIP(host) === 0 ? "dns" : "connect"
    // before the socket: the first TLS connection of a process takes 6 ms to begin (Node 24)
    const timer = setTimeout(() => socket.destroy(connectTimedOut(host, stage, timeout)), timeout * connectShare)
    const plain = open(host, port, lookups[reach])
    const socket = secure ? openSecure(plain, host, port) : connect(plain)
    opened(socket)

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

  const connectThrough = (proxy: OutboundProxy, { host, port, secure }: Checked, callback: buildConnector.Callback) => {
    let stage: Stage = "connect"
    let isDone = false
    let socket: Socket | undefined
    const done = (error: Error | undefined) => {
      clearTimeout(timer)
      if (isDone) return
      isDone = true
      if (error === undefined && socket !== undefined) {
        socket.off("error", done)
        limitAnswers(socket, maxAnswer)
        return callback(null, socket)
      }
      const failure = error ?? new Error("closed")
      socket?.destroy()
      callback(failure instanceof ConnectFailed || isOurs(failure) ? failure : connectFailed(failure, stage), null)
    }
    const tunnel = openTunnel(proxy, { host: host.replace(/\.+$/, ""), port }, (error, plain) => {
      if (error !== undefined || plain === undefined) return done(error)
      opened(plain)
      if (isDone) return plain.destroy()
      socket = plain.setNoDelay(true).setKeepAlive(true, probeAfter)
      if (!secure) return done(undefined)
      stage = "tls"
      const over = openSecure({ socket: plain }, host, port)
      opened(over)
      socket = over.once("error", done).once("secureConnect", () => done(undefined))
    })
    const timer = setTimeout(() => {
      // before the tunnel, the proxy may wait for the receiver
      done(connectTimedOut(host, stage, timeout))
      tunnel.destroy()
    }, timeout * connectShare)
  }

  /** Whether the target is reached directly: its addresses are in allowed networks. */
  const isDirect = ({ host, reach }: Checked, decide: (decided: boolean | Error) => void) => {
    if (isIP(host) !== 0) return decide(reach === "allowed")
    lookups[reach](host, { all: true }, (error, addresses) => {
      if (error instanceof AddressRefused) return decide(connectFailed(error, "dns"))
      // a name that does not resolve here is decided by name: only the proxy can resolve it
      if (error !== null) return decide(reach === "allowed" ? connectFailed(error, "dns") : false)
      const isAllowed = ({ address }: LookupAddress) => Result.isSuccess(checkAddress(address, allowed, "allowed"))
      decide(Array.isArray(addresses) && addresses.every(isAllowed))
    })
  }

  return (origin, callback) => {
    const reach = checkOrigin(origin, allowed)
    if (Result.isFailure(reach)) {
      const error = new ConnectFailed({ cause: "refused", message: reach.failure.reason })
      // undici expects no synchronous callback
      return queueMicrotask(() => callback(error, null))
    }
    const secure = origin.protocol === "https:"
    const port = origin.port === "" ? (secure ? 443 : 80) : Number(origin.port)
    const target = { host: origin.hostname, port, secure, reach: reach.success }
    const { proxy } = options
    if (proxy === undefined) return connectDirectly(target, callback)
    isDirect(target, (direct) => {
      if (direct instanceof Error) return callback(direct, null)
      if (direct) return connectDirectly(target, callback)
      connectThrough(proxy, target, callback)
    })
  }
}

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
            // the caller's deadline covers both
            headersTimeout: 0,
            bodyTimeout: 0,
            connect: connector(options, opened),
          }),
      ),
      (created) =>
        Effect.promise(async () => {
          await created.destroy()
          // undici leaves connecting sockets open
          for (const socket of sockets) socket.destroy()
        }),
    )
    return agent.compose(
      (dispatch) => (request, handler) =>
        dispatch(sockets.size > manyConnections ? { ...request, reset: true } : request, handler),
    )
  })
