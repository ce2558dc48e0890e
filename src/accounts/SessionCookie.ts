/** The cookies of the workspace: who is signed in, and what a way of signing in elsewhere asks to be brought back. */
import { Duration, Effect, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import { lifetime } from "./Sessions.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * Gives a cookie by name. Over https its name has the prefix __Host-: no other host of the domain can set it, and no page
 * below a path (RFC 6265bis, 4.1.3.2). Lax: links from mails and hiring systems find their reader signed in, and forms of
 * other sites do not.
 */
export const cookie = (name: string, maxAge: Duration.Duration) =>
  Effect.map(Config, ({ appUrl }) => {
    const secure = new URL(appUrl).protocol === "https:"
    const full = secure ? `__Host-${name}` : name
    const options = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const
    return {
      read: ({ cookies }: Request): Redacted.Redacted | undefined => {
        const value = cookies[full]
        return value === undefined ? undefined : Redacted.make(value)
      },
      set:
        (value: Redacted.Redacted) =>
        (response: Response): Response =>
          HttpServerResponse.setCookieUnsafe(response, full, Redacted.value(value), { ...options, maxAge }),
      clear: (response: Response): Response =>
        HttpServerResponse.setCookieUnsafe(response, full, "", { ...options, maxAge: Duration.zero }),
    }
  })

/** Who is signed in. */
export const sessionCookie = cookie("session", lifetime.longest)
