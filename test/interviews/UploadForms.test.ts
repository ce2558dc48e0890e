/** Uploads over HTTP, as forms and the script send them. */
import { connect } from "node:net"
import { assert, it as vitest } from "@effect/vitest"
import { Clock, Effect, Layer, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { strToU8, zipSync } from "fflate"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { BlobStore, BlobStoreUnavailable } from "../../src/files/BlobStore.ts"
import { offeredEndings } from "../../src/files/UploadedFile.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import { catalogues } from "../../src/texts/Texts.ts"
import { Server } from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const servedWith = (ports: Pod.Ports) =>
  Server.layer.pipe(
    Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
    Layer.provideMerge(Pod.layer({ ...ports, settings: { PORT: "0" } })),
  )
const served = servedWith({})

/** The ids of some languages. */
const ids = [
  [1, "en"],
  [2, "de"],
  [3, "fr"],
  [10, "ja"],
  [13, "ar"],
  [16, "uk"],
] as const

const mebibyte = 1024 * 1024
const pdf = (size = 2_000) => `%PDF-1.7\n${"x".repeat(size - 9)}`

/** A candidate of an interview with a file question and a text question. */
const candidateIn = Effect.fnUntraced(function* (languages: ReadonlyArray<number> = []) {
  const invited = yield* Scenario.invited(
    yield* Scenario.organization({
      number_of_retakes: 1,
      cfg_lingual_ids: languages,
      iai_questions: [
        { title: "Your portfolio", question_mode: "interview", question_type: "file" },
        { title: "Why?", question_mode: "interview", question_type: "text" },
      ],
    }),
  )
  yield* (yield* Interviews).start(invited.token)
  const [file, text] = invited.set.iai_questions.map(({ id }) => id)
  assert.isDefined(file)
  assert.isDefined(text)
  return { ...invited, file, text }
})
const candidate = candidateIn()
type Candidate = Effect.Success<typeof candidate>

const request = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const { url } = yield* Server
  return yield* Effect.promise(async () => {
    const response = await fetch(url + path, { redirect: "manual", ...init })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
})

/** Sends the form of the file question; `accept` is that of a browser or of the script. */
const upload = (
  { file, token }: Candidate,
  content: string | Uint8Array | undefined,
  {
    accept = "text/html",
    field = `file.${file}`,
    go = "stay",
    name = "work.pdf",
  }: { accept?: string; field?: string; go?: string; name?: string } = {},
) => {
  const fields = [`name="question"\r\n\r\n${file}`, 'name="attempt"\r\n\r\n1', `name="go"\r\n\r\n${go}`]
  // as browsers encode it, also without a chosen file (HTML, multipart/form-data)
  const chosen = `name="${field}"; filename="${content === undefined ? "" : name}"\r\ncontent-type: application/octet-stream`
  const parts = [...fields, `${chosen}\r\n\r\n`]
  const head = parts.map((part) => `--b\r\ncontent-disposition: form-data; ${part}`).join("\r\n")
  const body = Buffer.concat([Buffer.from(head), Buffer.from(content ?? ""), Buffer.from("\r\n--b--\r\n")])
  const headers = { accept, "content-type": "multipart/form-data; boundary=b" }
  return request(`/i/${token}/answers`, { method: "POST", headers, body })
}

/** The stored files: names in answers, blobs, and bytes of content. */
const kept = Effect.gen(function* () {
  const { sql } = yield* Database
  const [row] = yield* sql<{ names: ReadonlyArray<string>; blobs: number; bytes: number }>`
    select coalesce((select array_agg(file_name order by attempt, file_name) from answer where blob_id is not null), '{}') as names,
      (select count(*)::int from blob) as blobs,
      (select coalesce(sum(length(bytes)), 0)::int from blob_chunk) as bytes`
  return yield* Effect.fromNullishOr(row)
}).pipe(Effect.orDie)

const nothing = { names: [], blobs: 0, bytes: 0 }

/** Each test has its own service and database, because it counts all stored files. */
const it = {
  effect: <E>(name: string, test: () => Effect.Effect<void, E, Layer.Success<typeof served> | Scope.Scope>) =>
    vitest.effect(name, () => Effect.provide(Effect.scoped(test()), served, { local: true })),
}

it.effect("answers 413 to a form of more than 10,000 fields", () =>
  Effect.gen(function* () {
    const { token } = yield* candidate
    const headers = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" }
    for (const [fields, status] of [
      [10_001, 413],
      [10_000, 303],
    ] as const) {
      const body = "a&".repeat(fields)
      assert.strictEqual((yield* request(`/i/${token}/answers`, { method: "POST", headers, body })).status, status)
    }
  }),
)

it.effect("answers 413 to a form in parts that cannot be read", () =>
  Effect.gen(function* () {
    const { token } = yield* candidate
    const headers = { accept: "text/html", "content-type": "multipart/form-data; boundary=b" }
    for (const part of [
      "\r\n\r\nx",
      "content-disposition: form-data\r\n\r\nx",
      'content-disposition: form-data; name="go"\r\ncontent-type: text/plain; charset=none\r\n\r\nstay',
    ]) {
      const body = `--b\r\n${part}\r\n--b--\r\n`
      assert.strictEqual((yield* request(`/i/${token}/answers`, { method: "POST", headers, body })).status, 413, part)
    }
    assert.deepStrictEqual(yield* kept, nothing)
  }),
)

it.effect("uploads a file with a plain form, and returns it to the link", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    const answer = yield* upload(ada, pdf(), { name: "Lebenslauf (Zoë) \u202Efdp.pdf" })
    assert.strictEqual(answer.status, 303)
    assert.strictEqual(answer.headers.get("location"), `/i/${ada.token}/questions/1?saved`)
    const page = yield* request(`/i/${ada.token}/questions/1`)
    assert.include(page.text, "Lebenslauf (Zoë) fdp.pdf")
    const file = yield* request(`/i/${ada.token}/files/${ada.file}`)
    assert.strictEqual(file.text, pdf())
    assert.strictEqual(file.headers.get("content-type"), "application/pdf")
    assert.strictEqual(
      file.headers.get("content-disposition"),
      `attachment; filename="Lebenslauf _Zo__ fdp.pdf"; filename*=UTF-8''Lebenslauf%20%28Zo%C3%AB%29%20fdp.pdf`,
    )
    assert.strictEqual(file.headers.get("x-content-type-options"), "nosniff")
    assert.include(file.headers.get("content-security-policy"), "sandbox")
    assert.strictEqual(file.headers.get("cache-control"), "no-store")
    const eve = yield* candidate
    for (const id of [ada.file, eve.file, "x"]) {
      const other = yield* request(`/i/${eve.token}/files/${id}`)
      assert.deepStrictEqual([other.status, other.text], [303, ""], "nothing of somebody else")
    }
  }),
)

