/** WebM files as browsers record them: without a length and an index, in pieces. The pictures and the sound are random bytes. */
import { randomFillSync } from "node:crypto"
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Output,
  WebMOutputFormat,
} from "mediabunny"
import { pieceSeconds, rates } from "./settings.ts"

const picturesPerSecond = 24
const keyPictureSeconds = 4
const packetsPerSecond = 50

const bytes = (bitsPerSecond: number, packets: number) =>
  randomFillSync(new Uint8Array(Math.floor(bitsPerSecond / 8 / packets)))

/** A recording of so many seconds, in the pieces that a browser would send. */
export const piecesOfFilm = async (seconds: number): Promise<ReadonlyArray<Uint8Array>> => {
  const target = new BufferTarget()
  const output = new Output({ format: new WebMOutputFormat({ appendOnly: true }), target })
  const pictures = new EncodedVideoPacketSource("vp8")
  const sound = new EncodedAudioPacketSource("opus")
  output.addVideoTrack(pictures)
  output.addAudioTrack(sound)
  await output.start()
  const addPictures = async () => {
    const decoderConfig = { codec: "vp8", codedWidth: 640, codedHeight: 480 }
    for (let i = 0; i < seconds * picturesPerSecond; i++) {
      const type = i % (keyPictureSeconds * picturesPerSecond) === 0 ? "key" : "delta"
      const data = bytes(rates.video, picturesPerSecond)
      const packet = new EncodedPacket(data, type, i / picturesPerSecond, 1 / picturesPerSecond)
      await pictures.add(packet, { decoderConfig })
    }
    pictures.close()
  }
  const addSound = async () => {
    const decoderConfig = { codec: "opus", sampleRate: 48_000, numberOfChannels: 1 }
    for (let i = 0; i < seconds * packetsPerSecond; i++) {
      const data = bytes(rates.audio, packetsPerSecond)
      await sound.add(new EncodedPacket(data, "key", i / packetsPerSecond, 1 / packetsPerSecond), { decoderConfig })
    }
    sound.close()
  }
  await Promise.all([addPictures(), addSound()])
  await output.finalize()
  const content = new Uint8Array(target.buffer ?? new ArrayBuffer())
  const count = Math.ceil(seconds / pieceSeconds)
  const length = Math.ceil(content.length / count)
  return Array.from({ length: count }, (_, at) => content.subarray(at * length, (at + 1) * length))
}
