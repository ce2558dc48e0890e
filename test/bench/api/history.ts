/**
 * Adds earlier candidates, then vacuums and analyzes. On empty or unanalyzed tables the same statement took 3 ms or
 * 300 ms, depending on when autovacuum ran.
 */
import { Effect } from "effect"
import { execute } from "../../support/databases.ts"

const statements = (people: number) => [
  `insert into candidate (id, organization_id, ats_candidate_id, email, email_key, firstname, lastname)
   select gen_random_uuid(), s.organization_id, gen_random_uuid(), e.address, e.address, 'Ada', 'Lovelace'
   from interview_set s cross join generate_series(1, ${people}) n cross join
     lateral (select 'earlier.' || n || '@example.org' as address) e`,
  `insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at)
   select gen_random_uuid(), s.organization_id, s.id, c.id, 'interview', 'need_interview', now() + interval '30 days'
   from interview_set s join candidate c using (organization_id) where c.email like 'earlier.%'`,
  `insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, status, expires_at)
   select gen_random_uuid(), b.organization_id, b.interview_set_id, c.id, b.id, c.email, 'sent', b.expires_at
   from submission b join candidate c on c.id = b.candidate_id where c.email like 'earlier.%'`,
  `insert into email (id, organization_id, invitation_id, kind, recipient, state, due_at, sent_at)
   select gen_random_uuid(), organization_id, id, 'invitation', email, 'sent', null, now()
   from invitation where email like 'earlier.%'`,
  `insert into interview_set (id, organization_id, title)
   select gen_random_uuid(), id, 'Earlier ' || n from organization, generate_series(1, 100) n`,
  "vacuum analyze",
]

/** Invites `people` candidates to each interview set. */
export const addHistory = (url: string, people: number) =>
  Effect.forEach(statements(people), (statement) => execute(url, statement), { discard: true })
