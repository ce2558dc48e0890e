/** Recordings of spoken answers: their states, pieces and limits. */
import { Duration, Schema } from "effect"
import { mediaTypeOf } from "../files/FileType.ts"
import { type QuestionRules, spokenKinds, spokenLimits } from "../interview-sets/QuestionRules.ts"

/** What a recording contains. */
export const RecordingKind = Schema.Literals(["audio", "video"])
export type RecordingKind = typeof RecordingKind.Type

/** `recording`: pieces arrive. `queued`: it is stored, measured and transcribed. */
export const RecordingState = Schema.Literals(["recording", "queued", "done"])
export type RecordingState = typeof RecordingState.Type

/**
 * What a piece may have. Browsers send one for each 4 seconds (recorder.js): 20 KB of audio, 400 KB of video; a file that was
 * recorded elsewhere is cut into pieces of this length.
 */
export const maxPieceBytes = 1024 * 1024

/**
 * More bytes than browsers record in a second, so that a recording has as many pieces as its question allows seconds for:
 * Chromium records 16 KB of audio and 0.3 MB of video in a second unless the page asks for less.
 */
const maxBytesPerSecond: Readonly<Record<RecordingKind, number>> = { audio: 64 * 1024, video: 1024 * 1024 }

/** Of sound that is not compressed, as a program for recording stores it: 48,000 samples of 16 bits, two channels. */
const maxUncompressedPerSecond = 192_000

/** Between the last moment that counts and the end of the recording: the browser stops late on a busy device. */
const lateSeconds = 30

/** Bytes of the pieces of a file that arrives whole. */
export const receivedPieceBytes = 512 * 1024

/** Pieces of the largest recording that any question allows, whole or from a browser, which sends fewer. */
export const maxPieces = Math.ceil(
  ((spokenLimits.max_seconds.most + lateSeconds) * maxBytesPerSecond.video) / receivedPieceBytes,
)

/** Bytes of a recording of at most `seconds` and of this media type, and never more than the operator's `limit`. */
export const maxBytesOf = (kind: RecordingKind, seconds: number, limit: number, contentType: string | null): number => {
  const perSecond = contentType === mediaTypeOf("wav") ? maxUncompressedPerSecond : maxBytesPerSecond[kind]
  return Math.min(limit, perSecond * (seconds + lateSeconds))
}

/** Bytes of the largest recording with these rules. */
export const maxBytesOfRules = (rules: QuestionRules, limit: number): number =>
  Math.max(
    0,
    ...spokenKinds(rules).flatMap((kind) =>
      [null, mediaTypeOf("wav")].map((type) => maxBytesOf(kind, rules.maxSeconds, limit, type)),
    ),
  )

/** Whether a recording is clearly longer than its question allows: it was not made by the candidate's page, which stops it. */
export const isTooLong = (seconds: number, { maxSeconds }: Pick<QuestionRules, "maxSeconds">): boolean =>
  seconds > maxSeconds + lateSeconds

/** Recordings of an attempt that have begun and have no content yet: pages begin one at a time. */
export const maxEmpty = 10

const leastWhole = 3

/**
 * All recordings of one question in one attempt may together have the bytes of so many of the largest ones: those that are
 * on their way and those that were discarded count. Browsers record a fifteenth of that, so that a candidate who may record
 * as often as they want has about forty recordings of the whole length.
 */
export const maxWholeRecordings = (takes: number): number => Math.max(leastWhole, takes)

/** A recording whose pieces stop arriving ends after this time with what has arrived. */
export const idleEnd = Duration.minutes(15)

/** After the interview was submitted. */
export const idleEndSubmitted = Duration.minutes(2)

/**
 * What an attempt accepts. `running`: everything. `late`: in the `idleEndSubmitted` after its end, the rest of a recording
 * that was begun before, if that is the answer or there is none. `closed`: nothing.
 */
export type Acceptance = "running" | "late" | "closed"
