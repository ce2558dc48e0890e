import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { swapLabel } from "../../src/counterfactual/pages/SwapLabels.ts"
import { swapped, swaps } from "../../src/counterfactual/Swap.ts"
import type { EvaluationRequirement } from "../../src/evaluations/Evaluation.ts"
import type { Person } from "../../src/evaluations/Redaction.ts"
import { redact } from "../../src/evaluations/Redaction.ts"
import { answer, cv, inputOf, requirement } from "../support/Keywords.ts"

const ana: Person = { name: "Ana Kovačević", firstname: "Ana", lastname: "Kovačević", phone: null }

const partOf = (
  text: string,
  person: Person = ana,
  requirements: ReadonlyArray<EvaluationRequirement> = [requirement("Nursing", null)],
  language = "en",
) => ({ input: { ...inputOf(requirements, [cv(text)]), language }, person })

const swapText = (
  id: string,
  text: string,
  person?: Person,
  language?: string,
  requirements?: ReadonlyArray<EvaluationRequirement>,
) => swapped(id, [partOf(text, person, requirements, language)], 2026)?.parts[0]?.input.sources[0]?.text ?? text

const names = (name: string, firstname: string | null = null, lastname: string | null = null): Person => ({
  name,
  firstname,
  lastname,
  phone: null,
})

describe("a swap of names", () => {
  it.each([
    ["Ana Kovačević\nNurse", "Lakisha Washington\nNurse"],
    ["ANA KOVAČEVIĆ", "LAKISHA WASHINGTON"],
    ["Kovačević, Ana", "Washington, Lakisha"],
    ["A. Kovacevic wrote this", "L. Washington wrote this"],
    ["My name is ana and I work", "My name is lakisha and I work"],
    ["Ana’s colleagues say: Ana!", "Lakisha’s colleagues say: Lakisha!"],
    ["ana.kovacevic@example.org", "lakisha.washington@example.org"],
    ["https://linkedin.com/in/anakovacevic", "https://linkedin.com/in/lakishawashington"],
    ["Ana\u0301s and banana", "Ana\u0301s and banana"],
    ["Anabel and Kovač", "Anabel and Kovač"],
  ])("%j becomes %j", (text, expected) => {
    assert.strictEqual(swapText("lakisha_washington", text), expected)
  })

  it("gives each part of a longer name one replacement", () => {
    const person = names("Mary-Kate O’Sullivan")
    assert.strictEqual(swapText("jamal_washington", "Mary-Kate O’Sullivan, Cork", person), "Jamal Washington, Cork")
    const three = names("Kamala Devi Sharma", "Kamala Devi", "Sharma")
    assert.strictEqual(swapText("jamal_washington", "Kamala Devi Sharma. Kamala", three), "Jamal Washington. Jamal")
    const vietnamese = names("Nguyễn Thị Hương")
    assert.strictEqual(swapText("emily_krueger", "Nguyễn Thị Hương", vietnamese), "Krueger Emily")
    assert.strictEqual(swapText("emily_krueger", "王小明 nurse", names("王小明", "小明", "王")), "Emily Krueger nurse")
    assert.strictEqual(swapText("emily_krueger", "Ludwig van der Berg", names("Ludwig van der Berg")), "Emily Krueger")
  })

  it("leaves everyday words and words of requirements that stand alone, which may not be the name", () => {
    const will = names("Will Smith", "Will", "Smith")
    assert.strictEqual(
      swapText("jorge_hernandez", "Will Smith\nWill this work? I will. My name is Will.", will),
      "Jorge Hernandez\nWill this work? I will. My name is Jorge.",
    )
    const ruby = names("Ruby Weber", "Ruby", "Weber")
    assert.strictEqual(
      swapText("jorge_hernandez", "Ruby Weber: I write Ruby daily.", ruby, "en", [requirement("Ruby", null)]),
      "Jorge Hernandez: I write Ruby daily.",
    )
  })

  it("renames the person in the fields that the person has, so that the new name is redacted", () => {
    const [part] = swapped("mehmet_yilmaz", [partOf("I am Ana Kovačević, mehmet's friend.")], 2026)?.parts ?? []
    assert.deepStrictEqual(part?.person, {
      name: "Mehmet Yılmaz",
      firstname: "Mehmet",
      lastname: "Yılmaz",
      phone: null,
    })
    if (part !== undefined)
      assert.strictEqual(redact(part.input, part.person).sources[0]?.text, "I am ██████ ███████ ██████'s friend.")
    const [one] = swapped("mehmet_yilmaz", [partOf("I am Ana.", names("Ana"))], 2026)?.parts ?? []
    assert.deepStrictEqual(one?.person, { name: "Mehmet", firstname: null, lastname: null, phone: null })
  })
})

