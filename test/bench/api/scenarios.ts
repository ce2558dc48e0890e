/** Scenarios: one API operation, its number of connections, and the rows that each request writes. */
import type { Request } from "../support/load.ts"
import type { Account } from "./accounts.ts"
import { interviewSet, invite } from "./bodies.ts"

export const tables = [
  "interview_set",
  "question",
  "requirement",
  "candidate",
  "submission",
  "invitation",
  "email",
] as const
export type Table = (typeof tables)[number]

export interface Scenario {
  readonly name: string
  readonly connections: number
  /** Candidates in one request; 0 in other operations. */
  readonly candidates: number
  readonly request: (account: Account) => Request
  readonly status: number
  /** Rows that one request writes. */
  readonly writes: Partial<Record<Table, number>>
}

const base = "/company/integration"

const post = ({ key }: Account, path: string, body: string): Request => ({
  method: "POST",
  path: base + path,
  headers: { "x-api-key": key, "content-type": "application/json" },
  body,
})

const setBody = JSON.stringify(interviewSet)

export const createSet: Scenario = {
  name: "create set",
  connections: 16,
  candidates: 0,
  request: (account) => post(account, "/interview/set/v1", setBody),
  status: 201,
  writes: { interview_set: 1, question: 10, requirement: 10 },
}

const inviting = (candidates: number, connections: number): Scenario => ({
  name: `invite ${candidates.toLocaleString("en")}`,
  connections,
  candidates,
  request: (account) =>
    post(account, "/interview/candidate/invite/v1", JSON.stringify(invite(account.interviewSetId, candidates))),
  status: 200,
  writes: { candidate: candidates, submission: candidates, invitation: candidates, email: candidates },
})

const pick = <A>(items: ReadonlyArray<A>): A | undefined => items[Math.floor(Math.random() * items.length)]

export const readSubmission: Scenario = {
  name: "submission detail",
  connections: 16,
  candidates: 0,
  request: ({ key, submissionIds }) => ({
    method: "GET",
    path: `${base}/hiring/submissions/${pick(submissionIds)}/detail/v1`,
    headers: { "x-api-key": key },
  }),
  status: 200,
  writes: {},
}

export const invite1 = inviting(1, 16)
export const invite100 = inviting(100, 4)
export const invite1000 = inviting(1000, 2)

/** Large invitations come first, so that every server is warm before the shortest requests, those of one candidate. */
export const scenarios: ReadonlyArray<Scenario> = [createSet, invite1000, invite100, invite1, readSubmission]

/** Each connection uses its own account. */
export const accountsNeeded = Math.max(...scenarios.map(({ connections }) => connections))
