/** The invite operation of both peers without its statements: request schema, people, links and results. */
import { createHash, createHmac, createSecretKey, hkdfSync } from "node:crypto"
import { foldAddress, isEmailAddress } from "../../../src/values/EmailAddress.ts"
import { invalid, text, uuid, uuidForm } from "./app.ts"

/** The fields of an invite request that the bench uses. */
export interface InviteBody {
  readonly com_interview_set_id: string
  readonly invitation_message?: string | null
  readonly candidates: ReadonlyArray<{
    readonly ats_candidate_id?: string | null
    readonly email: string
    readonly name?: string | null
    readonly firstname?: string | null
    readonly lastname?: string | null
  }>
}

export const inviteBody = {
  type: "object",
  required: ["com_interview_set_id", "candidates"],
  properties: {
    com_interview_set_id: { type: "string", pattern: uuidForm },
    com_project_id: uuid,
    com_job_post_id: uuid,
    invitation_message: { type: ["string", "null"], minLength: 10 },
    send_invite: { type: ["boolean", "null"] },
    candidates: {
      type: "array",
      minItems: 1,
      maxItems: 1000,
      items: {
        type: "object",
        required: ["email"],
        properties: {
          ats_candidate_id: uuid,
          email: { type: "string", minLength: 1, maxLength: 320 },
          name: text(500),
          firstname: text(250),
          lastname: text(250),
          cv_link: text(4096),
        },
      },
    },
  },
}

export interface Person {
  readonly ats_candidate_id: string | null
  readonly email: string
  readonly email_key: string
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
}

const present = (value: string | null | undefined) => value?.trim() || null

/** Returns one person for each entry of a request. Entries of the same person yield the same object. */
export const peopleOf = ({ candidates }: InviteBody): ReadonlyArray<Person> => {
  const known = new Map<string, Person>()
  const ids = new Set<string>()
  return candidates.map((entry, i) => {
    const ats_candidate_id = entry.ats_candidate_id?.toLowerCase() ?? null
    const email = entry.email.trim()
    const email_key = foldAddress(email)
    if (ats_candidate_id !== null) {
      if (ids.has(ats_candidate_id)) {
        throw invalid([{ pointer: `#/candidates/${i}/ats_candidate_id`, code: "duplicate", message: "must be unique" }])
      }
      ids.add(ats_candidate_id)
    }
    const key = ats_candidate_id ?? email_key
    const person = known.get(key) ?? {
      ats_candidate_id,
      email,
      email_key,
      name: present(entry.name),
      firstname: present(entry.firstname),
      lastname: present(entry.lastname),
    }
    known.set(key, person)
    if (!known.has(email_key)) known.set(email_key, person)
    return person
  })
}

/** The hash that replaces a suppressed address after its person's erasure. */
export const hashOf = (organization: number, address: string): string =>
  `sha256:${createHash("sha256").update(`${organization} ${address}`).digest("hex")}`

export type Refusal = "invalid_email" | "unsubscribed" | null

/** Returns why no invitation may be sent to an address; null when one may. */
export const refusalOf = ({ email, email_key }: Person, suppressed: ReadonlySet<string>): Refusal => {
  if (!isEmailAddress(email)) return "invalid_email"
  return suppressed.has(email_key) ? "unsubscribed" : null
}

const { APP_URL, SECRET_KEY = "" } = process.env

const linkKey = createSecretKey(
  Buffer.from(
    hkdfSync("sha256", Buffer.from(SECRET_KEY, "base64"), Buffer.alloc(32), "interview-invitations/links", 32),
  ),
)

/** The candidate's link: kind (1 invitation, 2 submission), id and HMAC tag, as the service signs it. */
const interviewUrl = (kind: 1 | 2, id: string): string => {
  const data = Buffer.concat([Buffer.of(kind), Buffer.from(id.replaceAll("-", ""), "hex")])
  const tag = createHmac("sha256", linkKey).update(data).digest().subarray(0, 16)
  return `${APP_URL}/i/${Buffer.concat([data, tag]).toString("base64url")}`
}

export interface InvitationRow {
  readonly id: string
  readonly candidate_id: string
  readonly email: string
  readonly status: string
  readonly failure_reason: Refusal
}

export interface SubmissionRow {
  readonly id: string
  readonly candidate_id: string
  readonly status: string
  readonly external_id: string | null
  readonly metadata: object
}

const refusals = {
  invalid_email: "the email address is not valid: no invitation was sent",
  unsubscribed: "this address has unsubscribed: no invitation was sent",
}

const nameOf = ({ email, firstname, lastname, name }: Person) =>
  name || [firstname, lastname].filter((part) => part !== null).join(" ") || email.split("@")[0]

export const resultOf = (
  person: Person,
  invitation: InvitationRow | undefined,
  submission: SubmissionRow | undefined,
  isNew: boolean,
) => {
  const { ats_candidate_id, email } = person
  if (submission === undefined) throw new Error("every candidate has a submission")
  const interview_url = invitation === undefined ? interviewUrl(2, submission.id) : interviewUrl(1, invitation.id)
  const refusal = invitation?.failure_reason ?? null
  return {
    email_address: email,
    cv_link: null,
    candidate: {
      id: submission.candidate_id,
      ats_candidate_id,
      external_id: submission.external_id,
      metadata: submission.metadata,
      email,
      name: nameOf(person),
    },
    invitation:
      invitation === undefined
        ? null
        : {
            id: invitation.id,
            email: invitation.email,
            status_text: invitation.status,
            is_new: isNew,
            email_status: invitation.status === "pending" ? "queued" : null,
            interview_url,
          },
    submission: { id: submission.id, status_text: submission.status, interview_url },
    ...(refusal === null ? {} : { error_message: refusals[refusal], invitation_error_message: refusals[refusal] }),
  }
}

export const thirtyDaysFromNow = () => new Date(Date.now() + 30 * 24 * 60 * 60 * 1000)
