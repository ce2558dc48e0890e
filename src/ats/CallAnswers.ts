/** Helpers of all connectors: read bodies, place orders, name states. */
import { Effect, Result, type Schema } from "effect"
import type { FieldError } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import type { Connected } from "./Connection.ts"
import type { NewOrder, OrderState } from "./Order.ts"
import type { OrderRef } from "./OrderRepository.ts"
import { Orders } from "./Orders.ts"

/** `status`: the HTTP status. `message`: shown to the hiring system's users. */
export interface Refusal {
  readonly status: number
  readonly message: string
}

const refusal = (status: number, message: string): Refusal => ({ status, message })

const ofFields = (errors: ReadonlyArray<FieldError>): Refusal =>
  refusal(422, errors.map(({ message, pointer }) => `${pointer.replace("#/", "")} ${message}`.trim()).join("; "))

/** Returns the decoded body, or a 422 refusal that names each invalid field. */
export const readWith =
  <A>(decode: (body: unknown) => Result.Result<A, Schema.SchemaError>) =>
  (body: unknown): Result.Result<A, Refusal> =>
    Result.mapError(decode(body), ({ issue }) => ofFields(fieldErrorsOf(issue)))

export const place = Effect.fnUntraced(function* (connection: Connected, wanted: NewOrder) {
  const placed: Result.Result<OrderRef, Refusal> = yield* (yield* Orders).order(connection, wanted).pipe(
    Effect.map((order) => Result.succeed(order)),
    Effect.catchTags({
      Invalid: ({ errors }) => Effect.succeed(Result.fail(ofFields(errors))),
      NotFound: ({ record }) => Effect.succeed(Result.fail(refusal(404, `there is no such ${record}`))),
      NotAllowed: ({ record }) => Effect.succeed(Result.fail(refusal(404, `there is no such ${record}`))),
      Conflict: ({ reason }) => Effect.succeed(Result.fail(refusal(422, reason))),
    }),
  )
  return placed
})

/** For hiring systems that show the text of a status to their users. */
export const stateNames: Readonly<Record<OrderState, string>> = {
  invited: "Invited",
  undeliverable: "The invitation email could not be delivered",
  started: "Started",
  completed: "Submitted",
  evaluated: "Evaluated",
  declined: "The candidate declined",
  cancelled: "Cancelled",
  expired: "Expired",
}

/** HTTP Basic with an empty password. */
export const basic = (user: string): string => `Basic ${Buffer.from(`${user}:`).toString("base64")}`

export const jsonBody = (value: Schema.Json): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