it.effect("answers the script in JSON; Next keeps the file", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    const told = yield* upload(ada, pdf(), { accept: "application/json" })
    assert.deepStrictEqual([told.status, JSON.parse(told.text)], [200, { saved: [] }])
    const next = yield* upload(ada, pdf(), { go: "next" })
    assert.strictEqual(next.headers.get("location"), `/i/${ada.token}/questions/2`)
    const without = yield* upload(ada, undefined, { go: "next" })
    assert.strictEqual(without.headers.get("location"), `/i/${ada.token}/questions/2`)
    assert.deepStrictEqual(yield* kept, { names: ["work.pdf"], blobs: 1, bytes: 2_000 })
  }),
)

it.effect("refuses files that are empty, too large or of another type, and stores nothing", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    for (const [content, name, status, words] of [
      ["", "work.pdf", 422, "“work.pdf” was not saved: it is empty.*at most 10 MB"],
      [undefined, "", 422, "Please choose a file first."],
      [pdf(10 * mebibyte + 1), "work.pdf", 413, "larger than 10 MB"],
      ["MZ\u0000\u0000", "work.pdf", 422, "does not match its name"],
      ["<script>alert(1)</script>", "work.html", 422, "“work.html” was not saved: files of this type cannot be used"],
      ["<script>alert(1)</script>", "work.svg", 422, "files of this type cannot be used"],
      [pdf(), "work", 422, "files of this type cannot be used"],
    ] as const) {
      const page = yield* upload(ada, content, { name })
      assert.deepInclude(page, { status }, name)
      assert.match(page.text, new RegExp(`role="alert">[^<]*${words}`))
      if (content === undefined) continue
      const told = yield* upload(ada, content, { name, accept: "application/json" })
      assert.strictEqual(told.status, status)
      assert.match(JSON.parse(told.text).error, new RegExp(words))
    }
    assert.deepStrictEqual(yield* kept, nothing)
    const most = yield* upload(ada, pdf(10 * mebibyte))
    assert.strictEqual(most.status, 303)
    assert.strictEqual((yield* kept).bytes, 10 * mebibyte)
  }),
)

