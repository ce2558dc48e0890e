/** Reads forms with one small file, such as a table, into memory. Files of candidates are streamed instead. */
import { Cause, Effect, Stream } from "effect"
import { type HttpServerRequest, Multipart } from "effect/http"
import { type Form, FormTooLarge, isUpload, readForm, readFormBytes } from "./Forms.ts"

export interface SmallFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface UploadForm {
  readonly form: Form
  /** Of the field `file`; undefined: none was chosen. */
  readonly file: SmallFile | undefined
}

const maxParts = 1_000

/** Call it only for signed-in senders. Also reads forms without a file, which browsers may send in the other encoding. */
export const readUploadForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (!isUpload(request)) return { form: yield* readForm(request), file: undefined } satisfies UploadForm
  const bytes = yield* readFormBytes(request)
  const form: Array<readonly [string, string]> = []
  let file: SmallFile | undefined
  const receive = Effect.fnUntraced(function* (part: Multipart.Part) {
    if (part._tag === "Field") return void form.push([part.key, part.value])
    const content = yield* part.contentEffect
    // an input without a file has an empty name
    if (part.key === "file" && part.name !== "") file = { name: part.name, bytes: content }
  })
  const parts = Stream.pipeThroughChannel(Stream.make(bytes), Multipart.makeChannel({ ...request.headers }))
  yield* Stream.runForEach(parts, receive).pipe(
    // effect 4.1 throws on parts without a name and on unknown charsets
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(new FormTooLarge()))),
    Effect.provideContext(
      Multipart.limitsServices({ maxParts, maxFieldSize: bytes.length, maxFileSize: bytes.length }),
    ),
  )
  return { form, file } satisfies UploadForm
})
