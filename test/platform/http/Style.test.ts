/** The style sheets of candidates' pages, which are also read from right to left. */
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"

const folder = new URL("../../../src/platform/http/assets/style/", import.meta.url)

const physicalProperty =
  /^(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b.*|border-(?:top|bottom)-(?:left|right)-radius|left|right)$/
const physicalValue = /\b(?:left|right)\b/

/** Whether the left one of four sides differs from the right one. */
const isLopsided = (property: string, value: string): boolean => {
  if (!/^(?:margin|padding|inset|border-width|border-color|border-style)$/.test(property)) return false
  // the text in parentheses has blanks
  let flat = value
  while (/\([^()]+\)/.test(flat)) flat = flat.replaceAll(/\([^()]+\)/g, "")
  const sides = flat.split(/\s+/)
  return sides.length === 4 && sides[1] !== sides[3]
}

const isPhysical = ({ property, value }: Declaration): boolean =>
  physicalProperty.test(property) ||
  (/^(?:text-align|float|clear)$/.test(property) && physicalValue.test(value)) ||
  isLopsided(property, value)

interface Declaration {
  readonly property: string
  readonly value: string
}

const declarations = (css: string): ReadonlyArray<Declaration> =>
  [...css.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/(?<=[{;]\s*)([\w-]+):\s*([^;{}]+)(?=[;}])/g)].map(
    ([, property = "", value = ""]) => ({ property, value: value.trim() }),
  )

describe("the style sheets of candidates' pages", () => {
  it.each(readdirSync(folder))("%s names no left and right side, except for tilted shapes", (file) => {
    const all = declarations(readFileSync(new URL(file, folder), "utf8"))
    assert.isNotEmpty(all)
    const found = all.filter(isPhysical).map(({ property, value }) => `${property}: ${value}`)
    // ticks are turned boxes with two sides
    assert.deepStrictEqual(
      found.filter((one) => !/^border-width: 0 [23]px [23]px 0$/.test(one)),
      [],
    )
  })
})
