/** Test mode: the switch, what a test key reads, and that nothing leaves the test space (docs/test-mode.md). */
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted, Ref } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Api from "../support/Api.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])

const keysHref = "/settings/integrations/api-keys"

const base = "/company/integration"

const send = Effect.repeat(
  Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue)),
  { while: (done) => done > 0 },
)

const spaceOf = Effect.fnUntraced(function* (organization: OrganizationId) {
  return yield* Effect.fromNullishOr(yield* (yield* Organizations).testSpace(operator(organization)))
}, Effect.orDie)

/** An organization whose owner is in test mode, with a key of each mode. */
const begin = Effect.gen(function* () {
  const begun = yield* Settings.begin
  const owner = Settings.as(begun.owner)
  const entered = yield* owner.post("/test-mode/enter")
  assert.strictEqual(entered.location, "/home")
  const space = yield* spaceOf(begun.organization.id)
  const live = yield* Api.keyOf(begun.organization.id)
  const test = yield* Api.keyOf(space)
  const set = yield* Api.results<{ id: string }>(201, "POST", Api.paths.createSet, {
    key: test.key,
    json: {
      title: "Baker",
      iai_questions: [{ content: "Why bread?", question_mode: "interview", question_type: "text" }],
      iai_requirements: [{ title: "Baking", cfg_importance_id: 273 }],
    },
  })
  return { ...begun, as: owner, space, live, test, set }
})

/** The address of a form on a page of test mode. */
const inTest = (path: string) => `${path}?mode=test`

const inviteTo = (key: string, set: string, email = "bea@example.com") =>
  Api.results<ReadonlyArray<{ invitation: { id: string } | null; submission: { id: string } }>>(
    200,
    "POST",
    Api.paths.invite,
    { key, json: { com_interview_set_id: set, candidates: [{ email, name: "Bea" }] } },
  )

