/** Settings → Organization → Tags. */
import { Effect, Layer } from "effect"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors, type Notice } from "../platform/http/FormControls.ts"
import { named, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import type { TagForm } from "./pages/SubmissionView.ts"
import { nameLabels, tagHref, tagListPage, tagPage, tagsHref } from "./pages/TagPage.ts"
import { Tags } from "./Tags.ts"

const notices: Readonly<Record<string, string>> = {
  added: "The tag was added.",
  saved: "The tag was renamed.",
  removed: "The tag was removed.",
}

const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
  const text = named(notices, query("done"))
  return text === undefined ? undefined : { text }
}

const refused = (what: string, reason: string): Notice => ({ text: `${what}: ${reason}.`, isError: true })

const textOf = (value: string | undefined): string => (value ?? "").toWellFormed()

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const tags = yield* Tags

    const list = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      form: TagForm,
      notice: Notice | undefined,
      status = 200,
    ) {
      return page(tagListPage(member, yield* tags.listCounted(member), form, notice), { status })
    })

    const show = (request: WorkspaceRequest) => list(request, { tag: "", errors: {} }, noticeOf(request))

    const add = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const tag = textOf(valueOf(yield* readForm(request.http), "name"))
      return yield* tags.define(request.member, tag).pipe(
        Effect.as(seeOther(`${tagsHref}?done=added`)),
        Effect.catchTags({
          Invalid: ({ errors }) => list(request, { tag, errors: fieldErrors(errors, nameLabels) }, undefined, 422),
          Conflict: ({ reason }) => list(request, { tag, errors: {} }, refused("The tag was not added", reason), 409),
        }),
      )
    })

    const one = Effect.fnUntraced(function* (
      { member, param }: WorkspaceRequest,
      { form, notice, status = 200 }: { form?: TagForm; notice?: Notice | undefined; status?: number },
    ) {
      const tag = yield* tags.read(member, param("id"))
      return page(tagPage(member, tag, form ?? { tag: tag.name, errors: {} }, notice), { status })
    })

    const rename = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, param } = request
      const form = yield* readForm(http)
      const tag = textOf(valueOf(form, "name"))
      return yield* tags.rename(member, param("id"), valueOf(form, "seen_name"), tag).pipe(
        Effect.as(seeOther(`${tagsHref}?done=saved`)),
        Effect.catchTags({
          Invalid: ({ errors }) =>
            one(request, { form: { tag, errors: fieldErrors(errors, nameLabels) }, status: 422 }),
          Conflict: ({ reason }) =>
            one(request, {
              form: { tag, errors: {} },
              notice: refused("Not saved", `${reason}. The form still has everything that you typed`),
              status: 409,
            }),
        }),
      )
    })

    const remove = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, param } = request
      const seen = valueOf(yield* readForm(http), "seen_name")
      return yield* tags.discard(member, param("id"), seen).pipe(
        Effect.as(seeOther(`${tagsHref}?done=removed`)),
        Effect.catchTag("Conflict", ({ reason }) =>
          one(request, { notice: refused("The tag was not removed", reason), status: 409 }),
        ),
      )
    })

    yield* get(tagsHref, show)
    yield* post(tagsHref, add)
    yield* get(`${tagsHref}/:id`, (request) => one(request, {}))
    yield* post(`${tagsHref}/:id`, rename)
    yield* action(`${tagsHref}/:id/remove`, remove, ({ param }) => tagHref(param("id")))
  }),
)
