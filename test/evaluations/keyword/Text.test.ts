import { assert, describe, it } from "@effect/vitest"
import { quoteLength } from "../../../src/evaluations/Evaluation.ts"
import { contentOf, fold, mentionsIn, sentencesOf, wordsOf } from "../../../src/evaluations/keyword/Text.ts"
import { stem, stemIn } from "../../../src/evaluations/keyword/WordLists.ts"

describe("words", () => {
  it.each([
    "manage managed managing management manages",
    "communicate communication communicating",
    "optimise optimize optimization optimisation",
    "migrate migrations migrating migrated",
    "plan planning planned",
    "query queries queried",
    "scale scaling scalable scalability",
    "deploy deployment deployments",
    "iterate iteration iterative",
  ])("have one stem: %s", (forms) => {
    assert.strictEqual(new Set(forms.split(" ").map(stem)).size, 1)
  })

  it.each([
    ["lead led leading", "en"],
    ["write wrote written writing", "en"],
    ["large larger largest", "en"],
    ["decide decided decision", "en"],
    ["produce produced production", "en"],
    ["schreiben schreibt schrieb geschrieben", "de"],
    ["fahren fährt fuhr gefahren", "de"],
    ["vend vendre vendu", "fr"],
    ["escribir escribo escrito", "es"],
    ["fazer fiz feito", "pt"],
  ] as const)("have one stem with irregular forms: %s", (forms, language) => {
    assert.strictEqual(new Set(forms.split(" ").map((form) => stemIn(fold(form), language))).size, 1)
  })

  it("have no soft hyphens and other invisible characters", () => {
    assert.deepStrictEqual(
      wordsOf("up\u00adset call\u200bers").map(({ folded }) => folded),
      ["upset", "callers"],
    )
  })

  it("are whole when a line break divides them, unlike words with a hyphen", () => {
    assert.deepStrictEqual(
      wordsOf("manage-\nment of part-time and E-\r\nMail").map(({ folded }) => folded),
      ["management", "of", "part", "time", "and", "e", "mail"],
    )
  })

  it.each(["java javascript", "custom customer", "server service", "string spring bring", "word work"])(
    "have different stems: %s",
    (different) => {
      const words = different.split(" ")
      assert.strictEqual(new Set(words.map(stem)).size, words.length)
    },
  )

  const namesIn = (text: string) => new Set(mentionsIn(wordsOf(text)).map(({ name }) => name))
  const contentIn = (text: string) => [...contentOf(wordsOf(text), "en")]
  it.each([
    ["Postgres psql PostgreSQL", "postgresql"],
    ["k8s Kubernetes", "kubernetes"],
    ["JS JavaScript ECMAScript", "javascript"],
    ["Node.js NodeJS node", "node"],
    ["C# C-sharp", "csharp"],
    ["C++ cpp", "cplusplus"],
    ["Amazon Web Services AWS", "aws"],
    [".NET, ASP.NET", "dotnet"],
    ["machine learning, ML", "machine_learning"],
    ["ＡＰＩ APIs", "api"],
  ])("mean the same: %s", (text, name) => {
    assert.isTrue(namesIn(text).has(name))
  })

  it("have one key with and without accents, and with ä as ae", () => {
    assert.deepStrictEqual(contentIn("résumé resume"), ["resum"])
    assert.strictEqual(fold("Prüfungsgröße"), fold("Pruefungsgroesse"))
  })

  it("distinguish the languages Go, C and R from verbs and initials", () => {
    assert.isTrue(namesIn("I write Go, C and R").has("golang"))
    assert.deepStrictEqual(contentIn("I write Go, C and R"), ["writ", "golang", "c", "r"])
    assert.deepStrictEqual(contentIn("I go to c"), [])
    assert.isFalse(namesIn("Go home").has("golang"))
  })
})

describe("sentencesOf", () => {
  it("does not split names and abbreviations with a dot", () => {
    assert.deepStrictEqual(sentencesOf("I used C#, .NET and Node.js. Also queues, e.g. Kafka!\n• One item\r\n- Two"), [
      "I used C#, .NET and Node.js.",
      "Also queues, e.g. Kafka!",
      "One item",
      "Two",
    ])
  })

  it("cuts a long sentence at blanks", () => {
    const pieces = sentencesOf("word ".repeat(200))
    assert.isAbove(pieces.length, 1)
    for (const piece of pieces) assert.isTrue(piece.length <= quoteLength && piece.endsWith("word"))
  })
})
