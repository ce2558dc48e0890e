/**
 * Runs the verification samples of docs/webhooks.md on the vectors, each in its language if it is installed; the output names
 * the missing ones.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { pageAt } from "../docs/pages.ts"
import file from "./signature-vectors.json" with { type: "json" }

/** The code of a fence in the section. */
const sampleOf = (fence: string): string => {
  const [, section = ""] = /^## Verifying webhooks\n([\s\S]*)/m.exec(pageAt("docs/webhooks.md")) ?? []
  const [, ...samples] = section.split(`\n\`\`\`${fence}\n`)
  assert.lengthOf(samples, 1, fence)
  return samples[0]?.split("\n```\n")[0] ?? ""
}

/**
 * A driver reads lines `now,secret,header,body`, the last three in base64, and prints for each "true" or "false".
 */
interface Language {
  readonly name: string
  readonly sample: () => string
  /** The files of the sample and of its driver. */
  readonly files: readonly [sample: string, driver: string]
  readonly driver: string
  /** Prints the version of the language. */
  readonly version: readonly [string, ...ReadonlyArray<string>]
  /** Commands in the files' directory; the last one runs the driver. */
  readonly run: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]>
  /** The constant-time comparison of its standard library. */
  readonly comparison: string
}

const { execPath } = process

const nodeDriver = (call: string) => `
import { readFileSync } from "node:fs"
import { isGenuine } from "./sample.mjs"
for (const line of readFileSync(0, "utf8").trim().split("\\n")) {
  const [now, ...rest] = line.split(",")
  const [secret, header, body] = rest.map((text) => Buffer.from(text, "base64"))
  ${call}
}
`

const languages: ReadonlyArray<Language> = [
  {
    name: "Node",
    sample: () => sampleOf("js"),
    files: ["sample.mjs", "driver.mjs"],
    driver: nodeDriver("console.log(isGenuine(String(secret), String(header), body, Number(now)))"),
    version: [execPath, "--version"],
    run: [[execPath, "driver.mjs"]],
    comparison: "timingSafeEqual(",
  },
  {
    name: "Python",
    sample: () => sampleOf("python"),
    files: ["sample.py", "driver.py"],
    driver: `
import base64, sys
from sample import is_genuine
for line in sys.stdin:
    now, *rest = line.strip().split(",")
    secret, header, body = map(base64.b64decode, rest)
    print(str(is_genuine(secret.decode(), header.decode(), body, int(now))).lower())
`,
    version: ["python3", "--version"],
    run: [["python3", "driver.py"]],
    comparison: "hmac.compare_digest(",
  },
  {
    name: "Go",
    // users choose the package name; here it is the driver's
    sample: () => sampleOf("go").replace(/^package webhooks$/m, "package main"),
    files: ["sample.go", "main.go"],
    driver: `
package main
import ("bufio"; "encoding/base64"; "fmt"; "os"; "strconv"; "strings"; "time")
func decode(text string) []byte { bytes, _ := base64.StdEncoding.DecodeString(text); return bytes }
func main() {
  lines := bufio.NewScanner(os.Stdin)
  for lines.Scan() {
    f := strings.Split(lines.Text(), ",")
    now, _ := strconv.ParseInt(f[0], 10, 64)
    fmt.Println(IsGenuine(string(decode(f[1])), string(decode(f[2])), decode(f[3]), time.Unix(now, 0)))
  }
}
`,
    version: ["go", "version"],
    run: [["go", "run", "sample.go", "main.go"]],
    comparison: "hmac.Equal(",
  },
  {
    name: "PHP",
    sample: () => sampleOf("php"),
    files: ["sample.php", "driver.php"],
    driver: `<?php
error_reporting(E_ALL);
set_error_handler(function ($level, $message) { throw new ErrorException($message); });
require 'sample.php';
while (($line = fgets(STDIN)) !== false) {
    [$now, $secret, $header, $body] = explode(',', trim($line));
    $genuine = isGenuine(base64_decode($secret), base64_decode($header), base64_decode($body), (int) $now);
    echo json_encode($genuine), "\\n";
}
`,
    version: ["php", "--version"],
    run: [["php", "driver.php"]],
    comparison: "hash_equals(",
  },
  {
    name: "Ruby",
    sample: () => sampleOf("ruby"),
    files: ["sample.rb", "driver.rb"],
    driver: `
require_relative "sample"
STDIN.each_line(chomp: true) do |line|
  now, *rest = line.split(",", -1)
  secret, header, body = rest.map { |text| text.unpack1("m") }
  puts genuine?(secret.force_encoding("UTF-8"), header.force_encoding("UTF-8"), body, now.to_i)
end
`,
    version: ["ruby", "--version"],
    run: [["ruby", "-w", "driver.rb"]],
    comparison: "OpenSSL.secure_compare(",
  },
  {
    name: "Java",
    sample: () => sampleOf("java"),
    files: ["Webhooks.java", "Driver.java"],
    driver: `
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Scanner;
public final class Driver {
  static byte[] bytes(String text) { return Base64.getDecoder().decode(text); }
  static String text(String text) { return new String(bytes(text), StandardCharsets.UTF_8); }
  public static void main(String[] arguments) throws Exception {
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      String[] f = lines.nextLine().split(",", -1);
      Instant now = Instant.ofEpochSecond(Long.parseLong(f[0]));
      System.out.println(Webhooks.isGenuine(text(f[1]), text(f[2]), bytes(f[3]), now));
    }
  }
}
`,
    version: ["javac", "-version"],
    run: [
      ["javac", "-Xlint:all", "-Werror", "Webhooks.java", "Driver.java"],
      ["java", "-cp", ".", "Driver"],
    ],
    comparison: "MessageDigest.isEqual(",
  },
]