it.effect("determines the type from the whole file", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    const noise = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7_919 * (1 + (i >> 8))) >> 3)
    const zip = (name: string) =>
      zipSync({ "docMetadata/LabelInfo.xml": noise, "[Content_Types].xml": strToU8("<a/>"), [name]: strToU8("<a/>") })
    for (const [name, content, type] of [
      [
        "work.docx",
        zip("word/document.xml"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      ],
      ["work.pdf", `\ufeff\r\n${pdf()}`, "application/pdf"],
      ["work.csv", Buffer.from("Name;Stadt\nJürg;München\n", "latin1"), "text/plain"],
    ] as const) {
      assert.strictEqual((yield* upload(ada, content, { name })).status, 303, name)
      const file = yield* request(`/i/${ada.token}/files/${ada.file}`)
      assert.strictEqual(file.headers.get("content-type"), type)
    }
    assert.strictEqual((yield* upload(ada, zip("xl/workbook.xml"), { name: "work.docx" })).status, 422)
    assert.deepStrictEqual((yield* kept).names, ["work.csv"])
    assert.strictEqual((yield* kept).blobs, 1)
  }),
)

it.effect("shows the error and the supported types in the interview's language", () =>
  Effect.gen(function* () {
    const endings = offeredEndings(null).join(", ")
    for (const [id, language] of ids) {
      const ada = yield* candidateIn([id])
      const { page: texts, script } = catalogues[language]
      for (const [content, name, words] of [
        ["", "work.pdf", texts.emptyFile],
        ["MZ\u0000\u0000", "work.pdf", texts.wrongContent],
        ["MZ\u0000\u0000", "work.exe", texts.wrongType],
        [pdf(10 * mebibyte + 1), "work.pdf", script.tooLarge],
      ] as const) {
        assert.match(words, /10 M[Bo]/)
        const expected = words.replace("{endings}", endings).replace("{name}", name)
        assert.include((yield* upload(ada, content, { name })).text, `role="alert">${expected}<`)
      }
    }
  }),
)

it.effect("accepts only the types of files that the question allows, by their content", () =>
  Effect.gen(function* () {
    const invited = yield* Scenario.invited(
      yield* Scenario.organization({
        iai_questions: [
          {
            title: "Your portfolio",
            question_mode: "interview",
            question_type: "file",
            allowed_file_types: ["pdf", "text"],
          },
        ],
      }),
    )
    yield* (yield* Interviews).start(invited.token)
    const file = invited.set.iai_questions[0]?.id ?? assert.fail("no question")
    const ada = { ...invited, file, text: file }
    const { text: page } = yield* request(`/i/${invited.token}/questions/1`)
    assert.include(page, 'accept=".pdf,.txt,.md,.csv"')
    assert.include(page, "A file of at most 10 MB: .pdf, .txt, .md, .csv.")
    const docx = `PK\u0003\u0004${"\0".repeat(26)}[Content_Types].xml`
    for (const [name, content, cause] of [
      ["work.docx", docx, "files of this type cannot be used for this question"],
      ["work.pdf", docx, "its content does not match its name"],
      ["work.txt", docx, "its content does not match its name"],
    ] as const) {
      const refused = yield* upload(ada, content, { name })
      assert.strictEqual(refused.status, 422, name)
      assert.include(refused.text, `“${name}” was not saved: ${cause}`)
      assert.include(refused.text, "Please choose another file: .pdf, .txt, .md, .csv, at most 10 MB.")
    }
    assert.strictEqual((yield* upload(ada, pdf())).status, 303)
    assert.strictEqual((yield* upload(ada, "Words", { name: "work.md" })).status, 303)
  }),
)

it.effect("refuses a request that is far too large before reading it", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    const { url } = yield* Server
    const { hostname, port } = new URL(url)
    const answer = yield* Effect.promise(
      () =>
        new Promise<string>((resolve) => {
          const socket = connect(Number(port), hostname)
          let text = ""
          socket.on("data", (chunk) => {
            text += chunk
          })
          socket.on("close", () => resolve(text))
          socket.write(
            `POST /i/${ada.token}/answers HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\naccept: application/json\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 50000000\r\n\r\n--b\r\n`,
          )
        }),
    )
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.deepStrictEqual(yield* kept, nothing)
  }),
)

