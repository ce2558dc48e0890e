/** Hiring systems that order interviews through a connector; the customer writes no code. */
import { Schema } from "effect"

export const HiringSystem = Schema.Literals(["greenhouse", "ashby", "kombo", "workable"])
export type HiringSystem = typeof HiringSystem.Type

export const systemNames: Readonly<Record<HiringSystem, string>> = {
  greenhouse: "Greenhouse",
  ashby: "Ashby",
  kombo: "Kombo",
  workable: "Workable",
}
