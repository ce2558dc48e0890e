/** Comments: what members write to each other about a submission, or about one of its answers. */
import { textErrors } from "../values/Fields.ts"
import type { FieldError } from "../values/Problem.ts"

/** In code points. */
export const maxComment = 5000

/** Comments of a submission. */
export const maxComments = 500

/** Comments that the page of a submission shows at a time. */
export const commentsPerPage = 10

export const commentErrors = (text: string): ReadonlyArray<FieldError> =>
  textErrors("#/text", text, { least: 1, most: maxComment })

interface Mentionable {
  readonly name: string
  readonly email: string
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** Colleagues whose name or address the text has after an @. Of names that begin alike, the longest counts. */
export const mentionedIn = <Colleague extends Mentionable>(
  text: string,
  colleagues: ReadonlyArray<Colleague>,
): ReadonlyArray<Colleague> => {
  const names = colleagues.flatMap((colleague) =>
    [...new Set([colleague.name, colleague.email])].map((name) => ({ name, colleague })),
  )
  let rest = text
  const found = new Set<Colleague>()
  for (const { colleague, name } of names.toSorted((one, other) => other.name.length - one.name.length)) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])@${escaped(name)}(?![\\p{L}\\p{N}])`, "giu")
    if (!pattern.test(rest)) continue
    found.add(colleague)
    rest = rest.replaceAll(pattern, " ")
  }
  return [...found]
}
