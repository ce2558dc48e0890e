/** Images for tests, valid for browsers. */
import { crc32, deflateSync } from "node:zlib"

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG of one colour (RGBA). */
export const png = (
  width: number,
  height: number,
  rgba: readonly [number, number, number, number] = [20, 40, 120, 255],
) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc(4 * width, Buffer.from(rgba))])
  const pixels = Buffer.concat(Array.from({ length: height }, () => line))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

/** The headers of a JPEG, which decoders of sizes read. */
export const jpegHead = (width: number, height: number): Buffer => {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 0xff, 0xc0, 0, 0])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), comment, frame, Buffer.from([0xff, 0xd9])])
}

const webp = (format: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(20)
  head.write("RIFF", 0, "latin1")
  head.writeUInt32LE(data.length + 12, 4)
  head.write(`WEBP${format}`, 8, "latin1")
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, data])
}

/** The headers of WebP images: lossy, lossless and extended. */
export const webpHeads = (width: number, height: number): ReadonlyArray<Buffer> => {
  const lossy = Buffer.alloc(10)
  lossy.set([0x9d, 0x01, 0x2a], 3)
  lossy.writeUInt16LE(width, 6)
  lossy.writeUInt16LE(height, 8)
  const lossless = Buffer.alloc(10)
  lossless[0] = 0x2f
  lossless.writeUInt32LE((width - 1) | ((height - 1) << 14), 1)
  const extended = Buffer.alloc(10)
  extended.writeUIntLE(width - 1, 4, 3)
  extended.writeUIntLE(height - 1, 7, 3)
  return [webp("VP8 ", lossy), webp("VP8L", lossless), webp("VP8X", extended)]
}
