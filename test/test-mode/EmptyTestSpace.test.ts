/** What emptying test mode deletes and keeps (docs/test-mode.md), of a space with rows of each kind. */
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { BlobStore } from "../../src/files/BlobStore.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { RecordExports } from "../../src/record/RecordExports.ts"
import { verifyContent } from "../../src/record/RecordFile.ts"
import { RecordSealer } from "../../src/record/RecordSealer.ts"
import { TestSpaces } from "../../src/test-mode/TestSpaces.ts"
import { BlobId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { furnished } from "../support/Furnished.ts"
import { stageWith } from "../support/Walk.ts"

/** Tables whose rows stay. Of email_subject and of files, only some. */
const kept = [
  "api_key",
  "audit_log",
  "blob",
  "blob_chunk",
  "email_subject",
  "hiring_stage",
  "member",
  "message_template",
  "organization_appearance",
  "record_key",
  "recording_consent",
  "self_identification_form",
  "tag",
  "webhook_endpoint",
]

const sealAll = Effect.repeat(
  Effect.flatMap(RecordSealer, ({ step }) => step),
  { until: (sealed) => sealed === 0 },
)

layer(stageWith({}), { excludeTestServices: true })("a test space that is emptied", (it) => {
  it.effect("keeps its keys, webhooks and settings, and nothing else", () =>
    Effect.gen(function* () {
      const { client, sql } = yield* Database
      const { ids, organization: space } = yield* furnished((what) => `The ${what}`)
      const logo = BlobId.make(yield* Dossier.addFile(space, "a logo"))
      yield* sql`
        insert into organization_appearance (organization_id, logo_id, logo_type, logo_width, logo_height)
        values (${space}::int, ${logo}::uuid, 'image/png', 1, 1)`
      yield* sql`
        insert into email_subject (organization_id, interview_set_id, invitation)
        values (${space}::int, null, 'Of all sets'), (${space}::int, ${ids.set}::uuid, 'Of one')`
      yield* sql`insert into suppression (organization_id, email, reason) values (${space}::int, 'x@example.com', 'spam')`
      yield* sql`
        insert into recording_consent (id, organization_id, language, text, created_at)
        values (gen_random_uuid(), ${space}::int, 'en', 'You agree.', now())`
      yield* sealAll
      // a live organization becomes a test space: the connections and channels of one cannot be created otherwise
      const live = yield* (yield* Organizations).create("Nordlicht")
      yield* sql`alter table organization disable trigger organization_test_of`
      yield* sql`update organization set test_of = ${live}::int where id = ${space}::int`
      yield* sql`alter table organization enable trigger organization_test_of`

      const filled = Effect.gen(function* () {
        const tables = yield* sql<{ name: string }>`
          select c.relname as name from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
          where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
          order by 1`
        const found = []
        for (const { name } of tables) {
          const rows = yield* client.unsafe(`select from ${name} where organization_id = ${space} limit 1`)
          if (rows.length > 0) found.push(name)
        }
        return found
      })
      const before = yield* filled
      assert.includeMembers(before, [
        ...kept,
        ...["api_request", "candidate", "email", "legal_hold", "notice", "saved_view", "suppression", "webhook_event"],
      ])
      assert.isTrue(yield* (yield* TestSpaces).empty(operator(space)))
      assert.deepStrictEqual(yield* filled, kept)
      const subjects = yield* sql<{ subject: string }>`
        select invitation as subject from email_subject where organization_id = ${space}::int`
      assert.deepStrictEqual(
        subjects.map(({ subject }) => subject),
        ["Of all sets"],
      )
      const content = yield* Stream.runCollect((yield* BlobStore).get({ organization: space, id: logo }))
      assert.strictEqual(Buffer.concat(content).toString(), "a logo")

      // a new chain of the record begins, signed with the old key
      const { key } = yield* Api.keyOf(space)
      const { id } = yield* Api.results(201, "POST", Api.paths.createSet, { key, json: Dossier.set })
      const json = { com_interview_set_id: id, candidates: [{ email: "bea@example.com" }] }
      const [invited] = yield* Api.results<ReadonlyArray<{ readonly invitation: { readonly id: string } }>>(
        200,
        "POST",
        Api.paths.invite,
        { key, json },
      )
      const complete = `/company/integration/test/v1/invitations/${invited?.invitation.id}/complete`
      yield* Api.results(200, "POST", complete, { key })
      yield* Dossier.evaluateAll
      yield* sealAll
      const record = yield* (yield* RecordExports).exportAll(operator(space))
      const verified = yield* verifyContent(Stream.encodeText(record), { keys: [], head: undefined })
      assert.deepInclude(verified, { faults: [] })
      const [chain] = yield* sql<{ entries: number }>`
        select entries::int as entries from record_chain where organization_id = ${space}::int`
      assert.strictEqual(chain?.entries, 1)

      const events = "/company/integration/events/v1"
      const { next_cursor } = (yield* Api.call("GET", events, { key })).body as { readonly next_cursor: string }
      assert.isTrue(yield* (yield* TestSpaces).empty(operator(space)))
      const after = yield* Api.call("GET", `${events}?cursor=${next_cursor}`, { key })
      assert.deepInclude(after.body, { results: [] })
    }),
  )
})
