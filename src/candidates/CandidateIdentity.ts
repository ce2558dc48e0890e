/**
 * Finds the candidate that an entry of an invite request names: the one with its ats_candidate_id; else the oldest with
 * its folded address (and no ats_candidate_id, if the entry has one, nor that of another entry); for an entry with only a
 * CV link, the one sent to the set before with only this link; else a new one.
 */
import { Result } from "effect"
import { cleanAddress, foldAddress } from "../values/EmailAddress.ts"
import { mergeReference, type ReferenceInput, readReference } from "../values/ExternalReference.ts"
import { AtsCandidateId, type CandidateId } from "../values/Ids.ts"
import { type AllowedNetworks, checkUrl } from "../values/OutboundAddress.ts"
import { type CandidateEntry, type CandidateFields, fullName } from "./Candidate.ts"

export interface Entry {
  /** Blank fields are null. */
  readonly fields: CandidateFields
  readonly reference: ReferenceInput
  readonly givenLink: string | null
  /** Null also for a link that may not be fetched. */
  readonly cv_link: string | null
  readonly cvError: string | undefined
}

const present = (text: string | null | undefined) => (text == null || text.trim() === "" ? null : text.trim())

/** The CV link must be https and public, or in an allowed network. */
export const entryOf = (entry: CandidateEntry, allowed: AllowedNetworks): Entry => {
  const link = present(entry.cv_link)
  const cvError =
    link === null
      ? undefined
      : Result.match(checkUrl(link, allowed), { onSuccess: () => undefined, onFailure: ({ reason }) => reason })
  const email = present(entry.email)
  return {
    fields: {
      ats_candidate_id:
        entry.ats_candidate_id == null ? null : AtsCandidateId.make(entry.ats_candidate_id.toLowerCase()),
      email: email === null ? null : cleanAddress(email),
      name: present(entry.name),
      firstname: present(entry.firstname),
      lastname: present(entry.lastname),
    },
    reference: readReference(entry),
    givenLink: entry.cv_link ?? null,
    cv_link: cvError === undefined ? link : null,
    cvError,
  }
}

export const hasOnlyCv = ({ fields }: Entry): boolean => fields.ats_candidate_id === null && fields.email === null

export const hasId = ({ fields }: Entry): boolean => fields.ats_candidate_id !== null

/** The identity comes first. */
const keysOf = (entry: Entry): ReadonlyArray<string> => {
  const { ats_candidate_id, email } = entry.fields
  return [
    ...(ats_candidate_id === null ? [] : [`ats ${ats_candidate_id}`]),
    ...(email === null ? [] : [`email ${foldAddress(email)}`]),
    ...(hasOnlyCv(entry) && entry.cv_link !== null ? [`cv ${entry.cv_link}`] : []),
  ]
}

/** As two requests: the later entry's values win, except those that identify the person. */
const merged = (earlier: Entry, later: Entry): Entry => ({
  ...earlier,
  fields: {
    ats_candidate_id: earlier.fields.ats_candidate_id ?? later.fields.ats_candidate_id,
    email: earlier.fields.email ?? later.fields.email,
    name: later.fields.name ?? earlier.fields.name,
    firstname: later.fields.firstname ?? earlier.fields.firstname,
    lastname: later.fields.lastname ?? earlier.fields.lastname,
  },
  reference: mergeReference(earlier.reference, later.reference),
  cv_link: later.cv_link ?? earlier.cv_link,
})

/**
 * Merges entries of one person in their order. `persons[indexOf[i]]` is the person of entry i; undefined: the entry has
 * neither an address nor a CV link that may be fetched, or, with `cvOnly`, no such link.
 */
export const personsOf = (entries: ReadonlyArray<Entry>, cvOnly: boolean) => {
  const groups: Array<Array<number>> = []
  const byKey = new Map<string, number>()
  const index = (entry: Entry, i: number): number | undefined => {
    const keys = keysOf(entry)
    const [identity] = keys
    if (identity === undefined || (entry.cv_link === null && (cvOnly || entry.fields.email === null))) return undefined
    const known = byKey.get(identity)
    if (known !== undefined) {
      groups[known]?.push(i)
      return known
    }
    const position = groups.push([i]) - 1
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, position)
    return position
  }
  // entries with an id first, so that one with only an address finds the person who has both
  const withId = entries.map((entry, i) => (hasId(entry) ? index(entry, i) : undefined))
  const indexOf = entries.map((entry, i) => (hasId(entry) ? withId[i] : index(entry, i)))
  const persons = groups.map((group) =>
    group
      .toSorted((one, other) => one - other)
      .flatMap((i) => entries[i] ?? [])
      .reduce(merged),
  )
  return { persons, indexOf }
}

/** `id` null: no match; equal to `entry_id`: found by CV link. `exact`: by ats_candidate_id. */
export interface Match {
  readonly entry_id: CandidateId
  readonly id: CandidateId | null
  readonly exact: boolean | null
}

/**
 * Two ats_candidate_ids are two people. Of entries that match one candidate, the one matched by ats_candidate_id is that
 * candidate, else the first; the others become new candidates. Entries found by CV link do not count.
 */
export const assignCandidates = (matches: ReadonlyArray<Match>): ReadonlyMap<CandidateId, CandidateId> => {
  const assigned = new Map<CandidateId, CandidateId>()
  const taken = new Set<CandidateId>()
  for (const { entry_id, id } of matches.toSorted((a, b) => Number(b.exact) - Number(a.exact))) {
    if (id === null || (entry_id !== id && taken.has(id))) continue
    if (entry_id !== id) taken.add(id)
    assigned.set(entry_id, id)
  }
  return assigned
}

/** Whose value is kept when both the stored candidate and the entry have one. */
export const precedence: Record<keyof CandidateFields, "stored" | "request"> = {
  ats_candidate_id: "stored",
  email: "request",
  name: "request",
  firstname: "request",
  lastname: "request",
}

/** What members see of a candidate: the name, made of its parts, and the address. */
export interface ValueChange {
  readonly field: "name" | "email"
  readonly before: string
  readonly after: string
}

/** What storing `given` changes of a candidate that has a name or an address already. */
export const changesOf = (
  stored: Pick<CandidateFields, "email" | "firstname" | "lastname" | "name">,
  given: CandidateFields,
): ReadonlyArray<ValueChange> => {
  const names = {
    name: given.name ?? stored.name,
    firstname: given.firstname ?? stored.firstname,
    lastname: given.lastname ?? stored.lastname,
  }
  const addresses = [stored.email, given.email ?? stored.email].map((email) => email ?? "")
  const values = [
    { field: "name", before: fullName(stored), after: fullName(names) },
    { field: "email", before: addresses[0] ?? "", after: addresses[1] ?? "" },
  ] as const
  return values.filter(({ after, before, field }) =>
    field === "email" ? before !== "" && foldAddress(before) !== foldAddress(after) : before !== "" && before !== after,
  )
}
