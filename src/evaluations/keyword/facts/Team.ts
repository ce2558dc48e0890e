/** Finds the number of people led: "led a team of 8", "Leitung eines Teams von 6". */
import { holdsAny, soonBefore } from "../Nearby.ts"
import type { Word } from "../Text.ts"
import { words as wordSet } from "../WordLists.ts"
import { numberOf } from "./Years.ts"

const groups = wordSet(
  "team teams brigade crew crews staff group department equipe equipo equipa mannschaft kolonne gruppe abteilung",
)
const ofWords = wordSet("of von mit de with")
const vague = wordSet("up to over about around more than least at mehr als bis zu rund plus de mas mais")
const leads = wordSet(
  "led lead leads leading run runs running ran managed manage manages managing supervised supervise supervises supervising headed head directed oversaw oversee coached leadership manager supervisor leader foreman",
  "leitung leite leitete geleitet fuehrte gefuehrt fuehrung dirige encadre encadrais dirigi dirigia lidere liderei coordine coordenei",
)
const people = wordSet(
  "people persons employees colleagues staff representatives clerks operatives reports members interns juniors reps agents associates cooks nurses engineers technicians volunteers trainees apprentices mitarbeiter mitarbeitern personen leuten leute elektrikern elektriker kollegen personnes personas pessoas salaries empleados colaboradores men women",
)
const notPeople = wordSet(
  "customers orders quarters papers computers servers numbers partners suppliers users offers letters containers others vendors dollars consumers",
)

const isPeople = (word: string): boolean =>
  people.has(word) || (/(?:ers|ors|ists|ants|icians)$/.test(word) && !notPeople.has(word))

/** "Team lead of six". */
const isTeamLead = (words: ReadonlyArray<Word>, at: number): boolean =>
  leads.has(words[at]?.folded ?? "") && groups.has(words[at - 1]?.folded ?? "")

export const teamOf = (words: ReadonlyArray<Word>): number | null => {
  let best: number | null = null
  for (let at = 0; at < words.length; at += 1) {
    const number = numberOf(words[at]?.folded)
    if (number === null || number > 500) continue
    let before = at - 1
    while (before > 0 && vague.has(words[before]?.folded ?? "") && !ofWords.has(words[before]?.folded ?? ""))
      before -= 1
    const isGroup =
      ofWords.has(words[before]?.folded ?? "") &&
      (groups.has(words[before - 1]?.folded ?? "") || isTeamLead(words, before - 1))
    const isCounted = [1, 2, 3].some((after) => isPeople(words[at + after]?.folded ?? ""))
    if ((isGroup || isCounted) && soonBefore(words, at, 8, leads)) best = Math.max(best ?? 0, number)
  }
  return best
}

export const leadsPeople = (words: ReadonlyArray<Word>): boolean => holdsAny(words, leads)
