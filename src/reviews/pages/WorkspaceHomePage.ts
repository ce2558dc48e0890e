/** The workspace's home: what needs attention, the figures of interview sets, and the first steps. */
import type { Member } from "../../accounts/members/Member.ts"
import { may } from "../../accounts/Permissions.ts"
import { countText, cut, spanText } from "../../accounts/pages/WorkspacePage.ts"
import { namesOfAll, systemNames } from "../../ats/HiringSystem.ts"
import { connectionsHref } from "../../ats/pages/HiringSystemPage.ts"
import type { CandidateRef } from "../../candidates/Candidate.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { chooseForInviteHref, setHref, setsHref } from "../../interview-sets/pages/SetLabels.ts"
import { templatesHref } from "../../interview-sets/pages/SetTemplatesPage.ts"
import { personReviewsHref } from "../../person-reviews/pages/PersonReviewListPage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Notice, noticeBox } from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { icon } from "../../platform/http/Icons.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { mostFunnelled } from "../../submissions/Funnel.ts"
import { countedText, failureText, milestoneNames, nameOf } from "../../submissions/pages/SubmissionLabels.ts"
import { numberText } from "../../texts/Formats.ts"
import { homeLimits } from "../HomeLimits.ts"
import type { HomeView } from "../WorkspaceHome.ts"
import { accommodationsHref } from "./AccommodationListPage.ts"
import { addressForm } from "./AddressForm.ts"
import { assignedHref, assignedRow } from "./AssignedPage.ts"
import { funnelCells, milestoneDefinitions, scoreChart } from "./HomeCharts.ts"
import { submissionHref } from "./SubmissionView.ts"

const webhooksHref = "/settings/webhooks"

const person = (candidate: CandidateRef): Html =>
  html`<span class="row-name" dir="auto">${cut(nameOf(candidate), 80)}</span>`

const row = (href: string, name: Html, text: HtmlValue, aside: HtmlValue, below: Html | null = null): Html =>
  html`<li><a class="row" href="${href}"><span class="row-head">${name} <span class="quiet">${aside}</span></span>
<span class="row-text">${text}</span></a>${below}</li>
`

/** "3 submissions waiting for review", or "More than 200 …". */
const counted = (count: number, one: string, many: string): string =>
  count > homeLimits.counted ? `More than ${numberText("en", homeLimits.counted)} ${many}` : countText(count, one, many)

interface Part {
  readonly id: string
  readonly title: string
  readonly note?: HtmlValue
  readonly rows: ReadonlyArray<Html>
  /** Each row has one line on wide screens. */
  readonly isShort?: boolean
  readonly all: { readonly href: string; readonly name: string } | undefined
}

const part = ({ all, id, isShort, note, rows, title }: Part): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${note === undefined ? null : html`<p class="note">${note}</p>`}
<ul class="rows${isShort ? " short" : ""}">${rows}</ul>
${all === undefined ? null : html`<p class="more"><a href="${all.href}">${all.name}</a></p>`}</section>`

/** Query strings of the lists that the parts begin, for Previous and Next on the page of a submission. */
const lists = {
  review: "status=waiting&order=first_submitted",
  decision: "reached=reviewed&decision=undecided&order=first_reviewed",
} as const

/** Waiting times from which on a row stands out. */
const lateDays = { warm: 5, stop: 10 } as const

const waited = (millis: number, wait: (span: string) => string): HtmlValue => {
  const days = millis / 86_400_000
  if (days < lateDays.warm) return wait(spanText(millis))
  return html`<span class="${days < lateDays.stop ? "late" : "late very"}">${wait(spanText(millis))}</span>`
}

/** The note and the rows of a part about submissions; `wait` formats the waiting time of a row. */
const oldest = (now: Date, { count, rows }: HomeView["toReview"], list: string, wait: (span: string) => string) => ({
  isShort: true,
  note: count > rows.length ? `The ${rows.length} waiting longest:` : undefined,
  rows: rows.map(({ candidate, id, set_title, since }) =>
    row(
      submissionHref(id, { list }),
      person(candidate),
      html`<bdi>${cut(set_title, 100)}</bdi>`,
      waited(Math.max(0, now.getTime() - Date.parse(since)), wait),
    ),
  ),
})

const accommodationNote = ({ accommodations }: HomeView): Html | null =>
  accommodations === 0
    ? null
    : html`<section aria-labelledby="needs"><h2 id="needs">${countText(accommodations, "candidate needs", "candidates need")} something else to take part</h2>
