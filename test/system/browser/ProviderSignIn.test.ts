/** Sign-in at an OpenID provider in Chromium, with and without scripts, on both widths. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Page } from "playwright-core"
import * as App from "../../../src/App.ts"
import { MemberRepository } from "../../../src/accounts/members/MemberRepository.ts"
import { PasswordLinks } from "../../../src/accounts/sign-in/PasswordLinks.ts"
import { EmailLinks } from "../../../src/emails/EmailLinks.ts"
import { ids } from "../../../src/platform/NewIds.ts"
import { EmailId, MemberId } from "../../../src/values/Ids.ts"
import { Server } from "../../support/Api.ts"
import { client, OpenIdProvider } from "../../support/OpenIdProvider.ts"
import * as Pod from "../../support/Pod.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { Chromium, missing, origin, visitor } from "./chromium.ts"
import { look } from "./looks.ts"

const stage = (settings: Record<string, string> = {}) =>
  Layer.unwrap(
    Effect.map(OpenIdProvider, ({ issuer }) =>
      Chromium.layer.pipe(
        Layer.provideMerge(Server.layer),
        Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
        Layer.provideMerge(
          Pod.layer({
            settings: {
              PORT: "0",
              APP_URL: origin,
              API_URL: origin,
              OIDC_ISSUER: issuer,
              OIDC_CLIENT_ID: client.id,
              OIDC_CLIENT_SECRET: client.secret,
              OIDC_NAME: "Nordlicht ID",
              ...settings,
            },
          }),
        ),
        Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
      ),
    ),
  ).pipe(Layer.provideMerge(OpenIdProvider.layer({ callback: `${origin}/sign-in/callback` })))

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()
const follow = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).first().click()
const headed = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()

/** An invited member who has not signed in yet. */
const invited = Effect.fnUntraced(function* (email: string) {
  const { id: organization } = yield* Scenario.organization({}, "Nordlicht")
  yield* Workspace.member(organization, `the.owner@${email.replace("@", ".")}`)
  const id = yield* (yield* ids)(MemberId)
  yield* (yield* MemberRepository).insert(organization, { id, email, name: null, role: "admin", password_hash: null })
})

const logIn = async (page: Page, account: string) => {
  await headed(page, "Nordlicht ID")
  await page.getByLabel("Account").fill(account)
  await press(page, "Log in")
}

describe.skipIf(missing !== undefined)(["a provider in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage())((it) => {
    it.effect.each([true, false])("a member signs in and out (scripts: %s)", (javaScriptEnabled) =>
      Effect.gen(function* () {
        const email = `ann.${javaScriptEnabled}@nordlicht.example`
        yield* invited(email)
        const { accounts, issuer } = yield* OpenIdProvider
        accounts.set(email, { email, email_verified: true })
        const visit = yield* visitor({ javaScriptEnabled }, [issuer])
        const page = yield* Effect.promise(() => visit.newPage())
        yield* Effect.promise(async () => {
          await page.goto("/account")
          await headed(page, "Sign in")
          if (javaScriptEnabled) await look(page, "o01-sign-in")
          await follow(page, "Sign in with Nordlicht ID")
          await logIn(page, email)
          await headed(page, "Your account")
          await page.getByText("Your account at the provider was linked").waitFor()
          assert.strictEqual(new URL(page.url()).pathname, "/account")
          if (javaScriptEnabled) await look(page, "o02-account")
          await page.goto("/settings/members")
          await page.getByRole("row").filter({ hasText: email }).getByRole("rowheader").getByRole("link").click()
          await page.getByRole("button", { name: "Unlink the account" }).waitFor()
          if (javaScriptEnabled) await look(page, "o03-member")
          await press(page, "Sign out")
          await headed(page, "Sign in")
          await page.goBack()
          await page.goto("/account")
          await headed(page, "Sign in")
        })
      }),
    )

    it.effect("a refused sign-in shows the reason and the contact", () =>
      Effect.gen(function* () {
        yield* invited("ben@nordlicht.example")
        const { accounts, issuer } = yield* OpenIdProvider
        accounts.set("stranger", { email: "stranger@example.com", email_verified: true })
        const visit = yield* visitor({}, [issuer])
        const page = yield* Effect.promise(() => visit.newPage())
        yield* Effect.promise(async () => {
          await page.goto("/sign-in")
          await follow(page, "Sign in with Nordlicht ID")
          await headed(page, "Nordlicht ID")
          await press(page, "Cancel")
          await page.getByText("Nordlicht ID did not sign you in").waitFor()
          await look(page, "o04-denied")
          await page.reload()
          await page.getByText("Please start again").waitFor()
          await look(page, "o05-stale")
          await follow(page, "Sign in with Nordlicht ID")
          await logIn(page, "stranger")
          await page.getByText("no member here has").waitFor()
          await look(page, "o06-unknown")
        })
      }),
    )
  })

  layer(stage({ OIDC_PASSWORDS: "off" }))((it) => {
    it.effect("with OIDC_PASSWORDS=off the sign-in page and the invitation page have one button", () =>
      Effect.gen(function* () {
        const email = "cleo@nordlicht.example"
        yield* invited(email)
        const { accounts, issuer } = yield* OpenIdProvider
        accounts.set("cleo", { email, email_verified: true })
        let mail = EmailId.make("00000000-0000-7000-8000-000000000000")
        yield* (yield* PasswordLinks).send(email, "member_invitation", (url) => {
          mail = EmailId.make(new URL(url).pathname.split("/")[1] ?? "")
          return { subject: "", html: "", text: "" }
        })
        const links = yield* EmailLinks
        const visit = yield* visitor({}, [issuer])
        const page = yield* Effect.promise(() => visit.newPage())
        yield* Effect.promise(async () => {
          await page.goto("/sign-in")
          await look(page, "o07-provider-alone")
          await page.goto(new URL(links.password(mail)).pathname)
          await headed(page, "Welcome")
          await look(page, "o08-welcome")
          await follow(page, "Sign in with Nordlicht ID")
          await logIn(page, "cleo")
          await headed(page, "Home")
        })
      }),
    )
  })
})
