/** How candidates see an organization: logo, colour, welcome, sender of emails. */
import { createHash } from "node:crypto"
import { Context, Data, Effect, Layer, Stream } from "effect"
import { BlobRepository } from "../files/BlobRepository.ts"
import { BlobStore } from "../files/BlobStore.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { readColour } from "../values/Colour.ts"
import { cleanAddress } from "../values/EmailAddress.ts"
import { BlobId, type OrganizationId, parseId } from "../values/Ids.ts"
import { type FieldError, Invalid, NotFound } from "../values/Problem.ts"
import {
  type Appearance,
  type AppearanceTexts,
  appearanceErrors,
  appearanceLimits,
  isLogo,
  type LogoFile,
  noAppearance,
  readLogo,
} from "./Appearance.ts"
import { type AppearanceChange, AppearanceRepository } from "./AppearanceRepository.ts"
import { AuditLog, changesOf } from "./AuditLog.ts"
import type { Viewer } from "./Viewer.ts"

export interface AppearanceVersion extends Appearance {
  /** Counts the changes. */
  readonly version: number
}

/** The appearance has changed since its form was opened. */
export class AppearanceOutdated extends Data.TaggedError("AppearanceOutdated")<{
  readonly saved: AppearanceVersion
  /** What the member has typed, in the form in which it would have been stored. */
  readonly own: Omit<Appearance, "logo">
}> {}

export interface TypedAppearance extends AppearanceTexts {
  /** Undefined: none was chosen. */
  readonly file: Uint8Array | undefined
  readonly removesLogo: boolean
}

/** The appearance with what was typed; `logo` undefined: the stored one stays. */
export interface CheckedAppearance extends Omit<Appearance, "logo"> {
  readonly logo: LogoFile | null | undefined
}

/** Fails with Invalid. */
export const checkAppearance = Effect.fnUntraced(function* (typed: TypedAppearance) {
  const texts = {
    colour: typed.colour.trim(),
    welcome: typed.welcome.replaceAll("\r\n", "\n").trim(),
    sender_name: typed.sender_name.trim(),
    reply_to: cleanAddress(typed.reply_to),
  }
  const logo = typed.file === undefined ? undefined : readLogo(typed.file)
  const errors: Array<FieldError> = [...appearanceErrors(texts)]
  if (logo !== undefined && !isLogo(logo)) errors.unshift(logo)
  if (errors.length > 0) return yield* new Invalid({ errors })
  return {
    colour: readColour(texts.colour) ?? null,
    welcome: texts.welcome || null,
    sender_name: texts.sender_name || null,
    reply_to: texts.reply_to || null,
    logo: logo !== undefined && isLogo(logo) ? logo : typed.removesLogo ? null : undefined,
  } satisfies CheckedAppearance
})

export class Appearances extends Context.Service<Appearances>()("interview-invitations/accounts/Appearances", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const blobRepository = yield* BlobRepository
    const blobStore = yield* BlobStore
    const { transaction } = yield* Database
    const ids = yield* Ids
    const repository = yield* AppearanceRepository

    const find = Effect.fn("Appearances.find")(function* (organization: OrganizationId) {
      const found = yield* repository.find(organization)
      if (found === undefined) return yield* new NotFound({ record: "organization" })
      return { ...(found.appearance ?? noAppearance), version: found.version } satisfies AppearanceVersion
    })

    /** The sweep of unreferenced files deletes it unless the appearance names it (files/BlobRepository.ts). */
    const store = Effect.fnUntraced(function* (organization: OrganizationId, { bytes, ...logo }: LogoFile) {
      const id = yield* ids.make(BlobId)
      yield* blobRepository.begin({ organization, id })
      yield* blobStore.put({ organization, id }, Stream.make(bytes), appearanceLimits.logoBytes).pipe(Effect.orDie)
      const sha256 = createHash("sha256").update(bytes).digest()
      yield* blobRepository.finish({ organization, id }, { size: bytes.length, sha256 })
      return { ...logo, id }
    })

    const record = Effect.fnUntraced(function* (viewer: Viewer, next: AppearanceChange, version: number) {
      const { organizationId } = viewer
      const before = yield* find(organizationId)
      const isSaved = yield* repository.save(organizationId, next, version)
      const after = yield* find(organizationId)
      if (!isSaved) return yield* new AppearanceOutdated({ saved: after, own: next })
      const idOfLogo = (saved: Appearance) => ({ ...saved, logo: saved.logo === null ? null : String(saved.logo.id) })
      const fields = ["logo", "colour", "welcome", "sender_name", "reply_to"] as const
      const changes = changesOf(idOfLogo(before), idOfLogo(after), fields)
      if (changes !== undefined) yield* auditLog.note(viewer, "organization", "update", String(organizationId), changes)
    }, transaction)

    /** `version`: what the member saw. Fails with Invalid, and with AppearanceOutdated when it has changed since. */
    const change = Effect.fn("Appearances.change")(function* (viewer: Viewer, typed: TypedAppearance, version: number) {
      const { logo, ...texts } = yield* checkAppearance(typed)
      // before the transaction: a file is written in transactions of its own
      const stored = logo == null ? logo : yield* store(viewer.organizationId, logo)
      yield* record(viewer, { ...texts, logo: stored }, version)
    })

    /** The content of a logo, for everyone. */
    const readLogoFile = Effect.fn("Appearances.readLogoFile")(function* (text: string) {
      const id = parseId(BlobId, text)
      const found = id === undefined ? undefined : yield* repository.findLogo(id)
      if (id === undefined || found === undefined) return undefined
      return { mediaType: found.mediaType, content: blobStore.get({ organization: found.organization, id }) }
    })

    return { find, change, readLogoFile }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
