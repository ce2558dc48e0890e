/** Subjects that organizations and interview sets give emails of invitations, over HTTP and through the queue. */
import { assert, layer } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { TestClock } from "effect/testing"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Reminders } from "../../src/invitations/Reminders.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { fieldsOf, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

const sent = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])
const round = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))

/** The subjects of the emails that are sent now. */
const subjects = Effect.gen(function* () {
  yield* Ref.set(sent, [])
  yield* round
  return (yield* Ref.get(sent)).map(({ subject }) => subject)
})

const ofOrganization = "/settings/email-subjects"

layer(Settings.layer({ mails: sent, send: () => Effect.succeed({ providerMessageId: null, delivered: true }) }))(
  "the subjects of invitations",
  (it) => {
    it.effect("are the organization's, else the service's; a set's come first, with the candidate's values", () =>
      Effect.gen(function* () {
        const { organization, owner, recruiter } = yield* Settings.begin
        const browser = Settings.as(owner)
        const ofSet = `/interview-sets/${organization.set.id}/email-subjects`
        yield* Scenario.invited(organization, "one@example.com")
        assert.deepStrictEqual(yield* subjects, ["Interview invitation: Backend Engineer"])
        const form = fieldsOf((yield* browser.get(ofOrganization)).text, ofOrganization)
        const own = {
          invitation: " Dear {{firstname}}, join us: {{interview}} ",
          reminder: "{{organization}}: until {{deadline}}",
        }
        const saved = yield* browser.post(ofOrganization, [...withFields(form, own), ["do", "save"]])
        assert.strictEqual(saved.location, `${ofOrganization}?done=saved`)
        const shown = (yield* browser.get(ofOrganization)).text
        assert.include(shown, "join us: Senior Backend Engineer</bdi>")
        yield* Scenario.invited(organization, "two@example.com")
        assert.deepStrictEqual(yield* subjects, ["Dear Ada, join us: Backend Engineer"])
        const set = fieldsOf((yield* browser.get(ofSet)).text, ofSet)
        assert.deepInclude(set, ["invitation", ""])
        assert.include((yield* browser.get(ofSet)).text, "join us: Backend Engineer</bdi>", "inherited in the preview")
        yield* browser.post(ofSet, [...withFields(set, { invitation: "Backend, {{name}}?" }), ["do", "save"]])
        yield* Scenario.invited(organization, "three@example.com")
        assert.deepStrictEqual(yield* subjects, ["Backend, Ada?"])
        assert.strictEqual((yield* Settings.as(recruiter).get(ofOrganization)).status, 403)
        assert.strictEqual((yield* Settings.as(recruiter).get(ofSet)).status, 403)
        yield* TestClock.adjust("28 days")
        yield* (yield* Reminders).step
        assert.include(yield* subjects, "Acme: until Wednesday, 2 December 2026 at 09:42 UTC")
        const actions = (yield* Settings.audit(organization.id)).map(({ action }) => action)
        assert.includeMembers(actions, ["organization.set_subjects", "interview_set.set_subjects"])
      }),
    )

    it.effect(
      "are refused with unknown words, control characters, too long, or from an outdated form, without a loss",
      () =>
        Effect.gen(function* () {
          const { admin, foreigner, organization } = yield* Settings.begin
          const browser = Settings.as(admin)
          const form = fieldsOf((yield* browser.get(ofOrganization)).text, ofOrganization)
          const refused = Effect.fnUntraced(function* (invitation: string, action = "save") {
            const answer = yield* browser.post(ofOrganization, [...withFields(form, { invitation }), ["do", action]])
            assert.strictEqual(answer.status, 422, invitation)
            return answer.text
          })
          assert.include(yield* refused("Hello {{vorname}}"), "{{vorname}} in line 1")
          assert.include(yield* refused("Hello {{name"), "must close {{ with }}")
          assert.include(yield* refused("a\u0007b", "preview"), "contains characters that cannot be stored")
          assert.include(yield* refused("x".repeat(201)), "must have at most 200 characters")
          const preview = yield* browser.post(ofOrganization, [
            ...withFields(form, { invitation: "New: {{interview}}" }),
            ["do", "preview"],
          ])
          assert.strictEqual(preview.status, 200)
          assert.include(preview.text, ">New: Senior Backend Engineer</bdi>")
          assert.deepInclude(fieldsOf((yield* browser.get(ofOrganization)).text, ofOrganization), ["invitation", ""])
          yield* browser.post(ofOrganization, [...withFields(form, { invitation: "First" }), ["do", "save"]])
          const stale = yield* browser.post(ofOrganization, [
            ...withFields(form, { invitation: "Second" }),
            ["do", "save"],
          ])
          assert.strictEqual(stale.status, 409)
          assert.include(stale.text, "Not saved: the form was saved")
          assert.deepInclude(fieldsOf(stale.text, ofOrganization), ["invitation", "Second"])
          const replaced = [...withFields(form, { invitation: "Second" }), ["replaced", "1"]] as const
          assert.strictEqual((yield* browser.post(ofOrganization, replaced)).status, 303)
          const foreign = yield* Settings.as(foreigner).get(`/interview-sets/${organization.set.id}/email-subjects`)
          assert.strictEqual(foreign.status, 404)
        }),
    )
  },
)
