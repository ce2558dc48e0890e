/** `record`: the signed record of evaluations and decisions (docs/record.md). */
import { Console, Effect, FileSystem, Layer, Option, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as App from "../App.ts"
import { operator } from "../accounts/Viewer.ts"
import { RecordExports } from "../record/RecordExports.ts"
import { verifyContent } from "../record/RecordFile.ts"
import { RecordKeys } from "../record/RecordKeys.ts"
import type { Verification } from "../record/RecordVerification.ts"
import { SubmissionId } from "../values/Ids.ts"
import {
  explain,
  type Input,
  lines,
  operatorOf,
  print,
  secretAdministration,
  uncheckedAdministration,
} from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"
import * as Flags from "./Flags.ts"

/** Needs SECRET_KEY: the keys that sign are encrypted. */
const services = App.record.pipe(Layer.provideMerge(secretAdministration))

/** Also runs when SECRET_KEY lacks the key that encrypted others. */
const uncheckedServices = App.record.pipe(Layer.provideMerge(uncheckedAdministration))

const show = Command.make("show", { organization: Flags.organization, json: Flags.json }, ({ json, organization }) =>
  Effect.gen(function* () {
    yield* operatorOf(organization)
    const recordExports = yield* RecordExports
    const { keys, ...head } = yield* recordExports.head(organization)
    yield* print(json, { ...head, key: keys.at(-1) ?? null, keys })
  }).pipe(explain, Effect.provide(services)),
).pipe(
  Command.withDescription("Print the number of entries, the hash of the last one, and the fingerprints of the keys"),
)

const exportInput = {
  organization: Flags.organization,
  submission: Flag.String("submission").pipe(
    Flag.withSchema(SubmissionId),
    Flag.withDescription("Print the bundle of this submission instead of the whole record"),
    Flag.optional,
  ),
}

const exportRecord = Effect.fn("DecisionRecordCommand.export")(
  function* ({ organization, submission }: Input<typeof exportInput>) {
    yield* operatorOf(organization)
    const recordExports = yield* RecordExports
    const content = Option.isSome(submission)
      ? Stream.make(yield* recordExports.bundle(operator(organization), submission.value))
      : yield* recordExports.exportAll(operator(organization))
    yield* Stream.runForEach(content, (text) => Console.log(text.trimEnd()))
  },
  explain,
  Effect.provide(services),
)

const exportCommand = Command.make("export", exportInput, exportRecord).pipe(
  Command.withDescription("Print the record of an organization, or the bundle of one submission, for record verify"),
)

const hash = /^[0-9a-f]{64}$/

const fingerprint = Schema.String.check(
  Schema.isPattern(/^\s*([0-9a-fA-F][:\s]?){64}$/, {
    code: "wrong_type",
    message: "must be a fingerprint of 64 hexadecimal digits",
  }),
)

const verifyInput = {
  file: Argument.String("file").pipe(Argument.withDescription("An export of a record, or the bundle of a submission")),
  keys: Flag.String("key").pipe(
    Flag.withSchema(fingerprint),
    Flag.withDescription(
      "A fingerprint that you noted independently of the file, as record show prints it; can be repeated",
    ),
    Flag.atLeast(0),
  ),
  head: Flag.String("head").pipe(
    Flag.withDescription("The number of entries and the last hash that you noted at an earlier time, as 1200:9f86d0…"),
    Flag.optional,
  ),
  json: Flags.json,
}

const readHead = (typed: string) => {
  const [, entries, last = ""] = /^([1-9]\d{0,14}):(.*)$/.exec(typed.trim().toLowerCase()) ?? []
  return entries === undefined || !hash.test(last)
    ? Effect.fail(
        new CommandFailed({
          message: "--head must be a number of entries, a colon and a hash of 64 hexadecimal digits, as 1200:9f86d0…",
        }),
      )
    : Effect.succeed({ entries: Number(entries), hash: last })
}

/** What a file without faults proves. */
const proofOf = ({ entries, isHeadNoted, isKeyNoted, keys, kind }: Verification): string => {
  const ofBundle = entries === 0 ? "The list of notices was" : "The entries of this bundle were"
  const subject = kind === "decision" ? ofBundle : "The record was"
  const signed = isKeyNoted
    ? `${subject} signed with the key that you noted, or with one that descends from it, and not changed since.`
    : `The file is consistent. It does not prove who made it: such a file can be made with any key. Compare ${keys.at(-1) ?? "the key"} with a fingerprint that you noted from the installation, or pass that with --key.`
  const complete =
    kind === "decision"
      ? "That the installation had no other entries about this submission is its own statement at the time of the bundle."
      : `None of the ${entries} entries is missing, repeated or in another order.`
  const rewritten = isHeadNoted
    ? "The record continues the head that you noted."
    : "That the installation itself did not rewrite the record is proven only against a head that you noted earlier: --head."
  return [signed, complete, rewritten].join("\n")
}

const verify = Effect.fn("DecisionRecordCommand.verify")(function* ({
  file,
  head,
  json,
  keys,
}: Input<typeof verifyInput>) {
  const files = yield* FileSystem.FileSystem
  const result = yield* verifyContent(files.stream(file), {
    keys: keys.map((key) => key.replaceAll(/[:\s]/g, "").toLowerCase()),
    head: Option.isSome(head) ? yield* readHead(head.value) : undefined,
  }).pipe(
    Effect.catchTag("PlatformError", () =>
      Effect.fail(new CommandFailed({ message: `the file ${file} cannot be read` })),
    ),
  )
  const { faultCount, faults, isHeadNoted, isKeyNoted, isValid, notes, ...facts } = result
  const shown = { valid: isValid, ...facts, key_noted: isKeyNoted, head_noted: isHeadNoted }
  if (json) yield* print(true, { ...shown, notes, faults, fault_count: faultCount })
  else {
    yield* Console.log(lines(shown))
    for (const note of notes) yield* Console.log(`note: ${note}`)
    for (const { line, message } of faults) yield* Console.log(`line ${line}: ${message}`)
    if (isValid) yield* Console.log(proofOf(result))
  }
  if (!isValid) {
    return yield* new CommandFailed({
      message: `the file is not a valid record: ${faultCount === 1 ? "1 fault" : `${faultCount} faults`}`,
    })
  }
})

const verifyCommand = Command.make("verify", verifyInput, verify).pipe(
  Command.withDescription("Check an exported file; needs neither the service nor its database"),
)

const rotateInput = {
  organization: Flags.organization.pipe(
    Flag.withDescription("The organization's number; without it, the keys of all organizations are replaced"),
    Flag.optional,
  ),
  forgetLost: Flags.boolean(
    "forget-lost",
    "Accept that SECRET_KEY no longer decrypts a key; default off. The new key is then not signed by the former one",
  ),
  json: Flags.json,
}

const rotate = Effect.fn("DecisionRecordCommand.rotate")(
  function* ({ forgetLost, json, organization }: Input<typeof rotateInput>) {
    if (Option.isSome(organization)) yield* operatorOf(organization.value)
    const recordKeys = yield* RecordKeys
    const organizations = Option.isSome(organization) ? [organization.value] : yield* recordKeys.withKey
    // one that fails does not keep the others from being replaced, and shown
    const [rotated, unreadable] = yield* Effect.partition(organizations, (one) =>
      Effect.map(recordKeys.rotate(one, forgetLost), ({ isSigned, ...facts }) => ({
        ...facts,
        signed_by_previous: isSigned,
      })),
    )
    if (json && (rotated.length > 0 || unreadable.length === 0)) yield* print(true, { rotated })
    if (!json && organizations.length === 0) yield* Console.log("no organization has a key yet")
    if (!json) for (const one of rotated) yield* Console.log(lines(one))
    if (unreadable.length > 0)
      return yield* new CommandFailed({ message: unreadable.map(({ message }) => message).join("\n") })
  },
  explain,
  Effect.provide(uncheckedServices),
)

const rotateCommand = Command.make("rotate-key", rotateInput, rotate).pipe(
  Command.withDescription("Replace the key that signs the record; the former key signs the new one"),
)

export const recordCommand = Command.make("record").pipe(
  Command.withDescription("Show, export and verify the signed record of evaluations and decisions"),
  Command.withSubcommands([show, exportCommand, verifyCommand, rotateCommand]),
)
