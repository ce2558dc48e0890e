/** The sources of integrations/n8n, and the parts of n8n's types that the fakes use. The main project does not compile them. */
import { join } from "node:path"

export type Values = Readonly<Record<string, unknown>>
export type Changeable = Record<string, unknown>

export interface Item {
  readonly json: Changeable
  readonly pairedItem?: { readonly item: number }
}

export interface Request {
  readonly method: string
  readonly baseURL: string
  readonly url: string
  readonly qs?: Values
  readonly body?: Values
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export type PreSend = (this: unknown, request: Request) => Promise<Request>
export type PostReceive = (this: unknown, items: ReadonlyArray<Item>, answer: Answer) => Promise<ReadonlyArray<Item>>

export interface Routing {
  readonly request?: Readonly<Record<string, string>>
  readonly send?: {
    readonly type?: "body" | "query"
    readonly property?: string
    readonly paginate?: boolean
    readonly preSend?: ReadonlyArray<PreSend>
  }
  readonly operations?: {
    readonly pagination?: (this: unknown, request: { readonly options: Request }) => Promise<ReadonlyArray<Item>>
  }
  readonly output?: { readonly postReceive?: ReadonlyArray<PostReceive> }
}

/** A parameter of a node, or a choice of one. */
export interface Property {
  readonly displayName?: string
  readonly name: string
  readonly type?: string
  readonly value?: unknown
  readonly default?: unknown
  readonly required?: boolean
  readonly displayOptions?: { readonly show?: Readonly<Record<string, ReadonlyArray<unknown>>> }
  readonly options?: ReadonlyArray<Property>
  readonly values?: ReadonlyArray<Property>
  readonly modes?: ReadonlyArray<unknown>
  readonly routing?: Routing
  readonly typeOptions?: Readonly<Record<string, unknown>>
}

type Method = (this: unknown, ...args: ReadonlyArray<unknown>) => Promise<unknown>

export interface NodeType {
  readonly description: {
    readonly name: string
    readonly properties: ReadonlyArray<Property>
    readonly requestDefaults?: Readonly<Record<string, unknown>>
  }
  readonly methods?: Readonly<Record<string, Readonly<Record<string, Method>>>>
  readonly webhookMethods?: { readonly default: Readonly<Record<"checkExists" | "create" | "delete", Method>> }
  readonly webhook?: Method
}

export interface Credential {
  readonly name: string
  readonly authenticate: { readonly properties: { readonly headers: Readonly<Record<string, string>> } }
  readonly test: { readonly request: Readonly<Record<"baseURL" | "url", string>> }
}

export const root = join(import.meta.dirname, "../../../integrations/n8n")

/** A module of the package. Its path is computed, so that neither TypeScript nor knip includes the package in the project. */
export const load = (path: string): Promise<Record<string, unknown>> => import(join(root, path))

const instance = async <A>(path: string, name: string): Promise<A> => {
  const Class = (await load(path))[name] as new () => A
  return new Class()
}

export const loadAction = () =>
  instance<NodeType>("nodes/InterviewInvitations/InterviewInvitations.node.ts", "InterviewInvitations")
export const loadTrigger = () =>
  instance<NodeType>(
    "nodes/InterviewInvitationsTrigger/InterviewInvitationsTrigger.node.ts",
    "InterviewInvitationsTrigger",
  )
export const loadCredential = () =>
  instance<Credential>("credentials/InterviewInvitationsApi.credentials.ts", "InterviewInvitationsApi")
