import { createHash } from "node:crypto"
import {
  type IDataObject,
  type IExecuteSingleFunctions,
  type IHttpRequestOptions,
  type INodeExecutionData,
  NodeOperationError,
} from "n8n-workflow"

/**
 * preSend: sends the node's own Idempotency-Key, or one of this step, item and body: "Retry On Fail" repeats a request with
 * the same key, so the service performs it once. Another execution, or another run of a loop, has another key.
 */
export async function addIdempotencyKey(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const own = this.getNodeParameter("options.idempotencyKey", "")
  const index = this.getItemIndex()
  const step = [
    this.getWorkflow().id,
    this.getExecutionId(),
    this.getNode().id,
    this.evaluateExpression("{{ $runIndex }}", index),
    index,
    request.method,
    request.url,
    request.body,
  ]
  const key = own || `n8n-${createHash("sha256").update(JSON.stringify(step)).digest("hex")}`
  return { ...request, headers: { ...request.headers, "Idempotency-Key": String(key) } }
}

/** preSend: refuses an empty id, which would be another path. */
export async function requireId(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  if (/\/(\/|$)/.test(request.url)) {
    throw new NodeOperationError(this.getNode(), "The ID is empty", {
      itemIndex: this.getItemIndex(),
      description: "An expression for the ID gave no value for this item.",
    })
  }
  return request
}

const zoned = /(z|[+-]\d{2}:?\d{2})$/i

/** The offset of a time zone at a moment, in milliseconds. */
const offsetAt = (moment: number, timeZone: string): number => {
  const part = Object.fromEntries(
    new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
    })
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const local = Date.UTC(
    part["year"] ?? 0,
    (part["month"] ?? 1) - 1,
    part["day"],
    part["hour"],
    part["minute"],
    part["second"],
  )
  return local - Math.floor(moment / 1000) * 1000
}

/**
 * A moment of n8n as ISO 8601 in UTC. The date picker gives times without a zone: they are in the workflow's time zone. A text
 * that is no time is sent as it is, and the service says what is wrong with it.
 */
export const instant = (value: unknown, timeZone: string): string => {
  // luxon's DateTime, of an expression such as {{ $now.plus(3, 'days') }}
  const text = String(value).trim()
  const moment = Date.parse(zoned.test(text) ? text : `${text.length === 10 ? `${text}T00:00` : text}Z`)
  if (Number.isNaN(moment)) return text
  if (zoned.test(text)) return new Date(moment).toISOString()
  // the offset of the moment itself may differ from that of the guess when clocks change in between
  const guess = moment - offsetAt(moment, timeZone)
  return new Date(moment - offsetAt(guess, timeZone)).toISOString()
}

const times = ["expires_at", "updated_since"]

/** preSend: gives times without a zone the workflow's. */
export async function addTimeZone(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const converted = (fields: IDataObject): IDataObject =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        times.includes(name) && value != null && value !== "" ? instant(value, this.getTimezone()) : value,
      ]),
    )
  return {
    ...request,
    ...(request.qs === undefined ? {} : { qs: converted(request.qs) }),
    ...(request.body === undefined ? {} : { body: converted(request.body as IDataObject) }),
  }
}

/** An object from a JSON field, or from an expression that gives an object. */
const objectOf = (context: IExecuteSingleFunctions, field: string, value: unknown): IDataObject => {
  let found: unknown = value
  if (typeof value === "string") {
    try {
      found = JSON.parse(value.trim() === "" ? "{}" : value)
    } catch {
      found = undefined
    }
  }
  if (typeof found === "object" && found !== null && !Array.isArray(found)) return found as IDataObject
  throw new NodeOperationError(context.getNode(), `"${field}" is not a JSON object`, {
    itemIndex: context.getItemIndex(),
  })
}

/** preSend: adds the fields of "Other Fields (JSON)" to the body. */
export async function addOtherFields(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const others = objectOf(this, "Other Fields (JSON)", this.getNodeParameter("additionalFields.otherFields", "{}"))
  return { ...request, body: { ...(request.body as IDataObject), ...others } }
}

interface Pair {
  readonly name: string
  readonly value: string
}

/** Own named texts of a candidate or a set. */
export const metadataOf = (pairs: unknown): IDataObject =>
  Object.fromEntries(((pairs ?? []) as ReadonlyArray<Pair>).map(({ name, value }) => [name, String(value)]))

interface Envelope {
  readonly results: IDataObject | ReadonlyArray<IDataObject>
  readonly warnings?: ReadonlyArray<IDataObject>
}

/** postReceive: the `results` of a response. What the service ignored in the request is in `request_warnings`. */
export async function unwrap(
  this: IExecuteSingleFunctions,
  items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
  return items.flatMap(({ json }) => {
    const { results, warnings } = json as unknown as Envelope
    const records = Array.isArray(results) ? results : [results]
    return records.map((record) => ({
      json: warnings === undefined ? record : { ...record, request_warnings: warnings },
      pairedItem: { item: this.getItemIndex() },
    }))
  })
}