/** The first line of the command's version; undefined when it is not installed. */
const versionOf = ([command, ...options]: Language["version"]) => {
  const { status, stderr, stdout } = spawnSync(command, options, { encoding: "utf8" })
  return status === 0 ? (stdout.trim() || stderr.trim()).split("\n")[0] : undefined
}

/** Names of the vectors that a language's sample accepts. */
const accepted = ({ driver, files: [sampleFile, driverFile], run, sample }: Language): ReadonlyArray<string> => {
  const base64 = (text: string) => Buffer.from(text).toString("base64")
  // a sample takes one secret: a receiver with two calls it twice
  const cases = file.vectors.flatMap(({ body, headers, name, now, secrets }) =>
    secrets.map((secret) => ({
      name,
      line: [now, ...[secret, headers["x-webhook-signature"] ?? "", body].map(base64)].join(","),
    })),
  )
  const input = `${cases.map(({ line }) => line).join("\n")}\n`
  const cwd = mkdtempSync(join(tmpdir(), "webhook-sample-"))
  try {
    writeFileSync(join(cwd, sampleFile), sample())
    writeFileSync(join(cwd, driverFile), driver)
    const outputs = run.map(([command, ...options]) => execFileSync(command, options, { cwd, input, encoding: "utf8" }))
    const answers = outputs.at(-1)?.trim().split("\n") ?? []
    assert.lengthOf(answers, cases.length)
    assert.isTrue(answers.every((answer) => answer === "true" || answer === "false"))
    return [...new Set(cases.flatMap(({ name }, i) => (answers[i] === "true" ? [name] : [])))]
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

const found = languages.map((language) => ({ ...language, found: versionOf(language.version) }))
const skipped = found.filter((language) => language.found === undefined)
if (skipped.length > 0) {
  process.stderr.write(
    `Samples that were not run, their language is not here: ${skipped.map(({ name }) => name).join(", ")}\n`,
  )
}

const genuine = file.vectors.flatMap(({ name, verdict }) => (verdict === "accepted" ? [name] : []))

describe("the samples", () => {
  for (const language of found) {
    const {
      comparison,
      found: version,
      name,
      sample,
      version: [command],
    } = language
    it(`${name}: compares in constant time`, () => {
      assert.include(sample(), comparison)
    })
    it.skipIf(version === undefined)(
      `${name}: accepts genuine deliveries only (${version ?? `${command} is not installed`})`,
      { timeout: 180_000 },
      () => assert.deepStrictEqual(accepted(language), genuine),
    )
  }
})
