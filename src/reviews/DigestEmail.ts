/**
 * Renders the daily email to a member. Contains no candidate data, because an erasure does not delete it from emails to members.
 */
import { may } from "../accounts/Permissions.ts"
import * as Layout from "../emails/EmailLayout.ts"
import type { EmailLinks } from "../emails/EmailLinks.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import { html } from "../platform/http/Html.ts"
import { counted, type DigestLine, type DigestSection, maxLines } from "./Digest.ts"
import type { DigestNotice, DigestReader } from "./DigestRepository.ts"

type Links = Pick<EmailLinks["Service"], "absolute" | "account" | "assigned" | "submission">

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()

/** One line for each group of notices with the same key, in the order of their first. */
const lineOfEach = (
  notices: ReadonlyArray<DigestNotice>,
  key: (notice: DigestNotice) => string,
  line: (first: DigestNotice, count: number) => DigestLine,
): ReadonlyArray<DigestLine> =>
  [...Map.groupBy(notices, key).values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [line(first, group.length)]
  })

const candidateFor = ({ set_title }: DigestNotice): string => `a candidate for ${set_title}`
const authorOf = ({ author }: DigestNotice): string => author ?? "A colleague"

const sectionsOf = (
  reader: DigestReader,
  notices: ReadonlyArray<DigestNotice>,
  links: Links,
): ReadonlyArray<DigestSection> => {
  const of = (kind: DigestNotice["kind"]) => notices.filter((one) => one.kind === kind)
  const submissionUrl = ({ submission_id }: DigestNotice) =>
    submission_id === null ? links.assigned : links.submission(submission_id)
  const listUrl = ({ set_id }: DigestNotice) =>
    may(reader, "readSubmissions") ? links.absolute(`/submissions?set=${set_id}&order=last_submitted`) : links.assigned
  const waiting = { text: `${counted(reader.waiting, "candidate")} in your list`, url: links.assigned }
  return [
    {
      title: "Submitted since yesterday",
      lines: lineOfEach(
        of("submitted"),
        ({ set_id }) => set_id ?? "",
        (first, count) => ({
          text: `${first.set_title}: ${count}`,
          url: count === 1 ? submissionUrl(first) : listUrl(first),
        }),
      ),
    },
    {
      title: "Waits for your review",
      lines: [
        ...lineOfEach(
          of("assignments"),
          (one) => `${one.set_id} ${one.author}`,
          (first, count) => ({
            text: `${authorOf(first)} asks you to review ${count === 1 ? candidateFor(first) : `${count} candidates for ${first.set_title}`}`,
            url: count === 1 ? submissionUrl(first) : links.assigned,
          }),
        ),
        ...(reader.waiting === 0 ? [] : [waiting]),
      ],
    },
    {
      title: "What candidates need",
      lines: lineOfEach(
        of("accommodations"),
        ({ set_id }) => set_id ?? "",
        (first, count) => ({
          text: `${first.set_title}: ${counted(count, "request waits", "requests wait")} for an answer`,
          url: links.absolute("/accommodations"),
        }),
      ),
    },
    {
      title: "Reviews by a person",
      lines: lineOfEach(
        of("person_reviews"),
        ({ set_id }) => set_id ?? "",
        (first, count) => ({
          text: `${first.set_title}: ${counted(count, "request waits", "requests wait")} for an answer`,
          url: links.absolute("/person-reviews"),
        }),
      ),
    },
    {
      title: "Corrections and remarks of candidates",
      lines: lineOfEach(
        of("remarks"),
        ({ submission_id }) => submission_id ?? "",
        (first, count) => ({
          text: `${counted(count, "text")} from ${candidateFor(first)}`,
          url: submissionUrl(first),
        }),
      ),
    },
    {
      title: "Mentions",
      lines: lineOfEach(
        of("mentions"),
        (one) => `${one.submission_id} ${one.author}`,
        (first) => ({
          text: `${authorOf(first)} mentioned you, about ${candidateFor(first)}`,
          url: submissionUrl(first),
        }),
      ),
    },
    {
      title: "Comments",
      lines: lineOfEach(
        of("comments"),
        ({ submission_id }) => submission_id ?? "",
        (first, count) => ({
          text: `${counted(count, "comment")} on ${candidateFor(first)}`,
          url: submissionUrl(first),
        }),
      ),
    },
    {
      title: "Webhooks",
      lines: lineOfEach(
        of("webhooks"),
        ({ endpoint_id }) => endpoint_id ?? "",
        (first) => ({
          text: `${first.endpoint_name} ${first.is_endpoint_active ? "works again" : "was deactivated"}`,
          url: links.absolute(`/settings/webhooks/${first.endpoint_id}`),
        }),
      ),
    },
  ].filter(({ lines }) => lines.length > 0)
}

