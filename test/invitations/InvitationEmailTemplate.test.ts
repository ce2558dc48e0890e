import { assert, describe, it } from "@effect/vitest"
import { renderInvitation } from "../../src/invitations/InvitationEmailTemplate.ts"
import type { InvitationView } from "../../src/invitations/InvitationRepository.ts"
import { linkAt, rewriteLinks } from "../../src/test-mode/StoredMail.ts"
import { momentText } from "../../src/texts/Formats.ts"
import { catalogues, type Language } from "../../src/texts/Texts.ts"
import { CandidateId, InterviewSetId, InvitationId, OrganizationId, SubmissionId } from "../../src/values/Ids.ts"

const id = "00000000-0000-7000-8000-000000000001"
const url = "https://app.example.com/i/AbC?x=1&y=2"
const links = { interviewUrl: url, unsubscribeUrl: "https://app.example.com/unsubscribe/AbC" }

const invitation = (rest: Partial<InvitationView> = {}): InvitationView => ({
  id: InvitationId.make(id),
  organization_id: OrganizationId.make(1),
  organization_name: "Acme",
  organization_contact: null,
  appearance: null,
  time_zone: "UTC",
  interview_set_id: InterviewSetId.make(id),
  interview_name: "Backend Engineer",
  interview_duration: 30,
  languages: [],
  spoken_kinds: [],
  submission_id: SubmissionId.make(id),
  submission_status: "need_interview",
  answer_until: null,
  candidate_id: CandidateId.make(id),
  email: "ada@example.com",
  name: "Ada Lovelace",
  firstname: "Ada",
  lastname: "Lovelace",
  message: null,
  own_subjects: { invitation: "", reminder: "" },
  status: "pending",
  expires_at: new Date("2026-12-21T14:05:00Z"),
  expired: false,
  has_notice: false,
  ...rest,
})

