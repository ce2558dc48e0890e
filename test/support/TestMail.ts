/** An email in the mailbox of test mode, and a session that reads it. */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import * as Members from "./Members.ts"
import * as Workspace from "./Workspace.ts"

/** `say` returns the free texts, given the name of the text and its maximum length. */
export const testMail = Effect.fnUntraced(function* (
  organization: OrganizationId,
  email: string,
  say: (what: string, most: number) => string,
) {
  const { sql } = yield* Database
  const space = yield* (yield* Organizations).openTestSpace(operator(organization))
  const id = randomUUID()
  const body = say("text of an email", 2000).replaceAll("\0", "")
  yield* sql`
    insert into email (id, organization_id, kind, recipient, subject, html, text, state, due_at, sent_at)
    values (${id}::uuid, ${space}::int, 'member_invitation', ${email}, ${say("subject", 200)}, ${`<p>${body}</p>`}, ${body}, 'sent',
      null, now())`
  const { cookie } = yield* Workspace.signIn(email, { headers: { "x-forwarded-for": "203.0.113.251" } })
  yield* Members.post("/test-mode/enter", cookie)
  return { id, cookie }
}, Effect.orDie)
