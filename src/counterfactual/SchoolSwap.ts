/** Replaces names of universities and schools. */
import type { Replacement } from "./Replacement.ts"

export type Renown = "known" | "unknown"

/** Names that fit after "University of" and before "University". */
const replacing: Readonly<Record<Renown, ReadonlyArray<string>>> = {
  known: ["Oxford", "Heidelberg", "Toronto", "Cambridge", "Bologna", "Uppsala"],
  unknown: ["Ilorin", "Rajshahi", "Oradea", "Huddersfield", "Teramo", "Mindanao"],
}

const word = String.raw`\p{Lu}[\p{L}\p{M}’'-]{1,30}`
const proper = `${word}(?: ${word}){0,3}`
const blank = "[ \u00a0]"
const subject =
  "Applied Sciences?|Technology|Science|Sciences|Arts|Art|Music|Economics|Education|Nursing|Medicine|Business|Engineering|Law|Design|Angewandte Wissenschaften|Technik|Wirtschaft"

/** "University of Leeds", "Universidad de Sevilla", "TU Delft", "Lycée Voltaire". */
const before = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:Technical${blank}|Technische${blank}|Freie${blank})?(?:University|Universität|Universidad|Universidade|Université|Hochschule|Fachhochschule|Institute|Instituto|Institut|Academy|College|Gymnasium|Lycée|École|Escuela|Escola|Realschule|Gesamtschule)(?:${blank}(?:of|for|für|de|en)${blank}(?:${subject}))?(?:(?:,)?${blank}(?:of|de|da|do|d'|zu|in|the|la|at))*${blank}|(?:TU|FH|HS|TH|HTW|HAW|Uni)${blank})(?<name>(?!(?:${subject})(?!\p{L}))${proper})`,
  "gu",
)

const level =
  "High|Senior|Secondary|Primary|Elementary|Grammar|Middle|Comprehensive|Community|State|Medical|Business|Technical|Technological|Graduate|Law|Nursing|Girls['’]?|Boys['’]?"

/** "Humboldt University", "Lincoln High School". */
const after = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?<name>(?!(?:${level}|The|At|In|From|My|Our)${blank})${word}(?: (?!(?:${level})${blank})${word}){0,3})(?=(?:${blank}(?:${level})){0,3}${blank}(?:University|College|School|Academy|Polytechnic|Institute of Technology)(?!\p{L}))`,
  "gu",
)

/** That are written alone. */
const alone =
  /(?<![\p{L}\p{N}.-])(?<name>Harvard|Stanford|Yale|Princeton|Cornell|Berkeley|Caltech|MIT|UCLA|NYU|LSE|UCL|EPFL|RWTH|LMU|TUM|HEC|INSEAD|ESSEC|Sorbonne|Charité|Howard|Spelman|Morehouse)(?![\p{L}\p{N}.-]|['’ ](?:[Ll]icen[sc]e|style|architecture))/gu

interface FoundSchool {
  readonly start: number
  readonly end: number
  readonly name: string
  readonly isAlone: boolean
}

const generic =
  /^(?:University|College|School|High|The|A|An|My|Our|Students?|Department|Faculty|Master|Bachelor|Night|Summer|Driving|Language|Medical|Law|Business|Art|Music|Online|Old|New|This|That|At|In)$/

const schoolsIn = (text: string): ReadonlyArray<FoundSchool> => {
  const found: Array<FoundSchool> = []
  const isFree = (start: number, end: number) => !found.some((one) => one.start < end && start < one.end)
  for (const pattern of [before, after, alone]) {
    for (const match of text.matchAll(pattern)) {
      const name = match.groups?.["name"] ?? ""
      const start = match.index + match[0].lastIndexOf(name)
      const end = start + name.length
      if (name === "" || generic.test(name) || !isFree(start, end)) continue
      found.push({ start, end, name, isAlone: pattern === alone })
    }
  }
  return found.toSorted((one, other) => one.start - other.start)
}

/** Whether a text names a school. */
export const namesSchool = (text: string): boolean => schoolsIn(text).length > 0

/** The replacements of each text. A school has the same replacement in all texts; those beyond the list stay. */
export const schoolReplacements = (
  texts: ReadonlyArray<string>,
  renown: Renown,
): ReadonlyArray<ReadonlyArray<Replacement>> => {
  const found = texts.map(schoolsIn)
  const names = [...new Set(found.flat().map(({ name }) => name))]
  const free = replacing[renown].filter((name) => !names.includes(name))
  return found.map((schools) =>
    schools.flatMap(({ end, isAlone, name, start }): ReadonlyArray<Replacement> => {
      const other = free[names.indexOf(name)]
      return other === undefined ? [] : [{ start, end, text: isAlone ? `${other} University` : other }]
    }),
  )
}
