/** Events of test deliveries, about an invented candidate: the examples of the events' schemas. */
import { Schema } from "effect"
import { emptyEventCandidate } from "../candidates/Candidate.ts"
import { reserved } from "./UnknownEvent.ts"
import {
  catalogue,
  dataFields,
  type EventData,
  type EventSubject,
  type EventType,
  eventOf,
  subscriptions,
} from "./WebhookEvent.ts"

const examplesOf = (type: EventType) =>
  Object.fromEntries(
    dataFields(type).flatMap(([name, schema]) => {
      const [example] = Schema.resolveAnnotations(schema)?.examples ?? []
      return example === undefined ? [] : [[name, example]]
    }),
  )

export const subject = { ...examplesOf("interview.status.update"), ...emptyEventCandidate } as EventSubject

const sampleOf = (type: EventType, status: string | undefined, appUrl: string) => {
  const { statuses, statusField } = catalogue[type]
  const examples = examplesOf(type)
  const found = statuses.find(({ name }) => status === undefined || name === status)
  return {
    ...examples,
    ...("submission_url" in examples ? { submission_url: `${appUrl}/submissions/${subject.submission_id}` } : {}),
    ...found?.sample,
    event_type: type,
    [statusField]: found?.name,
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
