/**
 * The port behind which the reader of CVs stands: bytes that somebody sent become text. Files are hostile until shown
 * otherwise, so a reader bounds its time and memory itself, and text that a person would not see is left out and noted.
 * Every adapter passes the conformance suite of test/port/CvReaderSuite.ts.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { type CvContent, UnreadableCv } from "./Cv.ts"

/** The file can not be read, now or later. */
export class CvUnreadable extends Schema.TaggedError<CvUnreadable>()("CvUnreadable", { reason: UnreadableCv }) {}

export class CvReader extends Context.Service<
  CvReader,
  {
    /**
     * Reads a file of at most `largestCv` bytes; what it is is told by its bytes alone. Ends within a minute of its turn.
     * A fault that is not the file's is a defect.
     */
    readonly read: (file: Uint8Array) => Effect.Effect<CvContent, CvUnreadable>
  }
>()("interview-invitations/cv/CvReader") {
  /** Answers as told; plain text of the bytes unless told. */
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
