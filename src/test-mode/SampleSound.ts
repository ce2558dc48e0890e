/** Sound of the sample's spoken answers: a tone for each sentence, whose words stand in the file's comment. */
import { Option, Schema } from "effect"
import { Segment } from "../recordings/Transcript.ts"

/** Samples of one byte each, per second. */
const rate = 8_000
const wordsPerSecond = 2.6
const pause = 0.5
/** Seconds in which a tone begins and ends. */
const fade = 0.08
/** Hertz, one after another: a listener hears where a sentence begins. */
const tones = [220, 247, 262, 294, 330, 294, 262, 247]

/** The sentences of a text, each as long as it takes to say it. */
export const spokenSegments = (text: string): ReadonlyArray<Segment> => {
  let at = 0
  return [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)].map(({ segment }) => {
    const sentence = segment.trim()
    const start = at
    const end = start + sentence.split(/\s+/).length / wordsPerSecond
    at = end + pause
    return { start: Math.round(start * 100) / 100, end: Math.round(end * 100) / 100, text: sentence }
  })
}

const Segments = Schema.fromJsonString(Schema.Array(Segment))
const encode = Schema.encodeSync(Segments)
const decode = Schema.decodeUnknownOption(Segments)

/** A chunk of RIFF; its content has an even length. */
const chunk = (name: string, content: Uint8Array): Uint8Array => {
  const head = Buffer.alloc(8)
  head.write(name, "latin1")
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, new Uint8Array(content.length % 2)])
}

const samplesOf = (segments: ReadonlyArray<Segment>): Uint8Array => {
  const samples = new Uint8Array(Math.ceil(((segments.at(-1)?.end ?? 0) + pause) * rate)).fill(128)
  for (const [index, { end, start }] of segments.entries()) {
    const hertz = tones[index % tones.length] ?? 0
    for (let place = Math.ceil(start * rate); place < end * rate; place += 1) {
      const seconds = place / rate
      const loudness = Math.min(1, (seconds - start) / fade, (end - seconds) / fade)
      samples[place] = 128 + Math.round(36 * loudness * Math.sin(2 * Math.PI * hertz * seconds))
    }
  }
  return samples
}

/** A WAV file of one channel, 8,000 bytes a second. */
export const sampleSound = (text: string): Uint8Array => {
  const segments = spokenSegments(text)
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE(rate, 8)
  format.writeUInt16LE(1, 12)
  format.writeUInt16LE(8, 14)
  const comment = chunk("ICMT", Buffer.from(encode(segments)))
  return chunk(
    "RIFF",
    Buffer.concat([
      Buffer.from("WAVE"),
      chunk("fmt ", format),
      chunk("LIST", Buffer.concat([Buffer.from("INFO"), comment])),
      chunk("data", samplesOf(segments)),
    ]),
  )
}

/** The words in the comment of a file of `sampleSound`; undefined: it is another file. */
export const wordsOf = (file: Uint8Array): ReadonlyArray<Segment> | undefined => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (!bytes.subarray(0, 12).toString("latin1").startsWith("RIFF")) return undefined
  const place = bytes.indexOf("ICMT")
  if (place < 0 || place + 8 > bytes.length) return undefined
  const content = bytes.subarray(place + 8, place + 8 + bytes.readUInt32LE(place + 4))
  return Option.getOrUndefined(decode(content.toString()))
}
