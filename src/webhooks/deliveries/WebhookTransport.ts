/** Port: sends webhook deliveries. */
import { Context, Effect, Layer, Ref } from "effect"
import type { OutboundResult } from "../../platform/outbound/OutboundResult.ts"

export type { Answered, Failed, FailureCause, OutboundResult } from "../../platform/outbound/OutboundResult.ts"

/** `body` is sent unchanged; `headers` must be valid (RFC 9110). */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

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
  { readonly post: (request: WebhookRequest) => Effect.Effect<OutboundResult> }
>()("interview-invitations/webhooks/deliveries/WebhookTransport") {
  static readonly layerTest = (
    receive: (request: WebhookRequest) => Effect.Effect<OutboundResult>,
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
