/** What an invite request says about its candidates before anything is looked up. Pure. */
import { Result } from "effect"
import { foldAddress } from "../values/EmailAddress.ts"
import { type AllowedNetworks, checkUrl } from "../values/OutboundAddress.ts"
import type { FieldError } from "../values/Problem.ts"
import type { CandidateEntry, InviteRequest } from "./InviteRequest.ts"

/** A candidate entry with blank fields as null, and a link that can be fetched or why it can not. */
export interface Entry {
  readonly ats_candidate_id: string | null
  readonly email: string | null
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  /** The link as it was given. */
  readonly givenLink: string | null
  /** The link when it may be fetched. */
  readonly cv_link: string | null
  readonly cvFault: string | undefined
}

const present = (text: string | null | undefined) => (text == null || text.trim() === "" ? null : text.trim())

/** Reads an entry; the link must be https and public, or in an allowed network. */
export const read = (entry: CandidateEntry, allowed: AllowedNetworks): Entry => {
  const link = present(entry.cv_link)
  const cvFault =
    link === null
      ? undefined
      : Result.match(checkUrl(link, allowed), { onSuccess: () => undefined, onFailure: ({ reason }) => reason })
  return {
    ats_candidate_id: entry.ats_candidate_id?.toLowerCase() ?? null,
    email: present(entry.email),
    name: present(entry.name),
    firstname: present(entry.firstname),
    lastname: present(entry.lastname),
    givenLink: entry.cv_link ?? null,
    cv_link: cvFault === undefined ? link : null,
    cvFault,
  }
}

const listed = (request: unknown): ReadonlyArray<unknown> => {
  const candidates = field(request, "candidates")
  return Array.isArray(candidates) ? candidates : []
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Reflect.get(value, name) : undefined

/** Neither text nor anything else that the schema would refuse. */
const isEmpty = (value: unknown): boolean => value == null || (typeof value === "string" && value.trim() === "")

/**
 * The faults of a request that need more than one field and no lookup: who is invited to what, that each entry has
 * enough to go on, that nobody is listed twice. Takes any JSON and leaves to the schema what the schema says.
 */
export const ruleErrors = (request: unknown, maxCandidates: number): ReadonlyArray<FieldError> => {
  const faults: Array<FieldError> = []
  if (field(request, "com_interview_set_id") == null && field(request, "com_project_id") == null) {
    const message = "com_interview_set_id or com_project_id is required"
    faults.push({ pointer: "#/com_interview_set_id", code: "required", message })
  }
  const entries = listed(request)
  if (entries.length === 0 && Array.isArray(field(request, "candidates"))) {
    faults.push({ pointer: "#/candidates", code: "too_few", message: "must have at least 1 candidate" })
  }
  if (entries.length > maxCandidates) {
    const message = `must have at most ${maxCandidates} candidates`
    return [...faults, { pointer: "#/candidates", code: "too_many", message }]
  }
  const seen = new Set<string>()
  entries.forEach((entry, i) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return
    const given = field(entry, "ats_candidate_id")
    const ats = typeof given === "string" ? given.toLowerCase() : undefined
    if (ats !== undefined && seen.has(ats)) {
      const message = "must be unique within the request"
      faults.push({ pointer: `#/candidates/${i}/ats_candidate_id`, code: "duplicate", message })
    }
    if (ats !== undefined) seen.add(ats)
    if (isEmpty(field(entry, "email")) && isEmpty(field(entry, "cv_link"))) {
      faults.push({ pointer: `#/candidates/${i}/email`, code: "required", message: "email or cv_link is required" })
    }
  })
  return faults
}

/** A CV set evaluates CVs: an entry without one lacks the data for the flow. */
export const missingCvs = (request: InviteRequest): ReadonlyArray<FieldError> =>
  request.candidates.flatMap((entry, i) =>
    present(entry.cv_link) === null
      ? [{ pointer: `#/candidates/${i}/cv_link`, code: "required", message: "is required for a CV set" }]
      : [],
  )

const fill = (first: Entry, other: Entry): Entry => ({
  ...first,
  email: first.email ?? other.email,
  name: first.name ?? other.name,
  firstname: first.firstname ?? other.firstname,
  lastname: first.lastname ?? other.lastname,
  cv_link: first.cv_link ?? other.cv_link,
})

/**
 * The people behind the entries, each once: `persons[indexOf[i]]` is the person of entry i; an entry that leaves nothing
 * to do (no CV that can be fetched, and no address or, with `cvOnly`, nobody asked to answer) has none. An entry is the
 * same person as another by ats_candidate_id, else by address (any case), else by CV link. The first entry's data wins,
 * the others fill what it leaves empty.
 */
export const personsOf = (entries: ReadonlyArray<Entry>, cvOnly: boolean) => {
  const persons: Array<Entry> = []
  const byKey = new Map<string, number>()
  const keysOf = (entry: Entry): ReadonlyArray<string> => [
    ...(entry.ats_candidate_id === null ? [] : [`ats ${entry.ats_candidate_id}`]),
    ...(entry.email === null ? [] : [`email ${foldAddress(entry.email)}`]),
    ...(entry.ats_candidate_id === null && entry.email === null && entry.cv_link !== null
      ? [`cv ${entry.cv_link}`]
      : []),
  ]
  const index = (entry: Entry): number | undefined => {
    const keys = keysOf(entry)
    const [identity] = keys
    if (identity === undefined || (entry.cv_link === null && (cvOnly || entry.email === null))) return undefined
    const known = byKey.get(identity)
    const first = known === undefined ? undefined : persons[known]
    if (known !== undefined && first !== undefined) {
      persons[known] = fill(first, entry)
      return known
    }
    const position = persons.push(entry) - 1
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, position)
    return position
  }
  // entries with an id first: an entry that has only an address then finds the person who has both
  const withId = entries.map((entry) => (entry.ats_candidate_id === null ? undefined : index(entry)))
  const indexOf = entries.map((entry, i) => (entry.ats_candidate_id === null ? index(entry) : withId[i]))
  return { persons, indexOf }
}