<p><a href="${accommodationsHref}">Answer what they ask for</a></p></section>`

const personReviewNote = ({ personReviews: { count, overdue } }: HomeView): Html | null =>
  count === 0
    ? null
    : html`<section aria-labelledby="persons"><h2 id="persons">${countText(count, "candidate asks", "candidates ask")} for a review by a person</h2>
<p>${overdue === 0 ? null : html`<span class="tag to-review">${countText(overdue, "answer is", "answers are")} overdue</span> `}<a href="${personReviewsHref}">Answer them</a></p></section>`

/** Open ones only. */
const assignedList = ({ assigned: { all, open, rows }, now }: HomeView): Html | null =>
  open === 0
    ? null
    : part({
        id: "assigned",
        title: open === 1 ? "1 review assigned to you" : `${countedText(open)} reviews assigned to you`,
        rows: rows.filter(({ reviewed_at }) => reviewed_at === null).map((one) => assignedRow(one, now)),
        all: {
          href: assignedHref,
          name: all > open ? "All assigned to you, also reviewed ones" : "All assigned to you",
        },
      })

const reviewList = ({ now, toReview }: HomeView): Html | null =>
  toReview.rows.length === 0
    ? null
    : part({
        id: "review",
        title: counted(toReview.count, "submission waiting for review", "submissions waiting for review"),
        ...oldest(now, toReview, lists.review, (span) => `waiting ${span}`),
        all: { href: `/submissions?${lists.review}`, name: "All waiting for review" },
      })

const decisionList = ({ now, toDecide }: HomeView): Html | null =>
  toDecide.rows.length === 0
    ? null
    : part({
        id: "decide",
        title: counted(
          toDecide.count,
          "reviewed submission waiting for a decision",
          "reviewed submissions waiting for a decision",
        ),
        ...oldest(now, toDecide, lists.decision, (span) => `reviewed ${span} ago`),
        all: { href: "/submissions?decision=undecided&order=last_submitted", name: "All without a decision" },
      })

const failedMails = ({ failedMails: { count, rows } }: HomeView): Html | null =>
  rows.length === 0
    ? null
    : part({
        id: "mails",
        title: counted(count, "failed invitation", "failed invitations"),
        isShort: true,
        rows: rows.map(
          ({ candidate, email, failed_at, failure_reason, id, is_open, set_title, submission_id }, index) =>
            row(
              `/submissions/${submission_id}#invitation`,
              person(candidate),
              html`${failure_reason === null ? null : html`<bdi class="late very">${cut(failureText(failure_reason), 120)}</bdi>`}<bdi class="of-set">${cut(set_title, 100)}</bdi>`,
              moment(new Date(failed_at), "day"),
              is_open
                ? html`<details class="correct"><summary class="button secondary">Correct<span class="unseen"> the address of ${nameOf(candidate)}</span></summary>
${addressForm({ invitation: id, email, id: `email-${index}`, from: "home" })}</details>`
                : null,
            ),
        ),
        all: { href: "/submissions?invitation=failed", name: "All failed invitations" },
      })

type Endpoint = NonNullable<HomeView["failingEndpoints"]>["rows"][number]

const endpointState = ({ consecutive_failures: failures, deactivated_at, status }: Endpoint): string => {
  if (status === "inactive") return deactivated_at === null ? "Inactive" : "Deactivated"
  return `Failing: ${countText(failures, "failure", "failures")} in a row`
}

const failingEndpoints = ({ failingEndpoints: endpoints }: HomeView): Html | null =>
  endpoints === undefined || endpoints.rows.length === 0
    ? null
    : part({
        id: "webhooks",
        title: counted(endpoints.count, "failing or inactive webhook", "failing or inactive webhooks"),
        isShort: true,
        rows: endpoints.rows.map((one) =>
          row(
            `${webhooksHref}/${one.id}`,
            html`<span class="row-name" dir="auto">${cut(one.name, 80)}</span>`,
            endpointState(one),
            null,
          ),
        ),
        all: { href: webhooksHref, name: "All webhooks" },
      })

type Connection = NonNullable<HomeView["failingConnections"]>["rows"][number]

const reportsOf = ({ failed, waiting }: Connection): string =>
  [
    ...(failed === 0 ? [] : [countText(failed, "failed report", "failed reports")]),
    ...(waiting === 0 ? [] : [countText(waiting, "waiting report", "waiting reports")]),
  ].join(", ")

