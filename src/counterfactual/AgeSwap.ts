/** Moves years of birth and of education, and stated ages, so that the candidate is older or younger. Years of work stay. */
import type { Replacement } from "./Replacement.ts"

export type AgeDirection = "older" | "younger"

/** In years. */
export const ageShifts: Readonly<Record<AgeDirection, number>> = { older: 15, younger: 8 }

/** A smaller move would not change the impression. */
const minShift = 3
const minAge = 20
const maxAge = 75

const birth =
  /(?<!\p{L})(?:born|date of birth|dob|geboren|geburtsdatum|geburtsjahr|geb\.|née?|naissance|nacid[oa]|nacimiento|nascid[oa]|nascimento)(?!\p{L})/giu

const education =
  /(?<!\p{L})(?:graduat\p{L}*|degrees?|diploma|bachelor\p{L}*|master(?:['’]?s)?(?= (?:of|in|degree)\b)|b\.?sc|m\.?sc|b\.?eng|m\.?eng|ph\.?d|mba|universit\p{L}*|college|high school|secondary school|school|abitur|studium|studier\p{L}*|studied|studies|\p{L}*hochschule|gymnasium|ausbildung|diplom|schulabschluss|apprenticeship|baccalauréat|bac|licence|diplôm\p{L}*|école|lycée|études|universidad\p{L}*|licenciad\p{L}*|licenciatura|bachillerato|título|estudi\p{L}*|formação|estud\p{L}*|mestrado|class of|qualified as)(?!\p{L})/giu

const work =
  /(?<!\p{L})(?:work\p{L}*|employ\p{L}*|job|position|career|joined|since|experience|promoted|led|managed|teacher|lecturer|professor|researcher|engineer|developer|manager|assistant|officer|consultant|analyst|intern|lehrer\p{L}*|enseignante?|profesora?|professora?|arbeit\p{L}*|tätig|seit|angestellt|travaill\p{L}*|depuis|emploi|poste|trabaj\p{L}*|desde|empleo|trabalh\p{L}*|emprego)(?!\p{L})/giu

const educationHeading =
  /^\W*(?:education(?: and training)?|academic background|qualifications?|studies|ausbildung|bildung|bildungsweg|schulbildung|studium|formation|études|formación(?: académica)?|educación|estudios|formação(?: académica| acadêmica)?|educação)\W*$/iu
const otherHeading =
  /^\W*(?:(?:work |professional )?experience|employment(?: history)?|career|skills|languages|projects|interests|hobbies|references|summary|profile|berufserfahrung|beruf|werdegang|kenntnisse|sprachen|projekte|expériences?(?: professionnelles?)?|compétences|langues|experiencia(?: laboral| profesional)?|idiomas|habilidades|experiência(?: profissional)?|competências)\W*$/iu

/** Ongoing, or planned. */
const open =
  /(?<!\p{L})(?:present|now|today|current\p{L}*|expected|heute|jetzt|laufend|voraussichtlich|présent|actualidad|actualmente|presente|atual\p{L}*)(?!\p{L})/iu

const year = /(?<!\d)(?:19[4-9]\d|20[0-4]\d)(?![\d%€$])/g

const ages: ReadonlyArray<RegExp> = [
  /(?<!\d)(\d\d)(?= years old| year old|-year-old| jahre alt)/giu,
  /(?<=(?:\baged|\bage:?|\balter:?|\bj['’]ai|\btengo|\btenho|\bedad:?|\bidade:?|\bâge ?:?) )(\d\d)(?= (?:ans|años|anos)(?! d)|\s*(?:[.,;\n)]|$))/giu,
]

const placesOf = (text: string, pattern: RegExp): ReadonlyArray<number> =>
  [...text.matchAll(pattern)].map(({ index }) => index)

/** A word after the year counts as twice as far: "graduated in 2014 and worked". */
const nearest = (places: ReadonlyArray<number>, at: number): number =>
  places.reduce((least, place) => Math.min(least, place < at ? at - place : 2 * (place - at)), Number.POSITIVE_INFINITY)

interface FoundNumber {
  readonly start: number
  readonly end: number
  readonly value: number
  readonly kind: "birth" | "education" | "age"
}

interface Segment {
  readonly start: number
  readonly text: string
  readonly isUnderEducation: boolean
}

/** Lines, and sentences within lines. */
const segmentsOf = (text: string): ReadonlyArray<Segment> => {
  const found: Array<Segment> = []
  let isUnderEducation = false
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    if (educationHeading.test(line)) isUnderEducation = true
    else if (otherHeading.test(line)) isUnderEducation = false
    for (const piece of line.matchAll(/(?:[^.;!?]|[.;!?](?!\s)){1,1000}/g))
      found.push({ start: index + piece.index, text: piece[0], isUnderEducation })
  }
  return found
}

const numbersIn = (text: string): ReadonlyArray<FoundNumber> => {
  const found: Array<FoundNumber> = []
  for (const segment of segmentsOf(text)) {
    const births = placesOf(segment.text, birth)
    const educations = placesOf(segment.text, education)
    const works = placesOf(segment.text, work)
    const isOpen = open.test(segment.text)
    for (const { 0: written, index } of segment.text.matchAll(year)) {
      const toEducation = educations.length > 0 ? nearest(educations, index) : segment.isUnderEducation ? 200 : null
      const toWork = nearest(works, index)
      const kind =
        births.length > 0 && nearest(births, index) <= Math.min(toEducation ?? 60, toWork, 60)
          ? "birth"
          : toEducation !== null && toEducation <= toWork && !isOpen
            ? "education"
            : null
      if (kind !== null)
        found.push({ start: segment.start + index, end: segment.start + index + 4, value: Number(written), kind })
    }
  }
  for (const pattern of ages) {
    for (const { 0: written, index } of text.matchAll(pattern))
      found.push({ start: index, end: index + written.length, value: Number(written), kind: "age" })
  }
  return found
}

/** How many years later the numbers may become; the candidate stays an adult, and nothing is in the future. */
const room = ({ kind, value }: FoundNumber, thisYear: number): number =>
  kind === "education" ? thisYear - value : kind === "birth" ? thisYear - minAge - value : value - minAge

/** The replacements of each text, by one number of years for all; none if the candidate can hardly be made younger. */
export const ageReplacements = (
  texts: ReadonlyArray<string>,
  direction: AgeDirection,
  thisYear: number,
): ReadonlyArray<ReadonlyArray<Replacement>> => {
  const found = texts.map((text) => numbersIn(text).filter(({ kind, value }) => kind !== "age" || value < maxAge))
  const isOlder = direction === "older"
  // years of the future are planned ones
  const past = found.map((numbers) => numbers.filter(({ kind, value }) => kind === "age" || value <= thisYear))
  const shift = Math.min(ageShifts[direction], ...(isOlder ? [] : past.flat().map((one) => room(one, thisYear))))
  if (shift < minShift) return texts.map(() => [])
  return past.map((numbers) =>
    numbers.map(({ end, kind, start, value }) => ({
      start,
      end,
      text: String(value + ((kind === "age") === isOlder ? shift : -shift)),
    })),
  )
}

/** Whether a requirement asks for years, an age or a time of graduation. */
export const asksForYears = (text: string): boolean =>
  /(?<!\d)(?:19[4-9]\d|20[0-4]\d)(?!\d)|(?<!\p{L})(?:years?|yrs|aged?|graduat\p{L}*|recent|jahre?n?|alter|ans|années?|années|âge|años?|edad|anos?|idade)(?!\p{L})/iu.test(
    text,
  )
