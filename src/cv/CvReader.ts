/**
 * Port for reading CVs. Files may be hostile: readers limit their time and memory, and omit text that people would not
 * see. Adapters must pass test/port/CvReaderSuite.ts.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { CvContent } from "./Cv.ts"
import { UnreadableCv } from "./UnreadableCv.ts"

export class CvUnreadable extends Schema.TaggedError<CvUnreadable>()("CvUnreadable", { reason: UnreadableCv }) {}

export class CvReader extends Context.Service<
  CvReader,
  {
    /**
     * Reads at most `maxCvBytes` bytes within three minutes. `languages` of the interview set (BCP 47), in which text of
     * pictures is recognized. Dies when the file is not the cause.
     */
    readonly read: (file: Uint8Array, languages: ReadonlyArray<string>) => Effect.Effect<CvContent, CvUnreadable>
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
