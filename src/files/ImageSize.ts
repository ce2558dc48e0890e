/** Width and height of PNG, JPEG and WebP images, read from their headers. */
import type { FileType } from "./FileType.ts"

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** PNG specification, 11.2.2: the first chunk. */
const pngSize = (file: Buffer): ImageSize | undefined =>
  file.length >= 24 && file.toString("latin1", 12, 16) === "IHDR"
    ? { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
    : undefined

/** ITU-T T.81, B.2.2: the frame header, after segments of other kinds. */
const jpegSize = (file: Buffer): ImageSize | undefined => {
  for (let at = 2; at + 9 <= file.length && file[at] === 0xff; ) {
    const marker = file[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) }
    at += 2 + file.readUInt16BE(at + 2)
  }
  return undefined
}

/** RFC 9649, 2.5 to 2.7. */
const webpSize = (file: Buffer): ImageSize | undefined => {
  if (file.length < 30) return undefined
  switch (file.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff }
    case "VP8L": {
      const bits = file.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case "VP8X":
      return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Undefined: another type, or damaged. */
export const imageSize = (type: FileType | undefined, bytes: Uint8Array): ImageSize | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size =
    type === "png" ? pngSize(file) : type === "jpeg" ? jpegSize(file) : type === "webp" ? webpSize(file) : undefined
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}
