/** Connections through OUTBOUND_PROXY, with CONNECT (RFC 9110, 9.3.6). */
import { lookup } from "node:dns/promises"
import { type ClientRequest, Agent as PlainAgent, request as requestPlain } from "node:http"
import { request as requestSecure, Agent as SecureAgent } from "node:https"
import { isIP, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { connect as connectTls } from "node:tls"
import { Duration, Effect, Redacted, Result, type Scope } from "effect"
import { Agent, buildConnector, type Dispatcher } from "undici"
import { definedOnly } from "../../values/definedOnly.ts"
import { checkAddress, checkOrigin } from "../../values/OutboundAddress.ts"
import type { OutboundProxy } from "../../values/OutboundProxy.ts"
import { ConnectFailed, ProxyFailed } from "./OutboundErrors.ts"

/** A target of a tunnel; IPv6 addresses without brackets. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** Statuses with which a proxy says that it could not reach the target. */
const unreachable = new Set([502, 503, 504])

const refusalOf = (status: number, { host }: Target): Error => {
  if (status === 407) return new ProxyFailed({ reason: "the outbound proxy does not accept the credentials" })
  const message = unreachable.has(status)
    ? `The outbound proxy could not connect to ${host} (it answered ${status})`
    : `The outbound proxy refused the connection to ${host} (it answered ${status})`
  return new ConnectFailed({ cause: "connect", message })
}

/** Calls back once, with a socket on which nothing was sent, unless the request was destroyed. */
export const openTunnel = (
  proxy: OutboundProxy,
  target: Target,
  callback: (error: Error | undefined, socket?: Socket) => void,
): ClientRequest => {
  const authority = `${isIP(target.host) === 6 ? `[${target.host}]` : target.host}:${target.port}`
  const { authorization, host, isSecure, port } = proxy
  const options = {
    method: "CONNECT",
    host,
    port,
    path: authority,
    agent: false as const,
    headers: definedOnly({
      host: authority,
      "proxy-authorization": authorization && Redacted.value(authorization),
    }),
  }
  const request = isSecure
    ? requestSecure({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) })
    : requestPlain(options)
  return request
    .once("connect", ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head)
        return callback(undefined, socket)
      }
      socket.destroy()
      callback(refusalOf(statusCode, target))
    })
    .once("response", (response) => {
      // a proxy that answers CONNECT with an error and a body
      response.destroy()
      callback(refusalOf(response.statusCode ?? 0, target))
    })
    .on("error", (error) => {
      callback(new ProxyFailed({ reason: `the outbound proxy ${host}:${port} cannot be reached: ${error.message}` }))
    })
    .end() as ClientRequest
}

/** Whether the operator's host is reached without the proxy: its addresses are not public. */
const isLocal = async (hostname: string): Promise<boolean> => {
  const host = withoutBrackets(hostname)
  const isPrivate = (address: string) => Result.isFailure(checkAddress(address, [], "public"))
  if (isIP(host) !== 0) return isPrivate(host)
  const isPublicName = Result.isSuccess(checkOrigin({ protocol: "https:", hostname: host, port: "" }, []))
  if (!isPublicName || !host.includes(".")) return true
  // a name that does not resolve here is one that only the proxy can resolve
  const addresses = await lookup(host, { all: true }).catch(() => [])
  return addresses.length > 0 && addresses.every(({ address }) => isPrivate(address))
}

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, "$1")

/** Opens a tunnel, with TLS to the target if `isSecure`. Calls back once, after at most `timeout` ms. */
const openThrough = (
  proxy: OutboundProxy,
  { host, isSecure, port }: Target & { readonly isSecure: boolean },
  timeout: number,
  callback: (error: Error | undefined, socket?: Socket) => void,
): void => {
  let socket: Socket | undefined
  let isDone = false
  const done = (error: Error | undefined) => {
    clearTimeout(timer)
    if (isDone) return
    isDone = true
    if (error === undefined && socket !== undefined) return callback(undefined, socket.off("error", done))
    socket?.destroy()
    callback(error ?? new Error("the tunnel has no socket"))
  }
  const tunnel = openTunnel(proxy, { host, port }, (error, plain) => {
    if (error !== undefined || plain === undefined) return done(error)
    if (isDone) return plain.destroy()
    socket = plain.setNoDelay(true)
    if (!isSecure) return done(undefined)
    const servername = isIP(host) === 0 ? host : ""
    // `host` is for the check of a literal address in the certificate
    const secure = connectTls({ socket: plain, host, servername, ALPNProtocols: ["http/1.1"] })
    socket = secure.once("error", done).once("secureConnect", () => done(undefined))
  })
  const timer = setTimeout(() => {
    done(new ProxyFailed({ reason: `no connection through the outbound proxy to ${host} in time` }))
    tunnel.destroy()
  }, timeout)
}

/**
 * A dispatcher for hosts that the operator configures, such as a model server: through the proxy, unless the host is
 * of a private network.
 */
export const operatorDispatcher = (
  proxy: OutboundProxy | undefined,
  timeout: Duration.Duration = Duration.seconds(10),
): Effect.Effect<Dispatcher, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      if (proxy === undefined) return new Agent()
      const direct = buildConnector({ timeout: Duration.toMillis(timeout) })
      const through: buildConnector.connector = (options, callback) => {
        const isSecure = options.protocol === "https:"
        const host = withoutBrackets(options.hostname)
        const port = options.port === "" ? (isSecure ? 443 : 80) : Number(options.port)
        openThrough(proxy, { host, port, isSecure }, Duration.toMillis(timeout), (error, socket) =>
          socket === undefined ? callback(error ?? new Error("no socket"), null) : callback(null, socket),
        )
      }
      const connect: buildConnector.connector = (options, callback) => {
        isLocal(options.hostname).then(
          (local) => (local ? direct : through)(options, callback),
          (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
        )
      }
      return new Agent({ connect, allowH2: false })
    }),
    (agent) => Effect.promise(() => agent.destroy()),
  )

type Connected = (error: Error | null, stream: Duplex) => void

/** `open` gets the host without brackets. */
const tunnelled = <A extends PlainAgent>(
  agent: A,
  open: (host: string, port: number, callback: (error: Error | undefined, socket?: Socket) => void) => void,
): A => {
  const direct = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const connected: Connected = callback ?? (() => {})
    // node calls back with an error alone, too
    const fail = connected as (error: Error) => void
    const host = withoutBrackets(String(options.host ?? ""))
    isLocal(host).then((local) => {
      if (!local) {
        return open(host, Number(options.port), (error, socket) =>
          socket === undefined ? fail(error ?? new Error("no socket")) : connected(null, socket),
        )
      }
      const stream = direct(options, callback)
      if (stream !== undefined && stream !== null) connected(null, stream)
    }, fail)
    return undefined
  }
  return agent
}

/** As `operatorDispatcher`, for libraries that send requests with node:http: at most `maxSockets` connections to one host. */
export const operatorAgents = (
  proxy: OutboundProxy | undefined,
  maxSockets: number,
  timeout: Duration.Duration = Duration.seconds(10),
) => {
  const options = { keepAlive: true, maxSockets }
  const agents = { httpAgent: new PlainAgent(options), httpsAgent: new SecureAgent(options) }
  if (proxy === undefined) return agents
  const through =
    (isSecure: boolean): Parameters<typeof tunnelled>[1] =>
    (host, port, callback) =>
      openThrough(proxy, { host, port, isSecure }, Duration.toMillis(timeout), callback)
  return {
    httpAgent: tunnelled(agents.httpAgent, through(false)),
    httpsAgent: tunnelled(agents.httpsAgent, through(true)),
  }
}
