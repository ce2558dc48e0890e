/**
 * The commands and examples of docs/deploy.md: helm renders the chart with the guide's values, kubectl makes the guide's Secret, and
 * both parse each of their commands, without a cluster.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { parse, parseAllDocuments } from "yaml"
import { blocks, codeWith } from "../../docs/pages.ts"
import { listen } from "../../support/listen.ts"
import { type ClusterTools, getClusterTools, missing } from "./clusterTools.ts"
import { documentsOf } from "./kubernetes.ts"
import { readSettings } from "./readSettings.ts"

const root = join(import.meta.dirname, "../../..")
const guide = "docs/deploy.md"

const linesOf = (language: string, among = blocks) =>
  among.filter((block) => block.language === language).flatMap(({ code }) => code.split("\n"))
const lines = linesOf(
  "sh",
  blocks.filter(({ path }) => path === guide),
)
const startingWith = (start: string) => lines.filter((line) => line.startsWith(start))

/** The words of a command as a shell splits them. */
const wordsOf = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ""))

const valueOf = (words: ReadonlyArray<string>, flag: string) => words[words.indexOf(flag) + 1]

const Metadata = Schema.Struct({ kind: Schema.String, metadata: Schema.Struct({ name: Schema.String }) })
const namesIn = (yaml: string) =>
  parseAllDocuments(yaml).map((document) => Schema.decodeUnknownSync(Metadata)(document.toJS()))
const Pod = Schema.Struct({
  template: Schema.Struct({
    spec: Schema.Struct({
      containers: Schema.Tuple([
        Schema.Struct({
          image: Schema.String,
          env: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
          envFrom: Schema.Tuple([Schema.Struct({ secretRef: Schema.Struct({ name: Schema.String }) })]),
        }),
      ]),
    }),
  }),
})
const containerOf = (documents: ReturnType<typeof documentsOf>) => {
  const deployment = documents.find(({ kind }) => kind === "Deployment")
  return Schema.decodeUnknownSync(Pod)(deployment?.spec).template.spec.containers[0]
}

