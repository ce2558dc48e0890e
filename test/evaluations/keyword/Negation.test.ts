import { assert, describe, layer as withLayer } from "@effect/vitest"
import { Effect } from "effect"
import { keywordEvaluator } from "../../support/Computation.ts"
import { answer, criterionOf, cv, inputOf, requirement, resultOf, scoreOf } from "../../support/Keywords.ts"

withLayer(keywordEvaluator)("experience that is denied, wished for, or of other people", (it) => {
  it.effect.each([
    "I have no experience with SAP in a warehouse or an office.",
    "I have never used SAP in a warehouse or an office.",
    "I haven't worked with SAP in a warehouse or an office.",
    "I don't know SAP from warehouses or offices.",
    "I am not familiar with SAP from warehouses or offices.",
    "I would like to learn SAP in a warehouse or an office.",
    "My brother works with SAP in a warehouse near our office.",
    "SAP was handled by another team in the warehouse and the office.",
    "In our warehouse somebody who knows SAP books the goods for the office.",
    "Ich habe keine Erfahrung mit SAP im Lager oder im Büro.",
    "Ich habe noch nie mit SAP im Lager oder im Büro gearbeitet.",
    "Mit SAP habe ich im Lager und im Büro nicht gearbeitet.",
    "SAP kenne ich aus dem Lager und aus dem Büro nicht.",
    "Je n'ai jamais utilisé SAP dans un entrepôt ou un bureau.",
    "Je n'ai pas travaillé avec SAP dans un entrepôt ou un bureau.",
    "Je n'ai aucune expérience de SAP dans un entrepôt ou un bureau.",
    "No tengo experiencia con SAP en el almacén o en la oficina.",
    "Nunca he usado SAP en el almacén o en la oficina.",
    "Não tenho experiência com SAP no armazém ou no escritório.",
    "Nunca usei SAP no armazém ou no escritório.",
  ])("earns nothing: %s", (text) =>
    Effect.gen(function* () {
      const { evidence, rationale, score } = yield* criterionOf("SAP", answer(text), null)
      assert.strictEqual(score, 0)
      assert.match(rationale, /denies/)
      assert.deepStrictEqual(
        evidence.map(({ quote }) => quote),
        [text],
      )
    }),
  )

  it.effect.each([
    "I have used SAP in a warehouse for goods that never arrived.",
    "I never missed a delivery while I posted goods in SAP.",
    "I have never used Oracle, but I posted goods receipts in SAP.",
    "Not only did I use SAP for goods receipts, I taught it to two colleagues.",
    "Ich habe mit SAP Wareneingänge gebucht, damit nichts liegen blieb.",
    "Ich habe nicht nur SAP im Lager genutzt, sondern auch Kollegen geschult.",
    "J'ai saisi les livraisons dans SAP, ce que je ne faisais pas avant à la main.",
    "He usado SAP en el almacén durante tres años sin errores.",
    "Usei SAP no armazém durante três anos sem erros.",
    "At first I had no experience, but within weeks I posted every delivery of the warehouse in SAP.",
    "Am Anfang hatte ich keine Erfahrung, aber bald habe ich jede Lieferung in SAP gebucht.",
  ])("is counted: %s", (text) =>
    Effect.gen(function* () {
      assert.isAtLeast(yield* scoreOf("SAP", answer(text), null), 5)
    }),
  )

  const posted = "I posted the goods receipts of a warehouse in SAP for three years. "

  it.effect.each(["Actually, I made that up.", "Just kidding.", "None of this happened.", "That is not true."])(
    "a story that is taken back earns nothing: %s",
    (retraction) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* scoreOf("SAP", answer(posted + retraction), null), 0)
      }),
  )

  it.effect.each([
    "I made it up to the customer.",
    "This never happened again.",
    "That was not true of the new office.",
  ])("takes nothing back: %s", (text) =>
    Effect.gen(function* () {
      assert.isAtLeast(yield* scoreOf("SAP", answer(posted + text), null), 5)
    }),
  )

  it.effect.each([
    ["Payroll", "You will run the payroll of 400 employees and answer their questions.", "en"],
    ["Lohnabrechnung", "Sie übernehmen die Lohnabrechnung für 400 Mitarbeiter und die Meldungen.", "de"],
  ] as const)("a CV's sentence about the reader is an advertisement: %s, %s", ([title, text, language]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* scoreOf(title, cv(text), language), 0)
      assert.isAtLeast(yield* scoreOf(title, answer(text), language), 5)
    }),
  )

  describe("languages", () => {
    it.effect("warns if nothing was found in text whose language was not recognized", () =>
      Effect.gen(function* () {
        const vietnamese =
          "Toi da giai quyet khieu nai cua khach hang trong ba nam tai mot cong ty lon o Ha Noi va lam viec voi nhieu nguoi."
        const { warnings } = yield* resultOf(inputOf([requirement("SAP")], [answer(vietnamese)]))
        assert.deepStrictEqual(
          (warnings ?? []).map(({ code }) => code),
          ["language_not_supported"],
        )
      }),
    )

    it.effect.each([
      "Tôi đã làm việc với SAP trong kho hàng bốn năm và quản lý đội mười người.",
      "私は倉庫でSAPを四年間使い、十人のチームを率いました。",
      "Я четыре года работал с SAP на складе и руководил командой из десяти человек.",
      "Ho lavorato per quattro anni con SAP nel magazzino e ho gestito una squadra di dieci persone.",
    ])("cannot evaluate: %s", (text) =>
      Effect.gen(function* () {
        const { criteria, score, score_status, summary } = yield* resultOf(
          inputOf([requirement("SAP")], [answer(text)], null),
        )
        assert.strictEqual(score_status, "cannot_evaluate")
        assert.isNull(score)
        assert.match(criteria[0]?.rationale ?? "", /language of the text is not supported/)
        assert.match(summary, /language of the text is not supported/)
      }),
    )

    it.effect("does not report a gap for text in an unsupported language", () =>
      Effect.gen(function* () {
        const vietnamese = "Tôi đã làm kế toán bốn năm và lập báo cáo tài chính cho công ty."
        const english = "I posted goods receipts in SAP and counted the stock of the warehouse."
        const { criteria, summary } = yield* resultOf(
          inputOf(
            [requirement("SAP", null, "sap"), requirement("Accounting", null, "accounting")],
            [answer(english, "one"), answer(vietnamese, "two")],
          ),
        )
        assert.deepStrictEqual(
          criteria.map(({ score_status }) => score_status),
          ["scored", "cannot_evaluate"],
        )
        assert.match(summary, /was not read/)
      }),
    )

    it.effect("compares known names across languages, and says where words cannot be compared", () =>
      Effect.gen(function* () {
        const text = answer(
          "Ich habe sechs Jahre in der Buchhaltung eines Möbelhauses gearbeitet und die Abschlüsse erstellt.",
        )
        assert.isAtLeast(yield* scoreOf("Accounting", text), 5)
        const other = yield* criterionOf("Taking the minutes at the board's gatherings in the evening", text)
        assert.strictEqual(other.score_status, "cannot_evaluate")
        assert.match(other.rationale, /requirement is in English and the text in German/)
      }),
    )

    it.effect("adds a line to the summary when text and requirements are in different languages", () =>
      Effect.gen(function* () {
        const german = "Ich habe sechs Jahre in der Buchhaltung eines Möbelhauses gearbeitet."
        const english = "I worked in the accounting of a furniture shop for six years."
        const remark = "\nText in German was compared with requirements in English: matches may have been missed."
        const wanted = requirement("Accounting", null, "accounting")
        const mixed = yield* resultOf(inputOf([wanted], [answer(english, "one"), answer(german, "two")]))
        assert.isTrue(mixed.summary.endsWith(remark))
        assert.notInclude((yield* resultOf(inputOf([wanted], [answer(english)]))).summary, "\n")
      }),
    )
  })
})
