/** Appends a line of JSON for each webhook that the wrapped WebhookTransport sends. */
import { appendFile } from "node:fs/promises"
import { Effect, Layer } from "effect"
import { WebhookTransport } from "interview-invitations/port/WebhookTransport"

export const layer = (file: string): Layer.Layer<WebhookTransport, never, WebhookTransport> =>
  Layer.effect(
    WebhookTransport,
    Effect.map(WebhookTransport, (transport) =>
      WebhookTransport.of({
        post: (request) =>
          Effect.tap(transport.post(request), (result) =>
            Effect.promise(() => {
              const event = Object.entries(request.headers).find(([name]) => name.toLowerCase() === "webhook-id")?.[1]
              return appendFile(file, `${JSON.stringify({ event, url: request.url, result })}\n`)
            }),
          ),
      }),
    ),
  )