const shortened = ({ lines, title }: DigestSection): DigestSection & { readonly more: number } => ({
  title,
  lines: lines.slice(0, maxLines).map(({ text, url }) => ({ text: oneLine(text), url })),
  more: Math.max(0, lines.length - maxLines),
})

const subjectOf = (organization: string, { waiting }: DigestReader, notices: ReadonlyArray<DigestNotice>): string => {
  const count = (kind: DigestNotice["kind"]) => notices.filter((one) => one.kind === kind).length
  const parts = [
    [count("submitted"), `${count("submitted")} submitted`],
    [waiting, `${waiting} to review`],
    [
      count("accommodations") + count("person_reviews"),
      counted(count("accommodations") + count("person_reviews"), "request"),
    ],
    [count("remarks"), counted(count("remarks"), "remark")],
    [count("mentions"), counted(count("mentions"), "mention")],
    [count("comments"), counted(count("comments"), "comment")],
    [count("webhooks"), "news of webhooks"],
  ] as const
  const named = parts.flatMap(([number, text]) => (number > 0 ? [text] : []))
  return `${organization}: ${named.join(", ") || "new candidates to review"}`
}

const unsubscribeLabel = "Get no more daily emails"

/** `notices` must not be empty. */
export const renderDigest = (
  reader: DigestReader,
  notices: ReadonlyArray<DigestNotice>,
  links: Links,
  unsubscribeUrl: string,
): RenderedEmail => {
  const organization = oneLine(reader.organization_name)
  const subject = subjectOf(organization, reader, notices)
  const sections = sectionsOf(reader, notices, links).map(shortened)
  const after = `You get this email once a day, when there is news. Choose your emails: ${links.account}`
  const { heading, quiet, text } = Layout.styles
  return {
    subject,
    html: Layout.frame({
      language: "en",
      title: subject,
      preview: "Since yesterday morning",
      head: organization,
      body: html`<h1 class="ink" style="${heading}">Since yesterday</h1>
${sections.map(
  ({ lines, more, title }) => html`<h2 class="ink" style="${text}font-weight:600;margin-top:20px;">${title}</h2>
${lines.map((line) => html`<p class="ink" dir="auto" style="${text}">${Layout.link(line.text, line.url)}</p>\n`)}${
  more === 0 ? null : html`<p class="quiet" style="${quiet}">and ${more} more</p>\n`
}`,
)}`,
      foot: html`You get this email once a day, when there is news. ${Layout.link("Choose your emails", links.account)}<br>
${Layout.link(unsubscribeLabel, unsubscribeUrl)}`,
    }),
    text: [
      ...sections.map(({ lines, more, title }) =>
        [
          title,
          ...lines.map((line) => `- ${line.text}\n  ${line.url}`),
          ...(more === 0 ? [] : [`and ${more} more`]),
        ].join("\n"),
      ),
      `--\n${after}`,
      `${unsubscribeLabel}\n${unsubscribeUrl}`,
    ]
      .join("\n\n")
      .concat("\n"),
  }
}
