/** Helpers of all connectors: read bodies, place orders, name states. */
import { Effect, Result, type Schema } from "effect"
import type { FieldError } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import type { Connected } from "./Connection.ts"
import type { CallAnswer, Report, VendorRequest } from "./Connector.ts"
import type { NewOrder, OrderState } from "./Order.ts"
import type { Orders } from "./Orders.ts"

/**
 * - `status`: the HTTP status: 404 for an unknown record, 400 for a body that the service cannot read, else 422.
 * - `message`: a sentence for the recruiter, about the candidate or the test.
 * - `detail`: for the log of exchanges; undefined: the message.
 */
export interface Refusal {
  readonly status: 400 | 404 | 422 | 503
  readonly message: string
  readonly detail?: string
}

const goneTest = "This test is no longer offered. Choose another one."
export const unreadable = "The order could not be read. The log of the connection has the details."

type Subject = "email" | "name" | "cv" | "test" | "results"

/**
 * Subjects of sentences by the last name of an error's pointer, or else its last two, without dashes and underscores: the hiring
 * systems' fields, and those of `NewOrder`.
 */
const subjects: Readonly<Record<string, Subject>> = {
  email: "email",
  firstname: "name",
  lastname: "name",
  preferredname: "name",
  resumeurl: "cv",
  cvlink: "cv",
  partnertestid: "test",
  assessmenttypeid: "test",
  packageid: "test",
  testid: "test",
  test: "test",
  interviewsetid: "test",
  callbackurl: "results",
  updateurl: "results",
  url: "results",
}

const subjectOf = ({ pointer }: FieldError): Subject | undefined => {
  const names = pointer.toLowerCase().replaceAll(/[-_]/g, "").split("/")
  return subjects[names.at(-1) ?? ""] ?? subjects[names.slice(-2).join("")]
}

const isMissing = ({ code }: FieldError) => code === "required" || code === "wrong_type" || code === "blank"

/** Undefined: the error says nothing to a recruiter. */
const sentenceOf = (error: FieldError): string | undefined => {
  switch (subjectOf(error)) {
    case "email":
      return isMissing(error)
        ? "The candidate has no email address."
        : `The candidate's email address ${error.message}.`
    case "name":
      return `The candidate's name ${error.message}.`
    case "cv":
      return `The link to the candidate's CV ${error.message}.`
    case "test":
      return isMissing(error) ? "The order does not say which test to send." : goneTest
    case "results":
      return `The address for the results ${error.message}.`
    default:
      return undefined
  }
}

const detailOf = (errors: ReadonlyArray<FieldError>) =>
  errors.map(({ message, pointer }) => `${pointer.replace("#/", "")} ${message}`.trim()).join("; ")

const ofFields = (errors: ReadonlyArray<FieldError>): Refusal => {
  const sentences = [...new Set(errors.flatMap((error) => sentenceOf(error) ?? []))]
  const detail = detailOf(errors)
  if (sentences.length === 0) return { status: 400, message: unreadable, detail }
  const isUnknown = sentences.length === 1 && sentences[0] === goneTest
  return { status: isUnknown ? 404 : 422, message: sentences.join(" "), detail }
}

/** Returns the decoded body, or a refusal whose detail names each invalid field. */
export const readWith =
  <A>(decode: (body: unknown) => Result.Result<A, Schema.SchemaError>) =>
  (body: unknown): Result.Result<A, Refusal> =>
    Result.mapError(decode(body), ({ issue }) => ofFields(fieldErrorsOf(issue)))

type Sent = string | null | undefined

/** An order as a hiring system sends it: texts that it left out are null or undefined. As in NewOrder. */
export interface SentOrder
  extends Pick<NewOrder, "external_id" | "interview_set_id" | "isReportedAsPartner" | "isReportedAtOnce"> {
  readonly candidate: { readonly email: string; readonly first: Sent; readonly last: Sent; readonly cv?: Sent }
  /** Where reports are sent, and the hosts that it may have. Undefined: to the vendor's API. */
  readonly callback?: { readonly url: string; readonly hosts: NewOrder["callback_hosts"] }
  readonly profile?: Sent
  readonly orderedBy?: Sent
  readonly job?: Sent
}

export const place = (
  orders: Orders["Service"],
  connection: Connected,
  { callback, candidate, job, orderedBy, profile, ...ids }: SentOrder,
) =>
  orders
    .order(connection, {
      ...ids,
      candidate: {
        email: candidate.email,
        firstname: candidate.first ?? "",
        lastname: candidate.last ?? "",
        cv_link: candidate.cv ?? null,
      },
      callback_url: callback?.url ?? null,
      callback_hosts: callback?.hosts ?? [],
      profile_url: profile ?? null,
      ordered_by: orderedBy ?? null,
      job: job ?? null,
    })
    .pipe(
      Effect.mapError((error): Refusal => {
        switch (error._tag) {
          case "Invalid":
            return ofFields(error.errors)
          case "NotFound":
            return { status: 404, message: goneTest }
          case "Conflict":
            return { status: 422, message: error.reason }
        }
      }),
      Effect.result,
    )

/** `body`: how the hiring system reads a message. */
export const refusedWith =
  (body: (message: string, status: number) => Schema.Json) =>
  ({ detail, message, status }: Refusal): CallAnswer => ({
    status,
    body: body(message, status),
    error: detail ?? message,
  })

/** For hiring systems that show the text of a status to their users. */
export const stateNames: Readonly<Record<OrderState, string>> = {
  invited: "Invited",
  undeliverable: "The invitation email could not be delivered",
  started: "Started",
  completed: "Submitted",
  evaluated: "Evaluated",
  declined: "The candidate declined",
  cancelled: "Cancelled",
  expired: "Expired",
}

/** A report to the order's own address. Undefined: erasing the person removed the address. */
export const toCallback = (
  { facts: { callback_url } }: Pick<Report, "facts">,
  request: Omit<VendorRequest, "url">,
): VendorRequest | undefined => (callback_url === null ? undefined : { ...request, url: callback_url })

/** HTTP Basic with an empty password. */
export const basic = (user: string): string => `Basic ${Buffer.from(`${user}:`).toString("base64")}`

export const jsonBody = (value: Schema.Json): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
