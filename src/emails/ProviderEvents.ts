/** What the routes of providers' reports share: proof of the sender, age, JSON, storing. */
import { Clock, Data, Effect, Option, Schema } from "effect"
import { type HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import * as Body from "../platform/http/Body.ts"
import { BadRequest, Unauthorized, Unavailable } from "../platform/http/ProblemApi.ts"
import { sizeError } from "../values/Json.ts"
import type { EmailEventReceiver } from "./EmailEventReceiver.ts"
import type { ProviderReport } from "./ProviderReport.ts"

/** Seconds. Providers repeat a report for up to a day. Reports are kept longer, so replays store nothing. */
const maxAge = 25 * 3_600
/** Seconds. */
const maxClockLead = 600

/** `timestamp`: when the provider signed, in seconds. Undefined: recent enough. */
export const ageFault = (timestamp: number, now: number): string | undefined => {
  const age = now - timestamp
  return age <= maxAge && age >= -maxClockLead ? undefined : "the timestamp is too old, or in the future"
}

interface Arrived {
  readonly headers: HttpServerRequest.HttpServerRequest["headers"]
  /** Seconds. */
  readonly now: number
}

interface Received extends Arrived {
  readonly body: Uint8Array
}

interface Read extends Arrived {
  /** Undefined: the body is not JSON, or beyond the limits of values/Json.ts. */
  readonly json: unknown
}

/** The provider does not answer a question about the request: HTTP answers 503, so that the request is repeated. */
export class UnreachableProvider extends Data.TaggedError("UnreachableProvider") {}

/** Functions that refuse return the reason, for a response with 401 that stores nothing. */
export interface EventSource<Key> {
  /** As in email_event.provider. */
  readonly provider: string
  /** Undefined: every request is refused. */
  readonly key: Key | undefined
  /** The setting of `key`. */
  readonly setting: string
  /** Before the body is read. */
  readonly refuseHeaders?: (arrived: Arrived, key: Key) => string | undefined
  /** Before the body is parsed, which may then have any number of reports. */
  readonly refuseBody?: (received: Received, key: Key) => string | undefined
  readonly refuse?: (read: Read, key: Key) => Effect.Effect<string | undefined, UnreachableProvider>
  /** The reports in an accepted body. */
  readonly entriesOf: (json: unknown) => Effect.Effect<ReadonlyArray<unknown>, UnreachableProvider>
  /** Undefined: not readable. */
  readonly read: (entry: unknown) => ProviderReport | undefined
  /** 204 by default. */
  readonly status?: 200 | 204
}

const problem = (error: BadRequest | Unauthorized | Unavailable) => HttpServerRespondable.toResponse(error)
const unauthorized = (detail: string) => problem(new Unauthorized({ detail }))

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

/** Handles a request with reports. */
export const receiveEvents = <Key>(
  source: EventSource<Key>,
  { receive }: Pick<EmailEventReceiver["Service"], "receive">,
) =>
  Effect.fnUntraced(
    function* ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">) {
      const { entriesOf, key, provider, read, refuse, refuseBody, refuseHeaders, setting, status = 204 } = source
      if (key === undefined) return yield* unauthorized(`this service has no ${setting}`)
      const now = (yield* Clock.currentTimeMillis) / 1000
      const early = refuseHeaders?.({ headers, now }, key)
      if (early !== undefined) return yield* unauthorized(early)
      const body = yield* Body.publicBytes
      const late = refuseBody?.({ headers, now, body }, key)
      if (late !== undefined) return yield* unauthorized(late)
      const isReadable = refuseBody !== undefined || sizeError(body) === undefined
      const json = isReadable ? parse(Buffer.from(body).toString("utf8")) : Option.none()
      const last = yield* refuse?.({ headers, now, json: Option.getOrUndefined(json) }, key) ?? Effect.undefined
      if (last !== undefined) return yield* unauthorized(last)
      if (Option.isNone(json))
        return yield* problem(
          new BadRequest({ detail: isReadable ? "the body is not JSON" : "the body has too many values or levels" }),
        )
      yield* receive(provider, yield* entriesOf(json.value), read)
      return HttpServerResponse.empty({ status })
    },
    Effect.catchTag("UnreachableProvider", () =>
      Effect.map(
        problem(new Unavailable({ detail: "the provider cannot be reached to check the request" })),
        HttpServerResponse.setHeader("retry-after", "60"),
      ),
    ),
  )
