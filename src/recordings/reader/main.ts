/**
 * The child process of recordings/RecordingReader.ts. Reads a recording from stdin; writes "ready", a line of JSON, and a file.
 *
 * Browsers write WebM without a length and without an index of positions, because they do not know them yet: players then
 * show no length and find a second only by reading everything before it. The packets are copied into a file with both; they
 * are not decoded.
 */
import { stdin, stdout } from "node:process"
import {
  type AudioCodec,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputFormat,
  type InputTrack,
  type InputVideoTrack,
  MP3,
  MP4,
  Mp4OutputFormat,
  OGG,
  Output,
  type OutputFormat,
  QTFF,
  type VideoCodec,
  WAVE,
  WEBM,
  WebMOutputFormat,
} from "mediabunny"
import type { RecordedType } from "../../files/FileType.ts"
import type { RecordingReaderOptions } from "./RecordingTask.ts"

const { task }: RecordingReaderOptions = JSON.parse(process.argv[2] ?? "")

const formats: Readonly<Record<RecordedType, InputFormat>> = {
  webm: WEBM,
  mp4: MP4,
  quicktime: QTFF,
  ogg: OGG,
  mp3: MP3,
  wav: WAVE,
}

/** Copies the packets of tracks, ordered by time as a file needs them. */
const copied = async (format: OutputFormat, tracks: ReadonlyArray<InputTrack>): Promise<Uint8Array> => {
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const copies = await Promise.all(
    tracks.map(async (track) => {
      if (track.isAudioTrack()) return copyAudio(output, track)
      if (track.isVideoTrack()) return copyVideo(output, track)
      return undefined
    }),
  )
  await output.start()
  await Promise.all(copies.map((copy) => copy?.()))
  await output.finalize()
  if (target.buffer === null) throw new Error("nothing was written")
  return new Uint8Array(target.buffer)
}

const copyAudio = async (output: Output, track: InputAudioTrack) => {
  const codec = track.codec as AudioCodec
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  const config = (await track.getDecoderConfig()) ?? undefined
  return async () => {
    for await (const packet of new EncodedPacketSink(track).packets())
      await source.add(packet, config && { decoderConfig: config })
    source.close()
  }
}

const copyVideo = async (output: Output, track: InputVideoTrack) => {
  const codec = track.codec as VideoCodec
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { rotation: track.rotation })
  const config = (await track.getDecoderConfig()) ?? undefined
  return async () => {
    for await (const packet of new EncodedPacketSink(track).packets())
      await source.add(packet, config && { decoderConfig: config })
    source.close()
  }
}

const read = async (file: Uint8Array) => {
  const input = new Input({ source: new BufferSource(file), formats: Object.values(formats) })
  const format = await input.getFormat()
  const tracks = (await input.getTracks()).filter(({ codec }) => codec !== null)
  const audio = tracks.filter((track) => track.isAudioTrack())
  const hasVideo = tracks.some((track) => track.isVideoTrack())
  const seconds = await input.computeDuration()
  const [first] = audio
  if (tracks.length === 0 || seconds <= 0) throw new Error("it holds nothing")
  const facts = { seconds, hasAudio: first !== undefined, hasVideo }
  const kind = hasVideo ? "video" : "audio"
  const contentType = format.mimeType.replace(/^(?:audio|video|application)\//, `${kind}/`)
  if (task === "index") {
    if (format === WEBM) return { ...facts, contentType, content: await copied(new WebMOutputFormat(), tracks) }
    // browsers besides Safari play the same tracks as MP4 only
    if (format === QTFF)
      return { ...facts, contentType: `${kind}/mp4`, content: await copied(new Mp4OutputFormat(), tracks) }
    return { ...facts, contentType, content: undefined }
  }
  if (first === undefined || !hasVideo) return { ...facts, contentType, content: undefined }
  const isWebm = first.codec === "opus" || first.codec === "vorbis"
  const content = await copied(isWebm ? new WebMOutputFormat() : new Mp4OutputFormat(), [first])
  return { ...facts, hasVideo: false, contentType: isWebm ? "audio/webm" : "audio/mp4", content }
}

// libraries' rejected promises must not end the process
process.on("unhandledRejection", () => {})

stdout.write("ready\n")
const chunks: Array<Uint8Array> = []
for await (const chunk of stdin) chunks.push(chunk)
const answer = await read(new Uint8Array(Buffer.concat(chunks.splice(0)))).catch(() => undefined)
const { content, ...facts } = answer ?? { content: undefined }
const line = answer === undefined ? { isDamaged: true } : { ...facts, hasContent: content !== undefined }
stdout.write(`${JSON.stringify(line)}\n`)
stdout.write(content ?? new Uint8Array(), () => process.exit(0))
