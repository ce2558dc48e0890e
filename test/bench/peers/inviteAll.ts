/** The invite operation with one statement for each step and any number of candidates, as in the service. */
import { randomUUIDv7 } from "node:crypto"
import { notFound } from "./app.ts"
import {
  hashOf,
  type InvitationRow,
  type InviteBody,
  type Person,
  peopleOf,
  refusalOf,
  resultOf,
  type SubmissionRow,
  thirtyDaysFromNow,
} from "./invitation.ts"
import { prepared, transaction } from "./postgres.ts"

const begin = prepared<{ project_id: string | null; set: { id: string } | null; job_post: object | null }>(`
  select pg_advisory_xact_lock(hashtext('candidate'), $1) as held,
    (select id from project where organization_id = $1 and deleted_at is null and id = $2) as project_id,
    (select jsonb_build_object('id', id, 'title', title, 'set_type', set_type, 'project_id', project_id)
      from interview_set where organization_id = $1 and deleted_at is null and id = $3
      order by created_at desc, id desc limit 1) as set,
    (select jsonb_build_object('id', id, 'project_id', project_id)
      from job_post where organization_id = $1 and deleted_at is null and project_id = $2
      order by created_at desc, id desc limit 1) as job_post`)

const findCandidates = prepared<{ i: number; id: string | null; exact: boolean | null; suppressed: boolean }>(`
  select r.i, c.id, c.exact, a.id as application_id,
    exists (select from suppression x where x.organization_id = $1 and x.email in (r.email_key, r.email_hash)) as suppressed
  from jsonb_to_recordset($2::text::jsonb) as r(i int, id uuid, ats_candidate_id uuid, email_key text, email_hash text)
  left join lateral (
    select id, created_at, true as exact from candidate
    where organization_id = $1 and ats_candidate_id = r.ats_candidate_id
    union all
    select id, created_at, false from candidate
    where organization_id = $1 and email_key = r.email_key
      and (r.ats_candidate_id is null or ats_candidate_id is null)
    union all
    select id, created_at, false from candidate where organization_id = $1 and id = r.id
    order by exact desc, created_at, id limit 1
  ) c on true
  left join application a on a.candidate_id = c.id and a.job_post_id = $3::uuid
  order by c.exact desc nulls last, r.i`)

const candidateColumns =
  "id uuid, ats_candidate_id uuid, email text, email_key text, name text, firstname text, lastname text"

const updateCandidates = prepared(`
  update candidate c set ats_candidate_id = coalesce(c.ats_candidate_id, r.ats_candidate_id), email = r.email,
    email_key = r.email_key, name = coalesce(r.name, c.name), firstname = coalesce(r.firstname, c.firstname),
    lastname = coalesce(r.lastname, c.lastname)
  from jsonb_to_recordset($2::text::jsonb) as r(${candidateColumns}) where c.id = r.id and c.organization_id = $1`)

const lockSubmissions = prepared(`
  select b.id from unnest($3::uuid[]) as r(candidate_id)
  join submission b on b.candidate_id = r.candidate_id and b.interview_set_id = $2 and b.organization_id = $1
  where b.status not in ('withdrawn', 'expired') order by b.id for no key update of b`)

const activeSubmissions = prepared<SubmissionRow>(`
  select distinct on (b.candidate_id) b.id, b.candidate_id, b.status, b.external_id, b.metadata
  from unnest($3::uuid[]) as r(candidate_id)
  join submission b on b.candidate_id = r.candidate_id and b.interview_set_id = $2 and b.organization_id = $1
  where b.flow = 'interview' and b.status not in ('withdrawn', 'expired')
  order by b.candidate_id, b.created_at desc, b.id desc`)

const refusedInvitations = prepared<InvitationRow>(`
  select distinct on (i.candidate_id) i.id, i.candidate_id, i.email, i.status, i.failure_reason
  from unnest($3::uuid[]) as r(candidate_id)
  join invitation i on i.candidate_id = r.candidate_id and i.interview_set_id = $2 and i.organization_id = $1
  where i.failure_reason in ('invalid_email', 'unsubscribed')
  order by i.candidate_id, i.created_at desc, i.id desc`)

