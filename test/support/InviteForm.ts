/** The steps of inviting candidates in the workspace, as a browser without scripts sends them. */
import { Effect } from "effect"
import { Server } from "./Api.ts"
import { fieldsOf, get, post, signedIn, withFields } from "./Members.ts"
import * as Scenario from "./Scenario.ts"

export const formOf = Effect.fnUntraced(function* (set: string, cookie: string) {
  const path = `/interview-sets/${set}/invite`
  const fields = fieldsOf((yield* get(path, cookie)).text, path)
  /** Sends the form; does not follow the redirect. */
  const submit = (changes: Record<string, string>) =>
    post(path, cookie, withFields(fields, { do: "check", ...changes }))
  /** The page of a redirect, or the answer itself. */
  const follow = Effect.fnUntraced(function* (answer: Effect.Success<ReturnType<typeof get>>) {
    return answer.location === null ? answer : yield* get(answer.location, cookie)
  })
  /** Sends the form with a file, as multipart/form-data. */
  const upload = Effect.fnUntraced(function* (name: string, content: Uint8Array | string, changes = {}) {
    const { url } = yield* Server
    const body = new FormData()
    for (const [field, value] of withFields(fields, { do: "check", ...changes })) {
      if (field !== "file") body.append(field, value)
    }
    const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content)
    body.append("file", new Blob([bytes], { type: "text/csv" }), name)
    return yield* Effect.promise(async () => {
      const headers = { accept: "text/html", origin: "http://localhost:8080", cookie }
      const response = await fetch(url + path, { method: "POST", redirect: "manual", headers, body })
      return { status: response.status, location: response.headers.get("location"), text: await response.text() }
    })
  })
  /** From the form to the results; stops at the first page that needs the member. */
  const invite = Effect.fnUntraced(function* (changes: Record<string, string>) {
    const answer = yield* submit(changes)
    const check = answer.location ?? ""
    if (!check.endsWith("/check")) return yield* follow(answer)
    const sent = yield* post(check.replace(/check$/, "send"), cookie)
    return yield* follow(sent)
  })
  return { path, fields, follow, invite, submit, upload }
})

export const start = Effect.fnUntraced(function* (changes: Parameters<typeof Scenario.organization>[0] = {}) {
  const one = yield* Scenario.organization(changes)
  const member = yield* signedIn(one.id)
  return { ...one, ...(yield* formOf(one.set.id, member.cookie)), cookie: member.cookie, member: member.id }
})
