import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { nameParts, splitName } from "../../src/invitations/NameParts.ts"

describe("a full name", () => {
  it.each([
    ["Ada Lovelace", "Ada", "Lovelace"],
    ["  Éva \u00a0 Kovács-Tóth ", "Éva", "Kovács-Tóth"],
    ["Pat O’Neil", "Pat", "O’Neil"],
    ["Мария Иванова", "Мария", "Иванова"],
    ["नेहा शर्मा", "नेहा", "शर्मा"],
    ["Nguyễn Hoa", "Hoa", "Nguyễn"],
    ["Kovács Eszter", "Eszter", "Kovács"],
  ])("%j has a first and a last name", (name, firstname, lastname) => {
    assert.deepStrictEqual(splitName(name), { firstname, lastname })
  })

  it.each([
    "",
    "Ada",
    "Ada King Lovelace",
    "Lovelace, Ada",
    "Dr. Lovelace",
    "Prof Lovelace",
    "Frau Lovelace",
    "Ada L.",
    "A. Lovelace",
    "A Lovelace",
    "a lovelace",
    "न शर्मा",
    "van Gogh",
    "de Souza",
    "LOVELACE Ada",
    "Ada LOVELACE",
    "ACME RECRUITING",
    "Acme GmbH",
    "Recruiting Team",
    "Lovelace Jr.",
    "Henry VIII",
    "Ada (she)",
    "ada@example.com x",
    "Ada 2",
    "Ada & Eva",
    "山田 太郎",
    "김 민준",
  ])("%j is not split", (name) => {
    assert.isUndefined(splitName(name))
  })

  it("is the first name if it cannot be split; given parts take precedence", () => {
    const of = (name: string | null, firstname: string | null = null, lastname: string | null = null) =>
      nameParts({ name, firstname, lastname })
    assert.deepStrictEqual(of("Ada Lovelace"), { name: "Ada Lovelace", firstname: "Ada", lastname: "Lovelace" })
    assert.deepStrictEqual(of("Dr. Lovelace"), { name: "Dr. Lovelace", firstname: "Dr. Lovelace", lastname: "" })
    assert.deepStrictEqual(of("Dr. Ada Lovelace", "Ada", "Lovelace"), {
      name: "Dr. Ada Lovelace",
      firstname: "Ada",
      lastname: "Lovelace",
    })
    assert.deepStrictEqual(of("Ada Lovelace", null, "King"), {
      name: "Ada Lovelace",
      firstname: "Ada Lovelace",
      lastname: "King",
    })
    assert.deepStrictEqual(of(null), { name: "", firstname: "", lastname: "" })
  })

  it.effect.prop("is split only into its own two words", [Schema.String], ([name]) =>
    Effect.sync(() => {
      const parts = splitName(name)
      if (parts === undefined) return
      assert.strictEqual(`${parts.firstname} ${parts.lastname}`, name.trim().replace(/\s+/gu, " "))
      for (const part of [parts.firstname, parts.lastname]) assert.match(part, /^\p{L}[\p{L}\p{M}'’-]+$/u)
    }),
  )

  const words = Schema.Literals([
    "Ada",
    "Lovelace",
    "Dr.",
    "van",
    "LOVELACE",
    "L.",
    "Acme,",
    "GmbH",
    "Éva",
    "-",
    "太郎",
  ])
  it.effect.prop(
    "is never split with more or fewer than two words, or with an unsafe one",
    [Schema.Array(words)],
    ([all]) =>
      Effect.sync(() => {
        const isSafe = all.length === 2 && all.every((word) => ["Ada", "Lovelace", "Éva"].includes(word))
        assert.strictEqual(splitName(all.join(" ")) !== undefined, isSafe)
      }),
  )
})
