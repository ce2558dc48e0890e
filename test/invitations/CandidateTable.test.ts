import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import {
  type Column,
  columnErrors,
  entriesOf,
  ignoredColumns,
  maxColumns,
  readTable,
  samplesOf,
  suggestedColumns,
} from "../../src/invitations/CandidateTable.ts"

const read = (text: string) => Result.getOrThrow(readTable(text, "auto"))
const entries = (text: string) => {
  const table = read(text)
  return entriesOf(table, suggestedColumns(table)).map(({ entry }) => entry)
}
const fields = (text: string) => suggestedColumns(read(text)).map(({ field }) => field)

describe("a table of candidates", () => {
  it.each([
    ["E-Mail;Name\nada@example.com;Ada", [{ email: "ada@example.com", name: "Ada" }]],
    [
      "first name,Last Name,EMAIL ADDRESS,notes\nAda,Lovelace,a@b.example,x",
      [{ firstname: "Ada", lastname: "Lovelace", email: "a@b.example" }],
    ],
    ["Prénom,nom,courriel\nAda,L,a@b.example", [{ firstname: "Ada", lastname: "L", email: "a@b.example" }]],
    [
      "Vorname;Nachname;E-Mail-Adresse;Lebenslauf\nAda;L;a@b.example;https://cv.example/a",
      [{ firstname: "Ada", lastname: "L", email: "a@b.example", cv_link: "https://cv.example/a" }],
    ],
    [
      "Nombre\tApellidos\tCorreo electrónico\nAda\tL\ta@b.example",
      [{ firstname: "Ada", lastname: "L", email: "a@b.example" }],
    ],
    [
      "Nome,Cognome,E-mail,External ID\nAda,L,a@b.example,17",
      [{ firstname: "Ada", lastname: "L", email: "a@b.example", external_id: "17" }],
    ],
    [
      "email,metadata.Source Channel\na@b.example,fair",
      [{ email: "a@b.example", metadata: { source_channel: "fair" } }],
    ],
    ["cv\nhttps://cv.example/a.pdf", [{ cv_link: "https://cv.example/a.pdf" }]],
    ["ada@example.com\ngrace@example.com", [{ email: "ada@example.com" }, { email: "grace@example.com" }]],
    ["Ada Lovelace <ada@example.com>", [{ email: "ada@example.com", name: "Ada Lovelace" }]],
    ["name,email\n,Ada <HR> <ada@example.com>", [{ email: "ada@example.com" }]],
    [
      'Ada <ada@example.com>; grace@example.com;"Eva, K." <eva@example.com>',
      [
        { email: "ada@example.com", name: "Ada" },
        { email: "grace@example.com" },
        { email: "eva@example.com", name: "Eva, K." },
      ],
    ],
    [
      "Ada,ada@example.com,https://cv.example/a",
      [{ email: "ada@example.com", name: "Ada", cv_link: "https://cv.example/a" }],
    ],
    ['Name,Email\n"Ada\nLovelace",ada@example.com', [{ email: "ada@example.com", name: "Ada\nLovelace" }]],
    ["SEP=|\nName|E-Mail\nAda, L.|ada@example.com", [{ email: "ada@example.com", name: "Ada, L." }]],
    ["sep=;\r\nName;E-Mail\r\nAda, L.;ada@example.com", [{ email: "ada@example.com", name: "Ada, L." }]],
    [
      "First Name,Middle Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value\nAda,,King,Work,a@b.example,x@y.example",
      [{ firstname: "Ada", lastname: "King", email: "a@b.example" }],
    ],
    ["Name,E-mail 1 - Value,E-mail 2 - Value\nAda,,a@b.example", [{ name: "Ada", email: "a@b.example" }]],
    [
      "First Name,Last Name,E-mail Address,E-mail 2 Address\nAda,King,a@b.example,",
      [{ firstname: "Ada", lastname: "King", email: "a@b.example" }],
    ],
    ...(
      [
        ["名", "姓", "メールアドレス"],
        ["名", "姓", "邮箱"],
        ["名", "姓", "电子邮件"],
        ["이름", "성", "이메일"],
        ["Tên", "Họ", "Địa chỉ email"],
        ["Keresztnév", "Vezetéknév", "E-mail cím"],
        ["Prénom", "Nom", "Adresse de messagerie"],
        ["Nombre", "Primer apellido", "Dirección de correo electrónico"],
        ["Nome próprio", "Apelido", "Correio eletrónico"],
        ["Imię", "Nazwisko", "Adres e-mail"],
        ["Adı", "Soyadı", "E-posta adresi"],
        ["İsim", "Soyisim", "E-Posta"],
        ["Jméno", "Příjmení", "E-mailová adresa"],
        ["Roepnaam", "Achternaam", "E-mailadres"],
        ["Nome", "Cognome", "Indirizzo di posta elettronica"],
        ["Имя", "Фамилия", "Эл. почта"],
        ["Vorname", "Name", "E-Mail"],
        ["Name", "Surname", "Email"],
      ] as const
    ).map(
      (header) =>
        [`${header.join(",")}\nA,B,a@b.example`, [{ firstname: "A", lastname: "B", email: "a@b.example" }]] as const,
    ),
    ...[
      "姓名",
      "氏名",
      "성명",
      "Họ và tên",
      "Teljes név",
      "Imię i nazwisko",
      "Ad Soyad",
      "Jméno a příjmení",
      "Nome e cognome",
    ].map((header) => [`${header},Email\nA B,a@b.example`, [{ name: "A B", email: "a@b.example" }]] as const),
    ["Name,First name,Email\nAda King,Ada,a@b.example", [{ name: "Ada King", firstname: "Ada", email: "a@b.example" }]],
    ["Applicants of May\n\n;;\nName;Mail\nAda;a@b.example", [{ name: "Ada", email: "a@b.example" }]],
    [
      "Report, May; all sites\nPrinted 2026-05-01,\nname,email,site\nEva,,Graz\nAda,a@b.example,Bern",
      [{ name: "Eva" }, { name: "Ada", email: "a@b.example" }],
    ],
    ["Applicants of May\nWho,Where\nAda,a@b.example", [{ email: "a@b.example" }]],
    ["id;Name;Email\n17;Ada;a@b.example", [{ external_id: "17", name: "Ada", email: "a@b.example" }]],
    [
      "Candidate ID;Email\n0192b6a0-0000-7000-8000-000000000001;a@b.example\n0192B6A0-0000-7000-8000-000000000002;c@b.example\n17;b@b.example",
      [
        { ats_candidate_id: "0192b6a0-0000-7000-8000-000000000001", email: "a@b.example" },
        { ats_candidate_id: "0192B6A0-0000-7000-8000-000000000002", email: "c@b.example" },
        { ats_candidate_id: "17", email: "b@b.example" },
      ],
    ],
    ["id;External ID;Email\n17;x1;a@b.example", [{ external_id: "x1", email: "a@b.example" }]],
    ["name,email;external_id\nLovelace, Ada;a@b.example;17", [{ email: "a@b.example" }]],
    ["Email;Name\nAda;a@b.example", [{ email: "a@b.example" }]],
    ["Email;External ID\na@b.example;x@y.example", [{ email: "a@b.example", external_id: "x@y.example" }]],
    ["email,name", []],
    ["", []],
  ] as const)("reads %j", (text, expected) => {
    assert.deepEqual(entries(text), expected as unknown as ReturnType<typeof entries>)
  })

  it("takes each field from its first column and reports the others as not recognized", () => {
    const text = "email,e-mail,phone,name\na@b.example,x@y.example,1,Ada"
    assert.deepStrictEqual(fields(text), ["email", "ignore", "ignore", "name"])
    assert.deepStrictEqual(ignoredColumns(read(text), suggestedColumns(read(text))), [1, 2])
    const empty = "email,phone\na@b.example,"
    assert.deepStrictEqual(ignoredColumns(read(empty), suggestedColumns(read(empty))), [])
  })

  it("shows up to three different values of a column", () => {
    assert.deepStrictEqual(
      samplesOf(read("email\na@b.example\na@b.example\n\nc@d.example\ne@f.example\ng@h.example"), 0),
      ["a@b.example", "c@d.example", "e@f.example"],
    )
  })

  it("counts cells beyond the header, and refuses more columns than the maximum", () => {
    const table = read("email\na@b.example,extra")
    assert.strictEqual(table.columns, 2)
    assert.deepStrictEqual(ignoredColumns(table, suggestedColumns(table)), [1])
    const wide = readTable(`email\na@b.example\n${",".repeat(maxColumns)}x`, "auto")
    assert.isTrue(Result.isFailure(wide) && wide.failure.line === 3, JSON.stringify(wide))
  })

  it("takes the first row as the header only if the member chooses so", () => {
    const text = "Ada,ada@example.com\nGrace,grace@example.com"
    assert.lengthOf(read(text).rows, 2)
    assert.lengthOf(Result.getOrThrow(readTable(text, "yes")).rows, 1)
    assert.lengthOf(Result.getOrThrow(readTable("email\na@b.example", "no")).rows, 2)
  })

  it("reports columns with the same meaning, wrong names of metadata, and a table without addresses", () => {
    const of = (...columns: ReadonlyArray<readonly [Column["field"], string?]>) => {
      const found = columnErrors(columns.map(([field, key = ""]) => ({ field, key })))
      return { columns: [...found.columns.keys()], table: found.table }
    }
    assert.deepStrictEqual(of(["email"], ["email"]), { columns: [1], table: undefined })
    assert.deepStrictEqual(of(["email"], ["metadata", "a b"], ["metadata", "x"], ["metadata", "x"]), {
      columns: [1, 3],
      table: undefined,
    })
    assert.match(of(["name"]).table ?? "", /^Choose the column with the email addresses/)
    const many = Array.from({ length: 21 }, (_, i) => ["metadata", `k${i}`] as const)
    assert.match(of(["email"], ...many).table ?? "", /^At most 20 columns can be metadata; these are 21/)
  })

  it.each([",", ";", "\t", "|"] as const)("divides cells at %j when Excel's first line names it", (separator) => {
    const other = separator === ";" ? "," : ";"
    const rows = ["Name x E-Mail y", "Ada 1 a@b.example 2", "Eva 3 e@b.example 4"]
    // by their cells alone, the rows would be divided at the other one
    const divided = rows.map((row) =>
      row.replaceAll(" ", other).replace(new RegExp(`^([^${other}]*.[^${other}]*)${other}`), `$1${separator}`),
    )
    const table = read(`sep=${separator}\r\n${divided.join("\r\n")}`)
    assert.deepInclude(table, {
      header: [`Name${other}x`, `E-Mail${other}y`],
      separator,
      isSeparatorCertain: true,
    })
    assert.deepStrictEqual(table.rows[1], { line: 4, cells: [`Eva${other}3`, `e@b.example${other}4`] })
  })

  it.effect.prop("reads any text or returns the line of an error", [Schema.String], ([text]) =>
    Effect.sync(() => {
      const table = readTable(text, "auto")
      if (Result.isFailure(table)) return assert.isAtLeast(table.failure.line, 1)
      const columns = suggestedColumns(table.success)
      assert.lengthOf(columns, table.success.columns)
      const used = columns
        .filter(({ field }) => field !== "ignore")
        .map(({ field, key }) => `${field} ${field === "metadata" ? key : ""}`)
      assert.lengthOf(new Set(used), used.length)
      assert.isAtMost(entriesOf(table.success, columns).length, text.length)
    }),
  )
})
