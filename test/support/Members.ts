/** Signed-in members and their requests. */
import { Effect } from "effect"
import type { Member, Role } from "../../src/accounts/members/Member.ts"
import type { MemberId, OrganizationId } from "../../src/values/Ids.ts"
import * as Workspace from "./Workspace.ts"

let memberCount = 0

/** Signs in from a new address, because attempts are counted by address; needs TRUSTED_PROXIES. */
export const signedIn = Effect.fnUntraced(function* (
  organization: OrganizationId,
  role: Role = "owner",
  email = `m${++memberCount}@example.com`,
) {
  memberCount++
  const { id } = yield* Workspace.member(organization, email, role)
  const { cookie } = yield* Workspace.signIn(email, {
    headers: { "x-forwarded-for": `203.0.113.${memberCount % 250}` },
  })
  return { id, cookie, email }
})

/** The member as use cases get it. */
export const viewer = (
  organization: OrganizationId,
  { email, id }: { readonly id: MemberId; readonly email: string },
  role: Role = "owner",
  name: string | null = null,
): Member => ({
  _tag: "Member",
  id,
  organizationId: organization,
  organizationName: "Acme",
  timeZone: "UTC",
  seesScores: true,
  email,
  name,
  role,
})

export const settings = { PORT: "0", TRUSTED_PROXIES: "127.0.0.1/32,::1/128" }

export const get = (path: string, cookie: string) => Workspace.request("GET", path, { cookie })

type Fields = Iterable<readonly [string, string]> | Readonly<Record<string, string>>

const entriesOf = (fields: Fields): Array<[string, string]> =>
  Symbol.iterator in fields ? Array.from(fields, ([name, value]) => [name, value]) : Object.entries(fields)

export const post = (path: string, cookie: string, fields: Fields = {}) =>
  Workspace.request("POST", path, { cookie, fields: new URLSearchParams(entriesOf(fields)) })

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
}
const plain = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (one) => entities[one] ?? one)

/** The fields of the form with this `action`, as a browser would send them. */
export const fieldsOf = (page: string, action: string): Array<[string, string]> => {
  const [, form = ""] = new RegExp(`<form method="post" action="${action}"[^>]*>([\\s\\S]*?)</form>`).exec(page) ?? []
  const fields: Array<[string, string]> = []
  const control = /<input ([^>]*)>|<textarea ([^>]*)>\n?([\s\S]*?)<\/textarea>|<select ([^>]*)>([\s\S]*?)<\/select>/g
  const attribute = (text: string, name: string) => new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1]
  for (const [, input, area, text = "", choice, options = ""] of form.matchAll(control)) {
    const name = attribute(input ?? area ?? choice ?? "", "name")
    if (name === undefined) continue
    if (input !== undefined) {
      const isBox = /type="(checkbox|radio)"/.test(input)
      if (!isBox || /\schecked/.test(input)) fields.push([name, plain(attribute(input, "value") ?? "")])
    } else if (area !== undefined) fields.push([name, plain(text)])
    else {
      const chosen =
        /<option value="([^"]*)" selected>/.exec(options)?.[1] ?? /<option value="([^"]*)"/.exec(options)?.[1]
      fields.push([name, plain(chosen ?? "")])
    }
  }
  return fields
}

export const withFields = (
  fields: ReadonlyArray<readonly [string, string]>,
  changes: Readonly<Record<string, string>>,
): Array<[string, string]> => [
  ...fields.map(([name, value]): [string, string] => [name, changes[name] ?? value]),
  ...Object.entries(changes).filter(([name]) => !fields.some(([one]) => one === name)),
]
