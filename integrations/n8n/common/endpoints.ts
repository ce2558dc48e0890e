import { createHash } from "node:crypto"
import type { IDataObject, IHookFunctions, IWebhookFunctions } from "n8n-workflow"
import { send, sendAbout } from "./api"
import { type Delivery, type Verdict, verify } from "./signature"

/** A webhook endpoint of the service that a trigger has created, as it is kept in the node's static data. */
interface StoredEndpoint {
  readonly id: string
  /** The current secret, then the one before. */
  readonly secrets: ReadonlyArray<string>
  /** When the current secret was created: another time at the service means that a member has regenerated it. */
  readonly since: string
}

/** By the URL of the webhook: the editor's test and the published workflow have an endpoint each. */
type Stored = Record<string, StoredEndpoint>

type Context = IHookFunctions | IWebhookFunctions

const storedOf = (context: Context): Stored => {
  const data = context.getWorkflowStaticData("node")
  data["endpoints"] ??= {}
  return data["endpoints"] as unknown as Stored
}

/** Replaces the object, because n8n saves static data when one of its own fields changes. */
const store = (context: Context, url: string, endpoint: StoredEndpoint | undefined): void => {
  const others = Object.entries(storedOf(context)).filter(([other]) => other !== url)
  const all = endpoint === undefined ? others : [...others, [url, endpoint] as const]
  context.getWorkflowStaticData("node")["endpoints"] = Object.fromEntries(all) as unknown as IDataObject
}

const urlOf = (context: Context): string => String(context.getNodeWebhookUrl("default"))

const storedEndpoint = (context: IHookFunctions): StoredEndpoint | undefined => storedOf(context)[urlOf(context)]

const path = (id: string) => `/webhooks/v1/${encodeURIComponent(id)}`

const resultsOf = (body: IDataObject | undefined) => body?.["results"] as IDataObject | undefined

/** What the node asks for, as fields of an endpoint. */
const wantedOf = (context: IHookFunctions) => {
  const list = (name: string) => context.getNodeParameter(name, []) as string[]
  return {
    url: urlOf(context),
    events: list("events"),
    interview_set_ids: list("interviewSetIds"),
    project_ids: list("projectIds"),
  }
}

const lists = ["events", "interview_set_ids", "project_ids"] as const

const isSame = (endpoint: IDataObject, wanted: ReturnType<typeof wantedOf>): boolean =>
  endpoint["status"] === "active" &&
  lists.every((name) => {
    const found = new Set(endpoint[name] as string[])
    return found.size === new Set(wanted[name]).size && wanted[name].every((one) => found.has(one))
  })

/** The stored endpoint as it is at the service; undefined when it was deleted there. */
const readStored = async (context: IHookFunctions): Promise<IDataObject | undefined> => {
  const stored = storedEndpoint(context)
  return stored === undefined ? undefined : resultsOf(await sendAbout(context, "GET", path(stored.id)))
}

const hasKnownSecret = (context: IHookFunctions, endpoint: IDataObject): boolean =>
  storedEndpoint(context)?.since === endpoint["secret_since"]

export const isSetUp = async (context: IHookFunctions): Promise<boolean> => {
  const found = await readStored(context)
  return found !== undefined && isSame(found, wantedOf(context)) && hasKnownSecret(context, found)
}

/** An endpoint whose secret this n8n has lost, for example with a restored backup: the URL is this node's alone. */
const findByUrl = async (context: IHookFunctions, url: string): Promise<IDataObject | undefined> => {
  let cursor: unknown
  do {
    const page = await send(context, "GET", "/webhooks/v1", {
      query: { limit: 100, ...(cursor == null ? {} : { cursor: String(cursor) }) },
    })
    const found = (page["results"] as IDataObject[]).find((endpoint) => endpoint["url"] === url)
    if (found !== undefined) return found
    cursor = page["next_cursor"]
  } while (cursor != null)
  return undefined
}

/** The key that a replacement of `secret` has, however many deliveries ask for it at once. */
const rotationKey = (id: string, secret: string) =>
  `n8n-${createHash("sha256").update(`${id}:${secret}`).digest("hex")}`

