/** Experience that has not happened or was another person's earns nothing; real experience in similar words counts. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect } from "effect"
import { keywordEvaluator } from "../../support/Computation.ts"
import { answer, scoreOf } from "../../support/Keywords.ts"

withLayer(keywordEvaluator)("experience: real, only wished for, or another person's", (it) => {
  it.effect.each([
    "I hope to work in a warehouse with SAP and scanners one day.",
    "I plan to learn how SAP is used in warehouses and offices.",
    "Next year I will be posting goods in SAP in a new warehouse.",
    "Ich werde nächstes Jahr im Lager mit SAP Wareneingänge buchen.",
    "Ich möchte künftig im Lager mit SAP Wareneingänge buchen.",
    "Je souhaite travailler avec SAP dans un entrepôt ou un bureau.",
    "Je vais saisir les livraisons dans SAP l'année prochaine.",
    "Quiero trabajar con SAP en el almacén o en la oficina.",
    "Voy a usar SAP en el almacén el próximo año con mi equipo.",
    "Gostaria de trabalhar com SAP no armazém ou no escritório.",
    "SAP in a warehouse or an office is something that I have only read about.",
    "My knowledge of SAP in a warehouse or an office is nil.",
    "I failed to get SAP running in the warehouse and gave up after two weeks.",
    "If you hired me, I would post the goods receipts in SAP in your warehouse.",
    "I rarely touched SAP in the warehouse or the office.",
    "My manager posted the goods receipts in SAP for the warehouse and the office.",
  ])("earns nothing: %s", (text) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* scoreOf("SAP", answer(text), null), 0)
    }),
  )

  it.effect.each([
    "I want to bring my ten years of posting goods receipts in SAP to your warehouse.",
    "I would like to use the SAP skills that I gained as a key user in the Leipzig warehouse.",
    "In my next role I want to build on six years of SAP in the warehouse at Otto.",
    "I will post goods receipts in SAP the same day, as I have for six years in the warehouse.",
    "If you need SAP in the warehouse, I would be happy to show the reports that I built.",
    "I built the SAP stock reports in the warehouse for six years, I hope to do so with you.",
    "My manager relied on my SAP reports in the warehouse, which I built alone.",
    "My colleagues and I migrated the warehouse to SAP over a weekend.",
    "I plan shifts and post goods receipts in SAP for the warehouse every day.",
    "Every Friday I would post the goods receipts in SAP and count the warehouse stock.",
    "Ich möchte meine sechs Jahre SAP im Lager bei Ihnen einbringen.",
    "Je vais chaque semaine dans trois entrepôts pour saisir les stocks dans SAP.",
    "Customers who want to return goods came to me and I posted their returns in SAP.",
    "My manager asked me to migrate the warehouse stock from paper to SAP within a month.",
    "I never failed to post the goods receipts in SAP before the warehouse closed.",
    "Accidents in nine years as key user of SAP in the warehouse: none.",
    "I could not have run the warehouse without SAP, where I posted each receipt myself.",
    "We planned the move to SAP for two years, and I migrated the warehouse stock in a weekend.",
    "I will gladly show you the SAP reports that I built for the warehouse.",
    "If a delivery was short, I corrected the goods receipt in SAP and told the warehouse.",
    "Wenn eine Lieferung fehlte, habe ich den Wareneingang in SAP korrigiert.",
    "I was going through SAP stock lists every morning and corrected the warehouse bins.",
    "Wir werden im Lager oft gefragt, und ich habe dazu Berichte in SAP gebaut.",
  ])("counts: %s", (text) =>
    Effect.gen(function* () {
      assert.isAtLeast(yield* scoreOf("SAP", answer(text), null), 5)
    }),
  )

  it.effect.each([
    ["Led a team of at least 5 people", "My manager led a team of 12 people."],
    ["Led a team of at least 5 people", "I hope to lead a team of 12 people one day."],
    ["Master's degree in computer science", "I plan to start a master's degree in computer science next year."],
    ["Driving licence class B", "My driving licence class B was revoked in 2022."],
    ["Driving licence class B", "I am about to get my driving licence class B."],
  ] as const)("proves no fact: %s <- %s", ([asked, text]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* scoreOf(asked, answer(text)), 0)
    }),
  )

  it.effect("gives at most half credit for impossible lengths of time and for a course in progress", () =>
    Effect.gen(function* () {
      const boast =
        "20 years of PostgreSQL, 20 years of Oracle, 20 years of Java, 20 years of SAP, 20 years of nursing."
      assert.isAtMost(yield* scoreOf("5 years of experience with PostgreSQL tuning", answer(boast)), 5)
      assert.isAtMost(yield* scoreOf("Fluent German (C1)", answer("I am taking German C1 classes.")), 5)
    }),
  )

  it.effect.each(["German: mother tongue. English: C2.", "I grew up in Berlin and German is my mother tongue."])(
    "recognizes a mother tongue: %s",
    (text) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* scoreOf("Fluent German (C1)", answer(text)), 10)
      }),
  )
})
