import { assert, describe, it as plain, layer as withLayer } from "@effect/vitest"
import { Effect } from "effect"
import { claimsOf, monthOf, rangesOf, unionOf } from "../../../src/evaluations/keyword/facts/Years.ts"
import { wordsOf } from "../../../src/evaluations/keyword/Text.ts"
import { keywordEvaluator } from "../../support/Computation.ts"
import { answer, criterionOf, cv, scoreOf } from "../../support/Keywords.ts"

const today = monthOf(2026, 11)
const dated = (text: string) => unionOf(rangesOf(text, wordsOf(text), today))
const claimed = (text: string) => claimsOf(text, wordsOf(text)).map(({ months }) => months)

describe("dates", () => {
  plain.each([
    ["2016–2021", 60],
    ["2016 - 2021, 2018 to 2023", 84],
    ["2018–2023 and 2016–2021 and 2017–2019", 84],
    ["03/2016 - 05/2021", 63],
    ["01.03.2016 – 31.05.2021", 63],
    ["2016/03 – 2021/05", 63],
    ["2025/01 - present", 22],
    ["2010/11 and 2012/13", 0],
    ["Mar 2016 to May 2021", 63],
    ["März 2016 bis Mai 2021", 63],
    ["MAY 2017 TO CURRENT", 114],
    ["janvier 2020 – aujourd'hui", 82],
    ["since 2018", 106],
    ["seit 2018, depuis 2020, desde 2022", 106],
    ["2030 - 2040", 0],
    ["2021 - 2016", 0],
    ["2014, 2016", 0],
    ["room 2016", 0],
    ["2020 - 2020", 6],
    ["Jan '14 to Dec '20", 84],
    ["’14 – ’20", 72],
  ] as const)("%s: %d months", (text, months) => {
    assert.strictEqual(dated(text), months)
  })

  plain.each([
    ["5+ years", [60]],
    ["three years and 18 months", [36, 18]],
    ["2.5 years", [30]],
    ["3-5 years", [36]],
    ["3 to 5 years", [36]],
    ["drei Jahre, trois ans, tres años, três anos", [36, 36, 36, 36]],
    ["over a decade", [120]],
    ["a dozen years", [144]],
    ["half a dozen years", [72]],
    ["six and a half years", [78]],
    ["30 years old", []],
    ["3 years ago", []],
    ["vor 3 Jahren", []],
    ["years", []],
    ["900 years", []],
  ] as const)("%s: %j months claimed", (text, months) => {
    assert.deepStrictEqual(claimed(text), [...months])
  })
})

