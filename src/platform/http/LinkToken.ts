/** The token in the path of a link that was mailed: `/i/:token`, `/o/:token`, `/c/:token` and the like. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"

/** Base64url: 44 characters in links of an interview (emails/EmailLinks.ts), 43 in links that set a password (accounts/PasswordLinks.ts). */
const form = /^[\w-]{43,44}$/

/** Reads the token; fails with `unknown()` when its form is wrong. */
export const linkToken = <E>(unknown: () => E) =>
  Effect.flatMap(HttpRouter.params, ({ token = "" }) =>
    form.test(token) ? Effect.succeed(token) : Effect.fail(unknown()),
  )
