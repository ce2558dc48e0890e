/** Recordings of spoken answers: their states, pieces and limits. */
import { Duration, Schema } from "effect"
import { type FileType, mediaTypeOf, type RecordedKind, recordedKindOf } from "../files/FileType.ts"

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

/** Between the last moment that counts and the end of the recording: the browser stops late on a busy device. */
const lateSeconds = 30

/** Bytes of a recording of at most `seconds`, and never more than the operator's `limit`. */
export const maxBytesOf = (kind: RecordingKind, seconds: number, limit: number): number =>
  Math.min(limit, maxBytesPerSecond[kind] * (seconds + lateSeconds))

/** A recording whose pieces stop arriving ends after this time with what has arrived. */
export const idleEnd = Duration.minutes(15)

/** After the interview was submitted. */
export const idleEndSubmitted = Duration.minutes(2)

/** Whether a file of this type may be the content of such a recording; undefined: its type is unknown. */
export const isRecordingType = (type: FileType | undefined, kind: RecordingKind): boolean =>
  type !== undefined && isOfKind(recordedKindOf(type), kind)

/** A container for video may hold audio alone. */
const isOfKind = (found: RecordedKind | undefined, kind: RecordingKind): boolean =>
  found === "video" || (found === "audio" && kind === "audio")

/** The media type of a recording: containers for video are named after what the recording holds. */
export const contentTypeOf = (type: FileType, kind: RecordingKind): string =>
  mediaTypeOf(type).replace(/^(?:audio|video)\//, `${kind}/`)
