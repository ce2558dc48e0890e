/** Compares words of names, which requests misspell. */
import { editDistance } from "./EditDistance.ts"

/** UTF-16 code units. */
export const maxWord = 24

/**
 * At most a third of the letters differ. Also decides which words of unknown names the request log keeps (LoggedRequest.ts
 * `loggedName`): a larger share would log more of what callers type.
 */
export const isSimilar = (word: string, other: string): boolean => {
  const max = Math.floor(Math.max(word.length, other.length) / 3)
  if (word === other) return true
  if (Math.abs(word.length - other.length) > max) return false
  return editDistance(word, other) <= max
}

export const singular = (word: string): string => (word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word)

/** The words of a name in camel, snake or kebab case, in lower case and singular. */
export const wordsIn = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_.]/)
    .filter((word) => word !== "")
    .map((word) => singular(word.slice(0, maxWord)))
