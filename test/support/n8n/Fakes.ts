/**
 * A small part of n8n: expressions, declarative requests of a node (routing), the editor's lists, and a webhook's lifecycle. It
 * follows n8n's documented behaviour as far as the nodes of integrations/n8n use it, and sends real requests.
 */
import type { Answer, Changeable, Credential, Item, NodeType, Property, Request, Values } from "./Package.ts"

/** The fields of a credential, which a test may change. */
export interface Account {
  url: string
  apiKey: string
}

const compute = (code: string, scope: Values): unknown =>
  new Function(...Object.keys(scope), `return (${code})`)(...Object.values(scope))

/** A text that begins with "=" is an expression: one `{{ }}` alone gives its value, else a text. */
export const evaluate = (text: unknown, scope: Values): unknown => {
  if (typeof text !== "string" || !text.startsWith("=")) return text
  const [, whole] = /^=\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text) ?? []
  if (whole !== undefined) return compute(whole, scope)
  return text.slice(1).replaceAll(/\{\{(.*?)\}\}/gs, (_, code: string) => String(compute(code, scope)))
}

const isObject = (value: unknown): value is Changeable =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** `a.b.c` of nested objects. */
const at = (values: Values, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), values)

/** Of a record that was chosen from a list or by its id, the id. */
const extractedOf = (value: unknown): unknown => (isObject(value) && "mode" in value ? value["value"] : value)

const isShown = ({ displayOptions }: Property, parameters: Values, beside: Values): boolean =>
  Object.entries(displayOptions?.show ?? {}).every(([name, allowed]) =>
    allowed.includes(name.startsWith("/") ? parameters[name.slice(1)] : beside[name]),
  )

/** The parameters with the defaults of those that are shown, as n8n stores a node. */
const completed = ({ description }: NodeType, given: Values): Changeable => {
  const all: Changeable = { ...given }
  for (const property of description.properties) {
    if (!(property.name in all) && isShown(property, all, all)) all[property.name] = structuredClone(property.default)
  }
  return all
}

/** Counts and sends the requests of a node with its credential. */
export const makeHelpers = (credential: Credential, account: Account, sent: Array<Request> = []) => ({
  httpRequestWithAuthentication: async (name: string, request: Request): Promise<Answer> => {
    if (name !== credential.name) throw new Error(`unknown credential ${name}`)
    sent.push(request)
    const url = new URL(request.baseURL + request.url)
    for (const [key, value] of Object.entries(request.qs ?? {})) {
      if (value !== undefined) url.searchParams.set(key, String(value))
    }
    const authentication = Object.entries(credential.authenticate.properties.headers).map(([key, value]) => [
      key,
      String(evaluate(value, { $credentials: account })),
    ])
    // n8n sends no body for an empty object
    const hasBody = request.method !== "GET" && Object.keys(request.body ?? {}).length > 0
    const response = await fetch(url, {
      method: request.method,
      redirect: "manual",
      headers: {
        ...request.headers,
        ...Object.fromEntries(authentication),
        ...(hasBody ? { "content-type": "application/json" } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
    })
    const text = await response.text()
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "")
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: isJson ? JSON.parse(text) : text,
    }
  },
  returnJsonArray: (value: Values | ReadonlyArray<Values>) =>
    (Array.isArray(value) ? value : [value]).map((json) => ({ json })),
})

export interface Run {
  readonly credential: Credential
  readonly node: NodeType
  readonly account: Account
  readonly parameters: Values
  readonly executionId?: string
  /** How often the node has run in this execution, in a loop. */
  readonly runIndex?: number
  readonly timeZone?: string
}

const common = ({ account, executionId = "1", timeZone = "UTC" }: Partial<Run>) => ({
  getNode: () => ({ id: "node-1", name: "Interview Invitations" }),
  getWorkflow: () => ({ id: "workflow-1", name: "Hire" }),
  getExecutionId: () => executionId,
  getTimezone: () => timeZone,
  getCredentials: async () => account,
  logger: { warn: () => undefined },
})

