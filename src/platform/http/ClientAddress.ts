import { Effect, Layer, Option, Result } from "effect"
import { HttpMiddleware, HttpRouter, type HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import { Config } from "../../config/Config.ts"

/** The address that limits count; for IPv6 its /64, because one customer has a whole /64. */
export const clientAddress = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string => {
  const text = Option.getOrElse(remoteAddress, () => "")
  const parsed = NetAddress.ipFromString(text)
  if (Result.isFailure(parsed)) return text
  const address = NetAddress.toCanonical(parsed.success)
  return NetAddress.isIpv6Address(address)
    ? IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64))
    : NetAddress.formatIp(address)
}

/** Applies X-Forwarded-For, -Host and -Proto from TRUSTED_PROXIES. */
export const layer = Layer.unwrap(
  Effect.map(Config, ({ trustedProxies }) =>
    trustedProxies.length === 0
      ? Layer.empty
      : HttpRouter.middleware(
          HttpMiddleware.xForwardedHeaders({
            trustedProxies,
          }),
          { global: true },
        ),
  ),
)
