/** What the candidate was granted, in the language of the candidate's pages. */
import { numberText } from "../texts/Formats.ts"
import { type Language, textsOf } from "../texts/Texts.ts"
import type { AccommodationAnswer, AccommodationNeed } from "./Accommodation.ts"

/** One sentence for each need; one for a refusal. */
export const grantedTexts = (
  language: Language,
  organization: string,
  { granted, timeFactor }: Omit<AccommodationAnswer, "text">,
): ReadonlyArray<string> => {
  const { say } = textsOf(language, "accommodation")
  if (granted.length === 0) return [say("declined", { organization })]
  const texts: Readonly<Record<AccommodationNeed, string>> = {
    time: say("moreTime", { factor: numberText(language, timeFactor ?? 1) }),
    typing: say("mayType"),
    other: say("agreed", { organization }),
  }
  return granted.map((need) => texts[need])
}