const manifest = readFileSync(join(root, "deploy/kubernetes/interview-invitations.yaml"), "utf8")
const job = readFileSync(join(root, "deploy/kubernetes/migrate.yaml"), "utf8")
const objects = [manifest, job].flatMap(namesIn).map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`)

describe("the commands of docs/deploy.md", () => {
  it("name the namespace, and objects that deploy/kubernetes has", () => {
    const named = startingWith("kubectl ").flatMap((line) => line.match(/\b(deployment|service|job)[/ ][\w-]+/g) ?? [])
    assert.isNotEmpty(named)
    for (const name of named) assert.include(objects, name.replace(" ", "/"))
    const inCluster = lines.filter((line) => /^(kubectl (?!create namespace)|helm )/.test(line))
    for (const line of inCluster) assert.match(line, / --namespace interviews( |$)/)
    assert.include(lines, "kubectl create namespace interviews")
  })

  it("run commands of the program in containers that the guides run from the sources as well", () => {
    const commands = lines.flatMap((line) => (/^(kubectl|docker|node) .*src\/main\.js (.*)$/.exec(line) ?? []).slice(2))
    assert.isNotEmpty(commands)
    const run = linesOf("sh").flatMap((line) => (/^npx node src\/main\.ts (.*)$/.exec(line) ?? []).slice(1))
    // addresses differ: an operator sends the test email to a mailbox of their own
    const form = (command: string) => command.replaceAll(/[\w.]+@[\w.]+/g, "<address>")
    for (const command of commands)
      assert.isTrue(
        run.some((one) => form(one).startsWith(form(command))),
        command,
      )
  })

  it("name the services, the volume and the database of the compose files", () => {
    const Services = Schema.Struct({ services: Schema.Record(Schema.String, Schema.Unknown) })
    const servicesOf = (file: string) =>
      Schema.decodeUnknownSync(Services)(parse(readFileSync(join(root, file), "utf8"), { merge: true })).services
    const services = { ...servicesOf("compose.yaml"), ...servicesOf("deploy/compose/backup.yaml") }
    const text = JSON.stringify(services)
    const compose = startingWith("docker compose ")
    for (const line of compose) {
      const [, names = ""] =
        / (?:exec|start|stop|run --rm(?: --entrypoint pg_restore)?) ((?:[\w-]+ ?)+)/.exec(line) ?? []
      const [first = "", ...others] = names.trim().split(" ")
      if (first === "") continue
      assert.property(services, first, line)
      if (/ (start|stop) /.test(line)) for (const other of others) assert.property(services, other, line)
    }
    const restore = compose.join("\n")
    assert.include(restore, "--username=interviews")
    assert.include(text, '"POSTGRES_USER":"interviews"')
    assert.include(text, '"POSTGRES_DB":"interviews"')
    assert.include(restore, "backup:/var/lib/postgresql/backups ")
    assert.include(text, '"BACKUP_DIRECTORY":"/var/lib/postgresql/backups"')
    // test/system/faults/Backup.test.ts restores a dump with these options
    const [options = ""] =
      /--no-owner.*--single-transaction/.exec(codeWith("docs/operate.md", "pg_restore --no-owner")) ?? []
    assert.include(restore, ` ${options} --dbname=interviews_restored `)
  })

  it.effect("have settings for systemd that the program accepts, read by Node as by systemd", () =>
    Effect.gen(function* () {
      const file = `${codeWith(guide, "HOST=127.0.0.1")}SECRET_KEY=${Buffer.alloc(32, 7).toString("base64")}\n`
      const given = parseEnv(file) as Record<string, string>
      assert.strictEqual(given["EMAIL_FROM"], "Acme <jobs@acme.example>")
      // systemd takes what follows the first = of a line
      for (const line of file.trim().split("\n"))
        assert.strictEqual(given[line.split("=", 1)[0] ?? ""], line.slice(line.indexOf("=") + 1))
      const { names } = yield* readSettings(given)
      for (const name of Object.keys(given)) assert.isTrue(names.has(name), name)
      assert.notProperty(given, "PORT")
    }),
  )
})

describe.skipIf(missing !== undefined)(`docs/deploy.md${missing === undefined ? "" : `: ${missing}`}`, () => {
  let tools: ClusterTools
  let directory = ""
  beforeAll(() => {
    tools = getClusterTools()
    directory = mkdtempSync(join(tmpdir(), "interview-deploy-"))
  }, 300_000)
  afterAll(() => {
    tools?.close()
    if (directory !== "") rmSync(directory, { recursive: true, force: true })
  })

  /** Runs a command of the guide in the repository; the files that the guide makes are in `directory`. */
  const run = (command: string, server = "http://127.0.0.1:9") => {
    const [name, ...words] = wordsOf(command).map((word) =>
      word.replace(
        /(^|=)(secrets\.env|interviews\.yaml)$/,
        (_, before: string, file: string) => before + join(directory, file),
      ),
    )
    const config = join(directory, "kubeconfig.json")
    const context = { name: "test", context: { cluster: "test", user: "test" } }
    const clusters = [{ name: "test", cluster: { server } }]
    const users = [{ name: "test", user: {} }]
    writeFileSync(
      config,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters,
        users,
        contexts: [context],
        "current-context": "test",
      }),
    )
    const env = { PATH: process.env["PATH"], HOME: directory, KUBECONFIG: config }
    return spawnSync(name === "helm" ? tools.helm : tools.kubectl, words, { cwd: root, encoding: "utf8", env })
  }

  /** Makes the file of the secrets as the guide does, with its example lines. */
  const writeSecrets = () => {
    const script = codeWith(guide, "/dev/null secrets.env")
      .split("\n")
      .filter((line) => !line.startsWith("kubectl "))
    const made = spawnSync("sh", ["-euc", script.join("\n")], { cwd: directory, encoding: "utf8" })
    assert.strictEqual(made.status, 0, made.stderr)
    const file = join(directory, "secrets.env")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    writeFileSync(file, codeWith(guide, "@postgres.acme.example"), { flag: "a" })
    return readFileSync(file, "utf8")
  }
  const Secret = Schema.Struct({
    kind: Schema.Literal("Secret"),
    metadata: Schema.Struct({ name: Schema.String, namespace: Schema.String }),
    data: Schema.Record(Schema.String, Schema.String),
  })

  it.effect("has a Secret with which the pods of the manifest and of the chart start", () =>
    Effect.gen(function* () {
      const text = writeSecrets()
      const [command = ""] = startingWith("kubectl create secret ")
      const { status, stderr, stdout } = run(`${command} --dry-run=client --output=json`)
      assert.strictEqual(status, 0, stderr)
      const { data, metadata } = Schema.decodeUnknownSync(Secret)(JSON.parse(stdout))
      const secrets = Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, Buffer.from(value, "base64").toString()]),
      )
      assert.sameMembers(
        Object.entries(secrets).map(([name, value]) => `${name}=${value}`),
        text.trim().split("\n"),
      )
      assert.strictEqual(metadata.namespace, "interviews")

      const values = join(directory, "interviews.yaml")
      writeFileSync(values, codeWith(guide, "tlsSecretName"))
      const [install = ""] = startingWith("helm upgrade ")
      const rendered = run(install.replace("upgrade --install", "template"))
      assert.strictEqual(rendered.status, 0, rendered.stderr)
      const documents = documentsOf(rendered.stdout)
      for (const { kind, violations } of documents) assert.deepStrictEqual(violations, [], kind)
      assert.sameMembers(
        documents.map(({ kind }) => kind),
        ["Deployment", "Ingress", "PodDisruptionBudget", "Service"],
      )
      // the commands after the installation name the same objects, with the chart and without it
      for (const one of namesIn(rendered.stdout))
        assert.strictEqual(one.metadata.name, "interview-invitations", one.kind)
      assert.strictEqual(valueOf(wordsOf(install), "--namespace"), metadata.namespace)

      for (const { env, envFrom, image } of [containerOf(documents), containerOf(documentsOf(manifest))]) {
        assert.strictEqual(image, "registry.acme.example/interview-invitations:1")
        assert.strictEqual(envFrom[0].secretRef.name, metadata.name)
        const given = { ...secrets, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) }
        const { names, settings } = yield* readSettings(given)
        for (const name of Object.keys(given)) assert.isTrue(names.has(name), name)
        assert.strictEqual(settings.email._tag, "smtp")
      }
    }),
  )

  it.effect("has commands that kubectl and helm understand: they fail only because no cluster answers", () =>
    Effect.gen(function* () {
      writeSecrets()
      writeFileSync(join(directory, "interviews.yaml"), codeWith(guide, "tlsSecretName"))
      const closed = yield* Effect.scoped(listen(createServer()))
      const commands = [...startingWith("kubectl "), ...startingWith("helm ")]
      // those in the table of the guide
      const inText = readFileSync(join(root, guide), "utf8").match(/(?<=`)(?:kubectl|helm) \w+ [^`]*(?=`)/g) ?? []
      for (const command of [...commands, ...inText]) {
        const { status, stderr } = run(command, closed)
        assert.notStrictEqual(status, 0, command)
        assert.match(stderr, /connection refused|was refused/, command)
        assert.notMatch(stderr, /unknown (flag|command|shorthand)|invalid argument|not found/, command)
      }
      for (const wrong of [
        "kubectl rollout status deployment/interview-invitations --timout=15m",
        "helm upgrade --instal a b",
      ])
        assert.match(run(wrong, closed).stderr, /unknown flag/)
    }),
  )
})