const failingConnections = ({ failingConnections: connections }: HomeView): Html | null =>
  connections === undefined || connections.rows.length === 0
    ? null
    : part({
        id: "reports",
        title: counted(
          connections.count,
          "hiring system with failed or waiting reports",
          "hiring systems with failed or waiting reports",
        ),
        note: "Reports are sent again when the hiring system answers.",
        rows: connections.rows.map((one) =>
          row(
            `${connectionsHref}/${one.id}`,
            html`<span class="row-name" dir="auto">${cut(one.name, 80)}</span>`,
            html`${reportsOf(one)} · <bdi>${cut(one.error, 150)}</bdi>`,
            systemNames[one.system],
          ),
        ),
        all: { href: connectionsHref, name: "All hiring systems" },
      })

interface Step {
  readonly isDone: boolean
  readonly name: string
  readonly text: string
  /** Undefined: nothing to open yet. */
  readonly href: string | undefined
}

const stepsOf = (member: Member, { progress, sets, toDecide, toReview }: HomeView): ReadonlyArray<Step> => {
  const [only] = sets
  const oneSet = sets.length === 1 && only !== undefined ? setHref(only.id) : undefined
  const settingUp: ReadonlyArray<Step> = [
    {
      isDone: progress.isConnected,
      name: "Connect your hiring system",
      text: `${namesOfAll} need no code; others use an API key and webhooks.`,
      href: connectionsHref,
    },
    {
      isDone: progress.hasColleague,
      name: "Invite colleagues",
      text: "Recruiters see the interview sets shared with them; admins manage everything.",
      href: "/settings/members/new",
    },
  ]
  const [review] = toReview.rows
  const [decide] = toDecide.rows
  const reviewHref = review === undefined ? undefined : submissionHref(review.id, { list: lists.review })
  const decideHref = decide === undefined ? reviewHref : submissionHref(decide.id, { list: lists.decision })
  return [
    member.role === "recruiter"
      ? {
          isDone: progress.hasSet,
          name: "Get access to an interview set",
          text: `Ask a colleague to add ${member.email} to a set under “Who sees it”, or create a set yourself.`,
          href: setsHref,
        }
      : {
          isDone: progress.hasSet,
          name: "Create an interview set",
          text: "Start from a template for a role: questions for candidates, and the requirements that their answers are rated against.",
          href: templatesHref,
        },
    {
      isDone: progress.hasInvited,
      name: "Invite candidates",
      text: "Each candidate gets an email with a link.",
      href: progress.hasSet ? (oneSet === undefined ? chooseForInviteHref : `${oneSet}/invite`) : undefined,
    },
    {
      isDone: progress.hasAnswer,
      name: "Get the first answers",
      text: "They appear here when a candidate submits them.",
      href: progress.hasInvited ? "/submissions" : undefined,
    },
    {
      isDone: progress.hasReview,
      name: "Review a submission",
      text: "Rate the requirements and write a note for your colleagues.",
      href: reviewHref,
    },
    {
      isDone: progress.hasDecision,
      name: "Decide",
      text: "Advance, hold or reject. Candidates are not notified.",
      href: decideHref,
    },
    // neither is in test mode
    ...(may(member, "manageMembers") && member.isTest !== true ? settingUp : []),
  ]
}

const step = ({ href, isDone, name, text }: Step): Html => {
  const content = html`<span class="row-head"><span class="row-name">${name}</span>${isDone ? html` <span class="tag on">Done</span>` : null}</span>${
    isDone
      ? null
      : html`
<span class="row-text">${text}</span>`
  }`
  return isDone || href === undefined
    ? html`<li><div class="row${isDone ? " done" : ""}">${content}</div></li>\n`
    : html`<li><a class="row" href="${href}">${content}</a></li>\n`
}

const checklist = (member: Member, view: HomeView): Html | null => {
  if (view.progress.hasDecision) return null
  const steps = stepsOf(member, view)
  const done = steps.filter(({ isDone }) => isDone).length
  return html`<section aria-labelledby="start"><h2 id="start">Get started</h2>
<p class="note">${done} of ${steps.length} done</p>
<ol class="rows checklist">${steps.map(step)}</ol></section>`
}

type HomeSet = HomeView["sets"][number]

