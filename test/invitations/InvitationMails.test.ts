/** The mails of an invitation from request to mailbox, over HTTP. */

import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InvitationReports } from "../../src/invitations/InvitationReports.ts"
import { Reminders } from "../../src/invitations/Reminders.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { linkAt } from "../../src/test-mode/StoredMail.ts"
import { catalogues } from "../../src/texts/Texts.ts"
import { InvitationId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as Pod from "../support/Pod.ts"

class Caller extends Context.Service<Caller, Effect.Success<typeof Api.account>>()(
  "interview-invitations/test/MailCaller",
) {
  static readonly layer = Layer.effect(
    Caller,
    Effect.tap(Api.account, ({ organization }) =>
      Effect.flatMap(Organizations, ({ update }) =>
        update(operator(organization), { name: "Nordlicht", time_zone: "Asia/Tokyo" }),
      ),
    ),
  )
}

const served = Caller.layer.pipe(
  Layer.provideMerge(Api.Server.layer),
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.dev))),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0", RATE_LIMIT: "0" } })),
)

const send = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))
const goTo = (day: number) => TestClock.setTime(Date.UTC(2026, 0, day))
const characters: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" }
const unescaped = (html: string) => html.replace(/&(lt|gt|quot|#39|amp);/g, (one) => characters[one] ?? one)

/** Sends a request about an invitation; checks the response against the API contract. */
const ask = Effect.fnUntraced(function* (step: "resend" | "correct" | "extend" | "cancel", id: string, json?: unknown) {
  const { key } = yield* Caller
  const sent = json === undefined ? { key } : { key, json }
  const answer = yield* Api.call("POST", `/company/integration/hiring/invitations/v1/${id}/${step}`, sent)
  Contract.documented(Contract.endpointOf(`invitations.${step}`), answer)
  return answer
})

const resultOf = ({ body, status }: Api.Answer) => {
  assert.strictEqual(status, 200, JSON.stringify(body))
  return (body as { readonly results: Api.Row }).results
}

/** The mails to an address as the mailbox shows them, the subject and the HTML of each, newest first. */
const mailbox = Effect.fnUntraced(function* (to: string) {
  yield* send
  const list = String((yield* Api.call("GET", "/mailbox")).body)
  const paths = [...list.matchAll(/<a class="row" href="(\/mailbox\/[^"]+)".*?<\/li>/gs)].flatMap(([row, path = ""]) =>
    row.includes(to) ? [path] : [],
  )
  return yield* Effect.forEach(paths, (path) =>
    Effect.map(Api.call("GET", path), ({ body }) => {
      const page = String(body)
      const subject = unescaped(/<h1[^>]*>(.*?)<\/h1>/s.exec(page)?.[1] ?? "")
      const html = unescaped(/srcdoc="([^"]*)"/.exec(page)?.[1] ?? "")
      const text = unescaped(/<pre>(.*?)<\/pre>/s.exec(page)?.[1] ?? "")
      return { subject, html, text }
    }),
  )
})

/** Invites one address on the first of January, to an interview in the given languages. */
const begin = Effect.fnUntraced(function* (
  email: string,
  cfg_lingual_ids: ReadonlyArray<number> = [],
  iai_questions: ReadonlyArray<object> = [],
) {
  yield* goTo(1)
  const { key } = yield* Caller
  const json = { title: "Backend & Data", interview_duration: 90, cfg_lingual_ids, iai_questions }
  const { id } = yield* Api.results(201, "POST", Api.paths.createSet, { key, json })
  const [invited] = yield* Api.results<ReadonlyArray<{ invitation: { id: string; interview_url: string } }>>(
    200,
    "POST",
    Api.paths.invite,
    {
      key,
      json: {
        com_interview_set_id: id,
        invitation_message: "{{firstname}} <3\n\n{{deadline}}",
        candidates: [{ email, name: "Ada Lovelace", firstname: "Ada" }],
      },
    },
  )
  return (yield* Effect.fromNullishOr(invited)).invitation
}, Effect.orDie)

