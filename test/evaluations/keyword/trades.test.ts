/** How people of several trades describe what a requirement asks for. */
import { assert, describe, it, layer as withLayer } from "@effect/vitest"
import { Effect } from "effect"
import { sentencesOf } from "../../../src/evaluations/keyword/Text.ts"
import { keywordEvaluator } from "../../support/Computation.ts"
import { cv, scoreOf } from "../../support/Keywords.ts"

withLayer(keywordEvaluator)("a requirement in the words of a trade", (it) => {
  it.effect.each([
    ["HGV licence category C+E", "Driving licence C+E, held since 2012, no points.", "en", 10],
    ["HGV licence category C+E", "Driving licence B, held since 2012.", "en", 2.5],
    ["Driver CPC", "CPC card valid to 2028.", "en", 10],
    ["Leading a kitchen team of 6 or more", "Run a brigade of nine cooks and two porters.", "en", 5],
    ["3+ years of React and TypeScript", "Jul 2021 - Present: moved 140 screens to React 18 with TS.", "en", 7.5],
    ["Customer service", "Handled 60 customer calls a day for a bank and solved complaints at once", "en", 5],
    ["Customer service", "Handled the complaints of guests at the till every evening", "en", 5],
    ["Event management", "Organised events with up to 3,000 visitors in four cities, from venue to catering", "en", 5],
    ["Erfahrung in der Wundversorgung", "Verbandwechsel und Versorgung chronischer Wunden bei 32 Bewohnern", "de", 5],
    ["Schichtdienst", "Pflege von 32 Bewohnern auf zwei Wohnbereichen im Spätdienst und Nachtdienst", "de", 5],
  ] as const)("%s <- %s", ([asked, text, language, score]) =>
    Effect.gen(function* () {
      const found = yield* scoreOf(asked, cv(text), language)
      if (score < 5) assert.isAtMost(found, score)
      else assert.isAtLeast(found, score)
    }),
  )

  it.effect("a stated language level counts, not a bare mention", () =>
    Effect.gen(function* () {
      const text = "Skills: German, French, closing, pipeline\nGerman: beginner (A1)."
      assert.isAtMost(yield* scoreOf("Fluent German (C1)", cv(text)), 2.5)
    }),
  )
})

describe("a long line of a CV", () => {
  it("ends before a date or label", () => {
    const line = "Pflegeplanung und Dokumentation in Vivendi, Anleitung von vielen Auszubildenden"
    for (const next of ["09/2009 – 03/2015 Pflegehelferin in Kassel", "Sonstiges: Führerschein Klasse B"])
      assert.deepStrictEqual(sentencesOf(`${line}\n${next}`), [line, next])
  })
})
