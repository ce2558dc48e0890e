/**
 * Finds what others saved while a form of a set was open. The form carries a digest of each of its fields and rows as they
 * were when it was opened.
 */
import { createHash } from "node:crypto"
import type { Part, SetDraft } from "./SetDraft.ts"

/** Digest of a key to digest of its text. */
export type Fingerprints = ReadonlyMap<string, string>

const keyLength = 5
const fingerprintLength = 12

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url")
const keyOf = (key: string): string => digest(key).slice(0, keyLength)
/** Ignores whitespace differences, because browsers change line breaks. */
const fingerprintOf = (text: string): string =>
  digest(text.replace(/\s+/gu, " ").trim()).slice(0, fingerprintLength - keyLength)

const fields = [
  "title",
  "position",
  "set_type",
  "description",
  "interview_duration",
  "number_of_retakes",
  "priority",
  "project_id",
  "language",
  "languages",
] as const
type FieldName = (typeof fields)[number]

type Row = SetDraft["questions"][number] | SetDraft["requirements"][number] | SetDraft["people"][number]

const idOf = (row: Row): string => ("email" in row ? row.email.trim().toLowerCase() : row.id)
const keyOfRow = (list: Part, row: Row): string => keyOf(`${list}.${idOf(row)}`)
const rowTexts = new WeakMap<Row, string>()
/** Cached, because each row is compared with many others. */
const textOfRow = (row: Row): string => {
  const known = rowTexts.get(row)
  if (known !== undefined) return known
  const text = JSON.stringify(
    Object.entries(row)
      .filter(([name]) => name !== "id" && name !== "source")
      .map(([, text]) => text.replace(/\s+/gu, " ").trim()),
  )
  rowTexts.set(row, text)
  return text
}
const textOfField = (draft: SetDraft, name: FieldName): string => draft[name].toString()

const lists = ["questions", "requirements", "people"] as const

export const fingerprintsOf = (draft: SetDraft): Fingerprints =>
  new Map([
    ...fields.map((name) => [keyOf(name), fingerprintOf(textOfField(draft, name))] as const),
    ...lists.flatMap((list) => [
      [keyOf(list), fingerprintOf(draft[list].map(idOf).join(" "))] as const,
      ...draft[list].map((row) => [keyOfRow(list, row), fingerprintOf(textOfRow(row))] as const),
    ]),
  ])

/** The fingerprints as the value of a form field. */
export const fingerprintsText = (fingerprints: Fingerprints): string => [...fingerprints].flat().join("")

export const readFingerprints = (text: string): Fingerprints =>
  new Map(
    (text.match(new RegExp(`[\\w-]{${fingerprintLength}}`, "g")) ?? []).map((one) => [
      one.slice(0, keyLength),
      one.slice(keyLength),
    ]),
  )

/**
 * A difference between the form and the stored set. `saved`: the form now shows the stored value, because only others changed
 * it. `both`: both changed it, and the form keeps its own.
 */
export interface Difference {
  readonly field: FieldName | (typeof lists)[number]
  readonly kind: "saved" | "both" | "added" | "removed" | "restored" | "order"
  /** Of a row: its title; of a field: empty. */
  readonly name: string
  /** The stored text. */
  readonly stored: string
}

const nameOf = (row: Row): string => ("email" in row ? row.email : row.title.trim() || row.content.trim())
const storedText = (row: Row): string =>
  "email" in row
    ? [row.email, row.fullname].filter(Boolean).join(", ")
    : [row.title, row.content, "options" in row ? row.options : ""].filter((text) => text.trim() !== "").join(" · ")

