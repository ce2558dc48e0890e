/** Events of test deliveries, about an invented candidate: the examples of the events' schemas. */
import type { Schema } from "effect"
import { exampleOf } from "../../values/SchemaExample.ts"
import { reserved } from "./UnknownEvent.ts"
import { catalogue, type EventData, type EventSubject, type EventType, eventOf, subscriptions } from "./WebhookEvent.ts"

const dataOf = (type: EventType, values = {}) =>
  exampleOf(catalogue[type].schema.fields.data as Schema.Codec<Readonly<Record<string, unknown>>>, values)

export const subject = dataOf("interview.status.update") as unknown as EventSubject

const sampleOf = (type: EventType, status: string | undefined, appUrl: string) => {
  const { statuses, statusField } = catalogue[type]
  const found = statuses.find(({ name }) => status === undefined || name === status)
  const submission_url = `${appUrl}/submissions/${subject.submission_id}`
  return {
    ...dataOf(type, { submission_url, ...found?.sample, [statusField]: found?.name }),
    event_type: type,
  } as EventData
}

export const testable: ReadonlyArray<string> = subscriptions.filter((name) => name !== reserved)

export const sampleNames: ReadonlyArray<string> = testable.filter((name) => eventOf(name)?.status !== undefined)

/** Of an event, its first status. */
export const sample = (name: string, appUrl: string): EventData | undefined => {
  const event = testable.includes(name) ? eventOf(name) : undefined
  return event && sampleOf(event.type, event.status, appUrl)
}

/** The default is for endpoints with only the reserved event. */
export const sampleFor = (events: ReadonlyArray<string>, appUrl: string): EventData => {
  const [first] = events.flatMap((name) => sample(name, appUrl) ?? [])
  return first ?? sampleOf("interview.status.update", undefined, appUrl)
}
