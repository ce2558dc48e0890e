/**
 * What candidates read, in their language: one catalogue for each language beside this file, chosen by the interview
 * set's languages. What is not translated is said in English.
 */
import { de } from "./de.ts"
import { en, type Texts } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import { pt } from "./pt.ts"
import { vi } from "./vi.ts"

/** By BCP 47 primary language; what `lang` says in HTML. */
export const catalogues = { en, de, fr, es, pt, vi } satisfies Record<string, Texts>

/** A language that texts are translated to. */
export type Language = keyof typeof catalogues

const isTranslated = (language: string): language is Language => Object.hasOwn(catalogues, language)

/** The first of some BCP 47 tags that is translated, whatever its region: "de-AT" is German. English when none is. */
export const languageOf = (tags: ReadonlyArray<string>): Language =>
  tags.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "").find(isTranslated) ?? "en"

type English = typeof en

/** The names in braces of an English text: that of every other language has the same. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

/** Values for the names in braces; a text without any takes none. */
type Values<Text, Value> = [Names<Text>] extends [never] ? [] : [Readonly<Record<Names<Text>, Value>>]

const brace = /\{(\w+)\}/

/**
 * A section's texts in a language, as functions: `say("greeting", { name })` is the text with its values filled in, and
 * `pieces` the same in pieces, for values that are more than text. A value is never looked at for names again.
 */
export const textsOf = <Section extends keyof Texts>(language: Language, section: Section) => {
  const catalogue: Texts[Section] = catalogues[language][section]
  const pieces = <Key extends keyof English[Section] & keyof Texts[Section], Value>(
    key: Key,
    ...[values]: Values<English[Section][Key], Value>
  ): ReadonlyArray<string | Value> => {
    const known: Readonly<Record<string, Value>> = values ?? {}
    // split at one capture: text and names in turn
    return String(catalogue[key])
      .split(brace)
      .map((piece, index) => (index % 2 === 0 ? piece : (known[piece] ?? `{${piece}}`)))
  }
  const say = <Key extends keyof English[Section] & keyof Texts[Section]>(
    key: Key,
    ...values: Values<English[Section][Key], string>
  ): string => pieces<Key, string>(key, ...values).join("")
  return { pieces, say }
}
