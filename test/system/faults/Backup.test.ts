/** deploy/compose/backup.sh with a real server. The restore of a whole installation: Dump.test.ts. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "yaml"
import { codeWith } from "../../docs/pages.ts"
import * as DebianPostgres from "../../support/DebianPostgres.ts"
import { atDatabase, execute, textsOf } from "../../support/databases.ts"

const root = join(import.meta.dirname, "../../..")
const script = join(root, "deploy/compose/backup.sh")

describe.skipIf(DebianPostgres.missing !== undefined)(
  `backup.sh${DebianPostgres.missing ? `: ${DebianPostgres.missing}` : ""}`,
  () => {
    it.live("writes a dump that the guide restores, deletes old ones, and keeps them when it fails", () =>
      Effect.gen(function* () {
        const url = yield* DebianPostgres.start
        const directory = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "interview-backup-"))),
          (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
        )
        const { hostname, password, pathname, port, username } = new URL(url)
        const environment = {
          PATH: `${DebianPostgres.bin}:/usr/bin:/bin`,
          BACKUP_DIRECTORY: directory,
          PGHOST: hostname,
          PGPORT: port,
          PGUSER: username,
          PGPASSWORD: decodeURIComponent(password),
          PGDATABASE: pathname.slice(1),
        }
        const once = (changes: Record<string, string> = {}) =>
          spawnSync("sh", [script, "once"], { env: { ...environment, ...changes }, encoding: "utf8" })
        yield* execute(url, "create table candidate as select 'Grace' as name from generate_series(1, 3)")
        const old = join(directory, "interviews-20300101T000000Z.dump")
        const age = (days: number) => {
          const at = new Date(Date.now() - days * 86_400_000)
          writeFileSync(old, "")
          utimesSync(old, at, at)
        }

        age(20)
        const failed = once({ PGDATABASE: "nowhere" })
        assert.notStrictEqual(failed.status, 0)
        assert.include(failed.stderr, "the backup failed")
        assert.deepStrictEqual(readdirSync(directory), ["interviews-20300101T000000Z.dump"])

        const made = once()
        assert.strictEqual(made.status, 0, made.stderr)
        const [name = "", ...others] = readdirSync(directory)
        assert.deepStrictEqual(others, [], "the old dump is deleted")
        assert.match(name, /^interviews-\d{8}T\d{6}Z\.dump$/)
        assert.strictEqual(statSync(join(directory, name)).mode & 0o077, 0)
        age(13)
        assert.strictEqual(once().status, 0)
        assert.include(readdirSync(directory), "interviews-20300101T000000Z.dump")

        yield* execute(url, "create database restored")
        const command = codeWith("docs/operate.md", "pg_restore --no-owner").replace(
          "interviews.dump",
          join(directory, name),
        )
        const env = { ...environment, NEW_DATABASE_URL: atDatabase(url, "restored") }
        const restored = spawnSync("sh", ["-ec", command], { env, encoding: "utf8" })
        assert.strictEqual(restored.status, 0, restored.stderr)
        assert.deepStrictEqual(yield* textsOf(atDatabase(url, "restored"), "select name from candidate"), [
          "Grace",
          "Grace",
          "Grace",
        ])
      }).pipe(Effect.scoped),
    )
  },
)

describe("deploy/compose/backup.yaml", () => {
  it("uses the server's image, and the user, database and password of compose.yaml", () => {
    const read = (path: string) => parse(readFileSync(join(root, path), "utf8"), { merge: true })
    const { postgres } = read("compose.yaml").services
    const { backup } = read("deploy/compose/backup.yaml").services
    assert.strictEqual(backup.image, postgres.image)
    const { PGDATABASE, PGPASSWORD, PGUSER } = backup.environment
    const { POSTGRES_DB, POSTGRES_PASSWORD, POSTGRES_USER } = postgres.environment
    assert.deepStrictEqual([PGDATABASE, PGPASSWORD, PGUSER], [POSTGRES_DB, POSTGRES_PASSWORD, POSTGRES_USER])
  })
})
