import type { INodeProperties, INodePropertyOptions } from "n8n-workflow"
import { root } from "../../../common/api"
import { pageFields, projectLocator, sent } from "../../../common/fields"
import { readPages } from "../../../common/lists"
import { failOnProblem } from "../../../common/problem"

const list = (path: string): INodePropertyOptions["routing"] => ({
  request: { method: "GET", url: `${root}${path}` },
  send: { paginate: true },
  operations: { pagination: readPages },
  output: { postReceive: [failOnProblem] },
})

export const project: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["project"] } },
    options: [
      {
        name: "Get Many",
        value: "getAll",
        action: "Get many projects",
        description: "Get many projects, newest first",
        routing: list("/hiring/projects/v1"),
      },
    ],
    default: "getAll",
  },
  ...pageFields("project"),
]

export const jobPost: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["jobPost"] } },
    options: [
      {
        name: "Get Many",
        value: "getAll",
        action: "Get many job posts",
        description: "Get many job posts, newest first",
        routing: list("/hiring/job-posts/v1"),
      },
    ],
    default: "getAll",
  },
  ...pageFields("jobPost"),
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add filter",
    default: {},
    displayOptions: { show: { resource: ["jobPost"], operation: ["getAll"] } },
    options: [sent("project_id", "query", { ...projectLocator, description: "Only job posts of this project" })],
  },
]