const activeInvitations = prepared<InvitationRow>(`
  select i.id, i.candidate_id, i.email, i.status, null as failure_reason
  from unnest($3::uuid[]) as r(candidate_id)
  join invitation i on i.candidate_id = r.candidate_id and i.interview_set_id = $2 and i.organization_id = $1
  where i.status not in ('failed', 'cancelled', 'expired')`)

const record = prepared(`
  with candidates as (
    insert into candidate (id, organization_id, ats_candidate_id, email, email_key, name, firstname, lastname, created_at)
    select r.id, $1, r.ats_candidate_id, r.email, r.email_key, r.name, r.firstname, r.lastname, now()
    from jsonb_to_recordset($8::text::jsonb) as r(${candidateColumns})
  ), applications as (
    insert into application (id, organization_id, candidate_id, job_post_id, created_at)
    select r.id, $1, r.candidate_id, r.job_post_id, now()
    from jsonb_to_recordset($9::text::jsonb) as r(id uuid, candidate_id uuid, job_post_id uuid)
  ), submissions as (
    insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, external_id, metadata,
      expires_at, created_at)
    select r.id, $1, $2, r.candidate_id, 'interview', 'need_interview', r.external_id, r.metadata, $4, now()
    from jsonb_to_recordset($5::text::jsonb) as r(id uuid, candidate_id uuid, external_id text, metadata jsonb)
  ), invitations as (
    insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, message, status,
      failure_reason, failed_at, expires_at, created_at)
    select r.id, $1, $2, r.candidate_id, r.submission_id, r.email, $3, r.status, r.failure_reason,
      case when r.status = 'failed' then now() end, $4, now()
    from jsonb_to_recordset($6::text::jsonb)
      as r(id uuid, candidate_id uuid, submission_id uuid, email text, status text, failure_reason text)
  )
  insert into email (id, organization_id, invitation_id, kind, recipient, created_at, due_at)
  select r.id, $1, r.invitation_id, 'invitation', r.recipient, now(), now()
  from jsonb_to_recordset($7::text::jsonb) as r(id uuid, invitation_id uuid, recipient text)`)

const extendSubmissions = prepared(`
  update submission set expires_at = greatest(expires_at, $3) where id = any($2::uuid[]) and organization_id = $1`)

const recordNew = prepared<{ is_recorded: boolean }>(
  "select record_new_invite($1, 'candidate', $2, $3, $4, $5::text::jsonb, now()) as is_recorded",
)

/** One statement, which stores nothing if a candidate is known (invitations/Invite.ts); undefined then. */
const inviteNew = async (organization: number, body: InviteBody) => {
  const entries = peopleOf(body)
  const people = [...new Set(entries)]
  if (people.some((person) => refusalOf(person, new Set()) !== null)) return undefined
  const rows = people.map((person) => {
    const candidate = { ...person, id: randomUUIDv7(), email_hash: hashOf(organization, person.email_key) }
    const candidate_id = candidate.id
    const submission = {
      ...{ id: randomUUIDv7(), candidate_id, flow: "interview", status: "need_interview" },
      ...{ external_id: null, metadata: {} },
    }
    const invitation = {
      ...{ id: randomUUIDv7(), candidate_id, submission_id: submission.id, email: person.email },
      ...{ status: "pending", failure_reason: null },
    }
    return { candidate, submission, invitation }
  })
  const created = {
    candidates: rows.map(({ candidate }) => candidate),
    submissions: rows.map(({ submission }) => submission),
    invitations: rows.map(({ invitation }) => invitation),
    emails: rows.map(({ invitation: { email, id } }) => ({
      id: randomUUIDv7(),
      invitation_id: id,
      recipient: email,
    })),
  }
  const terms = [body.com_interview_set_id, body.invitation_message ?? null, thirtyDaysFromNow()]
  const [done] = await recordNew([organization, ...terms, JSON.stringify(created)])
  if (done?.is_recorded !== true) return undefined
  const rowOf = new Map(people.map((person, i) => [person, rows[i]]))
  return entries.map((person) => {
    const row = rowOf.get(person)
    return resultOf(person, row?.invitation, row?.submission, true)
  })
}

/** Returns one result for each entry of the request, in their order. */
export const inviteAll = async (organization: number, body: InviteBody) =>
  (await inviteNew(organization, body)) ?? inviteKnown(organization, body)

