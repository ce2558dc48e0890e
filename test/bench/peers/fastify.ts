/**
 * Three operations of the integration API on Fastify and node-postgres, with JSON schemas and prepared statements. It sends
 * the statements of the service: none for a key that it accepted less than a second ago, one for an invite of new candidates, else
 * one transaction with the service's steps, each one statement.
 */
import { make, serve } from "./app.ts"
import { createSet, type SetBody, setBody } from "./createSet.ts"
import { type InviteBody, inviteBody } from "./invitation.ts"
import { inviteAll } from "./inviteAll.ts"
import { readSubmission } from "./readSubmission.ts"

const app = make()

app.post<{ Body: SetBody }>(
  "/company/integration/interview/set/v1",
  { schema: { body: setBody }, config: { scope: "create_set" } },
  async ({ body, organization }, reply) => {
    reply.status(201)
    return { results: await createSet(organization, body) }
  },
)

app.post<{ Body: InviteBody }>(
  "/company/integration/interview/candidate/invite/v1",
  { schema: { body: inviteBody }, config: { scope: "invite_candidates" } },
  async ({ body, organization }) => ({ results: await inviteAll(organization, body) }),
)

app.get<{ Params: { id: string } }>(
  "/company/integration/hiring/submissions/:id/detail/v1",
  async ({ organization, params }) => ({ results: await readSubmission(organization, params.id) }),
)

await serve(app)