/** `seesScores` false: of the submissions that the member has reviewed. */
const scoresOf = ({ bins, funnel, is_of_cvs }: HomeSet, index: number, seesScores: boolean): Html => {
  const scored = bins.reduce((sum, count) => sum + count, 0)
  if (scored > 0)
    return html`${scoreChart(`h${index}`, bins)}<span class="share">${countText(scored, "score", "scores")}</span>`
  const isSubmitted = is_of_cvs || funnel.some(({ count, milestone }) => milestone === "submitted" && count > 0)
  return html`<span class="quiet">${isSubmitted && !seesScores ? "Hidden until you review." : "No scores yet."}</span>`
}

const figuresOf = (set: HomeSet, index: number, seesScores: boolean): Html => {
  const { funnel, id, is_of_cvs, title } = set
  const invited = funnel[0]?.count ?? 0
  const steps = () => {
    if (invited > 0) return funnelCells(id, funnel)
    return html`<td class="none" colspan="${funnel.length}"><span class="quiet">${
      is_of_cvs
        ? "Only CVs are rated; there is no interview."
        : html`No candidates invited yet. <a href="${setHref(id)}/invite">Invite candidates</a>`
    }</span></td>`
  }
  return html`<tr><th scope="row" dir="auto"><a href="${setHref(id)}">${cut(title, 120)}</a></th>${steps()}
<td class="scores">${scoresOf(set, index, seesScores)}</td></tr>
`
}

const figures = ({ seesScores }: Member, { hasMoreSets, sets }: HomeView): Html | null => {
  const [first] = sets
  return first === undefined
    ? null
    : html`<section aria-labelledby="sets"><h2 id="sets">Interview sets</h2>
<table class="card set-figures"><thead><tr><th scope="col">Interview set</th>${first.funnel.map(({ milestone }) => html`<th scope="col">${milestoneNames[milestone]}</th>`)}<th scope="col">Scores, of 10</th></tr></thead>
<tbody>${sets.map((set, index) => figuresOf(set, index, seesScores))}</tbody></table>
<p class="more"><a href="${setsHref}">All interview sets</a>${hasMoreSets ? html` <span class="note">The ${sets.length} most recently active.</span>` : null}</p>
<details class="counting"><summary>How these are counted</summary><dl class="pairs">${milestoneDefinitions.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>
<p class="note">Interviews only, including those whose invitation has ended. Shares are of those invited. More candidates can be decided than reviewed, because a decision needs neither answers nor a review. Each set's newest ${numberText("en", mostFunnelled)} candidates are counted; scores are from its newest ${homeLimits.scored} submissions${seesScores ? "" : ", those that you have reviewed: the others are hidden until you send your review"}.</p></details></section>`
}

const sampleNote = (member: Member): Html =>
  html`<div class="info sample"><p>This is a sample: an invented company with invented candidates, apart from all other organizations. Its emails are never sent.</p>${may(member, "removeSample") ? html`<details><summary>Remove the sample…</summary><form method="post" action="/sample/remove"><p>Deletes this company with its candidates, and all that was done in it. This cannot be undone.</p><button class="secondary danger">Remove the sample</button></form></details>` : null}</div>`

const group = (...parts: ReadonlyArray<Html | null>): Html | null =>
  parts.every((one) => one === null) ? null : html`<div>${parts}</div>`

export const workspaceHomePage = (member: Member, view: HomeView, notice: Notice | undefined): Document => {
  const { progress } = view
  const first = checklist(member, view)
  const reviews = group(accommodationNote(view), personReviewNote(view), assignedList(view), reviewList(view))
  const decisions = group(decisionList(view))
  const failures = group(failedMails(view), failingEndpoints(view), failingConnections(view))
  const attention = [reviews, decisions, failures].filter((one) => one !== null)
  const isDone = reviews === null && decisions === null
  const document = recordPage(member, {
    title: "Home",
    place: "Home",
    width: "full",
    main: html`${noticeBox(notice)}<header class="lead with-action"><div><h1>Home</h1>
${member.role === "recruiter" ? html`<p class="welcome">Interview sets shared with you</p>` : null}
${progress.hasAnswer && isDone ? html`<p class="welcome">No submissions are waiting for a review or a decision.</p>` : null}</div>
${progress.hasInvited ? html`<a class="button primary" href="${chooseForInviteHref}">${icon("person-add")}Invite candidates</a>` : null}</header>
${progress.hasAnswer ? null : first}
${attention.length === 0 ? null : html`<div class="todo">${attention}</div>`}
${progress.hasAnswer ? first : null}
${progress.hasInvited ? figures(member, view) : null}
${view.isSample ? sampleNote(member) : null}`,
  })
  return { ...document, styles: [...(document.styles ?? []), "home.css"] }
}
