/** Texts for candidates, one catalogue a language. */
import { de } from "./de.ts"
import { en, type Texts } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import { pt } from "./pt.ts"
import { vi } from "./vi.ts"

/** By BCP 47 primary language, the value of `lang` in HTML. */
export const catalogues = { en, de, fr, es, pt, vi } satisfies Record<string, Texts>

export type Language = keyof typeof catalogues

const isTranslated = (language: string): language is Language => Object.hasOwn(catalogues, language)

/** Undefined: not a key of `catalogues`. */
export const findLanguage = (text: string): Language | undefined => (isTranslated(text) ? text : undefined)

/** With their names in themselves, for choices. */
export const languageNames: ReadonlyArray<readonly [Language, string]> = [
  ["de", "Deutsch"],
  ["en", "English"],
  ["es", "Español"],
  ["fr", "Français"],
  ["pt", "Português"],
  ["vi", "Tiếng Việt"],
]

/** Ignores regions: "de-AT" is German. */
export const languageOf = (tags: ReadonlyArray<string>): Language =>
  tags.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "").find(isTranslated) ?? "en"

type English = typeof en

/** Names in braces. Translations have the same (test/texts). */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

type Values<Text, Value> = [Names<Text>] extends [never] ? [] : [Readonly<Record<Names<Text>, Value>>]

const brace = /\{(\w+)\}/

/** `pieces` is for values that are not text. Braces in values stay. */
export const textsOf = <Section extends keyof Texts>(language: Language, section: Section) => {
  const catalogue: Texts[Section] = catalogues[language][section]
  const pieces = <Key extends keyof English[Section] & keyof Texts[Section], Value>(
    key: Key,
    ...[values]: Values<English[Section][Key], Value>
  ): ReadonlyArray<string | Value> => {
    const known: Readonly<Record<string, Value>> = values ?? {}
    // with a capture, split alternates between text and name
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
