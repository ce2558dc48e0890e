/** Webhook endpoints in requests and responses of the API, and the rules of their fields (docs/webhooks.md). */
import { Result, Schema } from "effect"
import { extensibleEnum } from "../../values/ExtensibleEnum.ts"
import { anyText, integer, list, optional, text, uuid } from "../../values/Fields.ts"
import { EndpointId } from "../../values/Ids.ts"
import { type AllowedNetworks, checkUrl } from "../../values/OutboundAddress.ts"
import { type FieldError, fieldError } from "../../values/Problem.ts"
import { Timestamp } from "../../values/Timestamp.ts"
import { unknownEvent } from "../events/UnknownEvent.ts"
import { subscriptions } from "../events/WebhookEvent.ts"
import {
  type HeaderChange,
  headerErrors,
  maskedValue,
  maxHeaderName,
  maxHeaders,
  maxHeaderValue,
} from "./StaticHeaders.ts"

export interface NewEndpoint {
  readonly name: string
  readonly url: string
  readonly description?: string | undefined
  /** Events and sub-events; empty: `defaultEventTypes`. */
  readonly events: ReadonlyArray<string>
  /** Replaces all headers: omitted ones are removed. */
  readonly headers?: ReadonlyArray<HeaderChange> | undefined
  /** Null: no limit. */
  readonly max_per_minute?: number | null | undefined
  /** Sets whose events are sent, besides those of `project_ids`; both empty: all sets. */
  readonly interview_set_ids?: ReadonlyArray<string> | undefined
  readonly project_ids?: ReadonlyArray<string> | undefined
}

/** Attempts per minute; also a check in sql/09_webhooks.sql. */
export const maxRate = 60_000

/** Maximum number of interview sets, and of projects, per endpoint. */
export const maxChosen = 100

/** An empty description removes it. */
export type EndpointChange = Partial<NewEndpoint>

const maxName = 200
const maxDescription = 2000
/** Per request, because each event is compared with all known ones. */
const maxEvents = 50

const textErrors = (pointer: string, text: string, max: number): ReadonlyArray<FieldError> => [
  ...([...text].length > max ? [fieldError(pointer, "too_long", `must have at most ${max} characters`)] : []),
  ...(/\p{Cc}/u.test(text) || !text.isWellFormed()
    ? [fieldError(pointer, "unstorable_text", "must not contain control characters")]
    : []),
]

const nameErrors = (name: string): ReadonlyArray<FieldError> =>
  name.trim() === ""
    ? [{ pointer: "#/name", code: "required", message: "must not be blank" }]
    : textErrors("#/name", name, maxName)

const rateErrors = (rate: number): ReadonlyArray<FieldError> =>
  Number.isInteger(rate) && rate >= 1 && rate <= maxRate
    ? []
    : [fieldError("#/max_per_minute", "out_of_range", `must be a whole number from 1 to ${maxRate}`)]

const isUuid = Schema.is(uuid)

const chosenErrors = (field: string, ids: ReadonlyArray<string> | undefined): ReadonlyArray<FieldError> =>
  ids !== undefined && ids.length > maxChosen
    ? [fieldError(`#/${field}`, "too_many", `must have at most ${maxChosen} items`)]
    : (ids ?? []).flatMap((id, index) =>
        isUuid(id) ? [] : [fieldError(`#/${field}/${index}`, "invalid_uuid", "must be a UUID")],
      )

/** Validates the given fields. `headerNames`: names of the headers with a stored value. */
export const endpointErrors = (
  { description, events, headers, interview_set_ids, max_per_minute, name, project_ids, url }: EndpointChange,
  allowed: AllowedNetworks,
  headerNames: ReadonlyArray<string> = [],
): ReadonlyArray<FieldError> => [
  ...(name === undefined ? [] : nameErrors(name)),
  ...(url === undefined
    ? []
    : Result.match(checkUrl(url, allowed), {
        onSuccess: () => [],
        onFailure: ({ reason }) => [fieldError("#/url", "refused_url", reason)],
      })),
  ...(description === undefined ? [] : textErrors("#/description", description, maxDescription)),
  ...(events ?? [])
    .filter((event) => !subscriptions.includes(event))
    .map((event) => unknownEvent("#/events", event, subscriptions)),
  ...headerErrors(headers ?? [], headerNames),
  ...(max_per_minute == null ? [] : rateErrors(max_per_minute)),
  ...chosenErrors("interview_set_ids", interview_set_ids),
  ...chosenErrors("project_ids", project_ids),
]

/** Validates the string fields of a request that the schema rejects, so that one response has the errors of both. */
export const requestErrors = (request: unknown, allowed: AllowedNetworks): ReadonlyArray<FieldError> => {
  const fields = Object.entries(request as object).filter(([, value]) => typeof value === "string")
  const { description, name, url }: Partial<Record<string, string>> = Object.fromEntries(fields)
  return endpointErrors(
    {
      ...(name === undefined ? {} : { name }),
      ...(url === undefined ? {} : { url }),
      ...(description === undefined ? {} : { description }),
    },
    allowed,
  )
}

export const EndpointStatus = Schema.Literals(["active", "inactive"])
export type EndpointStatus = typeof EndpointStatus.Type

/** Why an endpoint is inactive. */
export const InactiveReason = Schema.Literals(["manual", "failures", "gone", "unreadable_secret"])
export type InactiveReason = typeof InactiveReason.Type

const urlDescription =
  "An https URL at a public address, on port 443 or any port from 1024; the operator may allow other networks"
const eventsDescription =
  "Events, and sub-events as `<event>.<sub-event>`, such as `interview.status.update.completed`; at least one"

