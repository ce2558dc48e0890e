/**
 * The addresses of databases: URLs in libpq's form, with its parameters
 * (https://www.postgresql.org/docs/current/libpq-connect.html). A parameter that is not read here is refused by name: an
 * ignored one, such as a misspelt sslmode, could send passwords in clear text.
 */
import { readFileSync } from "node:fs"
import { isIP } from "node:net"
import type { ConnectionOptions } from "node:tls"
import { Duration, Redacted, Result } from "effect"
import { definedOnly } from "../values/definedOnly.ts"
import { likelyField } from "../values/LikelyField.ts"

export interface DatabaseServer {
  /** A name, an IP address, or the directory of a Unix socket. */
  readonly host: string
  readonly port: number
}

export interface DatabaseAddress {
  readonly servers: readonly [DatabaseServer, ...ReadonlyArray<DatabaseServer>]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly parameters: ReadonlyMap<string, string>
}

const unescaped =
  "in user, password and other values, write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23"

const form = /^postgres(?:ql)?:\/\/(?<authority>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/s

const hostForm = /^(?:\[(?<six>[^\]]+)\]|(?<name>[^:[\]]*))(?::(?<port>\d*))?$/

const switches = ["0", "1"]
const tlsVersions = ["TLSv1.2", "TLSv1.3"] as const
/** Modes that encrypt. */
const encrypting = ["require", "verify-ca", "verify-full"]

const sslModes = ["disable", "allow", "prefer", ...encrypting]

/** Parameters that are read, with the values that they may have. */
const known: Readonly<Record<string, ReadonlyArray<string> | RegExp>> = {
  host: /./,
  port: /^\d+(,\d+)*$/,
  user: /./,
  password: /./,
  dbname: /./,
  application_name: /./,
  options: /./,
  connect_timeout: /^\d{1,6}$/,
  target_session_attrs: ["any", "read-write", "primary", "read-only", "standby", "prefer-standby"],
  // with several servers, the one that accepts writes is needed and not any at random
  load_balance_hosts: ["disable"],
  client_encoding: /^(auto|utf-?8)$/i,
  keepalives: ["1"],
  keepalives_idle: /^[1-9]\d{0,4}$/,
  ssl: ["true"],
  sslmode: sslModes,
  sslrootcert: /./,
  sslcert: /./,
  sslkey: /./,
  sslpassword: /./,
  sslsni: switches,
  ssl_min_protocol_version: tlsVersions,
  ssl_max_protocol_version: tlsVersions,
  sslnegotiation: ["postgres"],
  sslcompression: ["0"],
  gssencmode: ["disable", "prefer"],
  channel_binding: ["disable", "prefer"],
}

/** What to do instead. */
const advice: Readonly<Record<string, string>> = {
  channel_binding:
    "the driver does not support it: remove it; sslmode=require already checks the server's certificate and name",
  connection_limit: "set DATABASE_POOL instead",
  pool_timeout: "set DATABASE_POOL instead",
  pgbouncer: "set DATABASE_DIRECT_URL instead",
  schema: "set DATABASE_SCHEMA instead",
  search_path: "set DATABASE_SCHEMA instead",
  ssl: "write ssl=true, which means sslmode=require, or sslmode",
  sslmode: `use ${sslModes.join(", ")}; for a server with a self-signed certificate, set sslrootcert to a file with it`,
}

/** Other parameters of libpq, which are no misspelt ones of these. */
const ofLibpq: ReadonlySet<string> = new Set([
  "fallback_application_name",
  "gssdelegation",
  "gsslib",
  "hostaddr",
  "keepalives_count",
  "keepalives_interval",
  "krbsrvname",
  "max_protocol_version",
  "min_protocol_version",
  "passfile",
  "replication",
  "require_auth",
  "requirepeer",
  "requiressl",
  "scram_client_key",
  "scram_server_key",
  "service",
  "servicefile",
  "sslcertmode",
  "sslcrl",
  "sslcrldir",
  "sslkeylogfile",
  "tcp_user_timeout",
])

const adviceFor = (name: string): string | undefined => {
  const likely = ofLibpq.has(name) ? undefined : likelyField(name, Object.keys(known))
  return advice[name] ?? (likely === undefined ? undefined : `write ${likely}`)
}

