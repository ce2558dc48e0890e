/** What responses say about ids of the other mode (docs/test-mode.md): test keys see test mode only, live keys live mode only. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { OrganizationId } from "../../values/Ids.ts"
import { OtherModeRepository } from "./OtherModeRepository.ts"

const page = "/docs/test-mode"

const Problem = Schema.StructWithRest(
  Schema.Struct({
    code: Schema.String,
    detail: Schema.String,
    errors: Schema.optionalKey(
      Schema.Array(Schema.Struct({ pointer: Schema.String, code: Schema.String, message: Schema.String })),
    ),
  }),
  [Schema.Record(Schema.String, Schema.Unknown)],
)
const readProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))

const text = new TextDecoder()

const bodyOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? text.decode(body.body) : ""

const uuid = /(?<=\/)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/gi

/** The ids in a path. */
const idsOf = (url: string): ReadonlyArray<string> => url.replace(/\?.*/s, "").match(uuid) ?? []

const hintOf = (isTest: boolean, isFound: boolean): string => {
  const [key, own, other, needed] = isTest ? ["test", "test", "live", "iv_live_"] : ["live", "live", "test", "iv_test_"]
  return isFound
    ? `the record is one of ${other} mode, and the API key is a ${key} key: use a key that begins with ${needed}, or the id of a record of ${own} mode`
    : `the API key is a ${key} key, which does not see the records of ${other} mode`
}

export class ModeHints extends Context.Service<ModeHints>()("interview-invitations/accounts/api-keys/ModeHints", {
  make: Effect.gen(function* () {
    const repository = yield* OtherModeRepository

    /**
     * The response; a 404, and a 422 because of an unknown id, says when the record is one of the other mode. The ids of a body are
     * not looked up: then it says which mode the key sees. `template`: the path of the operation.
     */
    const withHint = Effect.fn("ModeHints.withHint")(function* (
      organization: OrganizationId,
      { template, url }: { readonly template: string; readonly url: string },
      response: HttpServerResponse.HttpServerResponse,
    ) {
      if (response.status !== 404 && response.status !== 422) return response
      const read = readProblem(bodyOf(response))
      if (Option.isNone(read)) return response
      const { code, detail, errors = [] } = read.value
      const isInBody = errors.some((error) => error.code === "not_found")
      if ((code !== "not_found" && !isInBody) || detail.includes(page)) return response
      const ids = idsOf(url)
      const mayBeInBody = isInBody || !template.includes(":")
      if (ids.length === 0 && !mayBeInBody) return response
      const other = yield* repository.find(organization, ids)
      if (other === undefined || !(other.isFound || mayBeInBody)) return response
      const said = { ...read.value, detail: `${detail}; ${hintOf(other.isTest, other.isFound)}. See ${page}` }
      return HttpServerResponse.jsonUnsafe(said, {
        status: response.status,
        contentType: "application/problem+json",
        headers: response.headers,
      })
    })

    return { withHint }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
