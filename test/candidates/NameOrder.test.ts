import { assert, describe, it } from "@effect/vitest"
import { composeName } from "../../src/candidates/NameOrder.ts"
import { nameParts } from "../../src/invitations/NameParts.ts"

describe("the name of a given and a family name", () => {
  it.each([
    ["伟", "王", "王伟"],
    ["太郎", "田中", "田中太郎"],
    ["ハナコ", "サトウ", "サトウ ハナコ"],
    ["민준", "김", "김민준"],
    ["Thị Hòa", "Nguyễn", "Nguyễn Thị Hòa"],
    ["Văn An", "Lê", "Lê Văn An"],
    ["Minh", "Đặng", "Đặng Minh"],
    ["Thi Hoa", "Nguyen", "Nguyen Thi Hoa"],
    ["Gergő", "Nagy", "Nagy Gergő"],
    ["László", "Kovács", "Kovács László"],
    ["Petra", "Szűcs", "Szűcs Petra"],
    ["Éva", "Szűcs", "Szűcs Éva"],
    ["Mária", "Kovács-Tóth", "Kovács-Tóth Mária"],
  ])("%s, %s has the family name first: %s", (firstname, lastname, name) => {
    assert.strictEqual(composeName(firstname, lastname), name)
    const parts = nameParts({ name: null, firstname, lastname })
    assert.deepStrictEqual(parts, { name, firstname, lastname })
  })

  it.each([
    ["Ada", "Lovelace", "Ada Lovelace"],
    ["Kim", "Nguyen", "Kim Nguyen"],
    ["Kevin", "Nguyễn", "Kevin Nguyễn"],
    ["Le", "Corbusier", "Le Corbusier"],
    ["Péter", "Müller", "Péter Müller"],
    ["Simon", "Nagy", "Simon Nagy"],
    ["José", "García", "José García"],
    ["Petra", "Simon", "Petra Simon"],
    ["Norbert", "Simon", "Norbert Simon"],
    ["Hanna", "Simon", "Hanna Simon"],
    ["Erika", "Simon", "Erika Simon"],
    ["Vivien", "Simon", "Vivien Simon"],
    ["Hanna", "Duffy", "Hanna Duffy"],
    ["Roland", "Murthy", "Roland Murthy"],
    ["Vera", "Major", "Vera Major"],
    ["Gabriella", "Kun", "Gabriella Kun"],
    ["Léo", "Mai", "Léo Mai"],
    ["Zoé", "Cao", "Zoé Cao"],
    ["Leo", "Nguyễn", "Leo Nguyễn"],
    ["Van", "Mai", "Van Mai"],
    ["Đorđe", "Lukić", "Đorđe Lukić"],
    ["Jack", "马", "Jack 马"],
    ["Ada", "", "Ada"],
    ["", "王", "王"],
  ])("%s, %s has the given name first: %s", (firstname, lastname, name) => {
    assert.strictEqual(composeName(firstname, lastname), name)
  })

  it("is split with the given name as the first name", () => {
    const parts = (name: string) => {
      const { firstname, lastname } = nameParts({ name, firstname: null, lastname: null })
      return [firstname, lastname]
    }
    assert.deepStrictEqual(parts("Nagy László"), ["László", "Nagy"])
    assert.deepStrictEqual(parts("László Nagy"), ["László", "Nagy"])
    assert.deepStrictEqual(parts("Nguyễn Hòa"), ["Hòa", "Nguyễn"])
    assert.deepStrictEqual(parts("Ada Lovelace"), ["Ada", "Lovelace"])
  })
})