describe("a swap of pronouns and gendered words", () => {
  it.each([
    [
      "male",
      "en",
      "Mrs B. did not want her tea. I raised her bed and stayed with her until he came.",
      "Mr B. did not want his tea. I raised his bed and stayed with him until he came.",
    ],
    [
      "male",
      "en",
      "The idea was hers. HER idea. She did it herself.",
      "The idea was his. HIS idea. He did it himself.",
    ],
    [
      "female",
      "en",
      "He told him that his sons were waiters; a friend of his.",
      "She told her that her daughters were waitresses; a friend of hers.",
    ],
    [
      "male",
      "en",
      "Waitress, later saleswoman; on maternity leave. I worked on the maternity ward.",
      "Waiter, later salesman; on paternity leave. I worked on the maternity ward.",
    ],
    ["male", "en", "I miss it. Miss Jones", "I miss it. Mr Jones"],
    [
      "female",
      "de",
      "Als Krankenpfleger und Teamleiter half er dem Verkäufer. Der Koch, ein Kollege.",
      "Als Krankenschwester und Teamleiterin half sie der Verkäuferin. Die Köchin, eine Kollegin.",
    ],
    [
      "male",
      "de",
      "Frau Müller ist eine Frau, die Altenpflegerinnen und Ärztinnen kennt.",
      "Herr Müller ist ein Mann, die Altenpfleger und Ärzte kennt.",
    ],
    [
      "female",
      "fr",
      "M. Petit, un serveur, et les vendeurs. Il est né à Lyon.",
      "Mme Petit, une serveuse, et les vendeuses. Il est née à Lyon.",
    ],
    [
      "male",
      "fr",
      "Mme Petit est la directrice. Elle forme les infirmières.",
      "M. Petit est le directeur. Il forme les infirmiers.",
    ],
    [
      "female",
      "es",
      "El camarero habló con los enfermeros; él es vendedor.",
      "La camarera habló con las enfermeras; ella es vendedora.",
    ],
    ["male", "pt", "A enfermeira e a professora; ela é formada.", "O enfermeiro e o professor; ele é formado."],
  ])("to %s, %s: %j", (sex, language, text, expected) => {
    assert.strictEqual(swapText(sex, text, ana, language), expected)
  })

  it("keeps the candidate's name", () => {
    assert.strictEqual(swapText("female", "King Guy Man, a man", names("Guy Man")), "King Guy Man, a man")
  })
})

describe("a swap of places", () => {
  it("gives each place one replacement in all texts, in the text's language", () => {
    const parts = [
      partOf("I studied in Zagreb, Croatia, then in New York City and zagreb."),
      {
        input: {
          ...inputOf([], [answer("Ich kam aus Kroatien nach Berlin und habe in ZAGREB gelernt.")]),
          language: "de",
        },
        person: ana,
      },
    ]
    assert.deepStrictEqual(
      swapped("south", parts, 2026)?.parts.map(({ input }) => input.sources[0]?.text),
      [
        "I studied in Ibadan, Nigeria, then in Chittagong and zagreb.",
        "Ich kam aus Bangladesch nach Kinshasa und habe in IBADAN gelernt.",
      ],
    )
  })

  it("finds no place in names and in everyday words", () => {
    for (const text of ["I worked at essen and in the reading room.", "UKulele and Parisian", "Vienna’s"])
      assert.strictEqual(swapText("north", text, names("Vienna Paris")), text)
  })
})

