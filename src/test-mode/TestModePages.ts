/** Test mode in the workspace: the switch, and the mailbox. */
import { Effect, Layer } from "effect"
import { Organizations } from "../accounts/Organizations.ts"
import { may } from "../accounts/Permissions.ts"
import { firstPlace, testModeHref } from "../accounts/pages/WorkspacePage.ts"
import { Sessions } from "../accounts/sign-in/Sessions.ts"
import { localPath, makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { named, numberOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { emptyHref, emptyPage, enterTestModePage, mailHref, testMailPage, testModePage } from "./pages/TestModePage.ts"
import { TestMailbox } from "./TestMailbox.ts"
import { TestSpaces } from "./TestSpaces.ts"

const lacking =
  "Your organization has no test mode yet. An owner or admin enters it once, or creates a test key, and then you can enter it too."

const notices: Readonly<Record<string, string>> = {
  emptied: "Test mode is empty.",
  emptying: "Test mode is being emptied. With much data, this takes some minutes.",
}

/** The page to open after the switch. */
const nextOf = ({ query }: WorkspaceRequest): string => localPath(query("next")) ?? firstPlace

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeWorkspace
    const organizations = yield* Organizations
    const sessions = yield* Sessions
    const testMailbox = yield* TestMailbox
    const testSpaces = yield* TestSpaces

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      if (!member.isTest) {
        const notice = query("done") === "lacking" ? { text: lacking } : undefined
        return page(enterTestModePage(member, notice))
      }
      const number = Math.min(Math.max(1, numberOf(query("page"))), 1000)
      const found = yield* testMailbox.list(member, number)
      const text = named(notices, query("done"))
      return page(testModePage(member, { ...found, number, notice: text === undefined ? undefined : { text } }))
    })

    /** The first owner or admin makes the test space. */
    const enter = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, token } = request
      if (member.isTest) return seeOther(nextOf(request))
      const space = may(member, "openTestMode")
        ? yield* Effect.catchTag(organizations.openTestSpace(member), "Conflict", Effect.die)
        : yield* organizations.testSpace(member)
      const isIn = space !== undefined && (yield* sessions.setTestSpace(token, space))
      return seeOther(isIn ? nextOf(request) : `${testModeHref}?done=lacking`)
    })

    const leave = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      yield* sessions.setTestSpace(request.token, undefined)
      return seeOther(nextOf(request))
    })

    const showMail = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      const { email, headers } = yield* testMailbox.open(member, param("id"))
      return page(testMailPage(member, email, headers), { showsMail: true })
    })

    const follow = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return seeOther(yield* testMailbox.follow(member, param("id"), Number(param("index"))))
    })

    const showEmptying = ({ member }: WorkspaceRequest) =>
      Effect.succeed(member.isTest ? page(emptyPage(member)) : seeOther(testModeHref))

    const empty = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const done = yield* Effect.catchTag(testSpaces.empty(request.member), "NotInTestMode", () => Effect.undefined)
      if (done === undefined) return seeOther(testModeHref)
      return seeOther(`${testModeHref}?done=${done ? "emptied" : "emptying"}`)
    })

    yield* get(testModeHref, show)
    yield* get(emptyHref, showEmptying)
    yield* post(emptyHref, empty)
    yield* action(`${testModeHref}/enter`, enter, () => testModeHref)
    yield* action(`${testModeHref}/leave`, leave, () => firstPlace)
    yield* get(`${mailHref}/:id`, showMail)
    yield* get(`${mailHref}/:id/links/:index`, follow)
  }),
)
