/** Checks the numbers and codes that are written by hand in the guides against the code. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { maxKept, maxPending } from "../../src/accounts/requests/LoggedRequest.ts"
import { namesOfAll } from "../../src/ats/HiringSystem.ts"
import { defaultOf } from "../../src/config/SettingsTable.ts"
import { maxCvBytes, maxCvPages, maxCvTextLength } from "../../src/cv/Cv.ts"
import { unreadableCvs } from "../../src/cv/UnreadableCv.ts"
import { refusalOf } from "../../src/emails/Refusal.ts"
import { version as keywordVersion } from "../../src/evaluations/keyword/KeywordVersion.ts"
import { version as modelVersion } from "../../src/evaluations/ModelEvaluator.ts"
import { setLimits } from "../../src/interview-sets/InterviewSet.ts"
import { spokenLimits } from "../../src/interview-sets/QuestionRules.ts"
import { newYorkDays, noticeLimits } from "../../src/notices/Notice.ts"
import { answerDays } from "../../src/person-reviews/CandidateRights.ts"
import { failedDays } from "../../src/queues/QueuedJob.ts"
import { ApiError } from "../../src/sdk/Errors.ts"
import { delayOf, isTransient, maxRetryAfter } from "../../src/sdk/Retry.ts"
import { defaultTolerance, type WebhookFault } from "../../src/sdk/WebhookSignature.ts"
import { maxTrials, trialsKeptDays } from "../../src/trial-evaluations/Trial.ts"
import { pageLimit } from "../../src/values/Cursor.ts"
import { referenceLimits } from "../../src/values/ExternalReference.ts"
import { maxLevels, maxValues } from "../../src/values/Json.ts"
import { evaluationWarningCodes } from "../../src/values/Warning.ts"
import { probeDelay } from "../../src/webhooks/endpoints/EndpointHealth.ts"
import { definitionOf, stepNames } from "../../src/webhooks/rehearsals/RehearsalSteps.ts"
import { pageAt } from "./pages.ts"

const textOf = (path: string): string => pageAt(path).replaceAll(/\s+/g, " ")
const numbered = (number: number) => number.toLocaleString("en")

describe("docs/api.md", () => {
  const text = textOf("docs/api.md")

  it("has the limits of sets, pages and bodies", () => {
    const { accesses, options, questions, requirements, skills } = setLimits
    assert.include(text, `| Questions, requirements, accesses of a set | ${questions}, ${requirements}, ${accesses},`)
    assert.include(text, `| Options of a question, skills of a requirement | ${options}, ${numbered(skills)},`)
    assert.include(text, `\`?limit\` records (${pageLimit.default}, at most ${pageLimit.max})`)
    assert.include(text, `| JSON values in a request | ${numbered(maxValues)}, nested up to ${maxLevels} levels,`)
  })
})

it("docs/operate.md and the script of backups have the days of deploy/compose/backup.yaml", () => {
  const [compose = "", script = ""] = ["backup.yaml", "backup.sh"].map((name) =>
    readFileSync(join(import.meta.dirname, "../../deploy/compose", name), "utf8"),
  )
  const [, days] = /^ +BACKUP_DAYS: (\d+)$/m.exec(compose) ?? []
  assert.isDefined(days)
  assert.include(compose, `Dumps are in the volume backups for ${days} days.`)
  assert.include(script, `\${BACKUP_DAYS:-${days}}`)
  assert.include(textOf("docs/operate.md"), `makes such a dump each day and keeps it for ${days} days:`)
})

it("README.md names all hiring systems, in both places", () => {
  const text = textOf("README.md")
  for (const place of [`${namesOfAll} [without code]`, `[${namesOfAll}](docs/hiring-systems.md) without code`])
    assert.include(text, place)
})

it("docs/request-log.md has the numbers of requests that are kept, of an organization and of a process", () => {
  const text = textOf("docs/request-log.md")
  assert.include(text, `Beyond ${numbered(maxKept)} requests of an organization, the oldest are deleted earlier`)
  assert.include(text, `a process keeps up to ${numbered(maxPending)} requests and writes them later`)
})

it("docs/invitations.md has the limits of external_id and metadata", () => {
  const { entries, id, key, value } = referenceLimits
  const text = textOf("docs/invitations.md")
  assert.include(text, `\`external_id\` (text, up to ${id} characters)`)
  assert.include(text, `up to ${entries} texts by name; names up to ${key} characters, texts up to ${value})`)
})

it("docs/interview-sets.md lists the languages of the database", () => {
  const sql = readFileSync(join(import.meta.dirname, "../../sql/04_interview_sets.sql"), "utf8")
  const [, rows = ""] = /insert into language \(id, tag, name\) values([^;]+);/.exec(sql) ?? []
  const stored = [...rows.matchAll(/\((\d+), '(\w+)'/g)].map(([, id, tag]) => `${id} ${tag}`)
  const [, listed = ""] = /in `cfg_lingual_ids`:([^.]+)\./.exec(textOf("docs/interview-sets.md")) ?? []
  assert.isNotEmpty(stored)
  assert.deepStrictEqual(
    [...listed.matchAll(/(\d+) \w+ \((\w+)\)/g)].map(([, id, tag]) => `${id} ${tag}`),
    stored,
  )
})

it("docs/interview-sets.md and docs/candidates.md have the limits of spoken answers", () => {
  const { max_seconds, takes } = spokenLimits
  const rows = pageAt("docs/interview-sets.md")
  for (const [name, { least, most, usual }] of Object.entries(spokenLimits))
    assert.include(rows, `| \`${name}\` | ${least} to ${most} | ${usual} |`)
  const text = textOf("docs/candidates.md")
  const seconds = `${max_seconds.least} to ${max_seconds.most}, default ${max_seconds.usual}`
  const recordings = `1 to ${takes.most} recordings, of which the last counts; default ${takes.usual}: any number`
  assert.include(text, `\`max_seconds\` (${seconds}), \`takes\` (${recordings})`)
})

it("the guides have the number of days for which a new organization keeps recordings", () => {
  const sql = readFileSync(join(import.meta.dirname, "../../sql/01_platform.sql"), "utf8")
  const [, days] = /recordings_kept_days integer not null default (\d+)/.exec(sql) ?? []
  const [candidates, operate] = [textOf("docs/candidates.md"), textOf("docs/operate.md")]
  for (const text of [candidates, operate]) assert.include(text, `Recordings are deleted after ${days} days, or`)
  const named = [...operate.matchAll(/(?:Sound|Video), kept for (\d+) days|then (\d+) days fill/g)]
  assert.deepStrictEqual(
    named.map(([, kept, filled]) => kept ?? filled),
    [days, days, days],
  )
})

it("docs/candidate-rights.md and the database have the days to answer a request for a person", () => {
  const sql = readFileSync(join(import.meta.dirname, "../../sql/01_platform.sql"), "utf8")
  const column =
    /person_review_days integer not null default (\d+) check \(person_review_days between (\d+) and (\d+)\)/
  const [, first, least, most] = column.exec(sql) ?? []
  const { least: min, most: max } = answerDays
  assert.deepStrictEqual([least, most], [String(min), String(max)])
  const text = textOf("docs/candidate-rights.md")
  assert.include(text, `| Days to answer a request for a person | ${min} to ${max}; ${first} at first.`)
  assert.include(text, `a deadline of ${first} days, or the days that you choose`)
})

it("docs/candidate-notices.md and the database have the days of notices", () => {
  const sql = readFileSync(join(import.meta.dirname, "../../sql/14_notices.sql"), "utf8")
  assert.include(sql, `check (days between 0 and ${noticeLimits.days})`)
  assert.include(textOf("docs/candidate-notices.md"), `Blank means ${newYorkDays} for New York City`)
})

it("docs/evaluation.md has the number of trials that are kept, and the days", () => {
  assert.include(textOf("docs/evaluation.md"), `The last ${maxTrials} are kept for ${trialsKeptDays} days`)
})

it("docs/operate.md has the days for which failed jobs are listed", () => {
  assert.include(textOf("docs/operate.md"), `ended without a result in the last ${failedDays} days`)
})

it("docs/submissions.md lists the warnings of evaluations", () => {
  const listed = [...pageAt("docs/submissions.md").matchAll(/^\| `(\w+)` \| The /gm)].map(([, code]) => code)
  assert.includeMembers(listed, [...evaluationWarningCodes])
})

it("docs/candidates.md has the limits of CVs, and the reason of every CV that is not read", () => {
  const text = textOf("docs/candidates.md")
  assert.include(text, `within 20 seconds and have at most ${maxCvBytes / 1024 / 1024} MiB`)
  assert.include(text, `up to ${maxCvPages} pages; the first ${numbered(maxCvTextLength)} characters`)
  for (const reason of Object.values(unreadableCvs)) assert.include(pageAt("docs/candidates.md"), `\n- ${reason}\n`)
})

describe("docs/sdk.md", () => {
  const text = textOf("docs/sdk.md")

  it("has the statuses that the client retries", () => {
    const isRetried = (status: number) =>
      isTransient(
        new ApiError({ status, code: "x", detail: "", errors: [], requestId: undefined, retryAfter: undefined }),
      )
    const statuses = Array.from({ length: 200 }, (_, i) => 400 + i)
    const retried = statuses.filter(isRetried)
    const ofClients = retried.filter((status) => status < 500)
    assert.lengthOf(retried, ofClients.length + 100)
    assert.include(text, `${ofClients.join(", ")} and 5xx`)
  })

  it("has the delays of retries", () => {
    const delays = [0, 1, 2].map((retry) => delayOf(retry, undefined, 0.5))
    assert.include(text, `${delays.join(", ")} … ms`)
    const jitter = (delayOf(0, undefined, 1) ?? 0) / (delays[0] ?? 0) - 1
    assert.include(text, `±${Math.round(jitter * 100)} %`)
    assert.strictEqual(maxRetryAfter, 60_000)
    assert.include(text, "`Retry-After` exceeds a minute")
  })

  it("has the tolerance of signatures and every reason of a refused delivery", () => {
    assert.include(text, `\`tolerance\` (seconds, default ${defaultTolerance})`)
    const reasons: Readonly<Record<WebhookFault, true>> = {
      missing: true,
      malformed: true,
      too_old: true,
      too_new: true,
      mismatch: true,
      no_secret: true,
    }
    const [, listed = ""] = /with a `reason`: (.*?)\. /.exec(text) ?? []
    assert.sameMembers(
      [...listed.matchAll(/`(\w+)`/g)].map(([, reason]) => reason),
      Object.keys(reasons),
    )
  })
})

it("docs/rehearsals.md has the steps in their order, and what passes", () => {
  const rows = [...pageAt("docs/rehearsals.md").matchAll(/^\| `(\w+)` \| .* \| (2xx|4xx)[^|]*\|$/gm)]
  assert.deepStrictEqual(
    rows.map(([, name, status]) => `${name} ${status}`),
    stepNames.map((name) => `${name} ${definitionOf(name).expects === "refused" ? "4xx" : "2xx"}`),
  )
})

it("docs/webhooks.md has the tolerance of signatures in every sample", () => {
  const tolerances = [...pageAt("docs/webhooks.md").matchAll(/abs\b.* > (\d{3})\b/gi)].map(([, seconds]) =>
    Number(seconds),
  )
  assert.lengthOf(tolerances, 5)
  for (const seconds of tolerances) assert.strictEqual(seconds, defaultTolerance)
  assert.include(pageAt("docs/webhooks.md"), `.Abs() > ${defaultTolerance / 60}*time.Minute`)
})

describe("docs/webhooks.md", () => {
  const text = textOf("docs/webhooks.md")

  it("has the delays and the end of probes", () => {
    const setting = defaultOf("WEBHOOK_PROBE_FIRST") ?? ""
    const first = Duration.fromInputUnsafe(setting as Duration.Input)
    const delays = Array.from({ length: 30 }, (_, failed) => Duration.toMinutes(probeDelay(first, failed + 1)))
    const longest = Math.max(...delays)
    for (const [index, delay] of delays.entries()) {
      assert.strictEqual(delay, Math.min(longest, 2 * (delays[index - 1] ?? Duration.toMinutes(first))))
    }
    assert.include(text, `| Each after twice the time of the previous one, at most every ${longest / 60} hours,`)
  })
})

describe("docs/mails.md", () => {
  it("has the status codes that are a bounce without words", () => {
    const all = Array.from({ length: 10 }, (_, subject) =>
      Array.from({ length: 40 }, (_, detail) => `5.${subject}.${detail}`),
    ).flat()
    const bounces = all.filter((code) => refusalOf(`550 ${code} refused`).side === "recipient")
    assert.include(textOf("docs/mails.md"), `(${bounces.join(", ")}, or in words)`)
  })
})

describe("docs/model-card.md", () => {
  const text = pageAt("docs/model-card.md")

  it("names the versions of the evaluators", () => {
    for (const version of [keywordVersion, modelVersion]) assert.include(text, `| \`${version}\` |`)
    assert.include(text, `The rest of this page is about \`${keywordVersion}\`.`)
  })

  it("has the figures of docs/evaluation.md, which the benchmark writes", () => {
    const measured = new Set(pageAt("docs/evaluation.md").split("\n"))
    const figures = text.slice(text.indexOf("## Figures"), text.indexOf("## Languages")).split("\n")
    const rows = figures.filter((line) => line.startsWith("| ") && /\d/.test(line))
    assert.isAbove(rows.length, 10)
    for (const row of rows) assert.isTrue(measured.has(row), row)
  })
})