withLayer(keywordEvaluator)("facts that a requirement asks for", (it) => {
  it.effect.each([
    ["At least 3 years of Java", "I have worked with Java for four years in a bank.", 7.5, 10],
    ["At least 3 years of Java", "I have worked with Java for one year in a bank.", 2.5, 5],
    ["At least 3 years of Java", "I have worked with Python for 9 years, and one year with Java.", 2.5, 5],
    ["At least 3 years of Java", "Python: 9 years.", 0, 0],
    ["5 years of professional experience", "I have been a baker for 12 years.", 10, 10],
    ["5 years of professional experience", "The company has 20 years of experience.", 0, 0],
    ["5 years of professional experience", "Our team has 30 years of combined experience.", 0, 0],
    ["5 years of professional experience", "I need 5 years for this position.", 0, 0],
    ["5 years of professional experience", "The advert asks for 5 years.", 0, 0],
    ["5 years of professional experience", "Ich war zwölf Jahre lang Bäcker in einer Backstube.", 10, 10],
    ["5 years of professional experience", "Das Unternehmen hat 20 Jahre Erfahrung in der Branche.", 0, 0],
    ["5 years of professional experience", "J'ai travaillé pendant douze ans dans une boulangerie.", 10, 10],
    ["5 years of professional experience", "L'entreprise a 20 ans d'expérience dans le secteur.", 0, 0],
    ["5 years of professional experience", "He trabajado doce años de panadero en una panadería.", 10, 10],
    ["5 years of professional experience", "La empresa tiene 20 años de experiencia en el sector.", 0, 0],
    ["5 years of professional experience", "Trabalhei doze anos como padeiro em uma padaria.", 10, 10],
    ["5 years of professional experience", "A empresa tem 20 anos de experiência com o setor.", 0, 0],
    ["At least 5 years of Java", "I wrote Java for 2 years at a bank and for 3 years at a shop.", 7.5, 10],
    ["At least 5 years of Java", "I wrote Java for 2 years at a bank, then 3 years of Python.", 2.5, 5],
  ] as const)("years: %s, %s", ([title, text, from, to]) =>
    Effect.gen(function* () {
      const score = yield* scoreOf(title, answer(text))
      assert.isTrue(score >= from && score <= to, String(score))
    }),
  )

  it.effect("years of matching jobs are summed without overlap", () =>
    Effect.gen(function* () {
      const jobs = [
        "Welder, Yard Ltd, 2010 – 2013\nWelded pipes and hulls",
        "Baker, Corner Bakery, 2013 – 2020\nBaked bread at night",
        "Welder, Dock Ltd, 2012 – 2015\nWelded tanks in two shifts",
      ].join("\n")
      const { rationale } = yield* criterionOf("6 years of welding", cv(jobs))
      assert.match(rationale, /5 years stated, 6 years required/)
    }),
  )

  it.effect.each([
    ["German B2 or better", "Languages: English (native), German (C1)", 10],
    ["German B2 or better", "Native English speaker, fluent German, basic Spanish", 10],
    ["German B2 or better", "Deutsch: B1, Englisch: C2", 5],
    ["German B2 or better", "German A1, English C2", 2.5],
    ["German B2 or better", "Exports to German customers of machines", 0],
    ["Deutsch auf Niveau C1", "Sprachen: Deutsch (Muttersprache), Englisch (gut)", 10],
    ["Espagnol courant", "Langues : espagnol (langue maternelle), anglais (notions)", 10],
    ["Portuguese, fluent", "Idiomas: português (nativo), inglês (básico)", 10],
    ["English, fluent", "Idiomas: português (nativo), inglês (básico)", 2.5],
    ["German C1", "My German is not C1 yet.", 2.5],
    ["German C1", "My German is far from C1.", 2.5],
    ["English C1", "English C1 is required but I have only B1.", 2.5],
    ["English C1", "The job requires English C1.", 0],
    ["English C1", "My English went from B1 to C1.", 10],
    ["English C1", "Not only C1 but native English.", 10],
  ] as const)("languages: %s, %s", ([title, text, score]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* scoreOf(title, cv(text)), score)
    }),
  )

  it.effect.each([
    ["Master's degree in physics", "M.Sc. Physics, Uppsala, 2012", 10],
    ["Master's degree in physics", "Diplom in Physics, TU Wien 2004", 10],
    ["Master's degree in physics", "PhD in Physics, Porto", 10],
    ["Master's degree in physics", "Bachelor of Science in Physics, Leeds", 5],
    ["Master's degree in physics", "M.A. in History, Leeds", 2.5],
    ["Bachelor's degree", "Licenciatura em História, Porto", 10],
    ["Bachelor's degree", "Skills: MS Office, scrum master", 0],
    ["Bachelor's degree", "I assisted a professor who has a PhD", 0],
    ["Bachelor's degree", "I am a nurse who holds a bachelor's degree", 10],
    ["Bachelor's degree", "I dropped out of a bachelor's degree", 0],
    ["Bachelor's degree", "Bachelor's degree in 2012, then dropped out of a PhD", 10],
    ["Abgeschlossene Ausbildung", "2007 - 2010 Ausbildung zum Koch", 10],
  ] as const)("degrees: %s, %s", ([title, text, score]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* scoreOf(title, cv(text)), score)
    }),
  )

  it.effect.each([
    ["CPA", "Jo, CPA. Auditor", 10],
    ["CPA", "Accountant, preparing for the CPA exam", 2.5],
    ["CPA", "Accountant and auditor", 0],
    ["Registered nurse", "RN since 2012", 10],
    ["Forklift licence", "Staplerschein und Kranschein vorhanden", 10],
    ["Forklift licence", "Forklift broke down in the yard", 0],
    ["Driving licence class C", "Driving licence: CE", 10],
    ["Driving licence class C", "Führerschein Klasse B", 2.5],
    ["Driving licence", "Permis B, voiture", 10],
    ["Driving licence", "I go by train", 0],
    ["Driving licence", "I lost my driving licence in 2020", 0],
    ["Driving licence", "My driving licence was taken away", 0],
    ["Driving licence", "I never lost my driving licence", 10],
    ["Driving licence", "My driving licence was taken away, but I got it back in 2021", 10],
    ["CPA", "I failed the CPA exam in 2019 and passed it in 2020", 10],
    ["CPA", "I failed the CPA exam in 2019", 0],
  ] as const)("certificates and licences: %s, %s", ([title, text, score]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* scoreOf(title, cv(text)), score)
    }),
  )

  it.effect.each([
    ["I led a team of 8 in the workshop and planned its shifts.", 7.5, 10],
    ["Ich hatte die Leitung eines Teams von 12 Technikern in der Werkstatt.", 7.5, 10],
    ["Led six colleagues.", 7.5, 10],
    ["I supervised two interns in the summer months.", 2.5, 2.5],
    ["I served 40 customers a day in the workshop.", 0, 0],
  ] as const)("people led: %s", ([text, from, to]) =>
    Effect.gen(function* () {
      const score = yield* scoreOf("Managed at least 5 people", answer(text))
      assert.isTrue(score >= from && score <= to, String(score))
    }),
  )

  it.effect("a sentence that states the required fact counts, a bare copy of the requirement does not", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* scoreOf("Forklift licence", answer("I have a forklift licence.")), 10)
      assert.strictEqual(yield* scoreOf("Forklift licence", answer("Forklift licence")), 0)
      assert.strictEqual(yield* scoreOf("German B2 or better", answer("My German is B2.")), 10)
      assert.strictEqual(yield* scoreOf("German B2 or better", answer("German B2 or better")), 0)
    }),
  )
})
