import type {
  DeclarativeRestApiSettings,
  IDataObject,
  IExecutePaginationFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  INodeListSearchResult,
  INodePropertyOptions,
} from "n8n-workflow"
import { send } from "./api"

/** The largest page of the API. */
const maxPage = 100

interface Page {
  readonly results: ReadonlyArray<IDataObject>
  readonly next_cursor: string | null
}

/** pagination: reads pages until the node's limit, or all of them with "Return All". */
export async function readPages(
  this: IExecutePaginationFunctions,
  request: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
  const isAll = this.getNodeParameter("returnAll", false) === true
  const limit = isAll ? Number.POSITIVE_INFINITY : Number(this.getNodeParameter("limit", 50))
  const items: INodeExecutionData[] = []
  let cursor: string | null | undefined
  do {
    const qs = {
      ...request.options.qs,
      limit: Math.min(maxPage, limit - items.length),
      ...(cursor == null ? {} : { cursor }),
    }
    const [answer] = await this.makeRoutingRequest({ ...request, options: { ...request.options, qs } })
    const page = answer?.json as unknown as Page
    items.push(...page.results.map((json) => ({ json, pairedItem: { item: this.getItemIndex() } })))
    cursor = page.next_cursor
  } while (cursor !== null && items.length < limit)
  return items
}

interface Source {
  readonly path: string
  readonly nameOf: (record: IDataObject) => string
}

const sources = {
  interviewSets: {
    path: "/hiring/interview-sets/v1",
    nameOf: ({ archived_at, position, title }) =>
      `${title}${position ? ` (${position})` : ""}${archived_at ? " – archived" : ""}`,
  },
  projects: { path: "/hiring/projects/v1", nameOf: ({ name }) => String(name) },
  jobPosts: {
    path: "/hiring/job-posts/v1",
    nameOf: ({ status, title }) => `${title}${status === "open" ? "" : " – closed"}`,
  },
} satisfies Record<string, Source>

const readPage = async (context: ILoadOptionsFunctions, { path }: Source, query: IDataObject): Promise<Page> =>
  (await send(context, "GET", path, { query: { limit: maxPage, ...query } })) as unknown as Page

/** Pages that one search reads before it offers "more". */
const maxPagesOfSearch = 5

/**
 * One page of a list in the editor. The lists of the API have no search, so a filter is applied to each page: pages without
 * a match are skipped.
 */
const search = async (
  context: ILoadOptionsFunctions,
  source: Source,
  filter: string | undefined,
  token: string | undefined,
  query: IDataObject = {},
): Promise<INodeListSearchResult> => {
  const wanted = filter?.trim().toLowerCase() ?? ""
  let cursor = token
  for (let read = 1; ; read += 1) {
    const page = await readPage(context, source, { ...query, ...(cursor === undefined ? {} : { cursor }) })
    const results = page.results
      .map((record) => ({ name: source.nameOf(record), value: String(record["id"]) }))
      .filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === wanted)
    cursor = page.next_cursor ?? undefined
    if (results.length > 0 || cursor === undefined || read === maxPagesOfSearch) {
      return { results, ...(cursor === undefined ? {} : { paginationToken: cursor }) }
    }
  }
}

export async function searchInterviewSets(this: ILoadOptionsFunctions, filter?: string, token?: string) {
  return search(this, sources.interviewSets, filter, token)
}

export async function searchProjects(this: ILoadOptionsFunctions, filter?: string, token?: string) {
  return search(this, sources.projects, filter, token)
}

/** Job posts of the chosen project, or of all projects. */
export async function searchJobPosts(this: ILoadOptionsFunctions, filter?: string, token?: string) {
  const project = this.getCurrentNodeParameter("project", { extractValue: true })
  const isChosen = typeof project === "string" && project !== ""
  return search(this, sources.jobPosts, filter, token, isChosen ? { project_id: project } : {})
}

/** Records that a field with several choices offers: older ones can be given by an expression. */
const maxOptions = 1000

const options = async (context: ILoadOptionsFunctions, source: Source): Promise<INodePropertyOptions[]> => {
  const found: INodePropertyOptions[] = []
  let cursor: string | null | undefined
  do {
    const page = await readPage(context, source, cursor == null ? {} : { cursor })
    found.push(...page.results.map((record) => ({ name: source.nameOf(record), value: String(record["id"]) })))
    cursor = page.next_cursor
  } while (cursor !== null && found.length < maxOptions)
  return found
}

export async function getInterviewSets(this: ILoadOptionsFunctions) {
  return options(this, sources.interviewSets)
}

export async function getProjects(this: ILoadOptionsFunctions) {
  return options(this, sources.projects)
}
