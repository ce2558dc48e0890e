/** Sizes of images. */
import { assert, describe, it } from "@effect/vitest"
import { fileTypeOf } from "../../src/files/FileType.ts"
import { imageSize } from "../../src/files/ImageSize.ts"
import { jpegHead, png, webpHeads } from "../support/images.ts"

const sizeOf = (file: Uint8Array) => imageSize(fileTypeOf(file), file)

describe("the size of an image", () => {
  it("is read from the headers of PNG, JPEG and WebP", () => {
    for (const file of [png(640, 48), jpegHead(640, 48), ...webpHeads(640, 48)]) {
      assert.deepStrictEqual(sizeOf(file), { width: 640, height: 48 })
    }
  })

  it("is unknown of other and of cut files, with any bytes", () => {
    for (const file of [png(640, 48), jpegHead(640, 48), ...webpHeads(640, 48)]) {
      for (let length = 0; length < Math.min(file.length, 40); length++) {
        const cut = sizeOf(file.subarray(0, length))
        assert.isTrue(cut === undefined || cut.width === 640)
      }
    }
    assert.isUndefined(sizeOf(Buffer.from("GIF89a\x01\0\x01\0", "latin1")))
    assert.isUndefined(sizeOf(png(0, 48)))
    assert.isUndefined(sizeOf(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), Buffer.alloc(5_000, 0xff)])))
  })
})
