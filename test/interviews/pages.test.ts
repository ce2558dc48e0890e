import { assert, describe, it } from "@effect/vitest"
import { mailboxPage, mailPage } from "../../src/dev/pages/MailboxPage.ts"
import { receiverPage } from "../../src/dev/pages/ReceiverPage.ts"
import { questionTypeIds } from "../../src/interview-sets/InterviewSet.ts"
import type { InterviewView } from "../../src/interviews/InterviewView.ts"
import {
  closedPage,
  completedPage,
  refusedPage,
  timeOverPage,
  tooLargePage,
} from "../../src/interviews/pages/InterviewNotices.ts"
import { declinePage, invitedPage } from "../../src/interviews/pages/InvitedPage.ts"
import {
  choicePage,
  type QuestionPageOptions,
  questionPage,
  reviewPage,
} from "../../src/interviews/pages/RunningInterviewPage.ts"
import { type Document, renderDocument } from "../../src/platform/http/Document.ts"
import { unknownLinkPage } from "../../src/platform/http/UnknownLink.ts"
import { catalogues, type Language } from "../../src/texts/Texts.ts"
import { BlobId, EmailId, OrganizationId } from "../../src/values/Ids.ts"
import { answered, option, question, questionId, view } from "./interviewView.ts"

const languages = Object.keys(catalogues) as Array<Language>

const render = (document: Document) => renderDocument(document, (name) => `/assets/${name}`)
const now = new Date("2026-12-01T10:00:00Z")
/** Closes a tag, attributes in either quote, a title and a text area, and overrides the direction. */
const hostile = `</title></textarea><script>alert("1")</script>'"><img src=x onerror=y>\u202Eabc`

const hostileView = view({
  organizationName: hostile,
  interviewName: hostile,
  position: hostile,
  description: hostile,
  candidateName: hostile,
  language: hostile,
  completedAt: now,
  secondsLeft: 60,
  questions: [
    question(1, { title: hostile, content: hostile, hint: hostile, details: hostile }),
    question(2, {
      title: hostile,
      cfg_question_type_id: questionTypeIds.radio,
      options: [{ ...option(hostile, hostile), content: hostile }],
    }),
    question(3, { title: hostile, cfg_question_type_id: questionTypeIds.file }),
  ],
  contact: hostile,
  privacyContact: `https://example.com/${hostile}`,
  improvableUntil: now,
  answers: new Map([
    answered(1, { content: hostile }),
    answered(2, { option_ids: [hostile] }),
    answered(3, { file: { blob_id: BlobId.make(questionId(9)), name: hostile, type: hostile, size: 1 } }),
  ]),
})

const email = {
  id: EmailId.make("00000000-0000-7000-8000-00000000000a"),
  organization_id: OrganizationId.make(1),
  invitation_id: null,
  submission_id: null,
  kind: "password_reset" as const,
  member_id: null,
  recipient: hostile,
  subject: hostile,
  html: `<p><a href="https://example.com/?a=1&amp;b=2">x</a></p>`,
  text: hostile,
  organization_name: hostile,
  organization_contact: hostile,
  sender_name: hostile,
  reply_to: null,
  message_id: null,
  sent_at: now,
  is_test: false,
}

const showing = (of: InterviewView, number: number, rest: Partial<QuestionPageOptions> = {}) => {
  const asked = of.questions[number - 1] ?? assert.fail("no such question")
  return questionPage(of, asked, {
    token: "token",
    number,
    now,
    saved: false,
    fromReview: false,
    takesUsed: 0,
    limit: 20_000,
    ...rest,
  })
}

