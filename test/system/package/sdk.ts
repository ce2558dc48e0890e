/** A project that has the packed SDK and no other package. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { blocks, blocksOf } from "../../docs/pages.ts"
import { run } from "./consumer.ts"

const root = join(import.meta.dirname, "../../..")

/** What journey.ts prints. */
export const sdkJourney = ["need_interview", "invitation.status.update", true, "mismatch"]

const withUrl = (code: string): string => code.replace('"http://localhost:8080"', 'process.env.API_URL ?? ""')

/** Packs the SDK and installs it without a network, beside the blocks of docs/sdk.md and a journey with a real webhook. */
export const sdkProject = async () => {
  const place = mkdtempSync(join(tmpdir(), "interview-sdk-"))
  const [clone, directory] = [join(place, "clone"), join(place, "project")]
  for (const path of ["package.json", "tsconfig.json", "tsconfig.build.json", "src/sdk"])
    cpSync(join(root, path), join(clone, path), { recursive: true })
  await run(clone, "npm", ["run", "pack:sdk"])
  mkdirSync(directory)
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }))
  const packed = readdirSync(clone).filter((name) => name.endsWith(".tgz"))
  await run(directory, "npm", [
    "install",
    "--offline",
    "--no-audit",
    "--no-fund",
    ...packed.map((name) => join(clone, name)),
  ])
  const packages = readdirSync(join(directory, "node_modules")).filter((name) => !name.startsWith("."))

  mkdirSync(join(directory, "node_modules/@types"))
  symlinkSync(join(root, "node_modules/@types/node"), join(directory, "node_modules/@types/node"))
  cpSync(join(import.meta.dirname, "sdkJourney.ts"), join(directory, "journey.ts"))
  const guide = blocks.filter(({ language, path }) => path === "docs/sdk.md" && language === "ts")
  for (const [index, { code }] of guide.entries()) {
    const name = index === 0 ? "quickstart.ts" : `block-${index}.ts`
    writeFileSync(join(directory, name), withUrl(code))
  }
  const installed = join(directory, "node_modules/@interview-invitations/sdk")
  const readme = blocksOf("README.md", readFileSync(join(installed, "README.md"), "utf8"))
  for (const { code } of readme.filter(({ language }) => language === "ts")) {
    writeFileSync(join(directory, "readme.ts"), withUrl(code))
  }
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2024", types: ["node"], strict: true, noEmit: true, skipLibCheck: false },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  const manifest: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
  return { directory, packages, manifest, remove: () => rmSync(place, { recursive: true, force: true }) }
}
