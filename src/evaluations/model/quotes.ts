/**
 * Finding what a model quoted. Models copy words faithfully and signs less so: blanks, quotation marks and dashes come
 * back in other forms. A quote that differs in nothing else is given back as it stands in the text; all others are none.
 */

/** A text to find quotes in: its letters in one form, and where each of them begins and ends in the text. */
export interface Readable {
  readonly text: string
  readonly plain: string
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

const signs: ReadonlyArray<readonly [RegExp, string]> = [
  [/[‘’‚‛′´`]/gu, "'"],
  [/[“”„‟″«»]/gu, '"'],
  [/[\u2010-\u2015\u2212]/gu, "-"],
  // what is covered (evaluations/Redaction.ts), whatever its length
  [/█+/gu, "█"],
  // soft hyphens and what else is not seen
  [/[\u00ad\p{Cf}]/gu, ""],
]

const plainOf = (cluster: string): string =>
  signs.reduce((plain, [sign, to]) => plain.replace(sign, to), cluster.normalize("NFKC").replaceAll(/\s+/gu, " "))

export const readable = (text: string): Readable => {
  const units: Array<string> = []
  const starts: Array<number> = []
  const ends: Array<number> = []
  for (const { 0: cluster, index } of text.matchAll(/\s+|█+|\P{M}\p{M}*|\p{M}+/gu)) {
    for (const unit of plainOf(cluster)) {
      if (unit === " " && units.at(-1) === " ") continue
      units.push(unit)
      for (let count = 0; count < unit.length; count += 1) {
        starts.push(index)
        ends.push(index + cluster.length)
      }
    }
  }
  return { text, plain: units.join(""), starts, ends }
}

/** Fewer letters and digits than this are found in any text. */
const fewest = 3

/** The quote as it stands in the text; undefined: it does not, or it says nothing. */
export const verbatim = ({ ends, plain, starts, text }: Readable, quote: string): string | undefined => {
  const sought = readable(quote).plain.trim()
  for (const one of [sought, sought.replaceAll(/^["'. ]+|["'. ]+$/g, "")]) {
    if ((one.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < fewest) continue
    const at = plain.indexOf(one)
    if (at !== -1) return text.slice(starts[at], ends[at + one.length - 1])
  }
  return undefined
}
