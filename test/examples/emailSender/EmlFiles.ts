/** Writes mails as .eml files into a directory, from which another program sends them. */
import { randomUUID } from "node:crypto"
import { mkdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import {
  EmailNotSent,
  EmailSender,
  headersOf,
  type OutgoingEmail,
  reasonOf,
} from "interview-invitations/port/EmailSender"
import { createTransport } from "nodemailer"

const composer = createTransport({ streamTransport: true, buffer: true })

const compose = (email: OutgoingEmail, from: string) =>
  composer.sendMail({
    from: { name: email.fromName ?? "", address: from },
    to: { name: "", address: email.to },
    ...(email.replyTo === null ? {} : { replyTo: { name: "", address: email.replyTo } }),
    messageId: `<${email.messageId}>`,
    subject: email.subject,
    html: email.html,
    text: email.text,
    headers: headersOf(email),
  })

/** Renames a complete file into place, so that readers see whole mails only. A repeated mail replaces its file. */
const write = async (directory: string, { id }: OutgoingEmail, message: Uint8Array) => {
  await mkdir(directory, { recursive: true })
  const partial = join(directory, `.${randomUUID()}`)
  await writeFile(partial, message)
  await rename(partial, join(directory, `${encodeURIComponent(id)}.eml`))
}

export const layer = (directory: string, from: string): Layer.Layer<EmailSender> =>
  Layer.succeed(
    EmailSender,
    EmailSender.of({
      provider: "files",
      tracks: false,
      send: (email) =>
        Effect.tryPromise({
          try: async () => {
            const { message } = await compose(email, from)
            await write(directory, email, Buffer.from(message as Uint8Array))
            return { providerMessageId: email.id, delivered: true }
          },
          catch: (error) => new EmailNotSent({ reason: reasonOf(String(error)), permanent: false }),
        }),
    }),
  )
