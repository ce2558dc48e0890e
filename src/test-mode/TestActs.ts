/** Acts of the scripted candidate of test mode (docs/test-mode.md): of each, its operation and its choices in the workspace. */
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

/** In the order of the page. */
export const actsBy = ["The candidate", "Email and time"] as const
type ActBy = (typeof actsBy)[number]

interface TestAct<Request> {
  /** The end of the path of its operation. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** What the operation returns. */
  readonly result: string
  /** It can be chosen until the candidate starts. */
  readonly isBeforeStart: boolean
  /** Whose act it is, in the choice of the workspace. */
  readonly by: ActBy
  readonly choices: ReadonlyArray<{ readonly value: string; readonly label: string; readonly request: Request }>
}

/** `payload`: the body of its operation, which is optional; undefined: it takes none. */
const act = <S extends Schema.Top | undefined>(
  payload: S,
  texts: TestAct<S extends Schema.Top ? S["Type"] : undefined>,
) => ({ ...texts, payload })

/** In the order of their operations and choices. */
export const testActs = {
  complete: act(CompleteTestInterview, {
    path: "complete",
    operationId: "completeTestInterview",
    summary: "Complete an interview as the scripted candidate",
    description:
      "Reads the email, opens the link, starts the interview, answers every question and submits, as a candidate does. The evaluator rates the answers, and you get the same events. An interview that the candidate has started is completed. 409 when the interview is completed, declined or expired, the invitation was cancelled, or a required question can only be answered by video.",
    result: "The invitation; the answers are submitted and wait for the evaluation",
    isBeforeStart: false,
    by: "The candidate",
    choices: [
      { value: "good", label: "Completes with good answers", request: { answers: "good" } },
      { value: "medium", label: "Completes with medium answers", request: { answers: "medium" } },
      { value: "poor", label: "Completes with poor answers", request: { answers: "poor" } },
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
    by: "The candidate",
    choices: [{ value: "open", label: "Opens the link", request: undefined }],
  }),
  decline: act(DeclineTestInterview, {
    path: "decline",
    operationId: "declineTestInterview",
    summary: "Decline an interview as the scripted candidate",
    description:
      "Opens the link and declines, with an optional reason. 409 when the interview is completed or expired, or the invitation was cancelled.",
    result: "The invitation, whose candidate has declined",
    isBeforeStart: false,
    by: "The candidate",
    choices: [{ value: "decline", label: "Declines", request: {} }],
  }),
  expire: act(undefined, {
    path: "expire",
    operationId: "expireTestInvitation",
    summary: "Let an invitation of the scripted candidate expire",
    description:
      "The deadline to start has passed. Takes no body. 409 when the candidate has started, or the invitation has ended otherwise.",
    result: "The invitation, which has expired",
    isBeforeStart: true,
    by: "Email and time",
    choices: [{ value: "expire", label: "The deadline passes", request: undefined }],
  }),
  bounce: act(undefined, {
    path: "bounce",
    operationId: "bounceTestInvitation",
    summary: "Let the email of an invitation bounce",
    description:
      "The mail server of the recipient returns the email. The invitation fails, unless the email was opened before. Takes no body.",
    result: "The invitation, whose email came back",
    isBeforeStart: true,
    by: "Email and time",
    choices: [{ value: "bounce", label: "The email bounces", request: undefined }],
  }),
  complain: act(undefined, {
    path: "complaint",
    operationId: "complainAboutTestInvitation",
    summary: "Mark the email of an invitation as spam",
    description:
      "The candidate marks the email as spam: the address gets no more emails of the test space. Takes no body.",
    result: "The invitation, whose email was marked as spam",
    isBeforeStart: true,
    by: "The candidate",
    choices: [{ value: "complaint", label: "Marks the email as spam", request: undefined }],
  }),
}

export type TestActName = keyof typeof testActs

/** What each act is given. */
export type TestActRequests = {
  readonly [Name in TestActName]: (typeof testActs)[Name]["choices"][number]["request"]
}

/** Acts whose operation takes no body. */
export type BodilessAct = {
  [Name in TestActName]: (typeof testActs)[Name]["payload"] extends undefined ? Name : never
}[TestActName]

export const testActChoices = Struct.keys(testActs).flatMap((name) => {
  const { choices, by, isBeforeStart } = testActs[name]
  return choices.map((choice) => ({ ...choice, name, by, isBeforeStart }))
})