const hostilePages: Record<string, Document> = {
  invited: invitedPage(hostileView, "token"),
  ...Object.fromEntries([1, 2, 3].map((n) => [`question ${n}`, showing({ ...hostileView, state: "running" }, n)])),
  review: reviewPage({ ...hostileView, state: "running" }, "token", now),
  decline: declinePage(hostileView, "token"),
  completed: completedPage({ ...hostileView, state: "completed" }, "token", true),
  timeOver: timeOverPage(hostileView, "token"),
  expired: closedPage(hostileView, "expired", "token"),
  cancelled: closedPage(hostileView, "cancelled", "token"),
  declined: closedPage(hostileView, "declined", "token"),
  withdrawn: closedPage(hostileView, "withdrawn", "token"),
  refused: refusedPage(hostileView, "completed", "token"),
  mailbox: mailboxPage([email], false),
  mail: mailPage(email, [["From", hostile]]),
  receiver: receiverPage([
    {
      number: 1,
      receivedAt: now,
      eventType: hostile,
      status: hostile,
      candidate: null,
      reason: hostile,
      json: null,
      text: hostile,
    },
  ]),
}

describe("pages", () => {
  for (const [name, document] of Object.entries(hostilePages)) {
    it(`${name}: escapes user input`, () => {
      const html = render(document)
      assert.include(html, "&lt;script&gt;")
      assert.notInclude(html, "<script>")
      assert.notInclude(html, "<img")
      assert.notMatch(html, /&amp;lt;script/)
    })
  }

  it.each(languages)("in %s every page is complete and declares its language", (spoken) => {
    const of = view({
      spoken,
      contact: "jobs@acme.example",
      retakesLeft: 2,
      improvableUntil: now,
      completedAt: now,
      secondsLeft: 60,
      attempt: 2,
    })
    const documents = [
      invitedPage(of, "token"),
      invitedPage(
        { ...of, minutes: null, contact: null, privacyContact: "https://acme.example/x", retakesLeft: 1 },
        "token",
      ),
      ...of.questions.map((_, index) => showing(of, index + 1)),
      reviewPage(of, "token", now),
      reviewPage(of, "token", now, true),
      declinePage(of, "token"),
      tooLargePage(of, "token"),
      unknownLinkPage(spoken),
      completedPage(of, "token", true),
      timeOverPage(of, "token", true),
      ...(["expired", "cancelled", "declined", "withdrawn"] as const).map((state) => closedPage(of, state, "token")),
      ...(["open", "running", "time_over", "completed"] as const).map((state) => refusedPage(of, state, "token")),
    ]
    for (const document of documents) {
      const html = render(document)
      assert.include(html, `<html lang="${spoken}"${spoken === "ar" ? ' dir="rtl"' : ""}>`)
      assert.notMatch(html.replace(/data-texts="[^"]*"/, ""), /[{}]|undefined|\[object/)
    }
  })

  it("renders one h1, one main, a title and no inline style or script", () => {
    for (const document of [...Object.values(hostilePages), unknownLinkPage("en"), tooLargePage(view(), "token")]) {
      const html = render(document).replace(/srcdoc="[^"]*"/, "")
      assert.strictEqual(html.match(/<h1[ >]/g)?.length, 1)
      assert.strictEqual(html.match(/<main[ >]/g)?.length, 1)
      assert.match(html, /<title>.+<\/title>/)
      assert.notMatch(html, /\sstyle=|<style|\son[a-z]+="|<script type="module">/)
    }
  })

  it("question: one per page, with fields named after it and filled with the saved answer", () => {
    const of = view({
      state: "running",
      answers: new Map([answered(1, { option_ids: ["1"] }), answered(3, { content: "\nfirst line is empty" })]),
    })
    const radio = render(showing(of, 1))
    assert.include(radio, `name="option.${questionId(1)}" value="1" checked`)
    assert.include(radio, `name="option.${questionId(1)}" value="b">`)
    assert.include(radio, "First, a few facts · Question 1 of 4")
    assert.notInclude(radio, `name="option.${questionId(2)}"`)
    assert.include(render(showing(of, 2)), `name="option.${questionId(2)}" value="">`)
    const text = render(showing(of, 3))
    assert.match(text, new RegExp(`name="answer.${questionId(3)}"[^>]*>\n\nfirst line is empty</textarea>`))
    assert.include(text, "2 of 4 answered")
    assert.include(text, 'href="/i/token/questions/2"')
  })

  it("question: a plain form uploads a file and names the supported types", () => {
    const file = { blob_id: BlobId.make(questionId(9)), name: "CV.pdf", type: "application/pdf", size: 1_234_567 }
    const of = view({ state: "running", answers: new Map([answered(4, { file })]) })
    const html = render(showing(of, 4))
    assert.include(html, 'enctype="multipart/form-data"')
    assert.match(html, new RegExp(`<input type="file"[^>]*name="file.${questionId(4)}"[^>]*accept="[^"]*\\.pdf`))
    assert.include(html, "<bdi>CV.pdf</bdi></a> (1.2 MB)")
    assert.include(html, 'value="remove"')
  })

  it("question: a choice without options is a text; the deadline is shown in UTC without scripts", () => {
    const questions = [question(1, { cfg_question_type_id: questionTypeIds.radio })]
    const html = render(showing(view({ state: "running", questions, secondsLeft: 90 }), 1))
    assert.include(html, `<textarea id="q1-answer" name="answer.${questionId(1)}"`)
    assert.include(html, 'data-seconds-left="90"')
    assert.include(html, ">10:01 UTC</time>")
  })

  it.each([
    ["shows the deadline as a time until midnight", 14 * 3600 - 1, "23:59 UTC"],
    ["shows the deadline with its date from midnight on", 14 * 3600, "2 Dec 2026, 00:00 UTC"],
    ["shows the deadline with its date a day later", 24 * 3600, "2 Dec 2026, 10:00 UTC"],
  ])("question: %s", (_, secondsLeft, said) => {
    assert.include(render(showing(view({ state: "running", secondsLeft }), 1)), `>${said}</time>`)
  })

  it.each(languages)("in %s a candidate without a name is greeted without one", (spoken) => {
    const nameless = view({ spoken, candidateName: "", completedAt: now })
    for (const page of [invitedPage(nameless, "t"), completedPage(nameless, "t")]) {
      assert.notInclude(render(page), "<bdi></bdi>")
    }
  })

  it("shows times in the organization's time zone, with its name", () => {
    const html = render(invitedPage(view({ timeZone: "Europe/Berlin" }), "t"))
    assert.include(html, 'datetime="2026-12-21T14:05:00.000Z" data-local="short">21 Dec 2026, 15:05 CET</time>')
    // the script shows the candidate's own time
    assert.notInclude(html, "data-zone")
    const german = render(invitedPage(view({ timeZone: "Europe/Berlin", spoken: "de" }), "t"))
    assert.include(german, "21. Dez. 2026, 15:05 MEZ</time>")
    const late = view({ timeZone: "Asia/Ho_Chi_Minh", state: "running", secondsLeft: 600 })
    assert.match(render(showing(late, 1)), />\d\d:\d\d GMT\+7<\/time>/)
  })

  it("the page before the start shows the interview, its time, its deadline, who decides, and contacts", () => {
    const html = render(
      invitedPage(view({ contact: "jobs@acme.example", privacyContact: "https://acme.example/privacy" }), "t"),
    )
    for (const text of [
      "Backend Engineer",
      "Acme",
      "30 minutes",
      'datetime="2026-12-21T14:05:00.000Z"',
      "Software reads your answers",
      "the decision is theirs",
      'href="https://acme.example/privacy"',
      'href="mailto:jobs@acme.example"',
      'action="/i/t/start"',
      'href="/i/t/decline"',
    ]) {
      assert.include(html, text)
    }
    const asking = render(invitedPage(view({ contact: "a?b&c@bücher.example" }), "t"))
    assert.include(asking, 'href="mailto:a%3Fb%26c@xn--bcher-kva.example"')
    const silent = render(invitedPage(view({ contact: "javascript:alert(1)" }), "t"))
    assert.notInclude(silent, 'href="javascript')
  })

  it.each(languages)("in %s an interview without questions shows the contact and cannot be started", (spoken) => {
    const html = render(invitedPage(view({ spoken, questions: [], contact: "jobs@acme.example" }), "t"))
    const [before = "", after = ""] = catalogues[spoken].page.nothingYet.split("{contact}")
    assert.include(html, before)
    assert.include(html, after)
    assert.include(html, 'href="mailto:jobs@acme.example"')
    assert.include(html, 'href="/i/t/decline"')
    assert.notInclude(html, "/i/t/start")
  })

  it("the receipt says that a retake ends with the improvement window, and names its deadline once", () => {
    const until = new Date("2026-12-21T14:05:00Z")
    const html = render(completedPage(view({ improvableUntil: until, retakesLeft: 1, completedAt: now }), "t"))
    assert.include(html, "You then have 30 minutes again, or less if that deadline comes first.")
    assert.lengthOf(html.match(/<time datetime="2026-12-21T14:05:00.000Z"/g) ?? [], 1)
  })

  it("review: asks before an incomplete submission; not at the end of the time, nor while a required answer is missing", () => {
    const running = view({ state: "running", secondsLeft: 60 })
    const asked = 'form="ask"'
    const sends = 'form="finish"'
    const before = render(reviewPage(running, "t", now))
    assert.include(before, asked)
    assert.notInclude(before, sends)
    const confirming = render(reviewPage(running, "t", now, true))
    assert.include(confirming, "Submit anyway?")
    assert.include(confirming, '<a class="button primary" href="/i/t/review">Go back</a>')
    assert.include(confirming, sends)
    for (const html of [before, confirming]) {
      assert.include(html, 'id="finish" method="post" action="/i/t/finish"', "the script submits when the time ends")
    }
    const first = question(1, { attributes: { required: true } })
    const required = { ...running, questions: [first, ...running.questions.slice(1)] }
    const answers = new Map(
      running.questions.map((_, index) => answered(index + 1, { content: "a", option_ids: ["1"] })),
    )
    for (const of of [required, { ...running, answers }]) {
      const html = render(reviewPage(of, "t", now, true))
      assert.include(html, sends)
      assert.notInclude(html, "Submit anyway")
    }
  })

  it("question: a retake says that the earlier submission counts", () => {
    const running = view({ state: "running", secondsLeft: 60 })
    const notice = "Your earlier submission counts until you submit again."
    assert.notInclude(render(showing(running, 1)), notice)
    assert.include(render(showing({ ...running, attempt: 2 }, 1)), notice)
  })

  it.each(languages)("in %s the choice between two versions says that the answer is not saved yet", (spoken) => {
    const of = view({ state: "running", spoken, answers: new Map([answered(3, { content: "saved" })]) })
    const asked = of.questions[2] ?? assert.fail("no such question")
    const sent = { question_id: asked.id, content: "sent", option_ids: [] }
    const options = { token: "token", number: 3, now, fromReview: false, sent, go: "next", next: "/i/token/review" }
    const html = render(choicePage(of, asked, options)).replaceAll("&#39;", "'")
    assert.include(html, catalogues[spoken].page.chooseVersion)
    assert.notInclude(html, catalogues[spoken].page.unsaved)
    for (const text of [">saved</div>", ">sent</div>", `href="/i/token/review"`]) assert.include(html, text)
  })

  it("mail: links lead through the mailbox; the mail's frame runs no script", () => {
    const html = render(mailPage(email, []))
    assert.include(html, `href=&quot;/mailbox/${email.id}/links/0&quot;`)
    assert.notInclude(html, "example.com")
    assert.notMatch(html, /sandbox="[^"]*allow-(scripts|same-origin|forms)/)
  })
})
