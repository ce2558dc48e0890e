/**
 * Port for reading CVs. Files are hostile: a reader limits its time and memory, and leaves out text that a
 * person would not see. Every adapter passes test/port/CvReaderSuite.ts.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { type CvContent, UnreadableCv } from "./Cv.ts"

export class CvUnreadable extends Schema.TaggedError<CvUnreadable>()("CvUnreadable", { reason: UnreadableCv }) {}

export class CvReader extends Context.Service<
  CvReader,
  {
    /** Reads at most `maxCvBytes` bytes within a minute. Dies when the file is not the cause of a failure. */
    readonly read: (file: Uint8Array) => Effect.Effect<CvContent, CvUnreadable>
  }
>()("interview-invitations/cv/CvReader") {
  static readonly layerTest = (
    read: CvReader["Service"]["read"] = (file) =>
      Effect.succeed({
        type: "text/plain",
        text: new TextDecoder().decode(file),
        notes: [],
        contacts: { email: null, phone: null, name: null },
      }),
  ) => Layer.succeed(CvReader, CvReader.of({ read }))
}