const inviteKnown = (organization: number, body: InviteBody) =>
  transaction(async (on) => {
    const entries = peopleOf(body)
    const people = [...new Set(entries)]
    const [context] = await begin([organization, null, body.com_interview_set_id], on)
    const set = context?.set
    if (set == null) throw notFound("interview set")

    const newIds = people.map(() => randomUUIDv7())
    const lookups = people.map(({ ats_candidate_id, email_key }, i) => {
      return { i, id: newIds[i], ats_candidate_id, email_key, email_hash: hashOf(organization, email_key) }
    })
    const found = await findCandidates([organization, JSON.stringify(lookups), null], on)
    const suppressed = new Set(found.flatMap((row) => (row.suppressed ? [people[row.i]?.email_key ?? ""] : [])))
    const idOf = new Map<number, string>()
    const taken = new Set<string>()
    for (const { i, id } of found) {
      if (id === null || taken.has(id)) continue
      taken.add(id)
      idOf.set(i, id)
    }
    const candidates = people.map((person, i) => ({ ...person, id: idOf.get(i) ?? newIds[i] ?? "" }))
    const newCandidates = candidates.filter((_, i) => !idOf.has(i))
    const known = candidates.filter((_, i) => idOf.has(i))
    if (known.length > 0) await updateCandidates([organization, JSON.stringify(known)], on)

    // new candidates have no submissions or invitations yet
    const scope = [organization, set.id, known.map(({ id }) => id)]
    if (known.length > 0) await lockSubmissions(scope, on)
    const active = known.length === 0 ? [] : await activeSubmissions(scope, on)
    const submissions = new Map(active.map((row) => [row.candidate_id, row]))
    const newSubmissions = candidates
      .filter(({ id }) => !submissions.has(id))
      .map(({ id }) => ({
        id: randomUUIDv7(),
        candidate_id: id,
        status: "need_interview",
        external_id: null,
        metadata: {},
      }))
    for (const row of newSubmissions) submissions.set(row.candidate_id, row)
    const expiresAt = thirtyDaysFromNow()

    const invitations = new Map<string, InvitationRow>()
    const byId = new Map<string, Person>(candidates.map((candidate) => [candidate.id, candidate]))
    for (const row of known.length === 0 ? [] : await refusedInvitations(scope, on)) {
      const person = byId.get(row.candidate_id)
      if (person?.email === row.email && refusalOf(person, suppressed) === row.failure_reason) {
        invitations.set(row.candidate_id, row)
      }
    }
    for (const row of known.length === 0 ? [] : await activeInvitations(scope, on)) {
      invitations.set(row.candidate_id, row)
    }
    const newInvitations = candidates.flatMap((candidate) => {
      const submission = submissions.get(candidate.id)
      if (invitations.has(candidate.id) || submission === undefined) return []
      if (!["need_interview", "initiated", "started"].includes(submission.status)) return []
      const failure_reason = refusalOf(candidate, suppressed)
      const status = failure_reason === null ? "pending" : "failed"
      const { email, id: candidate_id } = candidate
      return [{ id: randomUUIDv7(), candidate_id, submission_id: submission.id, email, status, failure_reason }]
    })
    for (const row of newInvitations) invitations.set(row.candidate_id, row)
    const mails = newInvitations
      .filter(({ status }) => status === "pending")
      .map(({ email, id }) => ({ id: randomUUIDv7(), invitation_id: id, recipient: email }))
    const message = body.invitation_message ?? null
    const rows = [newSubmissions, newInvitations, mails, newCandidates, []].map((each) => JSON.stringify(each))
    if (newCandidates.length + newSubmissions.length + newInvitations.length > 0)
      await record([organization, set.id, message, expiresAt, ...rows], on)
    const activeIds = new Set(active.map(({ id }) => id))
    const extendedIds = newInvitations.flatMap(({ submission_id }) =>
      activeIds.has(submission_id) ? [submission_id] : [],
    )
    if (extendedIds.length > 0) await extendSubmissions([organization, extendedIds, expiresAt], on)

    const created = new Set<string>(newInvitations.map(({ id }) => id))
    const candidateOf = new Map(people.map((person, i) => [person, candidates[i]]))
    return entries.map((person) => {
      const id = candidateOf.get(person)?.id ?? ""
      const invitation = invitations.get(id)
      return resultOf(person, invitation, submissions.get(id), invitation !== undefined && created.has(invitation.id))
    })
  })
