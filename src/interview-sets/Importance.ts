/** How important a requirement is: the ids of cfg_importance_id, their names and their weights in the score (docs/api.md). */

/** One row of the importance table: the configured id, the name shown to people, and the weight in the total. */
export interface Importance {
  readonly id: number
  readonly name: string
  readonly weight: number
}

const goodToHave: Importance = { id: 244, name: "Good To Have", weight: 1 }

/** The importance table, lightest first. The ids are configured identifiers, not a scale. */
export const importances: ReadonlyArray<Importance> = [
  goodToHave,
  { id: 245, name: "Important", weight: 2 },
  { id: 272, name: "Very Important", weight: 3 },
  { id: 273, name: "Must Have", weight: 4 },
]

/** The importance of a configured id. An absent or unknown id means 244, Good To Have; it is never refused. */
export const importanceOf = (id: unknown): Importance =>
  importances.find((importance) => importance.id === id) ?? goodToHave
