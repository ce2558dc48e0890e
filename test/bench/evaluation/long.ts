/** A job description as requirements, with long CVs that fit, fit in part, or do not fit. */

interface LongRequirement {
  readonly title: string | null
  readonly content: string | null
}

export interface LongCase {
  readonly name: string
  readonly job: ReadonlyArray<LongRequirement>
  readonly fit: string
  readonly potential: string | null
  readonly none: ReadonlyArray<string>
}
