/** Texts for candidates, one catalogue a language. */
import { ar } from "./ar.ts"
import { de } from "./de.ts"
import { en, type Plural, type Texts } from "./en.ts"
import { es } from "./es.ts"
import { numberText } from "./Formats.ts"
import { fr } from "./fr.ts"
import { hi } from "./hi.ts"
import { it } from "./it.ts"
import { ja } from "./ja.ts"
import { ko } from "./ko.ts"
import { nl } from "./nl.ts"
import { pl } from "./pl.ts"
import { pt } from "./pt.ts"
import { tr } from "./tr.ts"
import { uk } from "./uk.ts"
import { vi } from "./vi.ts"
import { zh } from "./zh.ts"

/** By BCP 47 primary language, the value of `lang` in HTML. */
export const catalogues = { en, de, fr, es, pt, vi, it, nl, pl, ja, ko, zh, ar, hi, tr, uk } satisfies Record<
  string,
  Texts
>

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
  ["it", "Italiano"],
  ["nl", "Nederlands"],
  ["pl", "Polski"],
  ["pt", "Português"],
  ["vi", "Tiếng Việt"],
  ["tr", "Türkçe"],
  ["uk", "Українська"],
  ["ar", "العربية"],
  ["hi", "हिन्दी"],
  ["zh", "中文"],
  ["ja", "日本語"],
  ["ko", "한국어"],
]

/** The value of `dir` in HTML. */
export const directionOf = (language: Language): "ltr" | "rtl" => (language === "ar" ? "rtl" : "ltr")

/** Ignores regions: "de-AT" is German. */
export const languageOf = (tags: ReadonlyArray<string>): Language =>
  tags.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "").find(isTranslated) ?? "en"

type English = typeof en

/** Names in braces. Translations have the same (test/texts). */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

type Values<Text, Value> = [Names<Text>] extends [never] ? [] : [Readonly<Record<Names<Text>, Value>>]

/** The keys of a section whose text depends on a number, and those of other texts. */
type CountedKey<Section extends keyof English> = {
  [Key in keyof English[Section]]: English[Section][Key] extends string ? never : Key
}[keyof English[Section]]
type PlainKey<Section extends keyof English> = Exclude<keyof English[Section], CountedKey<Section>>

type OtherForm<Text> = Text extends { readonly other: infer Other } ? Other : never

/** Values beside the number. */
type OtherValues<Text, Value> = [Exclude<Names<OtherForm<Text>>, "count">] extends [never]
  ? []
  : [Readonly<Record<Exclude<Names<OtherForm<Text>>, "count">, Value>>]

const brace = /\{(\w+)\}/

const pluralRules = new Map<Language, Intl.PluralRules>()

const formOf = (language: Language, { other, ...forms }: Plural, count: number): string => {
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(language)
  pluralRules.set(language, rules)
  const form = rules.select(count)
  return (form === "other" ? undefined : forms[form]) ?? other
}

const fill = <Value>(text: string, values: Readonly<Record<string, Value>>): ReadonlyArray<string | Value> =>
  // with a capture, split alternates between text and name
  text.split(brace).map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? `{${piece}}`)))

/** `pieces` is for values that are not text. Braces in values stay. `counted` fills in `{count}`, also in the plural. */
export const textsOf = <Section extends keyof Texts>(language: Language, section: Section) => {
  const catalogue: Texts[Section] = catalogues[language][section]
  const pieces = <Key extends PlainKey<Section>, Value>(
    key: Key,
    ...[values]: Values<English[Section][Key], Value>
  ): ReadonlyArray<string | Value> => fill<Value>(String(catalogue[key]), values ?? {})
  const say = <Key extends PlainKey<Section>>(key: Key, ...values: Values<English[Section][Key], string>): string =>
    pieces<Key, string>(key, ...values).join("")
  const countedPieces = <Key extends CountedKey<Section>, Value>(
    key: Key,
    count: number,
    ...[values]: OtherValues<English[Section][Key], Value>
  ): ReadonlyArray<string | Value> => {
    const forms = catalogue[key]
    const text = isPlural(forms) ? formOf(language, forms, count) : String(forms)
    return fill<string | Value>(text, { ...values, count: numberText(language, count) })
  }
  const counted = <Key extends CountedKey<Section>>(
    key: Key,
    count: number,
    ...values: OtherValues<English[Section][Key], string>
  ): string => countedPieces<Key, string>(key, count, ...values).join("")
  return { counted, countedPieces, pieces, say }
}

const isPlural = (text: unknown): text is Plural => typeof text === "object" && text !== null && "other" in text
