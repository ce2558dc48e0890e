/** In place of the package n8n-workflow (test/vitest.config.ts): what the nodes of integrations/n8n import of it at run time. */

interface Details {
  readonly message?: string
  readonly description?: string
  readonly httpCode?: string
  readonly itemIndex?: number
}

export class NodeApiError extends Error {
  readonly description: string | undefined
  readonly httpCode: string | undefined
  readonly itemIndex: number | undefined

  constructor(_node: unknown, _response: unknown, { description, httpCode, itemIndex, message }: Details = {}) {
    super(message)
    this.description = description
    this.httpCode = httpCode
    this.itemIndex = itemIndex
  }
}

export class NodeOperationError extends Error {
  readonly description: string | undefined
  readonly itemIndex: number | undefined

  constructor(_node: unknown, message: string, { description, itemIndex }: Details = {}) {
    super(message)
    this.description = description
    this.itemIndex = itemIndex
  }
}

export const NodeConnectionTypes = { Main: "main" }
