/** Addresses that get no emails of an organization, in requests and responses of the API (docs/mails.md). */
import { Schema } from "effect"
import { suppressionReasons } from "../emails/EmailEvent.ts"
import { extensibleEnum } from "../values/ExtensibleEnum.ts"
import { anyText } from "../values/Fields.ts"
import { SuppressionId } from "../values/Ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

export const SuppressAddress = Schema.Struct({
  email: anyText.annotateKey({
    description: "The address; in upper or lower case, with a Unicode or ASCII domain",
  }),
}).annotate({ identifier: "SuppressAddress" })
export type SuppressAddress = typeof SuppressAddress.Type

export const Suppression = Schema.Struct({
  id: SuppressionId,
  email: Schema.NullOr(Schema.String).annotate({
    description: "In lower case; null: the candidate was erased, and only the address's hash is stored",
  }),
  reason: extensibleEnum(suppressionReasons).annotate({
    description:
      "spam: the recipient reported an email as spam; unsubscribed: by the link in an email; manual: an API key or a command",
  }),
  created_at: Timestamp.annotate({ description: "Since when the address gets no emails" }),
}).annotate({ identifier: "Suppression" })