describe("a swap of ages", () => {
  it.each([
    ["older", "Born 12.03.1990 in Zagreb", "Born 12.03.1975 in Zagreb"],
    ["older", "I am 34 years old.", "I am 49 years old."],
    ["younger", "I am 34 years old.", "I am 26 years old."],
    ["older", "B.Sc. Nursing, University of Zagreb, 2008-2011", "B.Sc. Nursing, University of Zagreb, 1993-1996"],
    [
      "older",
      "I graduated in 2014 and worked at Alpha since 2015.",
      "I graduated in 1999 and worked at Alpha since 2015.",
    ],
    [
      "older",
      "Education\n2012 - 2014 Zagreb\nExperience\n2014 - 2019 Alpha AG",
      "Education\n1997 - 1999 Zagreb\nExperience\n2014 - 2019 Alpha AG",
    ],
    ["younger", "Abitur 2021", "Abitur 2026"],
    ["younger", "Abitur 2024", "Abitur 2024"],
    ["older", "Worked with Postgres 2017 for 12 years", "Worked with Postgres 2017 for 12 years"],
    ["older", "Bachelor expected 2027", "Bachelor expected 2027"],
  ])("%s: %j", (direction, text, expected) => {
    assert.strictEqual(swapText(direction, text), expected)
  })
})

describe("a swap of schools", () => {
  it.each([
    ["known", "M.Sc., University of Zagreb; TU Delft", "M.Sc., University of Oxford; TU Heidelberg"],
    [
      "unknown",
      "Humboldt University, Lincoln High School, Harvard",
      "Ilorin University, Rajshahi High School, Oradea University",
    ],
    ["unknown", "Universidad de Sevilla y Université de Lyon", "Universidad de Ilorin y Université de Rajshahi"],
    [
      "known",
      "University of Applied Sciences. High School diploma. MIT License",
      "University of Applied Sciences. High School diploma. MIT License",
    ],
    ["known", "My school in Zagreb", "My school in Zagreb"],
  ])("%s: %j", (renown, text, expected) => {
    assert.strictEqual(swapText(renown, text), expected)
  })
})

/** Pieces of texts with hints of all kinds, and others. */
const pieces = [
  "Ana Kovačević",
  "ana",
  "KOVAČEVIĆ",
  "she",
  "his",
  "Waiter",
  "Berlin",
  "Deutschland",
  "born 1990",
  "Bachelor 2012",
  "University of Zagreb",
  "35 years old",
  "\n",
  " ",
  ". ",
  ", ",
  "🙂",
  "e\u0301",
  "\u00ad",
  "worked 2015–2019",
  "Linh Nguyen",
]

describe("every swap", () => {
  const Pieces = Schema.Array(Schema.Literals(pieces)).check(Schema.isMaxLength(20))
  const Ids = Schema.Literals(swaps.map(({ id }) => id))

  it("has a label", () => {
    assert.deepStrictEqual(
      swaps.filter(({ id }) => swapLabel(id) === id),
      [],
    )
  })

  it.prop("changes its replacements only, the same way each time", [Pieces, Ids], ([some, id]) => {
    const text = some.join(" ")
    const once = swapText(id, text)
    assert.strictEqual(swapText(id, text), once)
    // what is not a letter or digit stays
    const others = (one: string) => one.replaceAll(/[\p{L}\p{N}\p{M}]+/gu, "")
    assert.strictEqual(others(once).replaceAll(" ", ""), others(text).replaceAll(" ", ""))
  })

  it.prop("changes nothing in the text that it made", [Pieces, Schema.Literals(["female", "male"])], ([some, sex]) => {
    const once = swapText(sex, some.join(" "))
    assert.strictEqual(swapText(sex, once), once)
  })

  it.prop("leaves no name of the candidate", [Pieces], ([some]) => {
    const after = swapText("jake_krueger", some.join(" "))
    assert.notMatch(after, /\bana\b|kovačević/iu)
  })

  // more than linear time would take minutes
  it.each([
    "Ana Kovačević ",
    "her ",
    "New ",
    "University of ",
    "A University ",
    "Bachelor 2012 ",
    "of of of ",
    "2012 ",
    "a@a.",
    "A ",
    "\n",
  ])("reads 200,000 characters of %j", (piece) => {
    const text = piece.repeat(200_000 / piece.length)
    for (const { id } of swaps) swapped(id, [partOf(text)], 2026)
  })
})
