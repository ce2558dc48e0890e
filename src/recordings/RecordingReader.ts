/** Measures recordings, writes an index into them, and takes the sound out of them, in a child process for each. */
import { Context, Duration, Effect, Layer, Result, Schema, Semaphore, type Stream } from "effect"
import { type ChildLimits, childProgram, runChild } from "../platform/ChildProgram.ts"
import { RecordingAnswer, type RecordingReaderOptions, type RecordingTask } from "./reader/RecordingTask.ts"

/** It cannot be played: it is cut off before its first second, or not a recording. */
export class RecordingDamaged extends Schema.TaggedError<RecordingDamaged>()("RecordingDamaged", {}) {}

export interface ReadRecording {
  readonly seconds: number
  readonly contentType: string
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** The file to store or send instead; undefined: it is fine as it is. */
  readonly content: Uint8Array | undefined
}

export interface RecordingReaderLimits extends ChildLimits {
  readonly children: number
}

/** The content is in the child's memory twice, and the result once in this process. */
export const readerLimits: RecordingReaderLimits = {
  children: 2,
  timeout: Duration.minutes(2),
  cpuSeconds: 60,
  heapMegabytes: 256,
  dataMegabytes: 2_048,
}

/** Of the line of JSON; the file that follows has the packets of the one that was read. */
const maxLineBytes = 4_096

const program = childProgram({
  reads: "recordings",
  folder: new URL("./reader/", import.meta.url),
  modules: [],
  packages: ["mediabunny"],
})

const decode = Schema.decodeUnknownResult(RecordingAnswer)

const outcome = (output: Buffer | undefined): Effect.Effect<ReadRecording, RecordingDamaged> => {
  const end = output?.indexOf("\n") ?? -1
  const answer = decode(output?.toString("utf8", 0, Math.max(0, end)))
  if (output === undefined || Result.isFailure(answer) || "isDamaged" in answer.success)
    return Effect.fail(new RecordingDamaged({}))
  const { hasContent, ...facts } = answer.success
  const content = hasContent ? new Uint8Array(output.subarray(end + 1)) : undefined
  return content?.length === 0 ? Effect.fail(new RecordingDamaged({})) : Effect.succeed({ ...facts, content })
}

export class RecordingReader extends Context.Service<RecordingReader>()(
  "interview-invitations/recordings/RecordingReader",
  {
    make: Effect.gen(function* () {
      const children = yield* Semaphore.make(readerLimits.children)
      return {
        /** `size`: bytes of the content. */
        read: Effect.fn("RecordingReader.read")(function* <E, R>(
          task: RecordingTask,
          content: Stream.Stream<Uint8Array, E, R>,
          size: number,
        ) {
          const options: RecordingReaderOptions = { task }
          // an index has some bytes for each second
          const maxOutput = maxLineBytes + Math.ceil(size * 1.1) + 65_536
          const output = yield* children.withPermit(runChild(program, readerLimits, options, content, maxOutput))
          return yield* outcome(output)
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
