/** Driving licences and their classes (Directive 2006/126/EC, article 4). */
import type { Word } from "../Text.ts"

const licence =
  / (?:driving licen[cs]es?|(?:hgv|lgv|truck) licen[cs]es?|class 1 driver|hgv class 1|drivers? licen[cs]es?|drivers licen[cs]e|fuehrerschein|fahrerlaubnis|permis de conduire|permis(?= [a-e]e? )|carnet de conducir|permiso de conducir|carta de conducao|carteira de motorista|cnh) /

const includes: Readonly<Record<string, ReadonlyArray<string>>> = {
  be: ["b"],
  c1: ["b"],
  c1e: ["c1", "be", "b"],
  c: ["c1", "b"],
  ce: ["c", "c1", "c1e", "be", "b"],
  d: ["b"],
  de: ["d", "b"],
}

/**
 * Returns the named classes with those that they include. Without a named class, a truck licence counts as "ce" and any
 * other as "b". Null: no licence.
 */
export const classesOf = (words: ReadonlyArray<Word>): ReadonlySet<string> | null => {
  const joined = ` ${words.map(({ folded }) => folded).join(" ")} `
  if (!licence.test(joined)) return null
  const found = words.flatMap(({ at, folded, raw }, index) => {
    if (!/^(?:AM|A|B|BE|C|C1|C1E|CE|D|DE)$/.test(raw)) return []
    const next = words[index + 1]
    const isWithTrailer = next?.raw === "E" && next.at - at - raw.length === 1
    return [isWithTrailer ? `${folded}e` : folded]
  })
  const isTruck = / (?:hgv|lgv|truck|class 1) /.test(joined)
  const named = found.length > 0 ? found : isTruck ? ["ce"] : ["b"]
  return new Set(named.flatMap((one) => [one, ...(includes[one] ?? [])]))
}

export const requiredClasses = (words: ReadonlyArray<Word>): ReadonlyArray<string> | null => {
  const classes = classesOf(words)
  if (classes === null) return null
  const all = [...classes]
  return all.filter((one) => !all.some((other) => other !== one && (includes[other] ?? []).includes(one)))
}
