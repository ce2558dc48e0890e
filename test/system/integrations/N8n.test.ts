/**
 * n8n's own tool lints and builds integrations/n8n, and what it has built is loaded with n8n's own classes. The tool has 700 MB: it
 * is downloaded with REQUIRE_N8N=1 only, or used where `npm ci` has installed it in integrations/n8n.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, relative } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { loadAction, loadTrigger, root as source } from "../../support/n8n/Package.ts"

const bin = join(import.meta.dirname, "../../../node_modules/.bin")
const isInstalled = existsSync(join(source, "node_modules/.bin/n8n-node"))
const isRun = process.env["REQUIRE_N8N"] === "1" || isInstalled
const longTimeout = 600_000

const directory = isRun ? mkdtempSync(join(tmpdir(), "interview-n8n-")) : ""
afterAll(() => {
  if (isRun) rmSync(directory, { recursive: true, force: true })
})

/** Runs a program with the project's Node; returns what it prints. With NODE_ENV=test n8n's rules take all files for their own tests. */
const run = async (program: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { NODE_ENV: _, NODE_PATH: __, PATH, ...environment } = process.env
  const env = { ...environment, PATH: `${bin}${delimiter}${PATH}` }
  const result = await promisify(execFile)(program, [...args], { cwd: directory, env, maxBuffer: 2 ** 26 }).catch(
    (error: { readonly stdout?: string; readonly stderr?: string }) => {
      throw new Error(`${program} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`)
    },
  )
  return result.stdout
}

const files = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))

const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as {
  readonly n8n: Readonly<Record<"credentials" | "nodes", ReadonlyArray<string>>>
}

describe.skipIf(!isRun)("integrations/n8n (skipped without REQUIRE_N8N=1: n8n's tool is a download of 700 MB)", () => {
  beforeAll(async () => {
    const isOwn = (path: string) => !/^(node_modules|dist)\b/.test(relative(source, path))
    cpSync(source, directory, { recursive: true, filter: isOwn })
    if (isInstalled) symlinkSync(join(source, "node_modules"), join(directory, "node_modules"))
    else await run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
  }, longTimeout)

  it("passes n8n-node lint without a warning", { timeout: longTimeout }, async () => {
    assert.notMatch(await run("node_modules/.bin/n8n-node", "lint"), /warning|error|violation/i)
  })

  it("is built by n8n-node build as package.json names it", { timeout: longTimeout }, async () => {
    await run("node_modules/.bin/n8n-node", "build")
    const built = files("dist")
    assert.includeMembers([...built], [...manifest.n8n.nodes, ...manifest.n8n.credentials])
    assert.includeMembers(
      [...built],
      [
        "dist/icons/interviewInvitations.svg",
        "dist/icons/interviewInvitations.dark.svg",
        "dist/nodes/InterviewInvitations/InterviewInvitations.node.json",
        "dist/nodes/InterviewInvitationsTrigger/InterviewInvitationsTrigger.node.json",
      ],
    )

    const script = `
      const path = require("node:path")
      const { apiError } = require("./dist/common/problem.js")
      const load = (file) => {
        const name = path.basename(file).split(".")[0]
        return new (require(path.resolve(file))[name])()
      }
      const nodes = ${JSON.stringify(manifest.n8n.nodes)}.map((file) => load(file).description)
      const credentials = ${JSON.stringify(manifest.n8n.credentials)}.map((file) => load(file).name)
      const body = {
        type: "/docs/errors#validation_failed", status: 422, detail: "the request has validation errors",
        code: "validation_failed", errors: [{ pointer: "#/title", code: "blank", message: "must not be blank" }],
      }
      const node = { name: "Node", type: "t", typeVersion: 1, parameters: {} }
      const error = apiError(node, { statusCode: 422, headers: {}, body }, 3)
      const { context, description, httpCode, message } = error
      console.log(JSON.stringify({ nodes, credentials, error: { context, description, httpCode, message } }))`
    const { credentials, error, nodes } = JSON.parse(await run("node", "--eval", script))
    // functions are left out of both
    const described = await Promise.all([loadAction(), loadTrigger()])
    assert.deepStrictEqual(nodes, JSON.parse(JSON.stringify(described.map(({ description }) => description))))
    assert.deepStrictEqual(credentials, ["interviewInvitationsApi"])
    assert.deepInclude(error, { message: "#/title: must not be blank", httpCode: "422" })
    assert.match(error.description, /^Error code: validation_failed/)
    assert.strictEqual(error.context.itemIndex, 3)
  })

  it("is packed without sources", { timeout: longTimeout }, async () => {
    const [packed] = JSON.parse(await run("npm", "pack", "--dry-run", "--json", "--ignore-scripts"))
    const paths = (packed.files as ReadonlyArray<{ readonly path: string }>).map(({ path }) => path)
    assert.includeMembers(paths, ["README.md", "package.json", ...manifest.n8n.nodes])
    assert.isEmpty(paths.filter((path) => !/^(dist\/|README\.md$|package\.json$)/.test(path)))
    assert.isEmpty(paths.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts")))
  })
})
