/** Canonical JSON: one text for each value (RFC 8785), so that a hash or signature of it can be checked by other programs. */

/** Deeper values are refused, so that a hostile file cannot exhaust the stack. */
export const maxDepth = 100

export class NotCanonical extends Error {
  override readonly name = "NotCanonical"
}

const text = (value: string): string => {
  if (!value.isWellFormed()) throw new NotCanonical("a text has half of a surrogate pair")
  return JSON.stringify(value)
}

const write = (value: unknown, depth: number): string => {
  if (depth > maxDepth) throw new NotCanonical(`values are nested deeper than ${maxDepth} levels`)
  if (value === null || typeof value === "boolean") return String(value)
  if (typeof value === "string") return text(value)
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new NotCanonical("a number is not finite")
    // the form of ECMAScript, which RFC 8785 prescribes; -0 becomes 0
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((one) => write(one, depth + 1)).join(",")}]`
  if (typeof value === "object") {
    // sort() compares UTF-16 code units, as RFC 8785 does
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    return `{${members.map(([name, one]) => `${text(name)}:${write(one, depth + 1)}`).join(",")}}`
  }
  throw new NotCanonical(`a value of type ${typeof value} has no JSON`)
}

/** Throws NotCanonical for values without such a text: numbers that are not finite, halves of surrogate pairs, undefined. */
export const canonicalJson = (value: unknown): string => write(value, 0)
