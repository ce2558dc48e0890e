/** Importance of a requirement, and its weight in the score (docs/api.md). */

export interface Importance {
  readonly id: number
  readonly name: string
  readonly weight: number
}

const goodToHave: Importance = { id: 244, name: "Good To Have", weight: 1 }

/** Lightest first. */
export const importances: ReadonlyArray<Importance> = [
  goodToHave,
  { id: 245, name: "Important", weight: 2 },
  { id: 272, name: "Very Important", weight: 3 },
  { id: 273, name: "Must Have", weight: 4 },
]

export const importanceOf = (id: unknown): Importance =>
  importances.find((importance) => importance.id === id) ?? goodToHave

/** The order of requirements on pages: most important first; equally important ones keep their order, that of the set. */
export const byImportance = <A extends { readonly cfg_importance_id: unknown }>(
  requirements: ReadonlyArray<A>,
): ReadonlyArray<A> =>
  requirements.toSorted(
    (one, other) => importanceOf(other.cfg_importance_id).weight - importanceOf(one.cfg_importance_id).weight,
  )
