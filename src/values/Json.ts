/** Limits the size of JSON before it is parsed. */
import type { FieldError } from "./Problem.ts"

export const maxLevels = 64

/** A schema takes up to 7 µs a value. */
export const maxValues = 20_000

const tooLarge = (max: string): FieldError => ({
  pointer: "#",
  code: "too_large",
  message: `must have at most ${max}`,
})

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts commas and brackets outside of strings: 2 MiB in 17 ms. JSON.parse takes 200 ms for 130,000 keys. */
export const sizeError = (json: Uint8Array): FieldError | undefined => {
  let levels = 0
  let values = 1
  let isText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (isText) {
      if (byte === backslash) i++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === comma) values++
    else if (byte === openList || byte === openObject) {
      const next = json[i + 1]
      if (next !== closeList && next !== closeObject) values++
      levels++
      if (levels > maxLevels) return tooLarge(`${maxLevels} levels`)
    } else if (byte === closeList || byte === closeObject) levels--
    else continue
    if (values > maxValues) return tooLarge(`${maxValues} values`)
  }
  return undefined
}
