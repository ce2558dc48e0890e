/** Links that a candidate holds: signed, and nothing stored, so the same link stands in every mail and reminder. */
import { Context, Effect, Layer } from "effect"
import { Config } from "../Config.ts"
import { InvitationId, SubmissionId } from "../domain/Ids.ts"
import type { InterviewKey } from "../repository/Interviews.ts"
import { Vault } from "./Vault.ts"

const kinds = { Invitation: 1, Submission: 2 } as const
/** 1 byte kind, 16 bytes id, 16 bytes tag: 44 characters base64url. */
const length = 33

const toBytes = (id: string) => Buffer.from(id.replaceAll("-", ""), "hex")
const toUuid = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

export class Links extends Context.Service<
  Links,
  {
    /** `{app_url}/i/<token>`, where the candidate answers. */
    readonly interview: (key: InterviewKey) => string
    /** What a token names, or undefined when this service did not sign it. */
    readonly open: (token: string) => InterviewKey | undefined
    /** `{app_url}/submissions/<id>`, where recruiters read about a submission. */
    readonly submission: (id: SubmissionId) => string
  }
>()("interview-invitations/service/Links") {
  static readonly layer = Layer.effect(
    Links,
    Effect.gen(function* () {
      const { appUrl } = yield* Config
      const vault = yield* Vault
      return Links.of({
        interview: (key) => {
          const data = Buffer.concat([Buffer.of(kinds[key._tag]), toBytes(key.id)])
          return `${appUrl}/i/${Buffer.concat([data, vault.sign(data)]).toString("base64url")}`
        },
        open: (token) => {
          const bytes = Buffer.from(token, "base64url")
          if (bytes.length !== length || bytes.toString("base64url") !== token) return undefined
          const data = bytes.subarray(0, 17)
          if (!vault.verify(bytes.subarray(17), data)) return undefined
          const id = toUuid(data.subarray(1))
          switch (data[0]) {
            case kinds.Invitation:
              return { _tag: "Invitation", id: InvitationId.make(id) }
            case kinds.Submission:
              return { _tag: "Submission", id: SubmissionId.make(id) }
            default:
              return undefined
          }
        },
        submission: (id) => `${appUrl}/submissions/${id}`,
      })
    }),
  )
}
