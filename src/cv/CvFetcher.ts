/** Port for fetching CVs from links of hiring systems. */
import { Context, type Effect, Layer, Schema } from "effect"

/** `reason` is a sentence without a full stop and without the link, which may hold a secret. */
export class CvNotFetched extends Schema.TaggedError<CvNotFetched>()("CvNotFetched", {
  reason: Schema.String,
  permanent: Schema.Boolean,
}) {}

export class CvFetcher extends Context.Service<
  CvFetcher,
  {
    /** Fetches at most `maxCvBytes` bytes within 30 s. Requests go only where values/OutboundAddress.ts allows. */
    readonly fetch: (link: string) => Effect.Effect<Uint8Array, CvNotFetched>
  }
>()("interview-invitations/cv/CvFetcher") {
  static readonly layerTest = (fetch: CvFetcher["Service"]["fetch"]) =>
    Layer.succeed(CvFetcher, CvFetcher.of({ fetch }))
}
