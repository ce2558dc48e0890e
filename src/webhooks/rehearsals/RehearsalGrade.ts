/** What the answers of a step mean, as sentences for the receiver's engineers. */

import { Duration } from "effect"
import type { FailureCause } from "../../platform/outbound/OutboundResult.ts"
import { durationText } from "../../values/DurationText.ts"
import type { StepResult } from "./Rehearsal.ts"
import { type AcceptedStep, definitionOf, type RefusedStep, type StepName } from "./RehearsalSteps.ts"

export interface StepAnswer {
  /** Null: there was no answer. */
  readonly status: number | null
  readonly cause: FailureCause | null
  /** Of an answer that did not come. */
  readonly error: string | null
  readonly body: string | null
  /** The body is longer than what is read, or did not end in time. */
  readonly isLong: boolean
  readonly location: string | undefined
  readonly hasRetryAfter: boolean
  readonly duration_ms: number
}

export interface Grade {
  readonly result: StepResult
  readonly finding: string
  readonly advice: string | null
}

const isAccepted = ({ status }: StepAnswer): boolean => status !== null && status >= 200 && status < 300

const isWebPage = ({ body }: StepAnswer): boolean => /^\s*<(!doctype html|html[\s>])/i.test(body ?? "")

/** A share of WEBHOOK_TIMEOUT from which an answer is slow. */
const slowShare = 0.5

const noAnswer: Readonly<Record<FailureCause, string>> = {
  refused: "Change the webhook’s address: it has to be a public https address, or one that the operator allows.",
  dns: "Check the host name of the webhook’s address, and its entry in the DNS.",
  connect: "Start the receiver, and let its firewall accept connections from this service at this port.",
  tls: "Install a certificate that is valid for this host name, with its whole chain.",
  timeout: "Store the event, answer 2xx, and process it after the answer.",
  closed:
    "Answer with a status before the connection is closed. If the process crashed, its log of this second says why.",
  protocol: "Let a web server answer at this address: HTTP/1.1 with a status and less than 16 KiB of headers.",
}

const statusAdvice = (answer: StepAnswer): string => {
  const { location, status } = answer
  if (status === null) return ""
  if (status >= 300 && status < 400)
    return location === undefined
      ? "Answer with 2xx at this address itself: redirects are not followed."
      : "Enter the address to which it redirects as the webhook’s address: redirects are not followed."
  if (status === 401 || status === 403)
    return "Verify the raw bytes of the body, before anything parses them, with this webhook’s secret: the text after whsec_ is the key. Also check the receiver’s clock. “Check a signature” shows which part differs."
  if (status === 404)
    return "Check the path of the webhook’s address, and that the receiver has a route for POST there."
  if (status === 405) return "Accept POST at this address."
  if (status === 410)
    return "Answer 2xx, or move the webhook: after a 410 to a real delivery the service deactivates the webhook at once."
  if (status === 413) return "Accept bodies of at least 64 KiB."
  if (status === 415) return "Accept the content type application/json."
  if (status === 429)
    return "Accept more requests, or set “Attempts per minute” of the webhook to what the receiver accepts."
  if (status >= 500) {
    const by = isWebPage(answer) ? "The answer is a web page, so a proxy or the framework wrote it: look" : "Look"
    return `${by} in the receiver’s log for this event_id, and answer 2xx as soon as the event is stored.`
  }
  return "Accept the body: ignore fields and values that the receiver does not know."
}

const maxLocation = 200

const describe = (answer: StepAnswer): string => {
  const { error, location, status } = answer
  if (status === null) return `${error ?? "There was no answer"}.`
  const page = isWebPage(answer) ? " with a web page" : ""
  const redirect =
    status >= 300 && status < 400
      ? `, a redirect${location === undefined ? "" : ` to ${location.slice(0, maxLocation)}`}`
      : ""
  return `The receiver answered ${status}${page}${redirect}.`
}

/** `advice`: of the step, about a receiver that accepts other events. */
const adviceOf = (advice: string | null, answer: StepAnswer): string => {
  if (answer.status === null) return noAnswer[answer.cause ?? "closed"]
  return advice ?? statusAdvice(answer)
}

const passed = (finding: string): Grade => ({ result: "passed", finding, advice: null })

/** Of an accepted answer: what should still be changed. */
const remarksOf = (name: StepName, answer: StepAnswer, timeoutMs: number, deadline: string): Grade | undefined => {
  if (answer.duration_ms > timeoutMs * slowShare) {
    return {
      result: "warning",
      finding: `Answered ${answer.status}, but only after ${answer.duration_ms} ms of ${deadline}.`,
      advice: noAnswer.timeout,
    }
  }
  if (name !== "valid") return undefined
  if (isWebPage(answer)) {
    return {
      result: "warning",
      finding: `Answered ${answer.status} with a web page.`,
      advice:
        "Check that the webhook’s address is that of the receiver and not of a web page, which answers 2xx to anything. A receiver answers with an empty body, such as 204.",
    }
  }
  return answer.isLong
    ? {
        result: "warning",
        finding: `Answered ${answer.status} with a body that is longer than 16 KiB or did not end within a second.`,
        advice:
          "Answer with an empty body, such as 204: the body is ignored, and each connection is closed because of it.",
      }
    : undefined
}

