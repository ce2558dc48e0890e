import { assert, describe, it } from "@effect/vitest"
import { entryOf, homonyms, nameOf } from "../../../src/evaluations/keyword/lexicon/Lexicon.ts"
import { licences } from "../../../src/evaluations/keyword/lexicon/licences.ts"
import { office } from "../../../src/evaluations/keyword/lexicon/office.ts"
import { people } from "../../../src/evaluations/keyword/lexicon/people.ts"
import { software } from "../../../src/evaluations/keyword/lexicon/software.ts"
import { trades } from "../../../src/evaluations/keyword/lexicon/trades.ts"
import { fold } from "../../../src/evaluations/keyword/Text.ts"
import { stem } from "../../../src/evaluations/keyword/WordLists.ts"

const lines = [licences, software, office, people, trades].flatMap((table) =>
  table
    .trim()
    .split("\n")
    .map((line) => {
      const [head = "", aliases = ""] = line.split(":", 2)
      const [name = "", broader = ""] = head.split(" < ")
      const list = (text: string) => text.split(" ").filter((word) => word !== "")
      return { line, name, broader: list(broader), aliases: [name, ...list(aliases)] }
    }),
)

describe("the lexicon", () => {
  it("has lines of the form `name < broader: alias`", () => {
    const wrong = lines.filter(({ line }) => !/^\S+( <( [a-z0-9_]+)+)?(:( \S+)*)?$/u.test(line))
    assert.isEmpty(wrong.map(({ line }) => line))
  })

  it("has each name and alias once", () => {
    const all = lines.flatMap(({ aliases }) => aliases)
    assert.isEmpty(all.filter((alias, at) => all.indexOf(alias) !== at))
  })

  it("has folded aliases, without hyphens", () => {
    const all = lines.flatMap(({ aliases }) => aliases)
    assert.isEmpty(all.filter((alias) => fold(alias) !== alias || alias.includes("-")))
  })

  it("knows each broader name", () => {
    assert.isEmpty(lines.flatMap(({ broader }) => broader.filter((name) => entryOf(name) === undefined)))
  })

  it("has a name for each homonym", () => {
    assert.isEmpty([...homonyms].filter((word) => nameOf(word, stem(word)) === undefined))
  })
})
