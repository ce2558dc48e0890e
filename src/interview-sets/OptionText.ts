/**
 * The words of an option, one rule for whoever shows or reads it: the candidate's pages, evaluations and a submission's
 * detail. `titles` and `contents` hold texts by language (spec, Question item); any JSON may stand there.
 */

import { languageOf } from "../texts/Texts.ts"
import { byPriority, type StoredOption } from "./InterviewSet.ts"

export interface OptionText {
  /** What names the option; never blank, unless its id is. */
  readonly title: string
  /** What explains it; null: nothing does. */
  readonly content: string | null
}

const filled = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined

const primary = (tag: string): string | undefined => tag.toLowerCase().split(/[-_]/)[0]

/** The text in the first language that there is one in, else the plain one, else any. */
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

/**
 * `languages` are the BCP 47 tags of the interview set, in its order; behind them comes the language that its pages are
 * in. An option without a title is known by its content, and one without either by its id.
 */
export const optionText = (option: Omit<StoredOption, "priority">, languages: ReadonlyArray<string>): OptionText => {
  const wanted = [...languages, languageOf(languages)]
  const title = inLanguage(option.titles, option.title, wanted)
  const content = inLanguage(option.contents, option.content, wanted)
  return title === undefined
    ? { title: content ?? String(option.id), content: null }
    : { title, content: content ?? null }
}

/** The options that an answer names, in the order in which the candidate saw them. */
export const chosenOptions = (
  options: ReadonlyArray<StoredOption>,
  ids: ReadonlyArray<string>,
): ReadonlyArray<StoredOption> => byPriority(options.filter(({ id }) => ids.includes(String(id))))
