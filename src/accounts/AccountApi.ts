/** GET /me/v1: reads the request's API key. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { results } from "../platform/http/IntegrationApi.ts"
import { extensibleEnum } from "../values/ExtensibleEnum.ts"
import { OrganizationId } from "../values/Ids.ts"
import { ApiKey, Mode } from "./api-keys/ApiKey.ts"
import { Authentication } from "./api-keys/AuthenticationApi.ts"
import { Scope } from "./Permissions.ts"

export const Me = Schema.Struct({
  mode: Mode.annotate({
    description:
      "`live`: the key sees candidates and their data. `test`: it is a test key, which sees the test space only",
  }),
  organization: Schema.Struct({ id: OrganizationId, name: Schema.String }),
  api_key: Schema.Struct({
    ...ApiKey.fields,
    scopes: Schema.Array(extensibleEnum(Scope.literals)).annotate({
      description: "Empty: unrestricted. More scopes may be added",
    }),
  }).annotate({ identifier: "ApiKey" }),
}).annotate({ identifier: "Account" })

const me = HttpApiEndpoint.get("me", "/me/v1", { success: results(Me, "The organization and the key") }).annotateMerge(
  OpenApi.annotations({
    identifier: "getAccount",
    summary: "Read this key",
    description:
      "The organization that the key acts for, its mode, the key's scopes and when it expires. A way to test a connection.",
  }),
)

export const Account = HttpApiGroup.make("account")
  .add(me)
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Account", description: "The key that you hold." }))