/** Runs a node with declarative requests for one item. Returns the items of its output and the requests that it sent. */
export const runNode = async (run: Run): Promise<{ items: ReadonlyArray<Item>; sent: ReadonlyArray<Request> }> => {
  const { account, credential, node, runIndex = 0 } = run
  const parameters = completed(node, run.parameters)
  const extracted = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, extractedOf(value)]))
  const scope = { $credentials: account, $parameter: extracted, $runIndex: runIndex }
  const sent: Array<Request> = []
  const valueOf = (path: string): unknown => extractedOf(at(parameters, path))
  const context = {
    ...common(run),
    getItemIndex: () => 0,
    getNodeParameter: (path: string, fallback?: unknown) => valueOf(path) ?? fallback,
    evaluateExpression: (text: string) => evaluate(`=${text}`, scope),
    helpers: makeHelpers(credential, account, sent),
  }

  const chosen: Array<NonNullable<Property["routing"]>> = []
  const [qs, body]: [Changeable, Changeable] = [{}, {}]
  const collect = (properties: ReadonlyArray<Property>, beside: Values, path: string): void => {
    for (const property of properties) {
      if (!isShown(property, parameters, beside)) continue
      const { name, options = [], routing, type } = property
      if (routing !== undefined) {
        chosen.push(routing)
        const { property: target, type: place } = routing.send ?? {}
        if (target !== undefined) (place === "body" ? body : qs)[target] = valueOf(path + name)
      }
      const value = beside[name]
      if (type === "options") {
        for (const option of options) if (option.value === value && option.routing) chosen.push(option.routing)
      }
      if (type === "collection" && isObject(value)) {
        const given = options.filter((option) => option.name in value)
        collect(given, value, `${path}${name}.`)
      }
    }
  }
  collect(node.description.properties, parameters, "")

  const fixed = Object.fromEntries(
    Object.entries({
      ...node.description.requestDefaults,
      ...Object.assign({}, ...chosen.map((routing) => routing.request)),
    }).map(([name, value]) => [name, evaluate(value, scope)]),
  )
  let request = { ...(fixed as unknown as Request), qs, body }
  for (const { send } of chosen) {
    for (const step of send?.preSend ?? []) request = { ...request, ...(await step.call(context, request)) }
  }
  const makeRoutingRequest = async ({ options }: { readonly options: Request }) => {
    const answer = await context.helpers.httpRequestWithAuthentication(credential.name, options)
    let items: ReadonlyArray<Item> = [{ json: answer.body as Changeable }]
    for (const { output } of chosen) {
      for (const step of output?.postReceive ?? []) items = await step.call(context, items, answer)
    }
    return items
  }
  const paginate = chosen.find(({ send }) => send?.paginate)?.operations?.pagination
  const items =
    paginate === undefined
      ? await makeRoutingRequest({ options: request })
      : await paginate.call({ ...context, makeRoutingRequest }, { options: request })
  return { items, sent }
}

/** Calls a list of the editor: `kind` is listSearch or loadOptions. */
export const callList = <A>(
  run: Omit<Run, "parameters"> & { readonly parameters?: Values },
  kind: "listSearch" | "loadOptions",
  name: string,
  ...args: ReadonlyArray<unknown>
): Promise<A> => {
  const context = {
    ...common(run),
    getCurrentNodeParameter: (path: string) => at(run.parameters ?? {}, path),
    helpers: makeHelpers(run.credential, run.account),
  }
  const method = run.node.methods?.[kind]?.[name]
  if (method === undefined) throw new Error(`${kind} has no ${name}`)
  return method.call(context, ...args) as Promise<A>
}

export interface Received {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

export interface Response {
  readonly status: number
  readonly text: string
  /** What starts the workflow; undefined: nothing starts. */
  readonly started: ReadonlyArray<Item> | undefined
}

/** A workflow that begins with a trigger: n8n keeps its static data. */
export const makeTrigger = (run: Run & { readonly webhookUrl: string; readonly mode?: "manual" | "trigger" }) => {
  const staticData: Changeable = {}
  const warnings: Array<string> = []
  const { mode = "trigger", webhookUrl } = run
  const account = { ...run.account }
  const state: { mode: string; webhookUrl: string; readonly account: Account; readonly parameters: Changeable } = {
    ...{ mode, webhookUrl, account },
    parameters: completed(run.node, run.parameters),
  }
  const sent: Array<Request> = []
  const context = {
    ...common({ ...run, account }),
    getMode: () => state.mode,
    getNodeWebhookUrl: () => state.webhookUrl,
    getWorkflowStaticData: () => staticData,
    getNodeParameter: (path: string, fallback?: unknown) => at(state.parameters, path) ?? fallback,
    helpers: makeHelpers(run.credential, account, sent),
    logger: { warn: (text: string) => warnings.push(text) },
  }
  const { webhook, webhookMethods } = run.node
  if (webhook === undefined || webhookMethods === undefined) throw new Error("not a trigger")
  const { checkExists, create, delete: remove } = webhookMethods.default
  return {
    staticData,
    sent,
    warnings,
    state,
    /** As n8n does when a workflow is published, and again at each of its starts. */
    activate: async () => {
      if (!(await checkExists.call(context))) await create.call(context)
    },
    deactivate: () => remove.call(context),
    receive: async ({ body, headers }: Received): Promise<Response> => {
      const answer = { status: 200, text: "" }
      const response = {
        status: (status: number) => {
          answer.status = status
          return response
        },
        send: (text: string) => {
          answer.text = text
        },
      }
      const before = structuredClone(staticData)
      const result = (await webhook.call({
        ...context,
        // n8n 2.40 gives the URL of the published workflow, also in the editor's test
        getNodeWebhookUrl: () => state.webhookUrl.replace("/webhook-test/", "/webhook/"),
        getRequestObject: () => ({ rawBody: body }),
        getResponseObject: () => response,
        getHeaderData: () => headers,
      })) as { readonly workflowData?: ReadonlyArray<ReadonlyArray<Item>> }
      // n8n 2.40 loses what a call has changed when it starts the workflow
      if (result.workflowData !== undefined) {
        for (const name of Object.keys(staticData)) delete staticData[name]
        Object.assign(staticData, before)
      }
      return { ...answer, started: result.workflowData?.[0] }
    },
  }
}