layer(Settings.layer({ mails }))("test mode", (it) => {
  it.effect("is entered by a switch, says so on each page, has its own keys, and is left", () =>
    Effect.gen(function* () {
      const { organization, owner, space, as } = yield* begin
      const home = yield* as.get("/home")
      assert.include(home.text, "<strong>Test mode</strong>")
      assert.include(home.text, "Acme (test)")
      const form = yield* as.get(`${keysHref}/new`)
      assert.include(form.text, "<h1>New test key</h1>")
      assert.include(form.text, "It is a test key: it begins with iv_test_")
      const id = Settings.hidden(form.text, "id")
      const made = yield* as.post(inTest(keysHref), { id, name: "CI", description: "", access: "all", expires_at: "" })
      assert.include(made.text, "The test key “<bdi>CI</bdi>”")
      assert.match(made.text, /iv_test_[a-z0-9]{8}\.[\w-]{43}/)
      assert.include((yield* as.get(keysHref)).text, "CI")

      assert.strictEqual((yield* as.post("/test-mode/leave")).location, "/home")
      const live = yield* as.get("/home")
      assert.notInclude(live.text, "Leave test mode")
      assert.include(live.text, 'action="/test-mode/enter"')
      assert.include((yield* as.get(`${keysHref}/new`)).text, "It is a live key")
      assert.notInclude((yield* as.get("/test-mode")).text, 'aria-current="true"')
      const keys = yield* as.get(keysHref)
      assert.notInclude(keys.text, "CI")
      assert.notInclude(keys.text, "iv_test_")
      assert.strictEqual((yield* as.get(`${keysHref}/${id}`)).status, 404)

      yield* as.post("/test-mode/enter")
      assert.strictEqual(yield* spaceOf(organization.id), space)
      assert.include((yield* as.get(keysHref)).text, "CI")
      // another browser of the member is in live mode
      const other = yield* Workspace.signIn(owner.email)
      assert.notInclude((yield* Settings.as(other).get("/home")).text, "Leave test mode")
    }),
  )

  it.effect("keeps test data from live keys and members, and live data from test keys", () =>
    Effect.gen(function* () {
      const { admin, as, live, organization, set, space, test } = yield* begin
      const [invited] = yield* inviteTo(test.key, set.id)
      const [liveInvited] = yield* inviteTo(live.key, organization.set.id, "cy@example.com")
      const me = (key: string) =>
        Api.results<{ mode: string; organization: { id: number } }>(200, "GET", `${base}/me/v1`, { key })
      const modes = [yield* me(test.key), yield* me(live.key)].map((one) => [one.mode, one.organization.id])
      assert.deepStrictEqual(modes, [
        ["test", Number(space)],
        ["live", Number(organization.id)],
      ])
      const both = [
        [live.key, invited?.submission.id, set.id, liveInvited?.submission.id],
        [test.key, liveInvited?.submission.id, organization.set.id, invited?.submission.id],
      ] as const
      for (const [key, foreign = "", foreignSet, own = ""] of both) {
        assert.strictEqual((yield* Api.call("GET", Api.paths.detail(foreign), { key })).status, 404)
        assert.strictEqual((yield* Api.call("GET", Api.paths.detail(own), { key })).status, 200)
        const answer = yield* Api.call("POST", Api.paths.invite, {
          key,
          json: { com_interview_set_id: foreignSet, candidates: [{ email: "dee@example.com" }] },
        })
        assert.include([404, 422], answer.status)
        const lists = yield* Effect.forEach(
          [`${base}/hiring/submissions/v1`, `${base}/interview/set/v1`, `${base}/events/v1`],
          (path) => Api.call("GET", path, { key }),
        )
        for (const { body } of lists) {
          assert.notInclude(JSON.stringify(body), foreign)
          assert.notInclude(JSON.stringify(body), foreignSet)
        }
      }
      const test_submission = `/submissions/${invited?.submission.id}`
      assert.strictEqual((yield* as.get(test_submission)).status, 200)
      assert.strictEqual((yield* as.get(`/submissions/${liveInvited?.submission.id}`)).status, 404)
      assert.strictEqual((yield* Settings.as(admin).get(test_submission)).status, 404)
      yield* as.post("/test-mode/leave")
      assert.strictEqual((yield* as.get(test_submission)).status, 404)
    }),
  )

  it.effect("offers the switch for a link to a submission of the other mode, to those who may read it there", () =>
    Effect.gen(function* () {
      const { admin, as, live, organization, recruiter, set, test } = yield* begin
      const { sql } = yield* Database
      const [invited] = yield* inviteTo(test.key, set.id)
      const [liveInvited] = yield* inviteTo(live.key, organization.set.id, "cy@example.com")
      const links = [
        [`/submissions/${liveInvited?.submission.id}`, "This submission belongs to live mode"],
        [`/submissions/${invited?.submission.id}`, "This submission belongs to test mode"],
      ] as const
      for (const [link, heading] of links) {
        const { status, text } = yield* as.get(link)
        assert.strictEqual(status, 404)
        assert.include(text, `<h1>${heading}</h1>`)
        assert.notMatch(text, /cy@example\.com|bea@example\.com/)
        const [, action = ""] = /action="([^"]*\?next=[^"]*)"/.exec(text) ?? []
        assert.strictEqual((yield* as.post(action.replaceAll("&amp;", "&"))).location, link)
        assert.strictEqual((yield* as.get(link)).status, 200)
      }
      assert.strictEqual((yield* as.post("/test-mode/leave?next=//evil.example")).location, "/home")
      assert.strictEqual((yield* as.post("/test-mode/enter?next=https://evil.example")).location, "/home")

      const foreign = yield* begin
      const reviewer = yield* Workspace.member(organization.id, "r2@example.com", "reviewer")
      const members = [recruiter, foreign.admin, foreign.owner, yield* Workspace.signIn(reviewer.email)]
      for (const member of members) {
        const { status, text } = yield* Settings.as(member).get(links[1][0])
        assert.strictEqual(status, 404)
        assert.include(text, "There is no such submission")
        assert.notInclude(text, "belongs to test mode")
      }
      assert.include((yield* Settings.as(admin).get(links[1][0])).text, links[1][1])
      yield* sql`update member set deactivated_at = now() where live_member_id = ${admin.id}::uuid`
      assert.include((yield* Settings.as(admin).get(links[1][0])).text, "There is no such submission")
    }),
  )

  it.effect("offers the switch on the page of any record, and nothing that the page does there is kept", () =>
    Effect.gen(function* () {
      const { as, organization, recruiter, set, space, test } = yield* begin
      const { sql } = yield* Database
      const [invited] = yield* inviteTo(test.key, set.id)
      yield* send
      const endpoint = yield* Scenario.endpoint(space)
      const [mail] = yield* sql<{ id: string }>`select id from email where organization_id = ${space}::int`
      const [person] = yield* sql<{ id: string }>`select id from candidate where organization_id = ${space}::int`
      const links = [
        [`/interview-sets/${set.id}`, "interview set", "Interview sets"],
        [`/interview-sets/${set.id}/edit`, "interview set", "Interview sets"],
        [`/settings/webhooks/${endpoint.id}`, "webhook", "Settings"],
        [`${keysHref}/${test.id}`, "API key", "Settings"],
        [`/settings/people/${person?.id}`, "candidate", "Settings"],
        [`/test-mode/mail/${mail?.id}`, "email", undefined],
      ] as const
      yield* as.post("/test-mode/leave")
      for (const [link, record, place] of links) {
        const { status, text } = yield* as.get(link)
        assert.strictEqual(status, 404, link)
        assert.include(text, `<h1>This ${record} belongs to test mode</h1>`)
        assert.include(text, `action="/test-mode/enter?next=${encodeURIComponent(link)}"`)
        assert.notMatch(text, /bea@example\.com|Baker/)
        assert.strictEqual(/aria-current="true"><span[^>]*><\/span>([^<]*)</.exec(text)?.[1], place, link)
      }
      const [opened] = yield* sql<{ opened: boolean }>`
        select status = 'opened' as opened from invitation where id = ${invited?.invitation?.id ?? ""}::uuid`
      assert.isFalse(opened?.opened)
      // a file, and a record that neither mode has
      assert.include((yield* as.get(`/submissions/${invited?.submission.id}/cv`)).text, "There is no such")
      assert.include((yield* as.get(`/interview-sets/${test.id}`)).text, "There is no such interview set")
      // a recruiter who may not read the set there
      assert.include((yield* Settings.as(recruiter).get(links[0][0])).text, "There is no such interview set")

      yield* as.post("/test-mode/enter")
      const live = yield* as.get(`/interview-sets/${organization.set.id}`)
      assert.include(live.text, "<h1>This interview set belongs to live mode</h1>")
      const systems = yield* as.get("/settings/integrations/hiring-systems?page=2")
      assert.include(
        systems.text,
        `/test-mode/leave?next=${encodeURIComponent("/settings/integrations/hiring-systems?page=2")}`,
      )
    }),
  )

  it.effect("tells a key of the other mode why there is no such record", () =>
    Effect.gen(function* () {
      const { live, organization, set, test } = yield* begin
      const [invited] = yield* inviteTo(test.key, set.id)
      const detailOf = ({ body }: Api.Answer) => (body as { readonly detail: string }).detail
      const to = (path: string, key: string) => Effect.map(Api.call("GET", `${base}${path}`, { key }), detailOf)
      const foreign = "an id that no mode has"
      assert.strictEqual(
        yield* to(`/hiring/interview-sets/v1/${set.id}`, live.key),
        "no such interview set in this organization; the record is one of test mode, and the API key is a live key: use a key that begins with iv_test_, or the id of a record of live mode. See /docs/test-mode",
      )
      assert.include(
        yield* to(`/hiring/interview-sets/v1/${organization.set.id}`, test.key),
        "the record is one of live mode, and the API key is a test key: use a key that begins with iv_live_",
      )
      assert.include(yield* to(`/hiring/submissions/${invited?.submission.id}/detail/v1`, live.key), "one of test mode")
      const other = yield* Settings.begin
      for (const path of [
        `/hiring/interview-sets/v1/${test.id}`,
        `/hiring/interview-sets/v1/${other.organization.set.id}`,
      ]) {
        assert.strictEqual(yield* to(path, test.key), "no such interview set in this organization", foreign)
      }
      // ids of a body, also when the response is stored for the Idempotency-Key
      for (const headers of [{}, { "idempotency-key": "a" }, { "idempotency-key": "a" }]) {
        const json = { com_interview_set_id: organization.set.id, candidates: [{ email: "dee@example.com" }] }
        const refused = yield* Api.call("POST", Api.paths.invite, { key: test.key, json, headers })
        assert.strictEqual(refused.status, 404)
        assert.strictEqual(refused.headers.get("content-type"), "application/problem+json")
        assert.include(detailOf(refused), "the API key is a test key, which does not see the records of live mode. See")
      }
      const project = yield* Api.call("POST", `${base}/hiring/job-posts/v1`, {
        key: live.key,
        json: { title: "Baker", project_id: test.id },
      })
      assert.strictEqual(project.status, 422)
      assert.include(detailOf(project), "the API key is a live key, which does not see the records of test mode")
      const { key } = yield* Api.keyOf(other.organization.id)
      assert.strictEqual(
        yield* to(`/hiring/interview-sets/v1/${set.id}`, key),
        "no such interview set in this organization",
      )
    }),
  )

  it.effect("leads to nothing that it refuses", () =>
    Effect.gen(function* () {
      const { as } = yield* begin
      for (const path of ["/home", "/settings/webhooks"]) {
        const { text } = yield* as.get(path)
        assert.notMatch(text, /href="\/settings\/(members|integrations\/hiring-systems|webhooks\/channels)/, path)
      }
      assert.include((yield* as.get("/home")).text, "1 of 5 done")
      assert.include(
        (yield* as.get("/settings/webhooks/channels/new")).text,
        "<h1>Slack and Teams are only in live mode</h1>",
      )
      assert.include((yield* as.get("/settings/members")).text, "<h1>Members are only in live mode</h1>")
      yield* as.post("/test-mode/leave")
      assert.include((yield* as.get("/settings/webhooks")).text, "Add Slack or Teams")
      assert.include((yield* as.get("/home")).text, "of 7 done")
    }),
  )

  it.effect("stores every email in the mailbox, also to members, and sends none", () =>
    Effect.gen(function* () {
      const { admin, as, live, organization, set, space, test } = yield* begin
      const { sql } = yield* Database
      yield* send
      yield* Ref.set(mails, [])
      const [invited] = yield* inviteTo(test.key, set.id, "bea@example.com")
      yield* send
      // of a kind that no test of this file makes otherwise: the queue must not look at the kind
      const kinds = ["password_reset", "member_invitation", "endpoint_deactivated", "member_digest", "review_mention"]
      yield* sql`
        insert into email (id, organization_id, kind, recipient, subject, html, text, due_at)
        select gen_random_uuid(), ${space}::int, k, ${admin.email}, 'About ' || k, '<p>x</p>', 'x', '2026-01-01' from unnest(${kinds}::text[]) k`
      yield* send
      assert.deepStrictEqual(yield* Ref.get(mails), [])
      const states = yield* sql<{ state: string; provider: string }>`
        select distinct state, provider from email where organization_id = ${space}::int`
      assert.deepStrictEqual(states, [{ state: "sent", provider: "mailbox" }])

      const { text } = yield* as.get("/test-mode")
      assert.include(text, "bea@example.com")
      for (const kind of kinds) assert.include(text, `About ${kind}`)
      const [, href = ""] =
        /href="(\/test-mode\/mail\/[^"]+)">\s*<span class="row-head"><span[^>]*>bea@/.exec(text) ?? []
      const mail = yield* as.get(href)
      assert.include(mail.text, "Baker")
      const followed = yield* as.get(`${href}/links/0`)
      assert.match(followed.location ?? "", /\/(i|c)\//)
      const [row] = yield* sql<{
        status: string
      }>`select status from invitation where id = ${invited?.invitation?.id ?? ""}::uuid`
      assert.strictEqual(row?.status, "clicked")

      for (const path of [
        "/test-mode/mail/x",
        `${href}/links/99`,
        `${href}/links/x`,
        `/test-mode/mail/${organization.set.id}`,
      ])
        assert.strictEqual((yield* as.get(path)).status, 404, path)

      // not to another member in live mode, another organization, or a recruiter who may not read the set
      assert.strictEqual((yield* Settings.as(admin).get(href)).status, 404)
      yield* inviteTo(live.key, organization.set.id, "cy@example.com")
      yield* send
      assert.deepStrictEqual(
        (yield* Ref.get(mails)).map(({ to }) => to),
        ["cy@example.com"],
      )
      assert.notInclude((yield* as.get("/test-mode")).text, "cy@example.com")
    }),
  )

  it.effect("shows recruiters the emails of the sets that they may read", () =>
    Effect.gen(function* () {
      const { as, recruiter, set, space, test } = yield* begin
      const { sql } = yield* Database
      yield* inviteTo(test.key, set.id)
      yield* send
      const [row] = yield* sql<{ id: string }>`select id from email where organization_id = ${space}::int`
      const browser = Settings.as(recruiter)
      assert.strictEqual((yield* browser.post("/test-mode/enter")).location, "/home")
      assert.notInclude((yield* browser.get("/test-mode")).text, "bea@example.com")
      assert.strictEqual((yield* browser.get(`/test-mode/mail/${row?.id}`)).status, 404)
      yield* sql`
        insert into set_access (id, organization_id, interview_set_id, ordinal, email)
        values (gen_random_uuid(), ${space}::int, ${set.id}::uuid, 0, ${recruiter.email})`
      assert.include((yield* browser.get("/test-mode")).text, "bea@example.com")
      assert.strictEqual((yield* browser.get(`/test-mode/mail/${row?.id}`)).status, 200)
      assert.strictEqual((yield* as.get(`/test-mode/mail/${row?.id}`)).status, 200)
    }),
  )

  it.effect("keeps a copy of each member equal to the member, and lets no one sign in as a copy", () =>
    Effect.gen(function* () {
      const { admin, organization, owner, space } = yield* begin
      const { sql } = yield* Database
      const copies = sql<{ email: string; role: string; is_active: boolean }>`
        select email, role, deactivated_at is null as is_active from member where organization_id = ${space}::int order by role`
      assert.lengthOf(yield* copies, 3)
      const late = yield* Workspace.member(organization.id, "late@example.com", "reviewer")
      assert.deepInclude(yield* copies, { email: "late@example.com", role: "reviewer", is_active: true })
      const browser = Settings.as(owner)
      yield* browser.post("/test-mode/leave")
      yield* browser.post(`/settings/members/${late.id}`, { role: "recruiter" })
      assert.deepInclude(yield* copies, { email: "late@example.com", role: "recruiter", is_active: true })

      const asAdmin = Settings.as(admin)
      yield* asAdmin.post("/test-mode/enter")
      assert.include((yield* asAdmin.get("/home")).text, "Acme (test)")
      yield* browser.post(`/settings/members/${admin.id}/remove`)
      assert.strictEqual((yield* asAdmin.get("/home")).location, "/sign-in?next=%2Fhome")
      assert.deepInclude(yield* copies, { email: admin.email, role: "admin", is_active: false })

      // the form of a forgotten password finds the member, not the copy
      yield* Workspace.request("POST", "/forgot-password", { fields: { email: owner.email } })
      const links = yield* sql<{ organization_id: number }>`select organization_id from password_link`
      assert.deepStrictEqual(links, [{ organization_id: Number(organization.id) }])
      const passwords =
        yield* sql`select from member where organization_id = ${space}::int and password_hash is not null`
      assert.lengthOf(passwords, 0)
      const again = yield* Workspace.signIn(owner.email)
      const sessions = yield* sql<{ organization_id: number }>`
        select distinct s.organization_id from session s join member m on m.id = s.member_id where m.email = ${owner.email}`
      assert.deepStrictEqual(sessions, [{ organization_id: Number(organization.id) }])
      assert.include((yield* Settings.as(again).get("/home")).text, "Acme")
    }),
  )

  it.effect("copies the role that a member gets while the test space is made", () =>
    Effect.gen(function* () {
      const { admin, organization } = yield* Settings.begin
      const { sql } = yield* Database
      const space = yield* overtaken(
        sql`update member set role = 'reviewer' where id = ${admin.id}::uuid`,
        (yield* Organizations).openTestSpace(operator(organization.id)),
      )
      assert.strictEqual(space._tag, "Success")
      const copies = yield* sql`select role from member where live_member_id = ${admin.id}::uuid`
      assert.deepStrictEqual(copies, [{ role: "reviewer" }])
    }),
  )

  it.effect.each(["before", "after"])(
    "copies a member who is added %s the test space is made, at the same time",
    (when) =>
      Effect.gen(function* () {
        const { organization } = yield* Settings.begin
        const { sql } = yield* Database
        const organizations = yield* Organizations
        const open = organizations.openTestSpace(operator(organization.id))
        const email = `added.${when}@example.com`
        const add = organizations.addMember(organization.id, {
          email,
          password: Redacted.make("a long password of a member"),
          role: "recruiter",
        })
        const second = yield* when === "before" ? overtaken(add, open) : overtaken(open, add)
        assert.strictEqual(second._tag, "Success")
        const copies = yield* sql`select role from member where email = ${email} and live_member_id is not null`
        assert.deepStrictEqual(copies, [{ role: "recruiter" }])
      }),
  )

  it.effect("refuses members, connections to hiring systems and channels, and shows the account in both modes", () =>
    Effect.gen(function* () {
      const { as, owner, space } = yield* begin
      const { sql } = yield* Database
      for (const path of ["/settings/members", "/settings/members/new", "/settings/integrations/hiring-systems"]) {
        const { status, text } = yield* as.get(path)
        assert.strictEqual(status, 403)
        assert.include(text, "are only in live mode")
      }
      assert.strictEqual((yield* as.get("/settings/webhooks/channels/new")).status, 403)
      const refused = yield* as.post(inTest("/settings/members"), { email: "eve@example.com", role: "owner" })
      assert.strictEqual(refused.status, 403)
      const account = yield* as.get("/account")
      assert.include(account.text, owner.email)
      assert.include(account.text, "<strong>Test mode</strong>")
      yield* as.post("/account/name", { name: "Grace H." })
      const names = yield* sql<{ name: string | null }>`
        select name from member where ${owner.id}::uuid in (id, live_member_id)`
      assert.deepStrictEqual(names, [{ name: "Grace H." }, { name: "Grace H." }])

      const connected = yield* Effect.flip(
        (yield* HiringSystemConnections).create(operator(space), { system: "greenhouse", name: "Greenhouse" }),
      )
      assert.include(JSON.stringify(connected), "test space")
      const channel = (yield* Endpoints).create(
        operator(space),
        { name: "Hiring", url: "https://hooks.slack.com/services/T0/B0/x" },
        undefined,
        "slack",
      )
      assert.include(JSON.stringify(yield* Effect.flip(channel)), "test space")
    }),
  )

  it.effect("is refused by the database where a rule would be broken", () =>
    Effect.gen(function* () {
      const { organization, owner, space } = yield* begin
      const { client } = yield* Database
      const refusals = [
        `insert into api_key (id, organization_id, prefix, secret_hash) values (gen_random_uuid(), ${space}, 'iv_live_aaaaaaaa', '')`,
        `insert into api_key (id, organization_id, prefix, secret_hash) values (gen_random_uuid(), ${organization.id}, 'iv_test_aaaaaaaa', '')`,
        `update api_key set organization_id = ${organization.id} where organization_id = ${space}`,
        `update organization set test_of = null where id = ${space}`,
        `insert into organization (name, test_of) values ('Nested', ${space})`,
        `insert into member (id, organization_id, email, role) values (gen_random_uuid(), ${space}, 'eve@example.com', 'owner')`,
        `update member set live_member_id = null where organization_id = ${space}`,
        `update member set password_hash = 'x' where organization_id = ${space}`,
        `insert into ats_connection (id, organization_id, system, name, key_hash, credentials)
          values (gen_random_uuid(), ${space}, 'greenhouse', 'x', '', '')`,
        `insert into webhook_endpoint (id, organization_id, name, url, format, events, secret)
          values (gen_random_uuid(), ${space}, 'x', 'https://hooks.slack.com', 'slack', '{x}', '')`,
      ]
      for (const statement of refusals) {
        const { reason } = yield* Effect.flip(client.unsafe(statement))
        assert.match(String(reason.cause), /test space|check constraint/, statement)
      }
      assert.strictEqual((yield* Settings.as(owner).get("/home")).status, 200)
    }),
  )

  it.effect("has a choice of acts on the page of a submission, and a button that empties it", () =>
    Effect.gen(function* () {
      const { as, live, organization, recruiter, set, test } = yield* begin
      const [invited] = yield* inviteTo(test.key, set.id)
      const page = `/submissions/${invited?.submission.id}`
      const href = `/invitations/${invited?.invitation?.id}/test`
      assert.include((yield* as.get(page)).text, `action="${href}?mode=test"`)
      assert.include((yield* as.post(inTest(href), { do: "good" })).location ?? "", "done=acted")
      const shown = yield* as.get(`${page}?done=acted`)
      assert.include(shown.text, "The scripted candidate has done it.")
      const again = yield* as.post(inTest(href), { do: "decline" })
      assert.strictEqual(again.status, 409)
      assert.include(again.text, "the interview is completed")
      assert.strictEqual((yield* Settings.as(recruiter).post("/test-mode/empty")).status, 403)
      assert.include((yield* as.get("/test-mode/empty")).text, "Live data is not touched")
      assert.strictEqual((yield* as.post(inTest("/test-mode/empty"))).location, "/test-mode?done=emptied")
      assert.strictEqual((yield* as.get(page)).status, 404)

      // in live mode, there is nothing to act on or to empty
      const [liveInvited] = yield* inviteTo(live.key, organization.set.id, "cy@example.com")
      yield* as.post("/test-mode/leave")
      const livePage = yield* as.get(`/submissions/${liveInvited?.submission.id}`)
      assert.notInclude(livePage.text, "Act as the candidate")
      const refused = yield* as.post(`/invitations/${liveInvited?.invitation?.id}/test`, { do: "good" })
      assert.strictEqual(refused.status, 404)
      assert.strictEqual((yield* as.post("/test-mode/empty")).location, "/test-mode")
      assert.strictEqual((yield* as.get(`/submissions/${liveInvited?.submission.id}`)).status, 200)
    }),
  )

  it.effect("is made by an owner or admin, and is not for reviewers", () =>
    Effect.gen(function* () {
      const { admin, organization, recruiter } = yield* Settings.begin
      const browser = Settings.as(recruiter)
      const { location } = yield* browser.post("/test-mode/enter")
      assert.strictEqual(location, "/test-mode?done=lacking")
      assert.include((yield* browser.get(location ?? "")).text, "An owner or admin enters it once")
      yield* Settings.as(admin).post("/test-mode/enter")
      assert.strictEqual((yield* browser.post("/test-mode/enter")).location, "/home")
      const reviewer = yield* Workspace.member(organization.id, "r@example.com", "reviewer")
      const { cookie } = yield* Workspace.signIn(reviewer.email)
      assert.strictEqual((yield* Settings.as({ cookie }).post("/test-mode/enter")).status, 403)
      assert.notInclude((yield* Settings.as({ cookie }).get("/home")).text, "/test-mode")
      yield* TestClock.adjust("1 second")
    }),
  )
})
