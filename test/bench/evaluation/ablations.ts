/**
 * Evaluators by keywords, each with one part off. A part is turned off by replacing a piece of its source while Node.js
 * loads a second copy of the modules, so the product has no switches.
 */
import { registerHooks } from "node:module"
import { Effect, Layer } from "effect"
import { Evaluator } from "../../../src/evaluations/Evaluator.ts"
import { monthOf } from "../../../src/evaluations/keyword/facts/Years.ts"

interface Ablation {
  readonly part: string
  /** In src/evaluations/keyword. */
  readonly file: string
  readonly from: string
  readonly to: string
}

export const ablations: ReadonlyArray<Ablation> = [
  {
    part: "lexicon",
    file: "Text.ts",
    from: "if (name === undefined || (length === 1",
    to: "if (name !== undefined || name === undefined || (length === 1",
  },
  {
    part: "irregular forms",
    file: "WordLists.ts",
    from: "bases[language].get(word) ?? word",
    to: "word",
  },
  {
    part: "negation",
    file: "Negation.ts",
    from: "if (denied.length === 0) return words",
    to: "if (denied.length >= 0) return words",
  },
  {
    part: "hedges in a sentence",
    file: "Sentence.ts",
    from: "1 / (1 + 0.3 * qualifyingIn(words))",
    to: "1 + 0 * qualifyingIn(words)",
  },
  {
    part: "hedges in an answer",
    file: "Sentence.ts",
    from: 'source === "cv" ? 1 : answerCertaintyOf(said)',
    to: 'source === "cv" ? 1 : 1 + 0 * answerCertaintyOf(said)',
  },
  {
    part: "worth of a sentence",
    file: "Coverage.ts",
    from: "if (isList && !isDated) return worthNamed",
    to: "if (content.size >= 0) return worthDone",
  },
  {
    part: "weight of a title",
    file: "RequirementPart.ts",
    from: "title: 1.5,",
    to: "title: 1.01,",
  },
  {
    part: "title as the subject",
    file: "Coverage.ts",
    from: "Math.max(floor, capped)",
    to: "Math.max(0 * floor, capped)",
  },
  {
    part: "common words",
    file: "RequirementPart.ts",
    from: "const commonWeight = 0.35",
    to: "const commonWeight = 1",
  },
  {
    part: "chance matches",
    file: "Coverage.ts",
    from: "const minShare = 0.1",
    to: "const minShare = 0",
  },
  {
    part: "maximum of short evidence",
    file: "Coverage.ts",
    from: "const maxShort = 0.75",
    to: "const maxShort = 1",
  },
  {
    part: "further answers count less",
    file: "Coverage.ts",
    from: "const answerDecay = 0.5",
    to: "const answerDecay = 1",
  },
  {
    part: "people led, languages, licences, degrees",
    file: "Comparison.ts",
    from: "...teamOf(part, all),\n  ...languagesOf(part, all, written),\n  ...classesOf(part, all),\n  ...licencesOf(part, all),\n  ...degreeOf(part, all, occurrences),",
    to: "",
  },
  {
    part: "factual questions",
    file: "Statement.ts",
    from: 'if (question === null || !asksFact.test(question) || asksExperience.test(question)) return "story"',
    to: 'if (question === null || question !== null) return "story"',
  },
  {
    part: "words of the question",
    file: "Statement.ts",
    from: "const inQuestion = 0.35",
    to: "const inQuestion = 0.99",
  },
  {
    part: "copies",
    file: "Repetition.ts",
    from: "const words = new Set(content)\n",
    to: "const words = new Set(content)\n    if (words.size >= 0) return false\n",
  },
  {
    part: "pasted lines",
    file: "Sentence.ts",
    from: "const isNear = repeated.slice(",
    to: "const isNear = false && repeated.slice(",
  },
  {
    part: "orders to the evaluator",
    file: "Sentence.ts",
    from: 'isOrder(quote) ? "addressed"',
    to: 'isOrder(quote) && quote === "" ? "addressed"',
  },
  {
    part: "homonyms",
    file: "Text.ts",
    from: "!homonyms.has(folded) ||",
    to: "homonyms.has(folded) || !homonyms.has(folded) ||",
  },
]

const folder = "/src/evaluations/keyword/"
const key = "without"

/** Loads `file?without=<index>` and the modules of the same folder that it imports, with the replaced source. */
const hooks = () => {
  const used = new Set<string>()
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      const index = context.parentURL === undefined ? null : new URL(context.parentURL).searchParams.get(key)
      const isOurs = index !== null && found.url.includes(folder) && !found.url.includes("?")
      return isOurs ? { ...found, url: `${found.url}?${key}=${index}` } : found
    },
    load: (url, context, next) => {
      const loaded = next(url, context)
      const index = url.includes(folder) ? new URL(url).searchParams.get(key) : null
      const ablation = index === null ? undefined : ablations[Number(index)]
      if (ablation === undefined || !url.includes(`/${ablation.file}?`)) return loaded
      const source = String(loaded.source)
      if (!source.includes(ablation.from)) throw new Error(`${ablation.file} has no ${ablation.from}`)
      used.add(ablation.part)
      return { ...loaded, source: source.replace(ablation.from, ablation.to) }
    },
  })
  return used
}

const root = new URL(`../../../src/evaluations/keyword/RateByKeywords.ts`, import.meta.url).href

/** Each part's name, with an evaluator that lacks it. */
export const evaluatorsWithout = Effect.gen(function* () {
  const used = hooks()
  return yield* Effect.forEach(ablations, ({ part }, index) =>
    Effect.gen(function* () {
      const { rateByKeywords }: typeof import("../../../src/evaluations/keyword/RateByKeywords.ts") =
        yield* Effect.promise(() => import(`${root}?${key}=${index}`))
      if (!used.has(part)) yield* Effect.die(`the part was not turned off: ${part}`)
      const layer = Layer.succeed(
        Evaluator,
        Evaluator.of({ evaluate: (input) => Effect.sync(() => rateByKeywords(input, monthOf(2026, 11), null)) }),
      )
      return { part, layer }
    }),
  )
})
