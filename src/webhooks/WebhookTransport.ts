/** Port: sends webhook deliveries. */
import { Context, Effect, Layer, Ref } from "effect"

/** `body` is sent unchanged; `headers` must be valid (RFC 9110). */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface Answered {
  readonly _tag: "Answered"
  readonly status: number
  /** The first 4 KiB. Invalid UTF-8 and NUL, which Postgres does not store, become U+FFFD. */
  readonly body: string
  /** The response was longer than `body` or did not end in time. */
  readonly truncated: boolean
  /** The Location of a 3xx; at most 2,048 characters. */
  readonly location?: string
  /** Retry-After of a response that is not 2xx; at most 100 characters. */
  readonly retryAfter?: string
  readonly durationMs: number
}

/**
 * Why there was no response:
 *
 * - `refused`: the URL, or an address of its host, is not allowed.
 * - `dns`: the name does not resolve.
 * - `connect`: the address and port accept no connection.
 * - `tls`: for example an invalid certificate.
 * - `timeout`: no status in time; `message` names the step: DNS, connection, TLS or answer.
 * - `closed`: the connection ended before a status.
 * - `protocol`: the response is not HTTP/1.1, or its head is too long.
 */
export type FailureCause = "refused" | "dns" | "connect" | "tls" | "timeout" | "closed" | "protocol"

/** `message` is for the receiver's developers. */
export interface Failed {
  readonly _tag: "Failed"
  readonly cause: FailureCause
  readonly message: string
  readonly durationMs: number
}

export type TransportResult = Answered | Failed

export class SentWebhooks extends Context.Service<SentWebhooks, Effect.Effect<ReadonlyArray<WebhookRequest>>>()(
  "interview-invitations/webhooks/WebhookTransport/SentWebhooks",
) {}

/**
 * Sends one POST within a time limit, never twice, and follows no redirect. Failures of the receiver are values.
 * Failures of this machine (no file descriptors, unreachable name servers) are defects, which do not count against an
 * endpoint. Interruption closes the connection.
 */
export class WebhookTransport extends Context.Service<
  WebhookTransport,
  { readonly post: (request: WebhookRequest) => Effect.Effect<TransportResult> }
>()("interview-invitations/webhooks/WebhookTransport") {
  static readonly layerTest = (
    receive: (request: WebhookRequest) => Effect.Effect<TransportResult>,
  ): Layer.Layer<WebhookTransport | SentWebhooks> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const sent = yield* Ref.make<ReadonlyArray<WebhookRequest>>([])
        const post = Effect.fn("WebhookTransport.post")(function* (request: WebhookRequest) {
          yield* Ref.update(sent, (requests) => [...requests, request])
          return yield* receive(request)
        })
        return Context.make(WebhookTransport, { post }).pipe(Context.add(SentWebhooks, Ref.get(sent)))
      }),
    )
}
