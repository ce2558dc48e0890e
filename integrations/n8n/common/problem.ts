import {
  type IExecuteSingleFunctions,
  type IN8nHttpFullResponse,
  type INode,
  type INodeExecutionData,
  NodeApiError,
} from "n8n-workflow"

/** An error of the service, RFC 9457. */
interface Problem {
  readonly type?: string
  readonly detail?: string
  readonly code?: string
  readonly errors?: ReadonlyArray<{ readonly pointer: string; readonly message: string }>
}

export type Response = Pick<IN8nHttpFullResponse, "body" | "headers" | "statusCode">

const objectOf = (body: unknown): object | undefined => {
  let value = body
  if (typeof body === "string") {
    try {
      value = JSON.parse(body)
    } catch {
      return undefined
    }
  }
  return typeof value === "object" && value !== null ? value : undefined
}

const problemOf = (body: unknown): Problem | undefined => {
  const value = objectOf(body)
  return value !== undefined && "code" in value && "detail" in value ? (value as Problem) : undefined
}

/** The response is an error of the service, not of a proxy or of another program. */
export const isProblem = ({ body }: Response): boolean => problemOf(body) !== undefined

const headerOf = (response: Response, name: string): string | undefined => {
  const value = response.headers?.[name]
  return typeof value === "string" ? value : undefined
}

/** The message and description that n8n shows for a response that is not a success. */
export const describeFailure = (response: Response): { readonly message: string; readonly description: string } => {
  const problem = problemOf(response.body)
  const requestId = headerOf(response, "x-request-id")
  const quoted = requestId === undefined ? [] : [`Request ID: ${requestId}`]
  if (problem === undefined) {
    const location = headerOf(response, "location")
    const what = location === undefined ? "" : `, a redirect to ${location}`
    return {
      message: `The response is not from the API of Interview Invitations (status ${response.statusCode}${what})`,
      description: ["Check the address of the service in the credential, and proxies in front of it.", ...quoted].join(
        "\n",
      ),
    }
  }
  const wait = headerOf(response, "retry-after")
  const lines = [
    ...(problem.errors ?? []).map(({ message, pointer }) => `${pointer}: ${message}`),
    ...(wait === undefined ? [] : [`Try again after ${wait} seconds.`]),
    `Error code: ${problem.code} (see ${problem.type} at the address of the service)`,
    ...quoted,
  ]
  const [first, ...others] = problem.errors ?? []
  // one validation error says more than "the request has validation errors"
  const isOne = first !== undefined && others.length === 0
  return {
    message: isOne ? `${first.pointer}: ${first.message}` : String(problem.detail),
    description: (isOne ? lines.slice(1) : lines).join("\n"),
  }
}

/** Other programs answer 200 as well, for example with a page. */
export const isSuccess = ({ body, statusCode }: Response): boolean =>
  statusCode >= 200 && statusCode < 300 && "results" in (objectOf(body) ?? {})

export const apiError = (node: INode, response: Response, itemIndex?: number): NodeApiError =>
  new NodeApiError(
    node,
    {},
    {
      ...describeFailure(response),
      httpCode: String(response.statusCode),
      ...(itemIndex === undefined ? {} : { itemIndex }),
    },
  )

/** postReceive: fails with the problem of a response that is not a success. */
export async function failOnProblem(
  this: IExecuteSingleFunctions,
  items: INodeExecutionData[],
  response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
  if (!isSuccess(response)) throw apiError(this.getNode(), response, this.getItemIndex())
  return items
}