const gradeAccepted = (
  name: StepName,
  { advice, isRequired }: AcceptedStep,
  answers: ReadonlyArray<StepAnswer>,
  timeoutMs: number,
  deadline: string,
): Grade => {
  const failed = answers.find((answer) => !isAccepted(answer))
  if (failed !== undefined) {
    const result = isRequired ? "failed" : "warning"
    return { result, finding: describe(failed), advice: adviceOf(advice, failed) }
  }
  const remark = answers.map((answer) => remarksOf(name, answer, timeoutMs, deadline)).find((one) => one !== undefined)
  const statuses = [...new Set(answers.map(({ status }) => status))].join(" and ")
  const time = Math.max(...answers.map(({ duration_ms }) => duration_ms))
  return remark ?? passed(`Answered ${statuses} within ${time} ms.`)
}

const gradeRefused = ({ accepted, advice }: RefusedStep, answer: StepAnswer): Grade => {
  const { status } = answer
  if (isAccepted(answer))
    return { result: "failed", finding: `The receiver accepted ${accepted}: it answered ${status}.`, advice }
  if (status === null)
    return { result: "failed", finding: describe(answer), advice: "Answer 401 to what the receiver refuses." }
  if (status === 429)
    return {
      result: "warning",
      finding: "The receiver answered 429: it limits requests, so this shows nothing about the signature.",
      advice: "Rehearse again when the receiver accepts more requests.",
    }
  return status >= 400 && status < 500
    ? passed(`Refused with ${status}.`)
    : {
        result: "warning",
        finding: `It was not accepted, but ${describe(answer).replace(/^The/, "the")}`,
        advice: "Answer 401 to a signature that is not valid: another status reads as a failure of the receiver.",
      }
}

/** The smallest of the values that at least 95 % do not exceed. */
export const p95Of = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? 0

/** 429, or 503 with Retry-After: the receiver asks to come later, which the service does. */
const isPostponed = ({ hasRetryAfter, status }: StepAnswer): boolean =>
  status === 429 || (status === 503 && hasRetryAfter)

const gradeBurst = (answers: ReadonlyArray<StepAnswer>, timeoutMs: number, deadline: string): Grade => {
  const total = answers.length
  const failed = answers.filter((answer) => !isAccepted(answer))
  const p95 = p95Of(answers.map(({ duration_ms }) => duration_ms))
  const [first] = failed
  if (first !== undefined) {
    const finding = `${failed.length} of ${total} events that arrived at once were not accepted. ${describe(first)}`
    return failed.every(isPostponed)
      ? {
          result: "warning",
          finding,
          advice:
            "These events would be sent again minutes later. Accept more at once, or set “Attempts per minute” of the webhook to what the receiver accepts.",
        }
      : {
          result: "failed",
          finding,
          advice:
            "Store each event in a queue or a table and answer 2xx at once; process the events after that, one by one. Or set “Attempts per minute” of the webhook to what the receiver accepts.",
        }
  }
  return p95 > timeoutMs * slowShare
    ? {
        result: "warning",
        finding: `All ${total} events were accepted, but 95 % of the answers took up to ${p95} ms of ${deadline}.`,
        advice: "Answer before the event is processed, so that many events at once do not wait for each other.",
      }
    : passed(`All ${total} events were accepted, 95 % of them within ${p95} ms.`)
}

const gradeRetry = (answer: StepAnswer): Grade =>
  isAccepted(answer)
    ? passed(`The event that failed before was accepted with ${answer.status} when it was sent again.`)
    : {
        result: "failed",
        finding: `The event that failed before failed again. ${describe(answer)}`,
        // the receiver has stored the event, although its first answer was a failure
        advice: adviceOf(definitionOf(answer.status === 409 ? "duplicate" : "retry").advice, answer),
      }

export const notSent = (finding: string): Grade => ({ result: "skipped", finding, advice: null })

/** `answers`: in the order of the requests. `timeout`: WEBHOOK_TIMEOUT. */
export const grade = (name: StepName, answers: ReadonlyArray<StepAnswer>, timeout: Duration.Duration): Grade => {
  const deadline = durationText(timeout)
  const timeoutMs = Duration.toMillis(timeout)
  const [first] = answers
  if (first === undefined) return notSent("Nothing was sent.")
  if (name === "burst") return gradeBurst(answers, timeoutMs, deadline)
  if (name === "retry") return gradeRetry(first)
  const definition = definitionOf(name)
  return definition.expects === "refused"
    ? gradeRefused(definition, first)
    : gradeAccepted(name, definition, answers, timeoutMs, deadline)
}
