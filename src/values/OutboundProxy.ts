/** An HTTP proxy through which outbound requests go, with CONNECT (OUTBOUND_PROXY). */
import { Redacted, Result } from "effect"

export interface OutboundProxy {
  readonly host: string
  readonly port: number
  /** The connection to the proxy is encrypted. */
  readonly isSecure: boolean
  /** The value of Proxy-Authorization. */
  readonly authorization: Redacted.Redacted | undefined
}

export const proxyForm = "http://proxy:3128 or https://user:password@proxy:3129, without a path"

const decoded = (text: string) => Result.try(() => decodeURIComponent(text))

/** Undefined: not a proxy's address. */
export const readProxy = (text: string): OutboundProxy | undefined => {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return undefined
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return undefined
  const isSecure = url.protocol === "https:"
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if (Result.isFailure(user) || Result.isFailure(password)) return undefined
  const credentials = `${user.success}:${password.success}`
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
    isSecure,
    authorization:
      credentials === ":"
        ? undefined
        : Redacted.make(`Basic ${Buffer.from(credentials).toString("base64")}`, { label: "proxy credentials" }),
  }
}
