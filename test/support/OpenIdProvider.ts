/** An OpenID Connect provider (oidc-provider) on a free port, and a browser without scripts that signs in there. */
import { generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Context, Effect, Layer } from "effect"
import Provider from "oidc-provider"

export const client = { id: "interviews", secret: "a secret; of any characters: %&+" }

export interface Account {
  readonly email?: string
  readonly email_verified?: boolean | string
}

interface Options {
  readonly callback: string
  /** Whether the ID token contains the email address; by default only userinfo does. */
  readonly inToken?: boolean
  /** Where the client's secret is sent; "header" by default. */
  readonly secretIn?: "header" | "form"
  /** The address at which the client finds the provider, behind a server that ends TLS; its own address by default. */
  readonly origin?: string
}

const signingKey = {
  ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
  alg: "RS256",
  kid: "1",
  use: "sig",
}

const listen = (handler: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(handler)
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      return { server, port: typeof address === "object" && address !== null ? address.port : 0 }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }),
  )

const bodyOf = async (request: IncomingMessage) => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Nordlicht ID</title><h1>Nordlicht ID</h1>
<form method="post"><label>Account <input name="account"></label><button>Log in</button><button name="cancel" value="1">Cancel</button></form>`

export class OpenIdProvider extends Context.Service<
  OpenIdProvider,
  {
    readonly issuer: string
    /** Its own address. */
    readonly url: string
    /** Accounts by name. */
    readonly accounts: Map<string, Account>
    /** Answers requests normally, never, or with status 502. */
    readonly set: (state: "up" | "silent" | "broken") => void
    /** Paths requested since the last call. */
    readonly asked: () => ReadonlyArray<string>
    /** Opens the URL and logs in as `account`, or cancels if undefined; returns the callback URL. */
    readonly visit: (url: string, account: string | undefined) => Effect.Effect<URL>
  }
>()("interview-invitations/test/OpenIdProvider") {
  static readonly layer = ({ callback, inToken = false, origin, secretIn = "header" }: Options) =>
    Layer.effect(
      OpenIdProvider,
      Effect.gen(function* () {
        const accounts = new Map<string, Account>()
        let state: "up" | "silent" | "broken" = "up"
        let asked: Array<string> = []
        let answer = (_request: IncomingMessage, response: ServerResponse): unknown => response.end()
        const { port } = yield* listen((request, response) => {
          asked.push(new URL(request.url ?? "/", "http://localhost").pathname)
          if (state === "silent") return
          if (state === "broken") {
            response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>")
            return
          }
          void answer(request, response)
        })
        const url = `http://localhost:${port}`
        const issuer = origin ?? url
        const provider = new Provider(issuer, {
          clients: [
            {
              client_id: client.id,
              client_secret: client.secret,
              redirect_uris: [callback],
              response_types: ["code"],
              grant_types: ["authorization_code"],
              token_endpoint_auth_method: secretIn === "header" ? "client_secret_basic" : "client_secret_post",
            },
          ],
          claims: { openid: ["sub"], email: ["email", "email_verified"] },
          conformIdTokenClaims: !inToken,
          cookies: { keys: ["a key of the tests"] },
          features: { devInteractions: { enabled: false } },
          findAccount: (_context, sub) =>
            Promise.resolve({ accountId: sub, claims: () => Promise.resolve({ sub, ...accounts.get(sub) }) }),
          interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
          // without a consent page
          loadExistingGrant: async (context) => {
            const { client, oidc, session } = { client: context.oidc.client, ...context.oidc, oidc: context.oidc }
            const grant = new oidc.provider.Grant({
              clientId: client?.clientId ?? "",
              accountId: session?.accountId ?? "",
            })
            grant.addOIDCScope("openid email")
            await grant.save()
            return grant
          },
          jwks: { keys: [signingKey] },
          pkce: { required: () => true },
          ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        })
        provider.proxy = origin !== undefined
        const handle = provider.callback()
        answer = async (request, response) => {
          if (!request.url?.startsWith("/interaction/")) return handle(request, response)
          if (request.method !== "POST") {
            return response.writeHead(200, { "content-type": "text/html" }).end(page)
          }
          const form = await bodyOf(request)
          const result = form.has("cancel")
            ? { error: "access_denied", error_description: "<b>They went away</b>" }
            : { login: { accountId: form.get("account") ?? "" } }
          return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
        }

        const { host, protocol } = new URL(issuer)
        const forwarded: Record<string, string> =
          origin === undefined ? {} : { "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1) }

        const visit = (begun: string, account: string | undefined) =>
          Effect.promise(async () => {
            const jar = new Map<string, string>()
            let [at, form]: [URL, URLSearchParams | undefined] = [new URL(begun), undefined]
            for (let step = 0; step < 10; step++) {
              if (at.href.startsWith(callback)) return at
              const response = await fetch(at.href.replace(issuer, url), {
                method: form === undefined ? "GET" : "POST",
                redirect: "manual",
                headers: { ...forwarded, cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
                ...(form === undefined ? {} : { body: form }),
              })
              const text = await response.text()
              for (const one of response.headers.getSetCookie()) {
                const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(one) ?? []
                jar.set(name, value)
              }
              const location = response.headers.get("location")
              if (location !== null) [at, form] = [new URL(location, at), undefined]
              else if (form === undefined && text === page)
                form = new URLSearchParams(account === undefined ? { cancel: "1" } : { account })
              else throw new Error(`${response.status} ${text}`)
            }
            throw new Error("the provider does not redirect to the callback")
          })

        return OpenIdProvider.of({
          issuer,
          url,
          accounts,
          set: (next) => {
            state = next
          },
          asked: () => {
            const before = asked
            asked = []
            return before
          },
          visit,
        })
      }),
    )
}
