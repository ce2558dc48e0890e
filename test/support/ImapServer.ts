/**
 * An IMAP server (RFC 9051) with TLS for tests: one user, folders with messages, and the commands that the bounce mailbox needs.
 * It answers BAD to all others.
 */

import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createServer, type TLSSocket } from "node:tls"
import { Effect } from "effect"
import { issue } from "../port/certificates.ts"

interface Message {
  readonly uid: number
  readonly source: Buffer
  readonly type: string
  readonly flags: Set<string>
}

export interface ImapScript {
  /** Closes the connection before it answers this command. */
  closeBefore?: string | undefined
  refuse?: { readonly command: string; readonly says: string } | undefined
  tokens?: ReadonlyArray<string>
}

export const certificate = issue({ name: "imap", hosts: ["127.0.0.1"] })

const quoted = (text: string) => `"${text}"`

/** BODYSTRUCTURE of a message with the parts that matter: its type. */
const structureOf = ({ type }: Message): string => {
  const [major = "text", minor = "plain"] = type.split("/")
  const part = '("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 1 1)'
  return major === "multipart" ? `(${part}${part} ${quoted(minor)})` : `("${major}" "${minor}" NIL NIL NIL "7bit" 1 1)`
}

/** Runs until the scope closes. */
export const imapServer = Effect.gen(function* () {
  const script: ImapScript = {}
  const folders = new Map<string, Array<Message>>([
    ["INBOX", []],
    ["Done", []],
  ])
  const commands: Array<string> = []
  const sockets = new Set<TLSSocket>()
  let next = 1
  const deliver = (source: string, type = "multipart/report") =>
    void folders.get("INBOX")?.push({ uid: next++, source: Buffer.from(source), type, flags: new Set() })

  const server = createServer({ key: certificate.key, cert: certificate.cert }, (socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    const say = (...lines: ReadonlyArray<string>) => socket.write(lines.map((line) => `${line}\r\n`).join(""))
    let selected: Array<Message> = []
    let buffer = ""
    say("* OK [CAPABILITY IMAP4rev1 UIDPLUS MOVE SASL-IR AUTH=PLAIN AUTH=XOAUTH2] ready")

    const byUids = (set: string) => {
      const uids = set.split(",").flatMap((range) => {
        const [from = 0, to = from] = range.split(":").map(Number)
        return Array.from({ length: to - from + 1 }, (_, i) => from + i)
      })
      return selected.flatMap((message, index) => (uids.includes(message.uid) ? [{ message, number: index + 1 }] : []))
    }
    const fetched = (set: string, items: string) => {
      for (const { message, number } of byUids(set)) {
        const base = `* ${number} FETCH (UID ${message.uid} RFC822.SIZE ${message.source.length} BODYSTRUCTURE ${structureOf(message)}`
        if (/BODY\.PEEK\[\]/i.test(items)) {
          socket.write(`* ${number} FETCH (UID ${message.uid} BODY[] {${message.source.length}}\r\n`)
          socket.write(message.source)
          socket.write(")\r\n")
        } else say(`${base})`)
      }
    }
    const stored = (set: string) => {
      for (const { message, number } of byUids(set)) {
        message.flags.add("\\Seen")
        say(`* ${number} FETCH (UID ${message.uid} FLAGS (${[...message.flags].join(" ")}))`)
      }
    }
    const moved = (set: string, folder: string) => {
      for (const { message } of byUids(set)) {
        const at = selected.indexOf(message)
        selected.splice(at, 1)
        folders.get(folder)?.push(message)
        say(`* OK [COPYUID 1 ${message.uid} ${message.uid}] moved`, `* ${at + 1} EXPUNGE`)
      }
    }
    const signedIn = (encoded: string, method: string) => {
      const text = Buffer.from(encoded, "base64").toString("utf8")
      return method === "XOAUTH2"
        ? (script.tokens ?? []).some((token) => text === `user=user\u0001auth=Bearer ${token}\u0001\u0001`)
        : text.endsWith("\0user\0hunter2")
    }

    /** Of the next line, which is no command. */
    let expected: ((payload: string) => void) | undefined
    const authenticated = (tag: string, payload: string, method: string) =>
      say(
        signedIn(payload, method.toUpperCase())
          ? `${tag} OK signed in`
          : `${tag} NO [AUTHENTICATIONFAILED] as the test says`,
      )

    const answer = (line: string) => {
      const whole = expected
      expected = undefined
      if (whole !== undefined) return whole(line)
      const [, tag = "*", name = "", rest = ""] = /^(\S+) ((?:UID )?\S+) ?(.*)$/s.exec(line) ?? []
      const command = name.toUpperCase()
      commands.push(command)
      if (script.closeBefore === command) return void socket.destroy()
      if (script.refuse?.command === command) return say(`${tag} NO ${script.refuse.says}`)
      const ok = (...before: ReadonlyArray<string>) => say(...before, `${tag} OK done`)
      switch (command) {
        case "CAPABILITY":
          return ok("* CAPABILITY IMAP4rev1 UIDPLUS MOVE SASL-IR AUTH=PLAIN AUTH=XOAUTH2")
        case "AUTHENTICATE": {
          const [method = "", encoded] = rest.split(" ")
          if (encoded !== undefined) return authenticated(tag, encoded, method)
          expected = (payload) => authenticated(tag, payload, method)
          return say("+ ")
        }
        case "LOGIN":
          return rest.replaceAll('"', "") === "user hunter2"
            ? ok()
            : say(`${tag} NO [AUTHENTICATIONFAILED] as the test says`)
        case "LIST":
          return ok('* LIST () "/" ""')
        case "SELECT":
        case "EXAMINE": {
          const folder = folders.get(rest.replaceAll('"', ""))
          if (folder === undefined) return say(`${tag} NO [NONEXISTENT] no such folder`)
          selected = folder
          return ok(
            "* FLAGS (\\Seen)",
            `* ${folder.length} EXISTS`,
            "* OK [PERMANENTFLAGS (\\Seen)] flags",
            "* OK [UIDVALIDITY 1] validity",
            `* OK [UIDNEXT ${next}] next`,
          )
        }
        case "UID SEARCH":
          return ok(
            `* SEARCH ${selected
              .filter(({ flags }) => !flags.has("\\Seen"))
              .map(({ uid }) => uid)
              .join(" ")}`.trimEnd(),
          )
        case "UID FETCH": {
          const [, set = "", items = ""] = /^(\S+) (.*)$/s.exec(rest) ?? []
          fetched(set, items)
          return ok()
        }
        case "UID STORE":
          stored(rest.split(" ")[0] ?? "")
          return ok()
        case "UID MOVE": {
          const [set = "", folder = ""] = rest.split(" ")
          if (!folders.has(folder.replaceAll('"', ""))) return say(`${tag} NO [TRYCREATE] no such folder`)
          moved(set, folder.replaceAll('"', ""))
          return ok()
        }
        case "NOOP":
        case "CLOSE":
          return ok()
        case "LOGOUT":
          return ok("* BYE see you")
        default:
          return say(`${tag} BAD unknown command`)
      }
    }
    socket.on("data", (chunk: Buffer) => {
      buffer += chunk.toString("utf8")
      for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        answer(line)
      }
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.promise(async () => {
        for (const socket of sockets) socket.destroy()
        server.close()
        await once(server, "close")
      }),
  )
  const { port } = server.address() as AddressInfo
  const uidsOf = (folder: string, isUnread = false) =>
    (folders.get(folder) ?? []).flatMap(({ flags, uid }) => (isUnread && flags.has("\\Seen") ? [] : [uid]))
  return { port, script, deliver, uidsOf, commands }
})
