/**
 * Words in five languages for the same skill, tool, trade or licence. A line is `name < broader broader: alias
 * alias`, folded, with "_" between the words of an alias. A name implies its broader ones: PostgreSQL is a database.
 */
import { lazy } from "../../../values/Lazy.ts"
import { fillers, stem } from "../WordLists.ts"
import { licences } from "./licences.ts"
import { office } from "./office.ts"
import { people } from "./people.ts"
import { software } from "./software.ts"
import { trades } from "./trades.ts"

type Kind = "name" | "software" | "licence"

/** `broader` is transitive. */
interface Entry {
  readonly name: string
  readonly kind: Kind
  readonly broader: ReadonlyArray<string>
}

interface Line extends Entry {
  readonly aliases: ReadonlyArray<string>
  readonly isStemmed: boolean
}

const linesOf = (table: string, kind: Kind, isStemmed: boolean): ReadonlyArray<Line> =>
  table
    .trim()
    .split("\n")
    .map((line) => {
      const [head = "", others = ""] = line.split(":", 2)
      const [name = "", broader = ""] = head.split(" < ")
      const list = (text: string) => text.split(" ").filter((word) => word !== "")
      return { name, kind, broader: list(broader), aliases: [name, ...list(others)], isStemmed }
    })

/** Endings of words for men, and those of the words for women in German, French, Spanish and Portuguese. */
const feminine: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/(?<=(?:er|ist|eur|or|ent|ant|ekt|ier))$/, ["in", "innen"]],
  [/(?<=(?:log|pad|gog|oek))e$/, ["in", "innen"]],
  [/teur$/, ["trice", "teuse"]],
  [/eur$/, ["euse"]],
  [/ier$/, ["iere"]],
  [/ien$/, ["ienne"]],
  [/or$/, ["ora"]],
  [/ero$/, ["era"]],
  [/eiro$/, ["eira"]],
  [/ado$/, ["ada"]],
]

const womenOf = (alias: string): ReadonlyArray<string> =>
  alias.includes("_") || alias.length < 5
    ? []
    : feminine.flatMap(([ending, others]) =>
        ending.test(alias) ? others.map((other) => alias.replace(ending, other)) : [],
      )

/** Of words for people in the masculine form, which are listed, also the feminine one. */
const withWomen = (line: Line): Line => ({
  ...line,
  aliases: [...line.aliases, ...line.aliases.flatMap(womenOf)],
})

const stemsOf = (alias: string): string => alias.split("_").map(stem).join("_")

/** Made by the first evaluation: it takes 30 ms, and most processes start without one. */
const tables = lazy(() => {
  const listed = [
    ...linesOf(licences, "licence", false),
    ...linesOf(software, "software", false),
    ...linesOf(office, "name", true),
    ...linesOf(people, "name", true),
    ...linesOf(trades, "name", true),
  ]

  /** Listed aliases count before derived ones. */
  const lines = [...listed, ...listed.map(withWomen)]

  const byName = new Map(lines.toReversed().map((line) => [line.name, line]))

  const allBroader = (name: string, found: Set<string> = new Set()): ReadonlySet<string> => {
    for (const one of byName.get(name)?.broader ?? []) {
      if (found.has(one)) continue
      found.add(one)
      allBroader(one, found)
    }
    return found
  }

  const entries = new Map<string, Entry>(
    lines.map(({ kind, name }) => [name, { name, kind, broader: [...allBroader(name)] }]),
  )

  /** The first line with an alias counts. */
  const names = new Map<string, string>()
  for (const { aliases, name } of lines) for (const alias of aliases) if (!names.has(alias)) names.set(alias, name)
  const stemmed = new Map<string, string>()
  for (const { aliases, isStemmed, name } of lines) {
    for (const alias of isStemmed ? aliases : []) {
      const key = stemsOf(alias)
      if (!fillers.has(key) && !stemmed.has(key)) stemmed.set(key, name)
    }
  }

  const lengths = new Map<string, number>()
  for (const key of [...names.keys(), ...stemmed.keys()]) {
    const words = key.split("_")
    const first = words[0] ?? ""
    lengths.set(first, Math.max(words.length, lengths.get(first) ?? 0))
  }
  return { entries, lengths, names, stemmed }
})

/** Returns the number of words of the longest alias that begins with this word. */
export const maxWordsFrom = (word: string, wordStem: string): number =>
  Math.max(tables().lengths.get(word) ?? 0, tables().lengths.get(wordStem) ?? 0)

/** Returns the name of an alias. Words and stems are joined with "_". */
export const nameOf = (words: string, stems: string): string | undefined =>
  tables().names.get(words) ?? tables().stemmed.get(stems)

export const entryOf = (name: string): Entry | undefined => tables().entries.get(name)

/** Names that are also everyday words. They count only with a capital letter or beside another software name. */
export const homonyms: ReadonlySet<string> = new Set(
  "excel express react rest spring spark epic dart hive bootstrap ap ar gl bi ci cd rn sem sen uci ai pals rail cable rust lan ts python java ruby swift oracle flask angular vue node chef kafka cassandra perl scala helm bash".split(
    " ",
  ),
)
