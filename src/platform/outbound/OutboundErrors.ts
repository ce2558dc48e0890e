/** Error messages for the people who run the receiver. */
import { Data } from "effect"
import { errors } from "undici"
import { Overloaded } from "../../values/Problem.ts"
import { AddressRefused, ResolveFailed } from "./OutboundNames.ts"

export type Stage = "dns" | "connect" | "tls"

export interface OutboundError<Cause extends string> {
  readonly cause: Cause
  readonly message: string
}

export class ConnectFailed extends Data.TaggedError("ConnectFailed")<OutboundError<"refused" | "timeout" | Stage>> {}

/** The operator's proxy (OUTBOUND_PROXY) failed, not the receiver. */
export class ProxyFailed extends Data.TaggedError("ProxyFailed")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

export class AnswerTooLong extends Data.TaggedError("AnswerTooLong")<{ readonly maxBytes: number }> {}

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : error.name)

const ourCodes = new Set([
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_DESTROYED",
  "UND_ERR_CLOSED",
])

/** True when this process or its machine caused the error. */
export const isOurs = (error: Error): boolean => {
  if (error instanceof ProxyFailed) return true
  if (error instanceof ResolveFailed) return error.code === "ECONNREFUSED"
  const code = codeOf(error)
  // no local port is left, or, for an IPv6 address, the machine has no IPv6
  if (code === "EADDRNOTAVAIL") return !("address" in error && String(error.address).includes(":"))
  return ourCodes.has(code)
}

/** Overloaded, whose attempts do not count; the error itself for an invalid request. */
export const processDefect = (error: Error): Error =>
  codeOf(error) === "UND_ERR_INVALID_ARG" ? error : new Overloaded({ reason: error.message, retryAfter: 10 })

const tlsMessages: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The certificate has expired",
  CERT_NOT_YET_VALID: "The certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate's chain ends in a self-signed certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is not valid for this host name",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate's chain is incomplete or its issuer is not known",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The certificate's chain is incomplete or its issuer is not known",
}

const tlsError = (code: string): OutboundError<"tls"> => ({
  cause: "tls",
  message: tlsMessages[code] ?? `No secure connection could be made (${code})`,
})

const dnsMessage = ({ code, host }: ResolveFailed): string => {
  if (code === "ENOTFOUND") return `The name ${host} does not exist`
  if (code === "ENODATA") return `The name ${host} has no address`
  return `The name ${host} could not be looked up (${code})`
}

export const connectFailed = (error: Error, stage: Stage): ConnectFailed => {
  if (error instanceof AddressRefused)
    return new ConnectFailed({ cause: "refused", message: `${error.host}: ${error.reason}` })
  if (error instanceof ResolveFailed) return new ConnectFailed({ cause: "dns", message: dnsMessage(error) })
  const code = codeOf(error)
  if (stage === "tls") return new ConnectFailed(tlsError(code))
  if (code === "ECONNREFUSED") {
    const message = "The connection was refused: nothing listens at this address and port"
    return new ConnectFailed({ cause: "connect", message })
  }
  if (code === "ETIMEDOUT")
    return new ConnectFailed({ cause: "timeout", message: "No connection could be made in time" })
  return new ConnectFailed({ cause: "connect", message: `No connection could be made (${code})` })
}

export const within = (timeout: number): string => `within ${timeout / 1000} ${timeout === 1000 ? "second" : "seconds"}`

export const connectTimedOut = (host: string, stage: Stage, timeout: number): ConnectFailed => {
  const inTime = within(timeout)
  const messages = {
    dns: `The name ${host} could not be looked up ${inTime}`,
    connect: `No connection could be made ${inTime}`,
    tls: `No secure connection could be made ${inTime}: the TLS handshake did not end`,
  }
  return new ConnectFailed({ cause: "timeout", message: messages[stage] })
}

export const answerError = (error: Error): OutboundError<"tls" | "timeout" | "protocol" | "closed"> => {
  const code = codeOf(error)
  // with TLS 1.3, a receiver rejects the client after the client's handshake
  if (code.startsWith("ERR_SSL_")) return tlsError(code)
  if (code === "ETIMEDOUT") return { cause: "timeout", message: "The connection was lost before an answer came" }
  const protocol = protocolMessage(error, code)
  return protocol === undefined
    ? { cause: "closed", message: "The connection was closed before an answer came" }
    : { cause: "protocol", message: protocol }
}

/** Two different lengths; a status below 100 (an assertion of undici). */
const notHttp = new Set(["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "ERR_ASSERTION"])

const protocolMessage = (error: Error, code: string): string | undefined => {
  if (error instanceof AnswerTooLong)
    return `The receiver sent more than ${error.maxBytes / 1024} KiB without completing an answer`
  if (code === "UND_ERR_HEADERS_OVERFLOW") return "The answer's headers are longer than 16 KiB"
  if (error instanceof errors.HTTPParserError || notHttp.has(code)) return "The answer is not HTTP/1.1"
  if (code === "UND_ERR_SOCKET" && error.message.startsWith("bad "))
    return "The answer has an unexpected informational status"
  return undefined
}
