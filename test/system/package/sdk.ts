/** A project that has the packed package and no other: neither effect nor the service's dependencies. */
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { blocks } from "../../docs/pages.ts"

const modules = join(import.meta.dirname, "../../../node_modules")

/** What journey.ts prints. */
export const sdkJourney = ["need_interview", "invitation.status.update", true, "mismatch"]

/** Copies the package of the consumer beside it; writes the blocks of docs/sdk.md and a journey with a real webhook. */
export const bareProject = (consumer: string) => {
  const directory = join(dirname(consumer), "bare")
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(join(directory, "node_modules/@types"), { recursive: true })
  // a copy: Node resolves packages from the real path of a link
  for (const name of ["package.json", "dist/src/sdk", "dist/src/webhooks", "dist/src/Client.js"]) {
    const path = join("node_modules/interview-invitations", name)
    cpSync(join(consumer, path), join(directory, path), { recursive: true })
  }
  symlinkSync(join(modules, "@types/node"), join(directory, "node_modules/@types/node"))
  cpSync(join(import.meta.dirname, "sdkJourney.ts"), join(directory, "journey.ts"))
  const guide = blocks.filter(({ language, path }) => path === "docs/sdk.md" && language === "ts")
  for (const [index, { code }] of guide.entries()) {
    const name = index === 0 ? "quickstart.ts" : `block-${index}.ts`
    writeFileSync(join(directory, name), code.replace('"http://localhost:8080"', 'process.env.API_URL ?? ""'))
  }
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2024", types: ["node"], strict: true, noEmit: true, skipLibCheck: false },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }))
  return { directory, packages: readdirSync(join(directory, "node_modules")) }
}
