/** What candidates see of an organization, and from whom their emails come. */
import { type FileType, fileTypeOf, mediaTypeOf } from "../files/FileType.ts"
import { type ImageSize, imageSize } from "../files/ImageSize.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { contrastOnPages, minContrast, readable, readColour } from "../values/Colour.ts"
import { addressMessage, isEmailAddress } from "../values/EmailAddress.ts"
import { lineErrors, textErrors } from "../values/Fields.ts"
import type { BlobId } from "../values/Ids.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"

/** Characters, bytes of a logo, and its pixels in each direction. */
export const appearanceLimits = { senderName: 80, welcome: 2_000, logoBytes: 200_000, logoPixels: 1_000 } as const

/** Formats of logos: browsers and email programs show them, and they contain no scripts. */
const logoTypes: ReadonlyArray<FileType | undefined> = ["png", "jpeg", "webp"]

export interface StoredLogo extends ImageSize {
  readonly id: BlobId
}

/** Null: none; the service's own. */
export interface Appearance {
  readonly logo: StoredLogo | null
  /** #rrggbb, with `minContrast` on light pages. */
  readonly colour: string | null
  /** Plain text on the first page of an interview. */
  readonly welcome: string | null
  /** Of emails to candidates; null: the organization's name, or the name in EMAIL_FROM. */
  readonly sender_name: string | null
  /** Receives replies to emails to candidates; null: the contact, if it is an address. */
  readonly reply_to: string | null
}

export const noAppearance: Appearance = { logo: null, colour: null, welcome: null, sender_name: null, reply_to: null }

export interface AppearanceTexts {
  readonly colour: string
  readonly welcome: string
  readonly sender_name: string
  readonly reply_to: string
}

export interface LogoFile extends ImageSize {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

const logoHref = (id: BlobId): string => `/logos/${id}`

export const logoOf = ({ logo }: Pick<Appearance, "logo">): Logo | undefined =>
  logo === null ? undefined : { href: logoHref(logo.id), width: logo.width, height: logo.height }

/** "3.9", never rounded up to the limit. */
export const ratioText = (ratio: number): string => (Math.floor(ratio * 10) / 10).toFixed(1)

const colourErrors = (text: string): ReadonlyArray<FieldError> => {
  const colour = readColour(text)
  if (colour === undefined) return [fieldError("#/colour", "invalid", "must be a colour such as #0b6b5d")]
  const ratio = contrastOnPages(colour)
  if (ratio >= minContrast) return []
  const message = `is too light: with white text or on the page it has a contrast of ${ratioText(ratio)}:1, and text needs ${minContrast}:1. ${readable(colour)} is the same colour, dark enough`
  return [fieldError("#/colour", "out_of_range", message)]
}

/** Of trimmed texts; an empty one removes the value. */
export const appearanceErrors = ({
  colour,
  reply_to,
  sender_name,
  welcome,
}: AppearanceTexts): ReadonlyArray<FieldError> => [
  ...(colour === "" ? [] : colourErrors(colour)),
  ...textErrors("#/welcome", welcome, { most: appearanceLimits.welcome }),
  ...lineErrors("#/sender_name", sender_name, { isRequired: false, most: appearanceLimits.senderName }),
  ...(reply_to === "" || isEmailAddress(reply_to)
    ? []
    : [fieldError("#/reply_to", "invalid_email", addressMessage(reply_to))]),
]

/** The bytes determine the type. */
export const readLogo = (bytes: Uint8Array): LogoFile | FieldError => {
  const { logoBytes, logoPixels } = appearanceLimits
  const refused = (message: string) => fieldError("#/file", "invalid", message)
  if (bytes.length > logoBytes)
    return refused(`has ${Math.ceil(bytes.length / 1_000)} KB, and may have ${logoBytes / 1_000} KB at most`)
  const type = fileTypeOf(bytes)
  const size = imageSize(type, bytes)
  if (type === undefined || !logoTypes.includes(type)) return refused("must be a PNG, JPEG or WebP image")
  if (size === undefined) return refused("is damaged: its size cannot be read")
  if (Math.max(size.width, size.height) > logoPixels)
    return refused(`has ${size.width} × ${size.height} pixels, and may have ${logoPixels} × ${logoPixels} at most`)
  return { ...size, mediaType: mediaTypeOf(type), bytes }
}

export const isLogo = (read: LogoFile | FieldError): read is LogoFile => "bytes" in read
