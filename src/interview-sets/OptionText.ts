/** An option's texts in an interview's language. `titles` and `contents` map languages to texts, but may be any JSON. */
import { languageOf } from "../texts/Texts.ts"
import { byPriority, type StoredOption } from "./InterviewSet.ts"

export interface OptionText {
  readonly title: string
  readonly content: string | null
}

const filled = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined

const primary = (tag: string): string | undefined => tag.toLowerCase().split(/[-_]/)[0]

/** The first language that has a text, else the plain text, else any. */
const inLanguage = (many: unknown, plain: string | null, languages: ReadonlyArray<string>): string | undefined => {
  const texts = typeof many === "object" && many !== null ? Object.entries(many) : [["", many] as const]
  const found = (is: (tag: string) => boolean) =>
    texts.flatMap(([tag, text]) => (is(tag) ? (filled(text) ?? []) : [])).at(0)
  return (
    languages
      .map(
        (language) =>
          found((tag) => tag.toLowerCase() === language.toLowerCase()) ??
          found((tag) => primary(tag) === primary(language)),
      )
      .find((text) => text !== undefined) ??
    filled(plain) ??
    found(() => true)
  )
}

/** `languages`: BCP 47, in the set's order. Without title, content is the title, else the id. */
export const optionText = (option: Omit<StoredOption, "priority">, languages: ReadonlyArray<string>): OptionText => {
  const wanted = [...languages, languageOf(languages)]
  const title = inLanguage(option.titles, option.title, wanted)
  const content = inLanguage(option.contents, option.content, wanted)
  return title === undefined
    ? { title: content ?? String(option.id), content: null }
    : { title, content: content ?? null }
}

export const chosenOptions = (
  options: ReadonlyArray<StoredOption>,
  ids: ReadonlyArray<string>,
): ReadonlyArray<StoredOption> => byPriority(options.filter(({ id }) => ids.includes(String(id))))
