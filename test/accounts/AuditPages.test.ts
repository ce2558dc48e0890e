/** The audit log page over real HTTP. */

import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AuditLogRepository } from "../../src/accounts/AuditLogRepository.ts"
import { ApiKeys } from "../../src/accounts/api-keys/ApiKeys.ts"
import { actionGroups, recordTypes } from "../../src/accounts/pages/AuditLabels.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import { passingTime } from "../support/passingTime.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

const base = "/settings/audit"

const count = (text: string): number => text.split('<li><div class="row">').length - 1

describe("the filter of the audit log", () => {
  it("names each action of a record differently", () => {
    for (const { type } of recordTypes) {
      const texts = actionGroups(type).map(([, text]) => text)
      assert.deepStrictEqual(texts, [...new Set(texts)])
    }
  })
})

layer(Settings.layer())("the audit log page", (it) => {
  it.effect("shows actor, action, record, time and changes, without secrets", () =>
    Effect.gen(function* () {
      const { admin, organization, owner, recruiter } = yield* Settings.begin
      const browser = Settings.as(owner)
      assert.include((yield* browser.get(base)).text, 'Command line</bdi> <span class="deed">created a member')
      assert.include((yield* browser.get(base)).text, 'Command line</bdi> <span class="deed">created the organization')
      yield* browser.post(`/settings/members/${recruiter.id}`, { role: "admin" })
      yield* Settings.as(admin).post("/settings/organization", {
        name: Settings.hostile,
        contact: "",
        privacy_contact: "",
      })
      const hook = {
        url: "https://receiver.example/hook?token=verysecret",
        name: "Hook",
        events: "interview.status.update",
      }
      yield* browser.post("/settings/webhooks", hook)
      const { text } = yield* browser.get(base)
      for (const part of [
        "changed a member: <a",
        "role: recruiter → admin",
        recruiter.email,
        owner.email,
        admin.email,
      ]) {
        assert.include(text, part)
      }
      assert.include(text, "changed the organization")
      assert.include(text, "&lt;script&gt;")
      assert.include(text, '<h2 class="section">Monday, 2 November 2026</h2>')
      assert.include(text, ">09:42</time>")
      assert.notInclude(text, "verysecret")
      const stored = JSON.stringify(yield* Settings.audit(organization.id))
      assert.notMatch(stored, /argon2|whsec_|verysecret/)
    }),
  )

  it.effect(
    "says that a key without scopes has all of them, names the member of an override, and shows only fields that changed",
    () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* Settings.begin
        const log = yield* AuditLogRepository
        const override = { score: 8, reason: "Strong sample", member: { id: owner.id, name: "Ada" } }
        yield* log.write(organization.id, [
          {
            member_id: owner.id,
            action: "api_key.create",
            record_type: "api_key",
            record_id: "1",
            detail: { name: "ATS", scopes: [] },
          },
          {
            member_id: owner.id,
            action: "evaluation.override",
            record_type: "evaluation",
            record_id: "2",
            detail: { before: null, after: override },
          },
          {
            member_id: owner.id,
            action: "submission.decide",
            record_type: "submission",
            record_id: "3",
            detail: { before: { decision: null, reason: null }, after: { decision: "hold", reason: null } },
          },
          ...(["failures", "gone"] as const).map((reason) => ({
            member_id: null,
            action: "webhook_endpoint.deactivate",
            record_type: "webhook_endpoint",
            record_id: "4",
            detail: { reason },
          })),
          {
            member_id: null,
            action: "webhook_endpoint.recover",
            record_type: "webhook_endpoint",
            record_id: "4",
            detail: { failed_probes: 2 },
          },
        ])
        const { text } = yield* Settings.as(owner).get(base)
        for (const words of ["too many failures in a row", "the receiver answered 410 Gone", "2 failed tries before"])
          assert.include(text, `>${words}<`)
        assert.include(text, "created an API key: <bdi>ATS</bdi></span>")
        assert.include(text, ">access: all<")
        assert.include(text, "nothing → score: 8, member: Ada, reason: Strong sample")
        assert.include(text, '<span class="deed">decided to hold')
        assert.include(text, ">decision: nothing → hold<")
      }),
  )

  it.effect("describes actions on interview sets, invitations, submissions, projects and deliveries", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const log = yield* AuditLogRepository
      const actions = [
        ["interview_set", ["create", "update", "archive", "unarchive", "invite"]],
        ["invitation", ["resend", "cancel", "extend"]],
        ["project", ["create", "update"]],
        ["job_post", ["create", "update"]],
        ["webhook_delivery", ["resend", "send_now"]],
        ["submission", ["decide", "review", "change_review", "evaluate_again", "retry_cv", "replace_cv_link"]],
        ["webhook_endpoint", ["resend_failed", "send_parked"]],
      ] as const
      const entries = actions.flatMap(([record_type, deeds]) =>
        deeds.map((deed) => ({
          member_id: owner.id,
          action: `${record_type}.${deed}`,
          record_type,
          record_id: "r",
          detail: {},
        })),
      )
      yield* log.write(organization.id, entries)
      const browser = Settings.as(owner)
      const { text } = yield* browser.get(base)
      for (const { action } of entries) assert.notInclude(text, `>${action}`)
      for (const [type, deeds] of actions.slice(0, 6)) {
        assert.strictEqual(count((yield* browser.get(`${base}?type=${type}`)).text), deeds.length)
      }
    }),
  )

  it.effect("filters by actor, type, day and record, and pages the results", () =>
    Effect.gen(function* () {
      const { admin, organization, owner } = yield* Settings.begin
      const log = yield* AuditLogRepository
      const entry = (member_id: typeof admin.id | null, record_id: string) =>
        ({ member_id, action: "api_key.update", record_type: "api_key", record_id, detail: {} }) as const
      yield* log.write(organization.id, [
        ...Array.from({ length: 60 }, (_, i) => entry(admin.id, `record-${i}`)),
        { ...entry(owner.id, "x"), action: "something.new", record_type: "something" },
        { ...entry(null, "w"), action: "webhook_endpoint.delete", record_type: "webhook_endpoint" },
      ])
      yield* TestClock.adjust("1 day")
      yield* log.write(organization.id, [entry(owner.id, "tomorrow")])
      const browser = Settings.as(owner)
      const shown = (query: string) => Effect.map(browser.get(`${base}?${query}`), ({ text }) => count(text))
      assert.strictEqual(yield* shown(""), 30)
      const first = (yield* browser.get(base)).text
      assert.include(first, "Days and times are in the time zone of the organization, UTC.")
      const older = /href="([^"]*before=\d+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? assert.fail("no next page")
      assert.strictEqual(count((yield* browser.get(older)).text), 30)
      assert.strictEqual(yield* shown(`who=${owner.id}`), 2)
      assert.strictEqual(yield* shown("who=none"), 5)
      assert.strictEqual(yield* shown("type=webhook_endpoint"), 1)
      assert.strictEqual(yield* shown("type=webhook_endpoint.delete"), 1)
      assert.strictEqual(yield* shown("type=webhook_endpoint.create"), 0)
      assert.strictEqual(yield* shown("record=record-7"), 1)
      assert.strictEqual(yield* shown("from=2026-11-03"), 1)
      assert.strictEqual(yield* shown("to=2026-11-02&type=api_key"), 30)
      assert.strictEqual(yield* shown("from=2026-11-03&to=2026-11-03&who=none"), 0)
      // days are those of the organization's time zone
      const zone = { name: "Acme", contact: "", privacy_contact: "", time_zone: "America/Los_Angeles" }
      assert.strictEqual((yield* browser.post("/settings/organization", zone)).status, 303)
      yield* TestClock.adjust("15 hours")
      yield* log.write(organization.id, [entry(owner.id, "afternoon")])
      assert.strictEqual(yield* shown("from=2026-11-03&to=2026-11-03&type=api_key"), 2)
      assert.strictEqual(yield* shown("from=2026-11-04"), 0)
      // unreadable parameters are ignored
      for (const odd of ["who=%00", "type=%27", "before=abc", "from=2026-99-99", "record=%00", "to=9999-12-31"]) {
        assert.strictEqual((yield* browser.get(`${base}?${odd}`)).status, 200, odd)
      }
      const kept = (yield* browser.get(`${base}?type=api_key&who=${admin.id}`)).text
      assert.match(kept, new RegExp(`type=api_key&amp;who=${admin.id}&amp;before=|who=${admin.id}[^"]*before=`))
    }),
  )

  it.effect("names the API key of a change, also after the key's deletion", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const log = yield* AuditLogRepository
      const keys = yield* ApiKeys
      const { id, key } = yield* Api.keyOf(organization.id)
      const entry = {
        action: "webhook_endpoint.create",
        record_type: "webhook_endpoint",
        record_id: "hook",
        detail: {},
      }
      yield* log.write(organization.id, [{ ...entry, member_id: null, api_key_id: id }])
      yield* passingTime(keys.remove(operator(organization.id), id))
      const browser = Settings.as(owner)
      const { text } = yield* browser.get(`${base}?who=keys`)
      assert.strictEqual(count(text), 1)
      const [prefix = ""] = key.split(".")
      assert.include(text, `<bdi>API key ${prefix}.****</bdi> <span class="deed">created a webhook`)
      assert.notInclude((yield* browser.get(`${base}?who=none`)).text, 'class="deed">created a webhook')
    }),
  )

  it.effect(
    "names candidates, interview sets and keys, but no erased person and no record of another organization",
    () =>
      Effect.gen(function* () {
        const { organization, other, owner } = yield* Settings.begin
        const log = yield* AuditLogRepository
        const { id: key } = yield* Api.keyOf(organization.id)
        const invited = yield* Scenario.invited(organization, "ada.lovelace@example.com")
        const foreign = yield* Scenario.invited(other, "mallory@example.com")
        const entry = (record_id: string, api_key_id?: typeof key) =>
          ({
            member_id: null,
            ...(api_key_id === undefined ? {} : { api_key_id }),
            action: "submission.decide",
            record_type: "submission",
            record_id,
            detail: {},
          }) as const
        yield* log.write(organization.id, [entry(invited.subject.submission_id), entry(foreign.subject.submission_id)])
        const { sql } = yield* Database
        const [named] = yield* sql<{ candidate: string; title: string }>`
        update candidate c set name = 'Ada Lovelace' from submission b, interview_set s
        where b.id = ${invited.subject.submission_id}::uuid and c.id = b.candidate_id and s.id = b.interview_set_id
        returning c.id as candidate, s.title`
        const browser = Settings.as(owner)
        const shown = (yield* browser.get(`${base}?type=submission`)).text
        assert.include(
          shown,
          `: <a href="/submissions/${invited.subject.submission_id}">Ada Lovelace</a>, <bdi>${named?.title}</bdi>`,
        )
        assert.notInclude(shown, "mallory")
        const file = (yield* browser.get(`${base}.csv?type=submission.decide`)).text.split("\r\n")
        assert.strictEqual(file[0], "\ufeffTime (UTC),Who,What,Record,Interview set,Details,Id of the record")
        assert.strictEqual(
          file[2],
          `2026-11-02 09:42:00,Command line,decided about a submission,Ada Lovelace,${named?.title},,${invited.subject.submission_id}`,
        )
        yield* sql`update candidate set name = null, email = null, email_key = null, erased_at = now() where id = ${named?.candidate}::uuid`
        const erased = (yield* browser.get(`${base}?type=submission`)).text
        assert.include(erased, "an erased person")
        assert.notInclude(erased, "Ada")
      }),
  )

  it.effect("exports the entries of a filter with times in the organization's zone, without formulas", () =>
    Effect.gen(function* () {
      const { admin, foreigner, organization, owner, recruiter } = yield* Settings.begin
      const log = yield* AuditLogRepository
      const { sql } = yield* Database
      yield* sql`update organization set time_zone = 'America/Los_Angeles' where id = ${organization.id}::int`
      yield* log.write(
        organization.id,
        Array.from({ length: 1_100 }, (_, i) => ({
          member_id: admin.id,
          action: "project.create",
          record_type: "project",
          record_id: `p${i}`,
          detail: { name: "=1+1" },
        })),
      )
      const path = `${base}.csv?who=${admin.id}&from=2026-11-02&to=2026-11-02`
      const lines = (yield* Settings.as(owner).get(path)).text.trimEnd().split("\r\n")
      assert.lengthOf(lines, 1_101)
      assert.strictEqual(
        lines[0],
        "\ufeffTime (America/Los_Angeles),Who,What,Record,Interview set,Details,Id of the record",
      )
      assert.strictEqual(lines[1], `2026-11-02 01:42:00,${admin.email},created a project,"'=1+1",,,p1099`)
      const workbook = yield* Settings.as(owner).get(`${base}.xlsx?who=${admin.id}`)
      assert.strictEqual(workbook.bytes.subarray(0, 2).toString(), "PK")
      assert.strictEqual((yield* Settings.as(recruiter).get(path)).status, 403)
      assert.notInclude((yield* Settings.as(foreigner).get(path)).text, "project")
    }),
  )
})