const refusalOf = (name: string, value: string): string | undefined => {
  const allowed = known[name]
  if (allowed === undefined) {
    const hint = adviceFor(name)
    return `the parameter ${name} is not supported${hint === undefined ? "" : `: ${hint}`}`
  }
  if (Array.isArray(allowed) ? allowed.includes(value) : allowed instanceof RegExp && allowed.test(value))
    return undefined
  const hint = advice[name] ?? (Array.isArray(allowed) ? `use ${allowed.join(" or ")}` : "its value is not valid")
  return `the parameter ${name} has a value that is not supported: ${hint}`
}

class Wrong extends Error {}

const refuse = (why: string): never => {
  throw new Wrong(why)
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse(unescaped)
  }
}

const portOf = (text: string): number => {
  const port = Number(text || 5432)
  return port >= 1 && port <= 65_535 ? port : refuse(`the port must be from 1 to 65535, not ${port}`)
}

const parametersOf = (query: string): Map<string, string> => {
  const found = new Map<string, string>()
  const refusals: Array<string> = []
  for (const pair of query.split("&").filter((one) => one !== "")) {
    const at = pair.indexOf("=")
    const name = decoded(at < 0 ? pair : pair.slice(0, at))
    // a password with an unescaped ? would be shown
    if (!/^\w{1,40}$/.test(name) || (known[name] === undefined && query.includes("@"))) return refuse(unescaped)
    const value = at < 0 ? "" : decoded(pair.slice(at + 1))
    const refusal = refusalOf(name, value)
    if (refusal !== undefined) {
      refusals.push(refusal)
      continue
    }
    // libpq reads ssl=true, which JDBC has, like this
    const [key, meaning] = name === "ssl" ? ["sslmode", "require"] : [name, value]
    if (found.has(key)) return refuse(`the parameter ${key} is given twice`)
    found.set(key, meaning)
  }
  return refusals.length === 0 ? found : refuse(refusals.join("; "))
}

const serversIn = (hosts: string, parameters: ReadonlyMap<string, string>): DatabaseAddress["servers"] => {
  const given = hosts === "" ? [] : hosts.split(",").map((one) => hostForm.exec(one)?.groups ?? refuse(unescaped))
  const named = parameters.get("host")
  if (named !== undefined && given.some(({ name, six }) => six !== undefined || name !== ""))
    return refuse("the host is given twice: before the database and as the parameter host")
  const ports = parameters.get("port")?.split(",") ?? given.map(({ port = "" }) => port)
  const names = named?.split(",") ?? given.map(({ name = "", six }) => six ?? decoded(name))
  if (ports.length > 1 && ports.length !== names.length)
    return refuse(`there are ${names.length} hosts and ${ports.length} ports`)
  const servers = names.map((name, index) => ({
    host: name === "" ? "localhost" : name,
    port: portOf((ports.length === 1 ? ports[0] : ports[index]) ?? ""),
  }))
  const [first = { host: "localhost", port: portOf(ports[0] ?? "") }, ...others] = servers
  return [first, ...others]
}

/** Undefined: the parameters of TLS fit together, and their files can be read. */
const tlsRefusalOf = (parameters: ReadonlyMap<string, string>): string | undefined => {
  const encrypts = encrypting.includes(parameters.get("sslmode") ?? "")
  for (const name of ["sslrootcert", "sslcert", "sslkey"]) {
    const file = parameters.get(name)
    if (file === undefined) continue
    if (!encrypts) return `the parameter ${name} needs sslmode=${encrypting.join(" or ")}`
    if (name === "sslrootcert" && file === "system") continue
    try {
      contentOf(file)
    } catch (error) {
      return `the parameter ${name}: ${error instanceof Error ? error.message : "the file cannot be read"}`
    }
  }
  return parameters.has("sslcert") === parameters.has("sslkey") ? undefined : "sslcert and sslkey need each other"
}

