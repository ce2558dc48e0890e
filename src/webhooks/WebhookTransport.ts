/** The way out for webhook deliveries: one POST to a receiver's URL, and what came of it. */
import { Context, Effect, Layer, Ref } from "effect"

/** One attempt. `body` is sent byte for byte; names and values of `headers` must be valid as RFC 9110 has them. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The receiver gave a final status (200 or above, whichever), and that alone decides whether the delivery succeeded. */
export interface Answered {
  readonly _tag: "Answered"
  readonly status: number
  /** The first 4 KiB of the answer as UTF-8. What is not UTF-8, and NUL, which Postgres cannot store in text, is U+FFFD. */
  readonly body: string
  /** The receiver sent, or had begun to send, more than `body` shows. */
  readonly truncated: boolean
  /** Where a 3xx answer points to, at most 2,048 characters. It is shown, never followed. */
  readonly location?: string
  readonly durationMs: number
}

/**
 * Why there was no answer:
 *
 * - `refused`: our own guard does not let requests go to this URL, or to an address that its name resolves to.
 * - `dns`: the name does not resolve.
 * - `connect`: nobody accepts connections at that address and port.
 * - `tls`: no secure connection, for example because the certificate is not valid for the name.
 * - `timeout`: no status within the time limit; `message` says what was waited for: DNS, a connection, TLS or the answer.
 * - `closed`: the connection ended before a status arrived.
 * - `protocol`: the answer is not HTTP/1.1, or so much comes before a status that it never would be one.
 */
export type FailureCause = "refused" | "dns" | "connect" | "tls" | "timeout" | "closed" | "protocol"

/** There was no status. `message` is a sentence for the receiver's developers, without a full stop. */
export interface Failed {
  readonly _tag: "Failed"
  readonly cause: FailureCause
  readonly message: string
  readonly durationMs: number
}

/** What one attempt came to; what the attempt log keeps of it. `durationMs` is in whole milliseconds. */
export type TransportResult = Answered | Failed

/** The requests that `WebhookTransport.layerTest` was given, oldest first. */
export class SentWebhooks extends Context.Service<SentWebhooks, Effect.Effect<ReadonlyArray<WebhookRequest>>>()(
  "interview-invitations/webhooks/WebhookTransport/SentWebhooks",
) {}

/**
 * Sends one POST and reports what came of it, within a time limit of its own. Whatever the receiver does is a value; a
 * failure of this process or its machine (no file descriptors left, name servers that take no questions, a header that
 * cannot be sent, a transport that was closed) is a defect, so that it can never be charged to an endpoint. Interrupting
 * `post` gives up the connection. Redirects are not followed, and a request is never sent twice.
 */
export class WebhookTransport extends Context.Service<
  WebhookTransport,
  { readonly post: (request: WebhookRequest) => Effect.Effect<TransportResult> }
>()("interview-invitations/webhooks/WebhookTransport") {
  /** A receiver in memory: `receive` answers each request, and `SentWebhooks` tells which ones came. */
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
