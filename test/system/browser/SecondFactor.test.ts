/** The second factor and passkeys in Chromium, with its virtual authenticator; their pages fit and are accessible. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Secret, TOTP } from "otpauth"
import type { Page } from "playwright-core"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()
const headed = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()

/** Unlocks by itself; `isVerified` false: the lock of the device refuses. */
const authenticator = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setVerified: (isUserVerified: boolean) =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  }
}

const begin = Effect.fnUntraced(function* (email: string) {
  const { id } = yield* Scenario.organization()
  yield* Workspace.member(id, email, "owner")
  return yield* stage.signedIn(email, "/account")
})

describe.skipIf(missing !== undefined)(["second factors in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layer)((it) => {
    it.effect("a passkey is added by keyboard, signs in without a password, and is removed", () =>
      Effect.gen(function* () {
        const page = yield* begin("passkey@example.com")
        yield* Effect.promise(async () => {
          const { setVerified } = await authenticator(page)
          const openForm = () => page.getByText("Add a passkey", { exact: true }).press("Enter")
          await openForm()
          await page.getByLabel("Your password").fill("wrong")
          await press(page, "Create passkey")
          await page.getByText("The password or code is wrong").waitFor()
          await page.getByLabel("Name").last().fill("Work laptop")
          await page.getByLabel("Your password").fill(Workspace.password)
          await page.keyboard.press("Enter")
          await page.getByText("The passkey was added.").waitFor()
          await page.getByText("Work laptop", { exact: true }).first().waitFor()
          await look(page, "f1-passkeys")
          // the same device again
          await openForm()
          await page.getByLabel("Your password").last().fill(Workspace.password)
          await press(page, "Create passkey")
          await page.getByText("This device has a passkey of yours already.").waitFor()
          await page.getByRole("button", { name: "Sign out" }).first().click({ force: true })
          await headed(page, "Sign in")
          await look(page, "f2-sign-in")
          await page.goto("/submissions")
          await setVerified(false)
          await press(page, "Sign in with a passkey")
          await page.getByText("Cancelled, or no passkey of this service").waitFor()
          await setVerified(true)
          await press(page, "Sign in with a passkey")
          await headed(page, "Submissions")
          await page.goto("/account")
          await page.getByText("last used").waitFor()
          await page.getByText("Remove Work laptop", { exact: true }).press("Enter")
          await page.getByLabel("Your password").first().fill(Workspace.password)
          await press(page, "Remove passkey Work laptop")
          await page.getByText("The passkey was removed.").waitFor()
        })
      }),
    )

    it.effect("an authenticator app is set up, and asked for after the password", () =>
      Effect.gen(function* () {
        const page = yield* begin("factor@example.com")
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        yield* Effect.promise(async () => {
          const codeOf = (key: string, later: number) =>
            new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: now + later })
          await page.goto("/account/second-factor")
          await headed(page, "Set up a second factor")
          await look(page, "f3-set-up")
          const key = (await page.locator("code[data-secret]").innerText()).replaceAll(" ", "")
          await page.getByLabel("Enter your password").fill(Workspace.password)
          await page.getByRole("textbox", { name: "Code" }).fill(codeOf(key, 0) === "000000" ? "111111" : "000000")
          await press(page, "Turn on")
          await page.getByRole("alert").waitFor()
          await look(page, "f4-wrong-code")
          await page.getByLabel("Enter your password").fill(Workspace.password)
          await page.getByRole("textbox", { name: "Code" }).fill(codeOf(key, 0))
          await press(page, "Turn on")
          await headed(page, "Your recovery codes")
          await look(page, "f5-recovery-codes")
          await page.goto("/account/second-factor")
          await headed(page, "Second factor")
          await look(page, "f6-second-factor")
          await page.goto("/home")
          await page.getByRole("button", { name: "Sign out" }).first().click({ force: true })
          await headed(page, "Sign in")
          await page.getByLabel("Email address").fill("factor@example.com")
          await page.getByLabel("Password").fill(Workspace.password)
          await page.keyboard.press("Enter")
          await headed(page, "Enter a code")
          await look(page, "f7-enter-code")
          await page.getByRole("textbox", { name: "Code" }).fill(codeOf(key, 30_000))
          await page.keyboard.press("Enter")
          await headed(page, "Home")
          assert.include(page.url(), "/home")
        })
      }),
    )
  })
})