/** The error says what is wrong, without the password. */
export const readDatabaseUrl = (url: Redacted.Redacted): Result.Result<DatabaseAddress, string> => {
  try {
    const text = Redacted.value(url)
    if (text.includes("#")) return refuse(unescaped)
    const { authority = "", database = "", query = "" } = form.exec(text)?.groups ?? refuse("it is not an address")
    // an unescaped / or ? in the password ends the host
    if (authority !== "" && !authority.includes("@") && text.slice(text.indexOf(authority)).includes("@"))
      return refuse(unescaped)
    const at = authority.lastIndexOf("@")
    const [user = "", ...rest] = at < 0 ? [] : authority.slice(0, at).split(":")
    const parameters = parametersOf(query)
    const servers = serversIn(authority.slice(at + 1), parameters)
    const tlsRefusal = tlsRefusalOf(parameters)
    if (tlsRefusal !== undefined) return refuse(tlsRefusal)
    const orNone = (given: string, name: string) => (given === "" ? parameters.get(name) : decoded(given))
    return Result.succeed({
      servers,
      user: orNone(user, "user"),
      password: orNone(rest.join(":"), "password"),
      database: orNone(database, "dbname"),
      parameters,
    })
  } catch (error) {
    if (error instanceof Wrong) return Result.fail(error.message)
    throw error
  }
}

const isSocket = ({ host }: DatabaseServer): boolean => host.startsWith("/")

const withPort = ({ host, port }: DatabaseServer): string =>
  `${isIP(host) === 6 ? `[${host}]` : encodeURIComponent(host)}:${port}`

/** One URL for each server, as the driver reads it. */
export const urlsOf = ({ database, parameters, password, servers, user }: DatabaseAddress) => {
  const secret = password === undefined ? "" : `:${encodeURIComponent(password)}`
  const owner = user === undefined && password === undefined ? "" : `${encodeURIComponent(user ?? "")}${secret}@`
  const others = [...parameters].filter(([name]) => !["host", "port", "user", "password", "dbname"].includes(name))
  const query = others.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")
  const path = database === undefined ? "" : encodeURIComponent(database)
  return servers.map((server) =>
    Redacted.make(`postgres://${owner}${withPort(server)}/${path}${query === "" ? "" : `?${query}`}`),
  )
}

const contents = new Map<string, string>()

/** The last content while the file cannot be read: a certificate may just be replaced. */
const contentOf = (file: string): string => {
  try {
    contents.set(file, readFileSync(file, "utf8"))
  } catch (error) {
    if (!contents.has(file)) throw error
  }
  return contents.get(file) ?? ""
}

const tlsVersion = (name: string | undefined) => tlsVersions.find((one) => one === name)

/**
 * The driver's `ssl`, read for each connection: certificates are replaced while the process runs. Undefined: as sslmode of the
 * URL says. libpq, too, does not encrypt Unix sockets.
 */
export const tlsOf = ({ parameters, servers: [server] }: DatabaseAddress): false | ConnectionOptions | undefined => {
  if (isSocket(server)) return false
  const mode = parameters.get("sslmode") ?? "disable"
  if (!encrypting.includes(mode)) return mode === "disable" ? false : undefined
  const file = (name: string) => {
    const given = parameters.get(name)
    return given === undefined || given === "system" ? undefined : contentOf(given)
  }
  const [ca, cert, key] = [file("sslrootcert"), file("sslcert"), file("sslkey")]
  const [least, most] = ["ssl_min_protocol_version", "ssl_max_protocol_version"].map((name) =>
    tlsVersion(parameters.get(name)),
  )
  const passphrase = parameters.get("sslpassword")
  return definedOnly({
    ca,
    cert,
    key,
    passphrase,
    minVersion: least,
    maxVersion: most,
    // names are not checked only where the certificate's authority is one of the operator's own
    checkServerIdentity: mode === "verify-ca" && ca !== undefined ? () => undefined : undefined,
  })
}

/** Undefined: not given, or 0, which is no limit in libpq. */
export const secondsOf = (
  { parameters }: DatabaseAddress,
  name: "connect_timeout" | "keepalives_idle",
): Duration.Duration | undefined => {
  const seconds = Number(parameters.get(name) ?? 0)
  return seconds === 0 ? undefined : Duration.seconds(seconds)
}
