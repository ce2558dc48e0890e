/**
 * Suggests the operation that a request with a wrong path or method probably meant. Compares the words of the paths,
 * ignoring their order, plural forms, the version and the prefix. Reads a bounded part of the path, and returns only text
 * of the contract, nothing of the request.
 */
import { isSimilar, maxWord, singular, wordsIn } from "../../values/WordSimilarity.ts"

export interface Operation {
  readonly method: string
  /** With parameters as `:id`. */
  readonly path: string
  readonly summary: string
}

/** For the detail of a problem: "to list interview sets, use GET /…". Undefined when no operation is similar. */
export type Suggest = (method: string, url: string) => string | undefined

const maxPath = 300
const maxSegments = 12
const maxWords = 10

const parameter = "*"
/** An operation scores less when only it or only the path has an id. */
const idFactor = 0.5
const version = /^v\d+$/i

/** Minimum weighted share of words that a path and an operation have in common (Jaccard index). */
const minSimilarity = 0.4
/** Weight of a word that occurs in no operation. */
const unknownWeight = 0.3
const maxWeight = 0.6

const segmentsOf = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .filter((segment) => segment !== "")
    .slice(0, maxSegments)

/** A segment that is not made of words counts as an id. */
const wordsOfSegment = (segment: string): ReadonlyArray<string> => {
  if (version.test(segment)) return []
  if (segment.length > 2 * maxWord || !/^[a-z]+([-_.][a-z]+)*$/i.test(segment)) return [parameter]
  return wordsIn(segment)
}

const wordsOf = (segments: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(segments.flatMap(wordsOfSegment).slice(0, maxWords))

/** How well the method of an operation fits the requested one. */
const methodFactor = (requested: string, method: string): number => {
  if (requested === method) return 1
  if (method === "DELETE") return 0.3
  return (requested === "GET") === (method === "GET") ? 0.65 : 0.6
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

const commonSegments = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = [], ...others] = paths.map(segmentsOf)
  const end = first.findIndex((segment, i) => others.some((other) => other[i] !== segment))
  return end < 0 ? first : first.slice(0, end)
}

export const pathSuggestions = (operations: ReadonlyArray<Operation>): Suggest => {
  const prefix = commonSegments(operations.map(({ path }) => path))
  const known = operations.map(({ method, path, summary }) => ({
    method,
    words: wordsOf(segmentsOf(path).slice(prefix.length)),
    start: segmentsOf(path)[prefix.length] ?? "",
    text: `to ${lowerFirst(summary)}, use ${method} ${path.replaceAll(/:\w+/g, "<id>")}`,
  }))
  const vocabulary = [...new Set(known.flatMap(({ words }) => [...words]))]
  /** The more operations contain a word, the lower its weight. A word of one operation, such as "detail", may be missing. */
  const weights = new Map(
    vocabulary.map((word) => {
      const count = known.filter(({ words }) => words.has(word)).length
      return [word, Math.min(maxWeight, 1 / Math.sqrt(count))]
    }),
  )
  const weightOf = (word: string) => weights.get(word) ?? unknownWeight
  const sumOf = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + weightOf(word), 0)

  /** Without the prefix, a path must have a version and begin like an operation: others may be pages. */
  const isOfApi = (segments: ReadonlyArray<string>): boolean => {
    const first = segments[0]?.slice(0, maxWord).toLowerCase() ?? ""
    if (first === "api" || prefix.some((segment) => isSimilar(segment, first))) return true
    return segments.some((segment) => version.test(segment)) && (version.test(first) || isStart(first))
  }
  const isStart = (first: string) => known.some(({ start }) => isSimilar(singular(start), singular(first)))

  /** Replaces each unknown word by a similar one of the operations, unless that one is already in the path. */
  const recognized = (words: ReadonlySet<string>): ReadonlySet<string> => {
    const found = new Set([...words].filter((word) => weights.has(word)))
    for (const word of words) {
      if (weights.has(word)) continue
      found.add(vocabulary.find((one) => !found.has(one) && isSimilar(word, one)) ?? word)
    }
    return found
  }

  return (requested, url) => {
    const [path = ""] = url.split(/[?#]/, 1)
    if (path.length > maxPath) return undefined
    const segments = segmentsOf(path)
    if (!isOfApi(segments)) return undefined
    const method = requested === "HEAD" ? "GET" : requested
    const own = segments.filter(
      (segment) =>
        segment !== "api" && !prefix.some((part) => isSimilar(part, segment.slice(0, maxWord).toLowerCase())),
    )
    const words = recognized(wordsOf(own))
    const total = sumOf(words)
    let best: { readonly score: number; readonly text: string } | undefined
    for (const operation of known) {
      const common = sumOf([...operation.words].filter((word) => words.has(word)))
      const similarity = common / (total + sumOf(operation.words) - common)
      if (!(similarity >= minSimilarity)) continue
      const hasSameIds = words.has(parameter) === operation.words.has(parameter)
      const score = similarity * methodFactor(method, operation.method) * (hasSameIds ? 1 : idFactor)
      if (best === undefined || score > best.score) best = { score, text: operation.text }
    }
    return best?.text
  }
}
