/** Which sentences have to do with which part of a requirement, found by the words that they share. */
import type { Demand, Profile } from "./demand.ts"
import type { Sentence } from "./sentences.ts"

/** A sentence and the groups of a demand that it names, denied or not, as indices. */
export interface Match {
  readonly sentence: Sentence
  readonly said: ReadonlyArray<number>
  readonly affirmed: ReadonlyArray<number>
}

interface Place {
  readonly demand: Demand
  readonly group: number
}

/** By key, where it is looked for. */
const placesOf = (profiles: ReadonlyArray<Profile>): ReadonlyMap<string, ReadonlyArray<Place>> => {
  const places = new Map<string, Array<Place>>()
  for (const demand of profiles.flatMap(({ demands }) => demands)) {
    for (const [group, { keys }] of demand.groups.entries()) {
      for (const key of keys) {
        const known = places.get(key)
        if (known === undefined) places.set(key, [{ demand, group }])
        else known.push({ demand, group })
      }
    }
  }
  return places
}

/** The sentences that name anything of each demand, in the order of the sentences. */
export const matchesOf = (
  profiles: ReadonlyArray<Profile>,
  sentences: ReadonlyArray<Sentence>,
): ReadonlyMap<Demand, ReadonlyArray<Match>> => {
  const places = placesOf(profiles)
  const matches = new Map<Demand, Array<Match>>()
  for (const sentence of sentences) {
    const found = new Map<Demand, { said: Set<number>; affirmed: Set<number> }>()
    for (const key of sentence.said) {
      for (const { demand, group } of places.get(key) ?? []) {
        const one = found.get(demand) ?? { said: new Set(), affirmed: new Set() }
        one.said.add(group)
        if (sentence.affirmed.has(key)) one.affirmed.add(group)
        found.set(demand, one)
      }
    }
    for (const [demand, { affirmed, said }] of found) {
      const match = { sentence, said: [...said], affirmed: [...affirmed] }
      const known = matches.get(demand)
      if (known === undefined) matches.set(demand, [match])
      else known.push(match)
    }
  }
  return matches
}
