/** What the child process of recordings/RecordingReader.ts gets and answers. */
import { Schema } from "effect"

/** `index`: measures the recording. `speech`: takes its sound out of it. */
export type RecordingTask = "index" | "speech"

export interface RecordingReaderOptions {
  readonly task: RecordingTask
}

/** The content follows the line of JSON, if it `hasContent`; else the file stays as it is. */
export const RecordingAnswer = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({
      seconds: Schema.Finite,
      contentType: Schema.String,
      hasAudio: Schema.Boolean,
      hasVideo: Schema.Boolean,
      hasContent: Schema.Boolean,
    }),
    Schema.Struct({ isDamaged: Schema.Literal(true) }),
  ]),
)
