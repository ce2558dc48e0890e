/** Shades of an organization's colour. */
import { assert, describe, it } from "@effect/vitest"
import {
  accentSheet,
  contrast,
  contrastOnPages,
  minContrast,
  paletteOf,
  readable,
  readColour,
} from "../../src/values/Colour.ts"

const digits = ["00", "33", "66", "99", "cc", "ff"]
/** 216 colours, evenly over all. */
const colours = digits.flatMap((red) => digits.flatMap((green) => digits.map((blue) => `#${red}${green}${blue}`)))

describe("the colour of an organization", () => {
  it("is read from three or six hexadecimal digits", () => {
    assert.strictEqual(readColour(" #0B6b5D "), "#0b6b5d")
    assert.strictEqual(readColour("fa0"), "#ffaa00")
    for (const text of ["", "#12", "red", "#0b6b5d0", "#ggg", "rgb(0,0,0)", "#0b6b5d;}"]) {
      assert.isUndefined(readColour(text), text)
    }
  })

  it("has the contrast that WCAG 2.2 defines", () => {
    assert.strictEqual(contrast("#ffffff", "#000000"), 21)
    assert.strictEqual(contrast("#777777", "#ffffff").toFixed(2), "4.48")
  })

  it("becomes an accent with enough contrast for text on light and dark pages", () => {
    for (const colour of colours) {
      const { dark, light } = paletteOf(colour)
      const pairs = [
        ...["#ffffff", "#f6f7f4", "#f1f3ef", light.soft, light.ink].map((ground) => [light.accent, ground] as const),
        ...["#181d1b", "#131816", "#101413", "#1b201e", dark.soft, dark.ink].map(
          (ground) => [dark.accent, ground] as const,
        ),
        [light.strong, light.soft],
        [light.strong, light.ink],
        [dark.strong, dark.soft],
        [dark.strong, dark.ink],
        ["#18201d", light.soft],
        ["#e8ecea", dark.soft],
      ] as const
      for (const [one, other] of pairs) {
        assert.isAtLeast(contrast(one, other), minContrast, `${colour}: ${one} and ${other}`)
      }
    }
  })

  it("stays as it is when it is dark enough, and is darkened only as far as needed", () => {
    assert.strictEqual(readable("#0b6b5d"), "#0b6b5d")
    const darkened = readable("#ffaa00")
    assert.isAtLeast(contrastOnPages(darkened), minContrast)
    assert.isAtMost(contrastOnPages(darkened), 4.7)
  })

  it("applies to elements with the class `branded`, in both schemes and in print", () => {
    const sheet = accentSheet("#112233")
    assert.strictEqual(sheet.split(".branded {").length, 4)
    assert.include(sheet, "--accent: #112233;")
  })
})
