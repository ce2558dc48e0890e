/** The port behind which the fetching of CVs stands: a link that a hiring system sent becomes bytes. */
import { Context, type Effect, Layer, Schema } from "effect"

/**
 * The file did not come. `reason` is a sentence without a full stop, for people, and without the link, which may hold a
 * secret. `permanent`: the same link will not do better later.
 */
export class CvNotFetched extends Schema.TaggedError<CvNotFetched>()("CvNotFetched", {
  reason: Schema.String,
  permanent: Schema.Boolean,
}) {}

export class CvFetcher extends Context.Service<
  CvFetcher,
  {
    /**
     * Gets the file behind a link, of at most `largestCv` bytes (cv/Cv.ts). Whatever the link says, requests go only
     * where values/OutboundAddress.ts lets them. Ends within half a minute.
     */
    readonly fetch: (link: string) => Effect.Effect<Uint8Array, CvNotFetched>
  }
>()("interview-invitations/cv/CvFetcher") {
  /** Answers as told. */
  static readonly layerTest = (fetch: CvFetcher["Service"]["fetch"]) =>
    Layer.succeed(CvFetcher, CvFetcher.of({ fetch }))
}
