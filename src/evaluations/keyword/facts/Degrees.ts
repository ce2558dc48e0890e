/** Finds degrees as comparable ranks, by names and abbreviations in five languages. */
import { abandonment } from "../lexicon/claims.ts"
import type { Word } from "../Text.ts"

export type Rank = 1 | 2 | 3 | 4 | 5 | 6

const rankNames: Readonly<Record<Rank, string>> = {
  1: "school certificate",
  2: "vocational training",
  3: "associate degree",
  4: "bachelor's degree",
  5: "master's degree",
  6: "doctorate",
}

export const nameOfRank = (rank: Rank): string => rankNames[rank]

/** Matched against folded words; BA and similar abbreviations keep their capitals. */
const patterns: ReadonlyArray<readonly [Rank, RegExp]> = [
  [
    6,
    / (?:phd|ph d|doctorate|doctoral degree|doctor of|doktorat|promoviert|promotion zum|doctorat|doctorado|doutoramento|doutorado|dphil) /,
  ],
  [
    5,
    / (?:masters?(?= (?:of|in|degree|degrees|program|programme|science|arts|thesis|studium|or|level|s) )|masterabschluss|masterstudium|msc|m sc|m a(?= in)|m s(?= in)|MA|MS|mba|executive mba|meng|m eng|mtech|m tech|mres|mphil|llm|diplom|dipl ing|diplomingenieur|diplom ingenieur|dipl kfm|magister|mestrado|maestria|master en|mastere|staatsexamen|juris doctor|j d|diplome d ingenieur|postgraduate degree) /,
  ],
  [
    4,
    / (?:bachelors?|bsc|b sc|b a|b s|BA|BS|BE|b e|beng|b eng|bba|btech|b tech|bcom|b com|bsn|llb|licenciatura|licenciado|licenciada|licence (?:de|en|professionnelle)|grado en|graduacao|undergraduate degree|university degree|college degree|universitaetsabschluss|hochschulabschluss|hochschulstudium|abgeschlossenes studium|diplome universitaire|titulo universitario|graduated from university|engineering degree) /,
  ],
  [
    3,
    / (?:associates?(?= (?:of|in|degree))|foundation degree|hnd|hnc|bts|dut|staatlich gepruefter techniker|fachwirt|higher national|technologist diploma) /,
  ],
  [
    2,
    / (?:apprenticeship|apprentice(?= (?:in|as))|ausbildung|berufsausbildung|gesellenbrief|gesellenpruefung|facharbeiter|vocational|lehre als|apprentissage|cap|bep|bac pro|aprendizaje|formacion profesional|ciclo formativo|curso tecnico|journeyman|(?<!school )diploma|nvq|trade school|level 3) /,
  ],
  [
    1,
    / (?:high school|ged|abitur|fachabitur|realschulabschluss|mittlere reife|baccalaureat|bachillerato|ensino medio|gcse|a levels|secondary school certificate) /,
  ],
]

const abbreviation = /^(?:BA|BS|MA|MS|BE)$/
const offices = /^(?:office|word|excel|access|project|teams|windows|outlook|powerpoint|sql|visio|dynamics|azure)$/

/** `pause` stands before each word after a pause. */
const joinedOf = (words: ReadonlyArray<Word>, pause = ""): string => {
  const isShouted = !words.some(({ raw }) => /\p{Ll}/u.test(raw))
  const isAbbreviation = (raw: string, next: string) =>
    abbreviation.test(raw) && !offices.test(next) && (!isShouted || /^(?:in|of|degree)$/.test(next))
  const written = words.map(({ folded, pause: isAfterPause, raw }, at) => {
    const kept = isAbbreviation(raw, words[at + 1]?.folded ?? "") ? raw : folded
    return (isAfterPause ? pause : "") + (kept === "master" && /s$/i.test(raw) ? "masters" : kept)
  })
  return ` ${written.join(" ")} `
}

const ranksIn = (joined: string): ReadonlyArray<Rank> => {
  const ranks = patterns.filter(([, pattern]) => pattern.test(joined)).map(([rank]) => rank)
  return ranks.length === 0 && / degree (?:in|from) /.test(joined) ? [4] : ranks
}

/** Returns the ranks named, highest first. */
export const ranksOf = (words: ReadonlyArray<Word>): ReadonlyArray<Rank> => ranksIn(joinedOf(words))

const generic = / (?:degree|studium|diplome|titulo|university graduate|college graduate|hochschule) /

export const requiredRank = (words: ReadonlyArray<Word>): Rank | null => {
  const ranks = ranksOf(words)
  const lowest = ranks.at(-1)
  if (lowest !== undefined) return lowest
  return generic.test(joinedOf(words)) ? 4 : null
}

export const allowsEquivalent = (words: ReadonlyArray<Word>): boolean =>
  / (?:or (?:an )?equivalent|equivalent experience|oder vergleichbar|oder gleichwertig|ou equivalent|o equivalente|ou equivalente) /.test(
    joinedOf(words),
  )

export const isUnfinished = (words: ReadonlyArray<Word>): boolean =>
  / (?:expected|pursuing|preparing|studying|in progress|candidate for|working towards|working toward|enrolled|angestrebt|laufend|en cours|en curso|em curso|cursando) /.test(
    joinedOf(words),
  )

const clauseStart = / (?=(?:,(?! (?:who|whose|der|die|qui|quien|que|quem) )|and|und|et|y|e|but|aber|then) )/
/** Of another person: "for a manager who holds a PhD". */
const ofOther =
  / (?:with|for|by|my|our|under|hired|supervised|assisted|helped|mit|fuer|von|mein|meine|avec|pour|mon|ma|con|para|mi|com|meu|minha) (?=(?:.* )?(?:who(?:se)?|, (?:der|die|qui|quien|que|quem)) ).*/
const ofSelf = / (?:am|i'm|bin|suis|soy|sou) /

/** Ranks of the candidate's own finished degrees, highest first. Skips clauses such as "dropped out of a PhD". */
export const ownRanksOf = (words: ReadonlyArray<Word>): ReadonlyArray<Rank> => {
  const clauses = joinedOf(words, ", ")
    .split(clauseStart)
    .map((clause) => ` ${clause} `)
    .filter((clause) => !abandonment.test(clause))
    .map((clause) => (ofSelf.test(clause) ? clause : clause.replace(ofOther, " ")))
  return ranksIn(clauses.join("").replaceAll(" ,", "").replaceAll("  ", " "))
}
