/** The invite operation as many programs implement it: one transaction with several statements for each candidate. */
import { randomUUIDv7 } from "node:crypto"
import { make, notFound, serve } from "./app.ts"
import {
  hashOf,
  type InvitationRow,
  type InviteBody,
  inviteBody,
  type Person,
  peopleOf,
  refusalOf,
  resultOf,
  type SubmissionRow,
  thirtyDaysFromNow,
} from "./invitation.ts"
import { type Connection, prepared, transaction } from "./postgres.ts"

const findSet = prepared<{ id: string }>(`
  select id from interview_set where id = $1 and organization_id = $2 and deleted_at is null`)

const findByAtsId = prepared<{ id: string }>(`
  select id from candidate where organization_id = $1 and ats_candidate_id = $2`)

const findByAddress = prepared<{ id: string }>(`
  select id from candidate where organization_id = $1 and email_key = $2 and ($3::uuid is null or ats_candidate_id is null)
  order by created_at, id limit 1`)

const insertCandidate = prepared(`
  insert into candidate (id, organization_id, ats_candidate_id, email, email_key, name, firstname, lastname)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`)

const updateCandidate = prepared(`
  update candidate set ats_candidate_id = coalesce(ats_candidate_id, $3), email = $4, email_key = $5,
    name = coalesce($6, name), firstname = coalesce($7, firstname), lastname = coalesce($8, lastname)
  where id = $1 and organization_id = $2`)

const findSubmission = prepared<SubmissionRow>(`
  select id, candidate_id, status, external_id, metadata from submission
  where candidate_id = $1 and interview_set_id = $2 and flow = 'interview' and status not in ('withdrawn', 'expired')
  order by created_at desc limit 1`)

const insertSubmission = prepared<SubmissionRow>(`
  insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at)
  values ($1, $2, $3, $4, 'interview', 'need_interview', $5) returning id, candidate_id, status, external_id, metadata`)

const findSuppressed = prepared<{ email: string }>(
  "select email from suppression where organization_id = $1 and email in ($2, $3)",
)

const findInvitation = prepared<InvitationRow>(`
  select id, candidate_id, email, status, failure_reason from invitation
  where candidate_id = $1 and interview_set_id = $2 and status not in ('failed', 'cancelled', 'expired')`)

const insertInvitation = prepared<InvitationRow>(`
  insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, message, status,
    failure_reason, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id, candidate_id, email, status, failure_reason`)

const insertEmail = prepared(`
  insert into email (id, organization_id, invitation_id, kind, recipient) values ($1, $2, $3, 'invitation', $4)`)

const candidateOf = async (organization: number, person: Person, on: Connection): Promise<string> => {
  const { ats_candidate_id, email, email_key, firstname, lastname, name } = person
  const byId = ats_candidate_id === null ? [] : await findByAtsId([organization, ats_candidate_id], on)
  const [known] = byId.length > 0 ? byId : await findByAddress([organization, email_key, ats_candidate_id], on)
  const id = known?.id ?? randomUUIDv7()
  const values = [id, organization, ats_candidate_id, email, email_key, name, firstname, lastname]
  await (known === undefined ? insertCandidate : updateCandidate)(values, on)
  return id
}

const app = make()

app.post<{ Body: InviteBody }>(
  "/company/integration/interview/candidate/invite/v1",
  { schema: { body: inviteBody }, config: { scope: "invite_candidates" } },
  async ({ body, organization }) => {
    const people = peopleOf(body)
    const results = await transaction(async (on) => {
      const [set] = await findSet([body.com_interview_set_id, organization], on)
      if (set === undefined) throw notFound("interview set")
      const answers: Array<ReturnType<typeof resultOf>> = []
      for (const person of people) {
        const candidate = await candidateOf(organization, person, on)
        const expires = thirtyDaysFromNow()
        let [submission] = await findSubmission([candidate, set.id], on)
        if (submission === undefined) {
          ;[submission] = await insertSubmission([randomUUIDv7(), organization, set.id, candidate, expires], on)
        }
        let [invitation] = await findInvitation([candidate, set.id], on)
        const isNew = invitation === undefined
        if (invitation === undefined && submission !== undefined) {
          const { email_key } = person
          const suppressed = await findSuppressed([organization, email_key, hashOf(organization, email_key)], on)
          const refusal = refusalOf(person, new Set(suppressed.map(() => email_key)))
          const id = randomUUIDv7()
          const message = body.invitation_message ?? null
          const status = refusal === null ? "pending" : "failed"
          const ids = [id, organization, set.id, candidate, submission.id]
          ;[invitation] = await insertInvitation([...ids, person.email, message, status, refusal, expires], on)
          if (refusal === null) await insertEmail([randomUUIDv7(), organization, id, person.email], on)
        }
        answers.push(resultOf(person, invitation, submission, isNew))
      }
      return answers
    })
    return { results }
  },
)

await serve(app)
