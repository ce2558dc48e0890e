/** The transcript of a recording: its segments, its text, the second of a quote, and captions. */
import { Schema } from "effect"
import { storable } from "../values/Fields.ts"

/** A part of a transcript: seconds from the beginning, and what was said. */
export const Segment = Schema.Struct({
  start: Schema.Finite,
  end: Schema.Finite,
  text: Schema.String,
})
export type Segment = typeof Segment.Type

/** The `transcriber` of a sample transcript, which was not made from the sound (dev/SampleTranscriber.ts). */
export const sampleModel = "sample"

/** Code points of all segments; ten minutes of fast speech have 12,000. */
export const maxTranscriptLength = 100_000

export const maxSegments = 5_000

/** What a transcriber writes may be out of order or overlap; empty segments and those beyond the limits are left out. */
export const cleanSegments = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  let length = 0
  return segments
    .map(({ end, start, text }) => ({
      start: Math.max(0, start),
      end: Math.max(0, start, end),
      text: storable(text).replace(/\s+/g, " ").trim(),
    }))
    .filter(({ end, start, text }) => text !== "" && Number.isFinite(start) && Number.isFinite(end))
    .toSorted((one, other) => one.start - other.start)
    .slice(0, maxSegments)
    .filter(({ text }) => {
      length += text.length
      return length <= maxTranscriptLength
    })
}

/** As `spoken_text` in sql/06_submissions.sql joins them. */
export const textOf = (segments: ReadonlyArray<Segment>): string => segments.map(({ text }) => text).join(" ")

/** The segment in which the quote begins; undefined: the text does not contain it. */
export const segmentOf = (segments: ReadonlyArray<Segment>, quote: string): Segment | undefined => {
  const place = textOf(segments).indexOf(quote)
  if (place < 0) return undefined
  let end = 0
  return segments.find(({ text }) => {
    end += text.length + 1
    return place < end
  })
}

const pad = (value: number, digits: number): string => String(value).padStart(digits, "0")

const timestamp = (seconds: number): string => {
  const millis = Math.round(seconds * 1000)
  const [hours, minutes] = [Math.floor(millis / 3_600_000), Math.floor(millis / 60_000) % 60]
  return `${pad(hours, 2)}:${pad(minutes, 2)}:${pad(Math.floor(millis / 1000) % 60, 2)}.${pad(millis % 1000, 3)}`
}

/** Captions (W3C WebVTT, 4): its text escapes &, < and >. */
export const captions = (segments: ReadonlyArray<Segment>): string => {
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  const cues = segments.map(
    ({ end, start, text }) =>
      `${timestamp(start)} --> ${timestamp(Math.max(end, start + 0.001))}\n${escaped(text)}\n\n`,
  )
  return `WEBVTT\n\n${cues.join("")}`
}

/** Seconds as a player shows them, "1:05". */
export const clockText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${pad(whole % 60, 2)}`
}
