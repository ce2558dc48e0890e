/** Acts of the scripted candidate of test mode (docs/test-mode.md): of each, its operation and its buttons in the workspace. */
import { Schema, Struct } from "effect"
import { optional, text } from "../values/Fields.ts"
import { answerQualities } from "./TestMode.ts"

/** As `maxDeclineReason` of interviews/Interviews.ts. */
const maxReason = 1000

export const CompleteTestInterview = Schema.Struct({
  answers: optional(
    Schema.Literals(answerQualities),
    "How well they meet the requirements: good (default), medium or poor. Where a question has knock-out options, poor chooses one",
  ),
}).annotate({ identifier: "CompleteTestInterview" })

export const DeclineTestInterview = Schema.Struct({
  reason: optional(text(maxReason), "What the candidate writes; null: nothing"),
}).annotate({ identifier: "DeclineTestInterview" })

interface TestAct<Request> {
  /** The end of the path of its operation. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** What the operation returns. */
  readonly result: string
  /** Its buttons are shown until the candidate starts. */
  readonly isBeforeStart: boolean
  readonly buttons: ReadonlyArray<{ readonly value: string; readonly label: string; readonly request: Request }>
}

/** `payload`: the body of its operation, which is optional; undefined: it takes none. */
const act = <S extends Schema.Top | undefined>(
  payload: S,
  texts: TestAct<S extends Schema.Top ? S["Type"] : undefined>,
) => ({ ...texts, payload })

/** In the order of their operations and buttons. */
export const testActs = {
  complete: act(CompleteTestInterview, {
    path: "complete",
    operationId: "completeTestInterview",
    summary: "Complete an interview as the scripted candidate",
    description:
      "Reads the email, opens the link, starts the interview, answers every question and submits, as a candidate does. The evaluator rates the answers, and you get the same events. An interview that the candidate has started is completed. 409 when the interview is completed, declined or expired, the invitation was cancelled, or a required question can only be answered by video.",
    result: "The invitation; the answers are submitted and wait for the evaluation",
    isBeforeStart: false,
    buttons: [
      { value: "good", label: "Complete with good answers", request: { answers: "good" } },
      { value: "medium", label: "Medium answers", request: { answers: "medium" } },
      { value: "poor", label: "Poor answers", request: { answers: "poor" } },
    ],
  }),
  open: act(undefined, {
    path: "open",
    operationId: "openTestInvitation",
    summary: "Open an invitation as the scripted candidate",
    description:
      "Reads the email and opens its link. Takes no body. 409 for the invitation of a CV set, which has no interview.",
    result: "The invitation, whose link was followed",
    isBeforeStart: false,
    buttons: [{ value: "open", label: "Open the link", request: undefined }],
  }),
  decline: act(DeclineTestInterview, {
    path: "decline",
    operationId: "declineTestInterview",
    summary: "Decline an interview as the scripted candidate",
    description:
      "Opens the link and declines, with an optional reason. 409 when the interview is completed or expired, or the invitation was cancelled.",
    result: "The invitation, whose candidate has declined",
    isBeforeStart: false,
    buttons: [{ value: "decline", label: "Decline", request: {} }],
  }),
  expire: act(undefined, {
    path: "expire",
    operationId: "expireTestInvitation",
    summary: "Let an invitation of the scripted candidate expire",
    description:
      "The deadline to start has passed. Takes no body. 409 when the candidate has started, or the invitation has ended otherwise.",
    result: "The invitation, which has expired",
    isBeforeStart: true,
    buttons: [{ value: "expire", label: "Let it expire", request: undefined }],
  }),
  bounce: act(undefined, {
    path: "bounce",
    operationId: "bounceTestInvitation",
    summary: "Let the email of an invitation bounce",
    description:
      "The mail server of the recipient returns the email. The invitation fails, unless the email was opened before. Takes no body.",
    result: "The invitation, whose email came back",
    isBeforeStart: true,
    buttons: [{ value: "bounce", label: "Bounce the email", request: undefined }],
  }),
  complain: act(undefined, {
    path: "complaint",
    operationId: "complainAboutTestInvitation",
    summary: "Mark the email of an invitation as spam",
    description:
      "The candidate marks the email as spam: the address gets no more emails of the test space. Takes no body.",
    result: "The invitation, whose email was marked as spam",
    isBeforeStart: true,
    buttons: [{ value: "complaint", label: "Mark as spam", request: undefined }],
  }),
}

export type TestActName = keyof typeof testActs

/** What each act is given. */
export type TestActRequests = {
  readonly [Name in TestActName]: (typeof testActs)[Name]["buttons"][number]["request"]
}

/** Acts whose operation takes no body. */
export type BodilessAct = {
  [Name in TestActName]: (typeof testActs)[Name]["payload"] extends undefined ? Name : never
}[TestActName]

export const testActButtons = Struct.keys(testActs).flatMap((name) => {
  const { buttons, isBeforeStart } = testActs[name]
  return buttons.map((button) => ({ ...button, name, isBeforeStart }))
})