const Header = Schema.Struct({
  name: text(maxHeaderName).annotateKey({ description: "Such as Authorization; not one that the service sets" }),
  value: optional(
    text(maxHeaderValue),
    `Visible ASCII characters. If missing, or ${maskedValue}, the header keeps its stored value`,
  ),
}).annotate({ identifier: "WebhookHeaderInput" })

const options = {
  headers: optional(
    list(Header, maxHeaders),
    "Headers added to each delivery, for example for a gateway. The list replaces the stored one: headers that it omits are removed",
  ),
  max_per_minute: optional(integer(0, maxRate), "The maximum of attempts that start in any 60 seconds; 0: no limit"),
  interview_set_ids: optional(
    list(text(36), maxChosen),
    "With project_ids: the endpoint receives only events of these interview sets, and of sets in these projects. Both empty: all",
  ),
  project_ids: optional(list(text(36), maxChosen), "See interview_set_ids"),
}

const fields = {
  name: text(maxName).annotate({ description: "The system that receives the events, for people" }),
  url: anyText.annotateKey({
    description: urlDescription,
  }),
  description: optional(text(maxDescription), "For people; an empty text removes it"),
  events: optional(
    list(text(100), maxEvents).check(
      Schema.makeFilter((events: ReadonlyArray<string>) => events.length > 0, {
        code: "too_few",
        message: "must have at least one item",
      }),
    ),
    eventsDescription,
  ),
  ...options,
}

export const CreateEndpoint = Schema.Struct({
  ...fields,
  events: fields.events.annotateKey({
    description: `${eventsDescription}. If missing: all except submission.decision.update`,
  }),
}).annotate({ identifier: "CreateWebhookEndpoint" })
export type CreateEndpoint = typeof CreateEndpoint.Type

export const UpdateEndpoint = Schema.Struct({
  name: optional(fields.name),
  url: optional(anyText, urlDescription),
  description: fields.description,
  events: fields.events,
  ...options,
  status: optional(
    EndpointStatus,
    "inactive: waiting and new deliveries are parked, and it is not tried. active: the endpoint receives new events; failures of one that was inactive are counted from zero",
  ),
  send_parked: optional(
    Schema.Boolean,
    "true sends the parked deliveries of an active endpoint, 50 per second, each with its remaining attempts",
  ),
  end_old_secret: optional(Schema.Boolean, "true: the old secret stops signing now"),
}).annotate({ identifier: "UpdateWebhookEndpoint" })
export type UpdateEndpoint = typeof UpdateEndpoint.Type

export const RotateSecret = Schema.Struct({
  end_old_secret: optional(Schema.Boolean, "true, for a leaked secret: only the new one signs"),
}).annotate({ identifier: "RotateWebhookSecret" })
export type RotateSecret = typeof RotateSecret.Type

export const TestEndpoint = Schema.Struct({
  event: optional(text(100), "The event or sub-event to send; without it, one that the endpoint receives"),
}).annotate({ identifier: "TestWebhookEndpoint" })
export type TestEndpoint = typeof TestEndpoint.Type

const moment = (description: string) => Schema.NullOr(Timestamp).annotate({ description })

export const EndpointDetail = Schema.Struct({
  id: EndpointId,
  name: Schema.String,
  url: Schema.String.annotate({ format: "uri" }),
  description: Schema.NullOr(Schema.String),
  events: Schema.Array(Schema.String).annotate({ description: "Events and sub-events that it receives" }),
  headers: Schema.Array(
    Schema.Struct({ name: Schema.String, value: Schema.Literal(maskedValue) }).annotate({
      identifier: "WebhookHeader",
    }),
  ).annotate({ description: "Headers added to each delivery, without their values" }),
  max_per_minute: Schema.NullOr(integer(1, maxRate)).annotate({
    description: "The maximum of attempts that start in any 60 seconds; null: no limit",
  }),
  interview_set_ids: Schema.Array(Schema.String).annotate({
    description: "With project_ids: whose events it receives; both empty: all. Deleted records stay listed",
  }),
  project_ids: Schema.Array(Schema.String),
  status: EndpointStatus.annotate({ description: "Deliveries of an inactive endpoint are parked" }),
  deactivated_at: moment("When the service deactivated it; otherwise null"),
  inactive_reason: Schema.NullOr(extensibleEnum(InactiveReason.literals)).annotate({
    description: "Why it is inactive: a person, failures in a row, 410 Gone, or an undecryptable secret",
  }),
  next_probe_at: moment("When it is next tried after failures"),
  consecutive_failures: integer(0).annotate({
    description: "Failed attempts since the last success",
  }),
  last_success_at: moment("When an attempt was last acknowledged"),
  last_failure_at: moment("When an attempt last failed"),
  last_error: Schema.NullOr(Schema.String).annotate({ description: "Why the last failed attempt failed, for people" }),
  secret_since: Timestamp.annotate({ description: "When the secret was created" }),
  previous_secret_until: moment("When the old secret stops or stopped signing; null without a replacement"),
  created_at: Timestamp,
}).annotate({ identifier: "WebhookEndpoint" })
export type EndpointDetail = typeof EndpointDetail.Type

export const EndpointWithSecret = Schema.Struct({
  ...EndpointDetail.fields,
  secret: Schema.String.annotate({
    description: "`whsec_` and 64 hex digits, only in this response: store it with the secrets of your system",
  }),
}).annotate({ identifier: "WebhookEndpointWithSecret" })
export type EndpointWithSecret = typeof EndpointWithSecret.Type