const mergedRows = <A extends Row>(
  list: (typeof lists)[number],
  base: Fingerprints,
  mine: ReadonlyArray<A>,
  stored: ReadonlyArray<A>,
) => {
  const differences: Array<Difference> = []
  const differ = (kind: Difference["kind"], row: A) =>
    differences.push({ field: list, kind, name: nameOf(row), stored: kind === "removed" ? "" : storedText(row) })
  const storedBy = new Map(stored.map((row) => [idOf(row), row]))
  const isKnown = (row: A) => base.has(keyOfRow(list, row))
  const isChanged = (row: A) => base.get(keyOfRow(list, row)) !== fingerprintOf(textOfRow(row))
  const added = stored.filter((row) => !isKnown(row))
  // rows that this form added in an earlier request
  const adopted = new Map<A, A>()
  for (const row of added) {
    const same = mine.find(
      (one) => !adopted.has(one) && (idOf(one) === "" || idOf(one) === idOf(row)) && textOfRow(one) === textOfRow(row),
    )
    if (same !== undefined) adopted.set(same, row)
  }
  const rows = mine.flatMap((row): ReadonlyArray<A> => {
    const adoptedRow = adopted.get(row)
    if (adoptedRow !== undefined) return [adoptedRow]
    const saved = storedBy.get(idOf(row))
    if (idOf(row) === "" || (saved === undefined && !isKnown(row))) return [row]
    if (saved === undefined) {
      if (isChanged(row)) {
        differ("restored", row)
        return [row]
      }
      differ("removed", row)
      return []
    }
    if (!isChanged(saved) || textOfRow(saved) === textOfRow(row)) return [row]
    if (isKnown(row) && !isChanged(row)) {
      differ("saved", saved)
      return [saved]
    }
    differ("both", saved)
    return [row]
  })
  const shown = new Set(rows.map(idOf))
  for (const [at, row] of stored.entries()) {
    if (shown.has(idOf(row))) continue
    // removed in this form: restored if another member changed it
    if (isKnown(row) && !isChanged(row)) continue
    const before = stored.slice(0, at).findLast((one) => shown.has(idOf(one)))
    const place = before === undefined ? 0 : rows.findIndex((one) => idOf(one) === idOf(before)) + 1
    rows.splice(place, 0, row)
    shown.add(idOf(row))
    differ(isKnown(row) ? "restored" : "added", row)
  }
  const orderOf = (all: ReadonlyArray<A>) => fingerprintOf(all.map(idOf).join(" "))
  const baseOrder = base.get(keyOf(list))
  const isReordered = orderOf(stored) !== baseOrder && stored.every(isKnown) && stored.length === mine.length
  if (!isReordered || orderOf(mine) === orderOf(stored)) return { rows, differences }
  const isOwn = orderOf(mine) !== baseOrder
  differences.push({ field: list, kind: isOwn ? "both" : "order", name: "", stored: "" })
  const ranks = new Map(stored.map((row, i) => [idOf(row), i]))
  const rank = (row: A) => ranks.get(idOf(row)) ?? stored.length
  return { rows: isOwn ? rows : rows.toSorted((a, b) => rank(a) - rank(b)), differences }
}

/** The form's draft with what others saved since `base`, except where both changed the same. */
export const merged = (
  base: Fingerprints,
  mine: SetDraft,
  stored: SetDraft,
  sent: ReadonlySet<Part>,
): { readonly draft: SetDraft; readonly differences: ReadonlyArray<Difference> } => {
  const changed = (draft: SetDraft, name: FieldName) =>
    base.get(keyOf(name)) !== fingerprintOf(textOfField(draft, name))
  const foreign = sent.has("about")
    ? fields.filter(
        (name) =>
          changed(stored, name) && fingerprintOf(textOfField(stored, name)) !== fingerprintOf(textOfField(mine, name)),
      )
    : []
  const taken = foreign.filter((name) => !changed(mine, name))
  const differences = foreign.map((field): Difference => {
    const kind = taken.includes(field) ? "saved" : "both"
    return { field, kind, name: "", stored: textOfField(stored, field) }
  })
  const questions = sent.has("questions")
    ? mergedRows("questions", base, mine.questions, stored.questions)
    : { rows: mine.questions, differences: [] }
  const requirements = sent.has("requirements")
    ? mergedRows("requirements", base, mine.requirements, stored.requirements)
    : { rows: mine.requirements, differences: [] }
  const people = sent.has("people")
    ? mergedRows("people", base, mine.people, stored.people)
    : { rows: mine.people, differences: [] }
  return {
    draft: {
      ...mine,
      ...Object.fromEntries(taken.map((name) => [name, stored[name]])),
      questions: questions.rows,
      requirements: requirements.rows,
      people: people.rows,
    },
    differences: [...differences, ...questions.differences, ...requirements.differences, ...people.differences],
  }
}

/** Rows that the form holds and the stored set does not, or differently. */
export const unsavedRows = (mine: SetDraft, stored: SetDraft, sent: ReadonlySet<Part>): ReadonlyArray<string> =>
  (["questions", "requirements"] as const).flatMap((list) => {
    if (!sent.has(list)) return []
    const known = new Set(stored[list].map(textOfRow))
    return mine[list]
      .filter((row) => !known.has(textOfRow(row)))
      .map(storedText)
      .filter(Boolean)
  })