/** Replaces the secret at once, and keeps the one before for deliveries that are under way. */
const replaceSecret = async (
  context: Context,
  url: string,
  id: string,
  secret: string | undefined,
): Promise<boolean> => {
  const rotated = resultsOf(
    await sendAbout(context, "POST", `${path(id)}/rotate-secret`, {
      body: { end_old_secret: true },
      ...(secret === undefined ? {} : { idempotencyKey: rotationKey(id, secret) }),
    }),
  )
  if (rotated === undefined) return false
  const secrets = [String(rotated["secret"]), ...(secret === undefined ? [] : [secret])]
  store(context, url, { id, secrets, since: String(rotated["secret_since"]) })
  return true
}

/** Deletes what this node created under the same path at another address: n8n has moved. */
const deleteMoved = async (context: IHookFunctions): Promise<void> => {
  const current = new URL(urlOf(context))
  for (const [url, { id }] of Object.entries(storedOf(context))) {
    const { origin, pathname } = new URL(url)
    if (origin === current.origin || pathname !== current.pathname) continue
    await sendAbout(context, "DELETE", path(id))
    store(context, url, undefined)
  }
}

const maxName = 200

/** Creates the endpoint, or changes the one that is there. */
export const setUp = async (context: IHookFunctions): Promise<void> => {
  await deleteMoved(context)
  const wanted = wantedOf(context)
  const known = await readStored(context)
  const found = known ?? (await findByUrl(context, wanted.url))
  if (found === undefined) {
    const { id, name } = context.getWorkflow()
    const { results } = await send(context, "POST", "/webhooks/v1", {
      body: {
        ...wanted,
        name: `n8n: ${name ?? id}`.slice(0, maxName),
        description: "Created by an n8n workflow, which deletes it when it is unpublished",
      },
    })
    const created = results as IDataObject
    store(context, wanted.url, {
      id: String(created["id"]),
      secrets: [String(created["secret"])],
      since: String(created["secret_since"]),
    })
    return
  }
  const id = String(found["id"])
  if (known === undefined || !hasKnownSecret(context, known)) {
    await replaceSecret(context, wanted.url, id, known && storedEndpoint(context)?.secrets[0])
  }
  // a member may have led the deliveries through a gateway: the URL stays
  const choice = Object.fromEntries(lists.map((name) => [name, wanted[name]]))
  await send(context, "PATCH", path(id), { body: { ...choice, status: "active", send_parked: true } })
}

/** Deletes the endpoint of this URL; one that is gone counts as deleted. */
export const remove = async (context: IHookFunctions): Promise<void> => {
  const stored = storedEndpoint(context)
  if (stored === undefined) return
  await sendAbout(context, "DELETE", path(stored.id))
  store(context, urlOf(context), undefined)
}

export interface Verified {
  readonly verdict: Verdict
  /** Of a genuine delivery, the URL of its endpoint. */
  readonly url?: string
}

/**
 * Verifies a delivery with the secrets of all endpoints of this node. In the editor's test, n8n 2.40 gives a webhook the URL of the
 * published workflow, so the URL does not tell the endpoint.
 */
export const verifyDelivery = (context: IWebhookFunctions, delivery: Omit<Delivery, "secrets">): Verified => {
  let last = verify({ ...delivery, secrets: [] })
  for (const [url, { secrets }] of Object.entries(storedOf(context))) {
    const verdict = verify({ ...delivery, secrets })
    if (verdict.isGenuine) return { verdict, url }
    last = verdict
  }
  return { verdict: last }
}

/**
 * A member has regenerated the secret in the workspace: the old one, which this n8n has, signs for some hours only, and the new
 * one is not known here. Replaces it by one that is; returns whether it is stored.
 */
export const followReplacement = async (context: IWebhookFunctions, url: string): Promise<boolean> => {
  const stored = storedOf(context)[url]
  return stored !== undefined && replaceSecret(context, url, stored.id, stored.secrets[0])
}
