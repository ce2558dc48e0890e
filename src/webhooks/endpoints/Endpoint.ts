/** Webhook endpoints in requests and responses of the API, and the rules of their fields (docs/webhooks.md). */
import { Result, Schema } from "effect"
import { extensibleEnum } from "../../values/ExtensibleEnum.ts"
import { anyText, integer, line, list, optional, rule, text, uuid } from "../../values/Fields.ts"
import { EndpointId } from "../../values/Ids.ts"
import { type AllowedNetworks, checkUrl } from "../../values/OutboundAddress.ts"
import { type FieldError, fieldError, NotFound } from "../../values/Problem.ts"
import { Timestamp } from "../../values/Timestamp.ts"
import { fieldErrorsOf } from "../../values/ValidationErrors.ts"
import { unknownEvent } from "../events/UnknownEvent.ts"
import { subscriptions } from "../events/WebhookEvent.ts"
import { headerErrors, maskedValue, maxHeaderName, maxHeaders, maxHeaderValue } from "./StaticHeaders.ts"

export const unknownEndpoint = new NotFound({ record: "webhook endpoint" })

/** Attempts per minute; also a check in sql/09_webhooks.sql. */
export const maxRate = 60_000

/** Maximum number of interview sets, and of projects, per endpoint. */
const maxChosen = 100

const maxName = 200
const maxDescription = 2000
/** Per request, because each event is compared with all known ones. */
const maxEvents = 50

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
  name: text(maxHeaderName).annotateKey({
    title: "Name",
    description: "Such as Authorization; not one that the service sets",
  }),
  value: optional(
    text(maxHeaderValue),
    `Visible ASCII characters. If missing, or ${maskedValue}, the header keeps its stored value`,
  ).annotateKey({ title: "Value" }),
}).annotate({ identifier: "WebhookHeaderInput" })

const options = {
  headers: optional(
    list(Header, maxHeaders),
    "Headers added to each delivery, for example for a gateway. The list replaces the stored one: headers that it omits are removed",
  ).annotateKey({ subject: "The list" }),
  max_per_minute: optional(
    integer(0, maxRate),
    "The maximum of attempts that start in any 60 seconds; 0: no limit",
  ).annotateKey({ title: "Attempts per minute", subject: "The number" }),
  interview_set_ids: optional(
    list(uuid, maxChosen),
    "With project_ids: the endpoint receives only events of these interview sets, and of sets in these projects. Both empty: all",
  ).annotateKey({ subject: "The choice" }),
  project_ids: optional(list(uuid, maxChosen), "See interview_set_ids").annotateKey({ subject: "The choice" }),
}

const fields = {
  name: line(maxName)
    .check(rule((name) => name.trim() !== "", "required", "must not be blank"))
    .annotateKey({ title: "Name", description: "The system that receives the events, for people" }),
  url: anyText.annotateKey({ title: "Address", description: urlDescription }),
  description: optional(line(maxDescription), "For people; an empty text removes it").annotateKey({
    title: "Description",
  }),
  events: optional(
    list(text(100), maxEvents).check(
      Schema.makeFilter((events: ReadonlyArray<string>) => events.length > 0, {
        code: "too_few",
        message: "must have at least one item",
      }),
    ),
    eventsDescription,
  ).annotateKey({ subject: "The choice" }),
  ...options,
}

export const CreateEndpoint = Schema.Struct({
  ...fields,
  events: fields.events.annotateKey({
    description: `${eventsDescription}. If missing: all except submission.decision.update, submission.stage.update and submission.review`,
  }),
}).annotate({ identifier: "CreateWebhookEndpoint" })
export type CreateEndpoint = typeof CreateEndpoint.Type

const EndpointChange = Schema.Struct({
  ...fields,
  name: optional(fields.name, "The system that receives the events, for people"),
  url: optional(anyText, urlDescription),
})
export type EndpointChange = typeof EndpointChange.Type

export const UpdateEndpoint = Schema.Struct({
  ...EndpointChange.fields,
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

const decode = Schema.decodeUnknownResult(EndpointChange, { errors: "all" })

/**
 * Errors of the given fields: those of the schema, and others of the fields that the schema accepts. `headerNames`: names of
 * the headers with a stored value; undefined: not read yet, and headers are not compared with them.
 */
export const endpointErrors = (
  request: object,
  allowed: AllowedNetworks,
  headerNames?: ReadonlyArray<string>,
): ReadonlyArray<FieldError> => {
  const decoded = decode(request)
  const errors = Result.isFailure(decoded) ? fieldErrorsOf(decoded.failure.issue) : []
  const refused = new Set(errors.map(({ pointer }) => pointer.split("/")[1]))
  const accepted = Object.fromEntries(Object.entries(request).filter(([name]) => !refused.has(name)))
  const { events, headers, url } = Result.getOrElse(decode(accepted), (): EndpointChange => ({}))
  const address = url == null ? undefined : checkUrl(url, allowed)
  return [
    ...errors,
    ...(address !== undefined && Result.isFailure(address)
      ? [fieldError("#/url", "refused_url", address.failure.reason)]
      : []),
    ...(events ?? [])
      .filter((event) => !subscriptions.includes(event))
      .map((event) => unknownEvent("#/events", event, subscriptions)),
    ...(headerNames === undefined ? [] : headerErrors(headers ?? [], headerNames)),
  ]
}

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
