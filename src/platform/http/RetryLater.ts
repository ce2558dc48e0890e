/** Shows forms again with Retry-After. */
import { HttpServerResponse } from "effect/http"
import type { Overloaded } from "../../values/Problem.ts"

/** Adds Retry-After, in seconds. */
export const retryLater = (
  response: HttpServerResponse.HttpServerResponse,
  seconds: number,
): HttpServerResponse.HttpServerResponse => HttpServerResponse.setHeader(response, "retry-after", String(seconds))

/** The error of a form, for no field, when this process checks too many passwords (accounts/Passwords.ts). */
export const overloadedErrors = ({ retryAfter }: Overloaded) => ({
  "": `Too many passwords are being checked at the moment. Try again in ${retryAfter} seconds.`,
})
