/** Forms that are shown again because they can be sent only later. */
import { HttpServerResponse } from "effect/http"
import type { Overloaded } from "../domain/Problem.ts"

/** The answer with Retry-After, in seconds. */
export const retryLater = (
  response: HttpServerResponse.HttpServerResponse,
  seconds: number,
): HttpServerResponse.HttpServerResponse => HttpServerResponse.setHeader(response, "retry-after", String(seconds))

/** What a form says when this process checks too many passwords (service/Passwords.ts), by field; none of them is wrong. */
export const overloadedFaults = ({ retryAfter }: Overloaded) => ({
  "": `Too many passwords are being checked at the moment. Try again in ${retryAfter} seconds.`,
})
