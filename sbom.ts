/**
 * Writes what the program contains to dist/: `sbom.cdx.json` (CycloneDX 1.6) and `licences.csv`, from package-lock.json. Fails
 * when a package has no licence, or one that is not in `allowed`.
 *
 * Not `npm sbom --omit=dev`: with npm 11.19 it leaves out packages that development tools need as well, such as effect.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Licences that oblige to no more than to keep notices, or, with MPL-2.0, to publish changes of the package's own files. */
export const allowed = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "MPL-2.0"]

/** Of several licences to choose from, one is enough: "(MIT OR EUPL-1.1+)" (SPDX 2.3, annex D). */
const isAllowed = (license: string): boolean =>
  license
    .replaceAll(/^\(|\)$/g, "")
    .split(" OR ")
    .some((one) => allowed.includes(one))

/** A package as in the lock file. */
export interface LockedPackage {
  /** Of a package that takes the place of another one (overrides in package.json). */
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

const folder = "node_modules/"
const nameOf = (path: string, { name }: LockedPackage) => name ?? path.slice(path.lastIndexOf(folder) + folder.length)
/** Package URL; the @ of a scope is encoded. */
const purlOf = (path: string, found: LockedPackage) =>
  `pkg:npm/${nameOf(path, found).replace(/^@/, "%40")}@${found.version ?? ""}`

/** Packages that the program needs at run time, by their path below node_modules. */
const productionOf = ({ packages }: Lock) =>
  Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== "" && dev !== true && devOptional !== true,
  )

/** Where Node finds the dependency `name` of the package at `path`. */
const resolved = ({ packages }: Lock, path: string, name: string): string | undefined => {
  const above = path.split(`/${folder}`)
  const places = above.map((_, i) => `${above.slice(0, above.length - i).join(`/${folder}`)}/${folder}${name}`)
  return [...(path === "" ? [] : places), folder + name].find((place) => packages[place] !== undefined)
}

/** One line for each package without an allowed licence. */
export const refusedLicences = (lock: Lock): ReadonlyArray<string> =>
  productionOf(lock).flatMap(([path, found]) =>
    found.license !== undefined && isAllowed(found.license)
      ? []
      : [`${nameOf(path, found)}: ${found.license ?? "no licence"}`],
  )

/** name, version and licence of each package. */
export const licencesOf = (lock: Lock): string =>
  ["name,version,licence", ...new Set(productionOf(lock).map(([path, found]) => `${nameOf(path, found)},${found.version ?? ""},${found.license ?? ""}`))]
    .join("\n")
    .concat("\n")

/** A CycloneDX document; `name` and `version` are of the program. */
export const sbomOf = (lock: Lock, { name, version }: { readonly name: string; readonly version: string }) => {
  const production = productionOf(lock)
  const own = `pkg:npm/${name}@${version}`
  const needs = (path: string, found: LockedPackage) => {
    const names = Object.keys({ ...found.dependencies, ...found.optionalDependencies, ...found.peerDependencies })
    const purls = names.flatMap((one) => {
      const at = resolved(lock, path, one)
      const target = at === undefined ? undefined : lock.packages[at]
      const isProduction = target !== undefined && production.some(([other]) => other === at)
      return isProduction && at !== undefined ? [purlOf(at, target)] : []
    })
    return [...new Set(purls)].toSorted()
  }
  const components = new Map(
    production.map(([path, found]) => {
      const { integrity = "", license = "", optional, version: of = "" } = found
      const purl = purlOf(path, found)
      const [, hash] = /^sha512-(.+)$/.exec(integrity) ?? []
      const component = {
        type: "library",
        "bom-ref": purl,
        name: nameOf(path, found),
        version: of,
        scope: optional === true ? "optional" : "required",
        purl,
        licenses: [{ license: { id: license } }],
        ...(hash === undefined ? {} : { hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }] }),
      }
      return [purl, component] as const
    }),
  )
  const edges = new Map(production.map(([path, found]) => [purlOf(path, found), needs(path, found)] as const))
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": own, name, version, purl: own } },
    components: [...components.values()],
    dependencies: [
      { ref: own, dependsOn: needs("", lock.packages[""] ?? {}) },
      ...[...edges].map(([ref, dependsOn]) => ({ ref, dependsOn })),
    ],
  }
}

const main = () => {
  const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8"))
  const lock: Lock = read("package-lock.json")
  const refused = refusedLicences(lock)
  if (refused.length > 0) {
    process.stderr.write(`licences that sbom.ts does not allow:\n${refused.join("\n")}\n`)
    process.exitCode = 1
    return
  }
  const target = join(import.meta.dirname, "dist")
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, "sbom.cdx.json"), `${JSON.stringify(sbomOf(lock, read("package.json")), null, 2)}\n`)
  writeFileSync(join(target, "licences.csv"), licencesOf(lock))
}

if (import.meta.main) main()