describe("renderInvitation", () => {
  it("names the organization, interview, duration, deadline and link", () => {
    const { html, subject, text } = renderInvitation(invitation(), links)
    assert.strictEqual(subject, "Interview invitation: Backend Engineer")
    for (const part of [
      "Hello Ada Lovelace",
      "Acme",
      "Backend Engineer",
      "30 minutes",
      "Monday, 21 December 2026 at 14:05 UTC",
    ]) {
      assert.include(html, part)
      assert.include(text, part)
    }
    assert.include(text, url)
    assert.include(renderInvitation(invitation({ interview_duration: null }), links).text, "no time limit")
    assert.include(renderInvitation(invitation({ interview_duration: 1 }), links).text, "1 minute,")
  })

  it.each(Object.keys(catalogues) as Array<Language>)(
    "says in %s which devices some questions can be answered with",
    (language) => {
      const { spoken } = catalogues[language]
      for (const [kinds, sentence] of [
        [["audio"], spoken.askAudio],
        [["video"], spoken.askVideo],
        [["audio", "video"], spoken.askBoth],
      ] as const) {
        const { html, text } = renderInvitation(invitation({ languages: [language], spoken_kinds: kinds }), links)
        for (const part of [html, text]) assert.include(part, sentence)
      }
      const { text } = renderInvitation(invitation({ languages: [language] }), links)
      for (const sentence of [spoken.askAudio, spoken.askVideo, spoken.askBoth]) assert.notInclude(text, sentence)
    },
  )

  it("links to the contact's address or page", () => {
    for (const [contact, href] of [
      ["jobs@acme.example", "mailto:jobs@acme.example"],
      ["a?b&c@bücher.example", "mailto:a%3Fb%26c@xn--bcher-kva.example"],
      ["https://acme.example/ask?a=1&b=2", "https://acme.example/ask?a=1&amp;b=2"],
    ] as const) {
      const { html, text } = renderInvitation(invitation({ organization_contact: contact }), links)
      assert.include(text, `\n\nDo you have questions? ${contact}\n\n`)
      assert.include(html, `clicktracking="off" href="${href}"`)
    }
    const { html, text } = renderInvitation(invitation(), links)
    for (const part of [html, text]) assert.notInclude(part, "questions?")
  })

  it.each(Object.entries(catalogues))("names the contact in %s", (language, { mail }) => {
    const { html, text } = renderInvitation(
      invitation({ languages: [language], organization_contact: "jobs@acme.example" }),
      links,
    )
    const question = mail.questions.replace("{contact}", "")
    for (const part of [html, text]) assert.include(part, question)
  })

  it.each(Object.keys(catalogues))(
    "tells a candidate who has started how to continue, with the deadline: %s",
    (language) => {
      const running = { languages: [language], submission_status: "started", message: "Only once" } as const
      const { mail } = catalogues[language as Language]
      const answer_until = new Date("2026-12-01T10:30:00Z")
      const timed = renderInvitation(invitation({ ...running, answer_until }), links)
      const untimed = renderInvitation(invitation({ ...running, interview_duration: null }), links)
      const until = mail.deadline.replace("{deadline}", momentText(language as Language, answer_until))
      const [before = "", after = ""] = mail.runningDeadline.split("{deadline}")
      for (const { html, subject, text } of [timed, untimed]) {
        for (const part of [html, text]) assert.notInclude(part, mail.ownZone)
        assert.strictEqual(subject, mail.runningSubject.replace("{interview}", "Backend Engineer"))
        for (const part of [html, text]) {
          assert.include(part, mail.continue)
          for (const wrong of [mail.open, "Only once", until, mail.noTimeLimit]) {
            assert.notInclude(part, wrong)
          }
        }
        assert.include(text, url)
      }
      for (const part of [timed.text, timed.html]) {
        assert.include(part, before)
        assert.include(part, after)
        assert.match(part, /10:30.*UTC|UTC.*10:30/)
        assert.include(part, mail.timeLeft)
      }
      for (const part of [untimed.text, untimed.html]) {
        assert.include(part, mail.runningNoLimit)
        assert.notInclude(part, "UTC")
      }
    },
  )

  it.each(Object.keys(catalogues))("states times in UTC with the day of the week: %s", (language) => {
    const monday = new Intl.DateTimeFormat(language, { weekday: "long" }).format(invitation({}).expires_at)
    const { text } = renderInvitation(invitation({ languages: [language] }), links)
    assert.include(text, monday)
    assert.match(text, /14:05.*UTC|UTC.*14:05/)
  })

  it("states times in the organization's time zone, in the message too", () => {
    const message = "Please answer by {{deadline}}."
    const late = { expires_at: new Date("2026-12-20T17:30:00Z"), time_zone: "Asia/Ho_Chi_Minh", message }
    const { text } = renderInvitation(invitation(late), links)
    assert.include(text, "Please answer by Monday, 21 December 2026 at 00:30 GMT+7.")
    assert.strictEqual(text.split("Monday, 21 December 2026 at 00:30 GMT+7").length, 3)
    assert.notInclude(text, "UTC")
    const german = renderInvitation(invitation({ languages: ["de"], time_zone: "Europe/Berlin", message }), links)
    assert.include(german.text, "Please answer by Montag, 21. Dezember 2026 um 15:05 MEZ.")
  })

  it("fills the message's tokens and keeps its line breaks", () => {
    const message =
      "Dear {{firstname}} {{lastname}} ({{name}}),\r\n{{interview}} at {{ organization }} until {{deadline}}. {{other}}"
    const { html, text } = renderInvitation(invitation({ message }), links)
    const filled = [
      "Dear Ada Lovelace (Ada Lovelace),",
      "Backend Engineer at Acme until Monday, 21 December 2026 at 14:05 UTC. {{other}}",
    ]
    assert.include(text, filled.join("\n"))
    assert.include(html, filled.join("<br>"))
  })

  it.each(Object.entries(catalogues))("greets a candidate without a name without one: %s", (language, { mail }) => {
    const message = "Dear {{firstname}} {{lastname}}, hello {{name}}.\n{{interview}}"
    const nameless = { languages: [language], name: null, firstname: null, lastname: null, message }
    const { html, text } = renderInvitation(invitation(nameless), links)
    assert.isTrue(text.startsWith(`${mail.greetingWithoutName}\n`))
    assert.include(html, `>${mail.greetingWithoutName}</p>`)
    assert.include(text, "Dear, hello.\nBackend Engineer")
    assert.notMatch(text, /\bada\b/)
  })

  it("escapes user input in HTML, not in text", () => {
    const hostile = `<script>alert("1")</script>'"><img src=x> href="https://evil.example/"`
    const all = invitation({
      organization_name: hostile,
      interview_name: hostile,
      name: hostile,
      message: `{{name}} {{interview}} ${hostile}`,
    })
    const { html, text } = renderInvitation(all, links)
    assert.notInclude(html, "<script")
    assert.notInclude(html, "<img")
    assert.include(html, "&lt;script&gt;")
    assert.notInclude(html, "&amp;lt;")
    assert.include(text, hostile)
    assert.strictEqual(linkAt(html, 0), url)
    assert.strictEqual(linkAt(html, 1), url)
    assert.strictEqual(linkAt(html, 2), links.unsubscribeUrl)
    assert.isUndefined(linkAt(html, 3))
  })

  it("keeps the subject on one line", () => {
    const { subject } = renderInvitation(
      invitation({ interview_name: " Backend\r\nBcc: x@example.com \t Engineer " }),
      links,
    )
    assert.strictEqual(subject, "Interview invitation: Backend Bcc: x@example.com Engineer")
  })

  it("cuts long titles in the subject", () => {
    const { subject } = renderInvitation(invitation({ interview_name: "\u{1F680}".repeat(1024) }), links)
    assert.strictEqual(subject, `Interview invitation: ${"\u{1F680}".repeat(150)}…`)
  })

  it("keeps the message's paragraphs", () => {
    const message = "One.\r\n\r\nTwo,\nthree.\n \n\nFour <b>."
    const { html, text } = renderInvitation(invitation({ message }), links)
    const note = /class="note"[^>]*>\s*(.*?)<\/td>/s.exec(html)?.[1] ?? ""
    assert.deepStrictEqual(
      [...note.matchAll(/<p [^>]*>(.*?)<\/p>/gs)].map(([, paragraph]) => paragraph),
      ["One.", "Two,<br>three.", "Four &lt;b&gt;."],
    )
    assert.include(text, "One.\n\nTwo,\nthree.\n \n\nFour <b>.")
  })

  it("is written in the set's first translated language, else in English, with lang", () => {
    const of = (languages: ReadonlyArray<string>) => renderInvitation(invitation({ languages }), links)
    for (const languages of [["de"], ["cs", "de", "fr"], ["de-AT"]]) {
      const { html, subject, text } = of(languages)
      assert.strictEqual(subject, "Einladung zum Interview: Backend Engineer")
      assert.include(html, '<html lang="de"')
      for (const part of ["Guten Tag Ada Lovelace", "30 Minuten", "Montag, 21. Dezember 2026 um 14:05 UTC"]) {
        assert.include(html, part)
        assert.include(text, part)
      }
    }
    for (const languages of [["cs"], ["constructor"], [""], []]) {
      const { html, subject } = of(languages)
      assert.strictEqual(subject, "Interview invitation: Backend Engineer")
      assert.include(html, '<html lang="en"')
    }
    const message = "Bonjour {{firstname}}, avant le {{deadline}} svp."
    const { text } = renderInvitation(invitation({ languages: ["fr"], message }), links)
    assert.include(text, "Bonjour Ada, avant le lundi 21 décembre 2026 à 14:05 UTC svp.")
  })

  it("has a preview without the text that follows", () => {
    const { html } = renderInvitation(invitation(), links)
    const [, preview = ""] = /<div style="display:none;[^"]*">(.*?)<\/div>/s.exec(html) ?? []
    assert.match(
      preview,
      /^Acme invites you to an interview\. You can start until Monday, 21 December 2026 at 14:05 UTC\./,
    )
    assert.match(preview, /(&#847;&zwnj;&nbsp;){60}$/)
  })

  it("contains the unsubscribe link and pixel only when given", () => {
    const unsubscribeUrl = "https://app.example.com/u/x?a=1&b=2"
    const openPixelUrl = "https://app.example.com/o/x?a=1&b=2"
    const { html, text } = renderInvitation(invitation(), { interviewUrl: url, openPixelUrl, unsubscribeUrl })
    assert.strictEqual(linkAt(html, 2), unsubscribeUrl)
    assert.include(text, `No more emails from Acme\n${unsubscribeUrl}\n`)
    assert.deepStrictEqual(html.match(/<img[^>]*>/g), [
      '<img src="https://app.example.com/o/x?a=1&amp;b=2" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0;">',
    ])
    const plain = renderInvitation(invitation(), { interviewUrl: url })
    assert.notInclude(plain.html, "No more emails")
    assert.notInclude(plain.text, "No more emails")
  })

  it("renders reminders and extensions with the same link and without the message", () => {
    const message = "We look forward to it."
    const reminder = renderInvitation(invitation({ message }), links, "invitation_reminder")
    const extension = renderInvitation(invitation({ message }), links, "invitation_extension")
    assert.strictEqual(reminder.subject, "Reminder of your interview: Backend Engineer")
    assert.strictEqual(extension.subject, "More time for your interview: Backend Engineer")
    for (const { html, text } of [reminder, extension]) {
      assert.notInclude(html, message)
      assert.notInclude(text, message)
      assert.include(text, `\n${url}\n`)
      assert.strictEqual(linkAt(html, 0), url)
      for (const part of ["Monday, 21 December 2026 at 14:05 UTC", "30 minutes", "The link is the same as before."]) {
        assert.include(html, part)
        assert.include(text, part)
      }
    }
    assert.include(reminder.text, "you have not started it yet: Backend Engineer")
    assert.include(extension.text, "You can now start until Monday")
  })

  it.each(Object.keys(catalogues))("is complete in %s for each kind of mail", (language) => {
    const all = { interviewUrl: url, openPixelUrl: `${url}&o`, unsubscribeUrl: `${url}&u` }
    for (const kind of ["invitation", "invitation_reminder", "invitation_extension"] as const) {
      for (const interview_duration of [null, 1, 45, 150]) {
        const { html, subject, text } = renderInvitation(
          invitation({ languages: [language], interview_duration, organization_name: "{deadline} & {name}" }),
          all,
          kind,
        )
        for (const part of [html, text]) assert.include(part, "Ada Lovelace")
        assert.include(html, `lang="${language}"`)
        const known = [subject, html, text].map((part) => part.replaceAll(/\{deadline\} &(amp;)? \{name\}/g, ""))
        for (const part of known) assert.notMatch(part.replace(/<style>.*<\/style>/s, ""), /\{|\}|undefined|\[object/)
        // mail clients support neither scripts nor positioned elements; tables must be closed
        assert.notMatch(html, /<script|<form|position:|display:\s*(flex|grid)/)
        for (const tag of ["table", "tr", "td", "p", "div", "a"]) {
          assert.strictEqual(html.split(`<${tag}`).length, html.split(`</${tag}>`).length, tag)
        }
      }
    }
  })

  it("loads no external resources", () => {
    assert.notMatch(renderInvitation(invitation(), links).html, /<img|<link|src=|url\(|@import/)
  })
})

describe("links of a mail", () => {
  it("are replaced one by one with their targets", () => {
    const { html } = renderInvitation(invitation(), links)
    const rewritten = rewriteLinks(html, (index) => `/mailbox/${id}/links/${index}`)
    assert.include(rewritten, `href="/mailbox/${id}/links/0"`)
    assert.include(rewritten, `href="/mailbox/${id}/links/1"`)
    assert.notMatch(rewritten, /href="http/)
    assert.isUndefined(linkAt(html, Number.NaN))
    assert.isUndefined(linkAt(html, -1))
  })
})
