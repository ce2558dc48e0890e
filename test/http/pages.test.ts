import { assert, describe, it } from "@effect/vitest"
import { EmailId, OrganizationId } from "../../src/domain/Ids.ts"
import { questionTypeIds } from "../../src/domain/InterviewSet.ts"
import { type Document, renderDocument } from "../../src/http/pages/Document.ts"
import { invitedPage } from "../../src/http/pages/InterviewInvited.ts"
import {
  closedPage,
  completedPage,
  refusedPage,
  timeOverPage,
  unknownLinkPage,
} from "../../src/http/pages/InterviewNotices.ts"
import { questionsPage } from "../../src/http/pages/InterviewQuestions.ts"
import { mailboxPage, mailPage } from "../../src/http/pages/MailboxPages.ts"
import { receiverPage } from "../../src/http/pages/ReceiverPage.ts"
import { option, question, questionId, view } from "./interviewView.ts"

const render = (document: Document) => renderDocument(document, (name) => `/assets/${name}`)
const now = new Date("2026-12-01T10:00:00Z")
/** Ends a tag, an attribute in either quote, a title and a text area, and turns the direction. */
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
  ],
  answers: new Map([
    [questionId(1), { question_id: questionId(1), content: hostile, option_ids: [] }],
    [questionId(2), { question_id: questionId(2), content: null, option_ids: [hostile] }],
  ]),
})

const email = {
  id: EmailId.make("00000000-0000-7000-8000-00000000000a"),
  organization_id: OrganizationId.make(1),
  invitation_id: null,
  recipient: hostile,
  subject: hostile,
  html: `<p><a href="https://example.com/?a=1&amp;b=2">x</a></p>`,
  text: hostile,
  sent_at: now,
}

const hostilePages: Record<string, Document> = {
  invited: invitedPage(hostileView, "token"),
  questions: questionsPage({ ...hostileView, state: "running" }, "token", now, false),
  completed: completedPage({ ...hostileView, state: "completed" }),
  timeOver: timeOverPage(hostileView),
  expired: closedPage(hostileView, "expired"),
  cancelled: closedPage(hostileView, "cancelled"),
  withdrawn: closedPage(hostileView, "withdrawn"),
  refused: refusedPage({ ...hostileView, state: "completed" }, "token"),
  mailbox: mailboxPage([email]),
  mail: mailPage(email),
  receiver: receiverPage([
    { number: 1, receivedAt: now, eventType: hostile, status: hostile, fault: hostile, json: null, text: hostile },
  ]),
}

describe("pages", () => {
  for (const [name, document] of Object.entries(hostilePages)) {
    it(`${name}: what people wrote can not become markup`, () => {
      const html = render(document)
      assert.include(html, "&lt;script&gt;")
      assert.notInclude(html, "<script>")
      assert.notInclude(html, "<img")
      assert.notMatch(html, /&amp;lt;script/)
    })
  }

  it("every page has one h1, one main, a title and no inline style or script", () => {
    for (const document of [...Object.values(hostilePages), unknownLinkPage]) {
      const html = render(document).replace(/srcdoc="[^"]*"/, "")
      assert.strictEqual(html.match(/<h1[ >]/g)?.length, 1)
      assert.strictEqual(html.match(/<main[ >]/g)?.length, 1)
      assert.match(html, /<title>.+<\/title>/)
      assert.notMatch(html, /\sstyle=|<style|\son[a-z]+="|<script type="module">/)
    }
  })

  it("questions: each field has a name that belongs to its question, and what is saved stands in it", () => {
    const answers = new Map([
      [questionId(1), { question_id: questionId(1), content: null, option_ids: ["1"] }],
      [questionId(3), { question_id: questionId(3), content: "\nfirst line is empty", option_ids: [] }],
    ])
    const html = render(questionsPage(view({ state: "running", answers }), "tok", now, false))
    assert.include(html, `name="option.${questionId(1)}" value="1" checked`)
    assert.include(html, `name="option.${questionId(1)}" value="b">`)
    assert.include(html, `name="option.${questionId(2)}" value="">`)
    assert.match(html, new RegExp(`name="answer.${questionId(3)}"[^>]*>\n\nfirst line is empty</textarea>`))
    assert.include(html, "2 of 4 answered")
    assert.include(html, "Files cannot be uploaded here yet")
    assert.include(html, 'action="/i/tok/finish"')
    assert.include(html, 'formaction="/i/tok/answers"')
  })

  it("questions: a choice without options is a text; the clock's end is said in UTC for who has no script", () => {
    const questions = [question(1, { cfg_question_type_id: questionTypeIds.radio })]
    const html = render(questionsPage(view({ state: "running", questions, secondsLeft: 90 }), "tok", now, false))
    assert.include(html, `<textarea id="q1-answer" name="answer.${questionId(1)}"`)
    assert.include(html, 'data-seconds-left="90"')
    assert.include(html, "10:01 UTC")
  })

  it("mail: its links lead through this service; the mail's frame runs no script", () => {
    const html = render(mailPage(email))
    assert.include(html, `href=&quot;/mailbox/${email.id}/links/0&quot;`)
    assert.notInclude(html, "example.com")
    assert.notMatch(html, /sandbox="[^"]*allow-(scripts|same-origin|forms)/)
  })
})
