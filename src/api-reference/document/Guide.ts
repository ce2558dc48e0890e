/**
 * The document's description: a guide that an integration can be built from, in Markdown. It keeps to the part of
 * Markdown that api-reference/pages/Markdown.ts renders. `{api_url}` in it stands for the address of the API.
 */
import { cvs } from "./guide/Cvs.ts"
import { limits } from "./guide/Limits.ts"
import { rules } from "./guide/Rules.ts"
import { start } from "./guide/Start.ts"
import { webhooks } from "./guide/Webhooks.ts"

export const guide = [start, rules, cvs, webhooks, limits].join("\n\n")
