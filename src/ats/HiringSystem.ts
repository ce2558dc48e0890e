/** Hiring systems that order interviews through a connector; the customer writes no code. */
import { Schema } from "effect"

/** Names by id. A new system is a line here, a line in Connectors.ts, and its connector. */
export const systemNames = {
  greenhouse: "Greenhouse",
  ashby: "Ashby",
  kombo: "Kombo",
  workable: "Workable",
  teamtailor: "Teamtailor",
  recruitee: "Recruitee",
  hibob: "HiBob",
} as const

export type HiringSystem = keyof typeof systemNames

const isHiringSystem = (name: string): name is HiringSystem => Object.hasOwn(systemNames, name)

export const HiringSystem = Schema.Literals(Object.keys(systemNames).filter(isHiringSystem))

/** All names, as in "Greenhouse, Ashby and Kombo". */
export const namesOfAll: string = new Intl.ListFormat("en-GB").format(Object.values(systemNames))
