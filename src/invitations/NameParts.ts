/** First and last name of a candidate, for {{firstname}} and {{lastname}} of a message. */
import { type CandidateFields, fullName } from "../candidates/Candidate.ts"
import { isFamilyFirst } from "../candidates/NameOrder.ts"

/** Lower case, without the dot. */
const titles = new Set(
  "dr drs doc prof professor mr mrs ms miss mx sir dame lady lord rev fr sr sra srta don doña herr frau hr dipl ing mag lic msc bsc phd mba md jr junior senior esq m mme mlle mgr sig dott avv".split(
    " ",
  ),
)

const particles = new Set(
  "van von vom zu zum zur der den de del della delle dello degli di da das do dos du des la le les lo los las el al bin ibn ben bint abu ter ten te af av y e und and et &".split(
    " ",
  ),
)

const companies = new Set(
  "gmbh ag kg ug ohg se inc ltd llc llp plc corp co sa sas sarl srl spa bv nv ab as oy aps kft doo team group company recruiting recruitment hr support sales office info admin jobs careers bewerbung personal".split(
    " ",
  ),
)

const apostrophes = "'\u2019"

/** In Han, Hangul and Japanese scripts, the words of a name do not show which is the family name. */
const isWordOfName = (word: string): boolean =>
  new RegExp(`^\\p{L}[\\p{L}\\p{M}${apostrophes}-]*$`, "u").test(word) &&
  !/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)

const isInitial = (word: string): boolean => [...word.normalize("NFC")].length < 2

/** In capitals: a company's name or a family name (LOVELACE Ada). False for scripts without capitals. */
const isAllCapitals = (word: string): boolean => word === word.toUpperCase() && word !== word.toLowerCase()

const isPlain = (word: string): boolean => {
  const lower = word.toLowerCase()
  return (
    isWordOfName(word) &&
    !isInitial(word) &&
    !isAllCapitals(word) &&
    !titles.has(lower) &&
    !particles.has(lower) &&
    !companies.has(lower)
  )
}

/**
 * Splits a full name of exactly two plain words. Undefined for any other name: a comma, digits, a title, an initial, a
 * particle, a company's ending or a word in capitals. Emails greet with the full name rather than with a wrong first name.
 */
export const splitName = (name: string): { readonly firstname: string; readonly lastname: string } | undefined => {
  const [firstname = "", lastname = "", ...more] = name.trim().split(/\s+/u)
  if (more.length > 0 || !isPlain(firstname) || !isPlain(lastname)) return undefined
  return isFamilyFirst(lastname, firstname) && !isFamilyFirst(firstname, lastname)
    ? { firstname: lastname, lastname: firstname }
    : { firstname, lastname }
}

/** The given parts, else those of the full name if it can be split, else the full name and no last name. All are empty without a name. */
export const nameParts = (candidate: Pick<CandidateFields, "name" | "firstname" | "lastname">) => {
  const name = fullName(candidate)
  const given = { firstname: candidate.firstname?.trim() ?? "", lastname: candidate.lastname?.trim() ?? "" }
  // with one part given, the other would be a guess that may repeat it
  const split = given.firstname === "" && given.lastname === "" ? splitName(candidate.name ?? "") : undefined
  return {
    name,
    firstname: given.firstname || split?.firstname || name,
    lastname: given.lastname || split?.lastname || "",
  }
}