layer(served)("the mails of an invitation", (it) => {
  it.effect.each<readonly [name: string, ids: ReadonlyArray<number>, lang: string, parts: ReadonlyArray<string>]>([
    ["none", [], "en", ["Interview invitation: Backend & Data", "90 minutes", "Saturday, 31 January 2026"]],
    ["german", [2], "de", ["Einladung zum Interview: Backend & Data", "90 Minuten", "Samstag, 31. Januar 2026"]],
    ["french", [3], "fr", ["Invitation à un entretien\u00a0: Backend & Data", "90 minutes", "samedi 31 janvier 2026"]],
    [
      "spanish",
      [4],
      "es",
      ["Invitación a una entrevista: Backend & Data", "90 minutos", "sábado, 31 de enero de 2026"],
    ],
    ["portuguese", [5], "pt", ["Convite para uma entrevista: Backend & Data", "90 minutos", "31 de janeiro de 2026"]],
    ["vietnamese", [6], "vi", ["Thư mời phỏng vấn: Backend & Data", "90 phút", "Thứ Bảy, 31 tháng 1, 2026"]],
    ["unknown", [999], "en", ["Interview invitation: Backend & Data", "90 minutes", "31 January 2026"]],
    ["arabic", [13], "ar", ["دعوة إلى مقابلة: Backend & Data", "90 دقيقة", "31 يناير 2026"]],
    ["second", [999, 3, 2], "fr", ["Invitation à un entretien\u00a0: Backend & Data", "90 minutes", "31 janvier 2026"]],
  ])("are in the set's language: %s", ([name, ids, lang, [subject = "", duration = "", deadline = ""]]) =>
    Effect.gen(function* () {
      const { interview_url } = yield* begin(`${name}@example.com`, ids)
      const [mail, ...rest] = yield* mailbox(`${name}@example.com`)
      assert.lengthOf(rest, 0)
      assert.strictEqual(mail?.subject, subject)
      assert.include(mail?.html, `<html lang="${lang}" dir="${lang === "ar" ? "rtl" : "ltr"}">`)
      for (const part of [mail?.html ?? "", mail?.text ?? ""]) {
        for (const expected of ["Ada Lovelace", "Nordlicht", duration, deadline, interview_url])
          assert.include(part, expected)
      }
      assert.include(mail?.text, "\n\nAda <3\n\n")
      assert.match(mail?.html ?? "", />Ada &lt;3<\/p>/)
    }),
  )

  it.effect.each<readonly [name: string, kinds: ReadonlyArray<unknown>, sentence: string | null]>([
    ["typing", [undefined, ["text"]], null],
    ["camera", [["text"], ["text", "video"]], catalogues.en.spoken.askVideo],
    ["both", [["audio"], ["text", "video"], ["audio"]], catalogues.en.spoken.askBoth],
  ])("say whether questions can be answered by speaking: %s", ([name, kinds, sentence]) =>
    Effect.gen(function* () {
      const questions = kinds.map((answer_with, index) => ({
        title: `Question ${index + 1}`,
        question_mode: "interview",
        question_type: "text",
        attributes: { answer_with },
      }))
      yield* begin(`${name}@example.com`, [], questions)
      const [mail] = yield* mailbox(`${name}@example.com`)
      const { askAudio, askBoth, askVideo } = catalogues.en.spoken
      for (const part of [mail?.html ?? "", mail?.text ?? ""])
        assert.deepStrictEqual(
          [askAudio, askVideo, askBoth].filter((one) => part.includes(one)),
          sentence === null ? [] : [sentence],
        )
    }),
  )

  it.effect("have the same link and language in reminders, extensions and resends", () =>
    Effect.gen(function* () {
      const { id, interview_url } = yield* begin("journey@example.com", [2])
      yield* mailbox("journey@example.com")
      yield* goTo(28)
      yield* Effect.repeat((yield* Reminders).step, { while: (done) => done > 0 })
      yield* mailbox("journey@example.com")
      yield* goTo(29)
      const expires_at = "2026-02-10T18:00:00.000Z"
      assert.deepInclude(resultOf(yield* ask("extend", id, { expires_at })), { expires_at, interview_url })
      yield* mailbox("journey@example.com")
      yield* goTo(30)
      resultOf(yield* ask("resend", id))
      const mails = yield* mailbox("journey@example.com")
      assert.deepStrictEqual(
        mails.map(({ subject }) => subject),
        [
          "Einladung zum Interview: Backend & Data",
          "Mehr Zeit für Ihr Interview: Backend & Data",
          "Erinnerung an Ihr Interview: Backend & Data",
          "Einladung zum Interview: Backend & Data",
        ],
      )
      for (const { html, text } of mails) {
        assert.include(text, `\n${interview_url}\n`)
        assert.include(html, interview_url)
        assert.isUndefined(linkAt(html, 0), "the mailbox counts what is clicked")
      }
      const newest = ["11. Februar 2026 um 03:00 GMT+9", "11. Februar 2026 um 03:00 GMT+9"]
      assert.deepStrictEqual(
        mails.map(({ text }) => /\d+\. \w+ 2026 um \d\d:\d\d GMT\+9/.exec(text)?.[0]),
        [...newest, "31. Januar 2026 um 09:00 GMT+9", "31. Januar 2026 um 09:00 GMT+9"],
      )
    }),
  )

  it.effect("stop when it is cancelled, and are sent again after a failure", () =>
    Effect.gen(function* () {
      const { organization } = yield* Caller
      const { id } = yield* begin("again@example.com")
      yield* send
      yield* (yield* InvitationReports).report("bounce", [{ id: InvitationId.make(id), organization_id: organization }])
      Contract.problem(yield* ask("extend", id, { expires_at: "2026-02-10T18:00:00Z" }), 409, "conflict")
      assert.deepInclude(resultOf(yield* ask("resend", id)), { status_text: "pending", failure_reason: null })
      assert.lengthOf(yield* mailbox("again@example.com"), 2)
      assert.deepInclude(resultOf(yield* ask("cancel", id)), { status_text: "cancelled" })
      assert.lengthOf(yield* mailbox("again@example.com"), 2)
      for (const step of ["resend", "extend"] as const) {
        const { detail } = Contract.problem(
          yield* ask(step, id, { expires_at: "2026-02-10T18:00:00Z" }),
          409,
          "conflict",
        )
        assert.strictEqual(detail, "the invitation was cancelled: invite the candidate again")
      }
    }),
  )

  it.effect("go to a corrected address after a failure, with the same link, once for repeated requests", () =>
    Effect.gen(function* () {
      const { organization } = yield* Caller
      const { id, interview_url } = yield* begin("ada@exmaple.com")
      yield* send
      const correction = { email: "mailto:ada@corrected.example", previous_email: "ADA@exmaple.com" }
      const refused = Effect.fnUntraced(function* (json: object, reason: string) {
        const { detail } = Contract.problem(yield* ask("correct", id, json), 409, "conflict")
        assert.include(detail, reason)
      })
      yield* refused(correction, "the invitation's email has not failed")
      yield* (yield* InvitationReports).report("bounce", [{ id: InvitationId.make(id), organization_id: organization }])
      yield* refused({ ...correction, previous_email: "lovelace@example.com" }, "has been corrected meanwhile")
      for (const [email, code] of [
        ["ada.example.com", "invalid_email"],
        ["ada@exmaple.com", "duplicate"],
      ]) {
        const { errors } = Contract.problem(yield* ask("correct", id, { email }), 422, "validation_failed")
        assert.deepStrictEqual(
          errors?.map((error) => [error.pointer, error.code]),
          [["#/email", code]],
        )
      }
      for (const _ of ["first", "repeated"]) {
        assert.deepInclude(resultOf(yield* ask("correct", id, correction)), {
          ...{ email: "ada@corrected.example", status_text: "pending", failure_reason: null },
          ...{ email_status: "queued", interview_url },
        })
      }
      const mails = yield* mailbox("ada@corrected.example")
      assert.lengthOf(mails, 1)
      assert.include(mails[0]?.text, interview_url)
    }),
  )

  it.effect("tell a candidate who has started how to continue, with the deadline", () =>
    Effect.gen(function* () {
      const { id, interview_url } = yield* begin("running@example.com", [3])
      yield* mailbox("running@example.com")
      yield* goTo(2)
      const token = interview_url.slice(interview_url.lastIndexOf("/") + 1)
      yield* (yield* Interviews).start(token)
      assert.deepInclude(resultOf(yield* ask("extend", id, { time_factor: 2 })), { time_factor: 2 })
      resultOf(yield* ask("resend", id))
      const [mail] = yield* mailbox("running@example.com")
      assert.strictEqual(mail?.subject, "Reprenez votre entretien\u00a0: Backend & Data")
      assert.include(mail?.text, "Vous pouvez répondre jusqu’au vendredi 2 janvier 2026 à 12:00 UTC+9.")
      assert.include(mail?.text, `\n${interview_url}\n`)
      resultOf(yield* ask("resend", id))
      yield* TestClock.adjust("180 minutes")
      assert.lengthOf(yield* mailbox("running@example.com"), 2, "what would come too late is not sent")
    }),
  )

  it.effect("are refused after the candidate declined, with what to do instead", () =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      const { id, interview_url } = yield* begin("declined@example.com")
      yield* goTo(2)
      yield* (yield* Interviews).decline(interview_url.slice(interview_url.lastIndexOf("/") + 1))
      const path = `/company/integration/hiring/invitations/v1/${id}`
      const read = { status_text: "cancelled", declined_at: "2026-01-02T00:00:00.000Z" }
      assert.deepInclude(resultOf(yield* Api.call("GET", path, { key })), read)
      for (const step of ["resend", "extend"] as const) {
        const { detail } = Contract.problem(yield* ask(step, id, { time_factor: 2 }), 409, "conflict")
        assert.strictEqual(
          detail,
          "the candidate has declined the interview: invite the candidate again if this was a mistake",
        )
      }
    }),
  )

  it.effect("go to internationalized domains, and both spellings are one candidate", () =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      yield* goTo(1)
      const { id } = yield* Api.results(201, "POST", Api.paths.createSet, { key, json: { title: "IDN" } })
      const invite = (email: string) =>
        Effect.map(
          Api.results<ReadonlyArray<Api.Row & { invitation: Api.Row }>>(200, "POST", Api.paths.invite, {
            key,
            json: { com_interview_set_id: id, candidates: [{ email }] },
          }),
          ([result]) => result,
        )
      const first = yield* invite("ada@bücher.example")
      assert.deepInclude(first?.invitation, { email: "ada@bücher.example", status_text: "pending" })
      assert.lengthOf(yield* mailbox("ada@bücher.example"), 1)
      for (const spelling of ["Ada@BÜCHER.example", "ada@xn--bcher-kva.example"]) {
        assert.strictEqual((yield* invite(spelling))?.invitation.id, first?.invitation.id)
      }
      assert.lengthOf(yield* mailbox("ada@bücher.example"), 1)
      const refused = yield* invite("ädä@example.com")
      assert.deepInclude(refused?.invitation, { status_text: "failed" })
      assert.strictEqual(
        refused?.["invitation_error_message"],
        "the email address must have only ASCII characters before the @: no invitation was sent",
      )
    }),
  )

  it.effect.each<readonly [body: object, code: string, field?: string]>([
    [{}, "required", ""],
    [{ expires_at: null, time_factor: null }, "required", ""],
    [{ expires_at: 1 }, "wrong_type"],
    [{ expires_at: "tomorrow" }, "invalid_date"],
    [{ expires_at: "2026-02-10" }, "invalid_date"],
    [{ expires_at: "2026-02-30T00:00:00Z" }, "invalid_date"],
    [{ expires_at: "2026-02-10T18:00:00" }, "invalid_date"],
    [{ expires_at: "2026-01-30T00:00:00Z" }, "out_of_range"],
    [{ expires_at: "2027-01-02T00:00:01Z" }, "out_of_range"],
    [{ expires_at: "9999-12-31T23:59:59Z" }, "out_of_range"],
    [{ time_factor: 0.99 }, "out_of_range", "time_factor"],
    [{ time_factor: 10.01 }, "out_of_range", "time_factor"],
    [{ time_factor: "2" }, "wrong_type", "time_factor"],
  ])("extend refuses %j: %s", ([body, code, field = "expires_at"]) =>
    Effect.gen(function* () {
      const { id } = yield* begin("refused@example.com")
      const { errors } = Contract.problem(yield* ask("extend", id, body), 422, "validation_failed")
      assert.deepStrictEqual(
        errors?.map((fault) => `${fault.pointer} ${fault.code}`),
        [`#${field === "" ? "" : `/${field}`} ${code}`],
      )
    }),
  )

  it.effect("extend accepts any time zone and requires the scope", () =>
    Effect.gen(function* () {
      const { organization } = yield* Caller
      const { id } = yield* begin("zone@example.com")
      const body = { expires_at: "2026-02-10T18:00:00+02:00" }
      assert.deepInclude(resultOf(yield* ask("extend", id, body)), { expires_at: "2026-02-10T16:00:00.000Z" })
      const { key } = yield* Api.keyOf(organization, { scopes: ["read", "create_set"] })
      const path = `/company/integration/hiring/invitations/v1/${id}/extend`
      Contract.problem(yield* Api.call("POST", path, { key, json: body }), 403, "missing_scope")
      Contract.problem(yield* Api.call("POST", path, { json: body }), 401, "unauthorized")
    }),
  )
})