it.effect("replaces and removes a file", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    yield* upload(ada, pdf(3_000))
    yield* upload(ada, pdf(2_500), { name: "better.pdf" })
    assert.deepStrictEqual(yield* kept, { names: ["better.pdf"], blobs: 1, bytes: 2_500 })
    const removed = yield* upload(ada, undefined, { go: "remove" })
    assert.strictEqual(removed.status, 303)
    assert.deepStrictEqual(yield* kept, nothing)
    assert.notInclude((yield* request(`/i/${ada.token}/questions/1`)).text, "better.pdf")
  }),
)

it.effect("ignores a file for a question of another type", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    for (const field of [`file.${ada.text}`, "file.unknown", `answer.${ada.text}`]) {
      yield* upload(ada, pdf(), { field, go: "next" })
    }
    assert.deepStrictEqual(yield* kept, nothing)
  }),
)

it.effect("stores no file after the deadline, and the receipt shows the previous one", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    yield* upload(ada, pdf())
    yield* (yield* Interviews).finish(ada.token, [])
    assert.strictEqual((yield* upload(ada, pdf(), { name: "late.pdf" })).status, 409)
    assert.deepStrictEqual(yield* kept, { names: ["work.pdf"], blobs: 1, bytes: 2_000 })
    assert.include((yield* request(`/i/${ada.token}`)).text, "work.pdf")
    const { answers } = yield* (yield* Submissions).detail(operator(ada.organization), ada.subject.submission_id)
    assert.deepStrictEqual(
      answers.map(({ file }) => ({ ...file, url: undefined })),
      [{ name: "work.pdf", type: "application/pdf", size: 2_000, url: undefined }],
    )
  }),
)

it.effect("starts a retake with the file; replacing it keeps the submitted one", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    const interviews = yield* Interviews
    yield* upload(ada, pdf())
    yield* interviews.finish(ada.token, [])
    yield* interviews.reopen(ada.token)
    assert.strictEqual((yield* upload(ada, pdf(), { name: "stale.pdf" })).status, 409, "a page of the attempt before")
    yield* (yield* Uploads).detach({ token: ada.token, question: ada.file, attempt: 2 })
    assert.deepStrictEqual(yield* kept, { names: ["work.pdf"], blobs: 1, bytes: 2_000 })
  }),
)

it.effect("leaves nothing of an aborted upload, and accepts the file again", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    const { url } = yield* Server
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(
      [
        `POST /i/${ada.token}/answers HTTP/1.1\r\nhost: ${hostname}\r\naccept: application/json`,
        "content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000000\r\n",
        `--b\r\ncontent-disposition: form-data; name="file.${ada.file}"; filename="work.pdf"\r\n`,
        pdf(600_000),
      ].join("\r\n"),
    )
    yield* Effect.repeat(kept, { until: ({ bytes }) => bytes > 0 })
    socket.destroy()
    yield* Effect.repeat(kept, { until: ({ blobs }) => blobs === 0 })
    assert.deepStrictEqual(yield* kept, nothing)
    assert.strictEqual((yield* upload(ada, pdf())).status, 303)
  }),
)

it.effect("removes orphans of a crashed process after a day, and nothing else", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    yield* upload(ada, pdf())
    const { sql } = yield* Database
    const id = "00000000-0000-4000-8000-000000000001"
    const at = new Date(yield* Clock.currentTimeMillis)
    yield* sql`insert into blob (id, organization_id, created_at) values (${id}, ${ada.organization}, ${at})`
    yield* sql`insert into blob_chunk values (${id}, ${ada.organization}, 0, '\\x00', false)`
    const { sweep } = yield* Uploads
    yield* TestClock.adjust("23 hours")
    assert.strictEqual(yield* sweep, 0)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* sweep, 1)
    assert.deepStrictEqual(yield* kept, { names: ["work.pdf"], blobs: 1, bytes: 2_000 })
  }),
)

const away = new BlobStoreUnavailable({ reason: "the bucket is away" })
const withoutStore = servedWith({
  blobStore: Layer.succeed(
    BlobStore,
    BlobStore.of({ put: () => Effect.fail(away), get: () => Stream.fail(away), remove: () => Effect.fail(away) }),
  ),
})

vitest.effect("answers an upload with 503 while the blob store is down; pages still work", () =>
  Effect.gen(function* () {
    const ada = yield* candidate
    const answer = yield* upload(ada, pdf(), { accept: "application/json" })
    assert.deepStrictEqual([answer.status, answer.headers.get("retry-after")], [503, "5"])
    assert.notInclude(answer.text, "bucket")
    assert.strictEqual((yield* request(`/i/${ada.token}/questions/1`)).status, 200)
  }).pipe(Effect.scoped, Effect.provide(withoutStore, { local: true })),
)
