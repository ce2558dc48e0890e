/** An authenticator in software (WebAuthn Level 3): makes one passkey and signs with it. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

/** RFC 8949, 3: the type and the length or value. */
const head = (type: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(type << 5) | value])
    : value < 256
      ? Buffer.from([(type << 5) | 24, value])
      : Buffer.from([(type << 5) | 25, value >> 8, value & 255])

const cbor = (value: Cbor): Buffer => {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest()

const flags = { present: 1, verified: 4, attested: 64 }

export interface Ceremony {
  readonly challenge: string
  readonly origin: string
  readonly domain: string
}

export const make = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x = "", y = "" } = publicKey.export({ format: "jwk" })
  const id = randomBytes(32)
  let counter = 0

  const client = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }))

  const dataOf = ({ domain }: Ceremony, flag: number, attested = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(domain), Buffer.from([flag]), count, attested])
  }

  const text = (bytes: Buffer) => bytes.toString("base64url")
  const answer = (response: object) => JSON.stringify({ id: text(id), rawId: text(id), type: "public-key", response })

  return {
    id: text(id),
    /** As passkey.js sends a new passkey. */
    create: (ceremony: Ceremony): string => {
      const key = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
        ]),
      )
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const authData = dataOf(ceremony, flags.present | flags.verified | flags.attested, attested)
      const attestation = new Map<string, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ])
      return answer({
        clientDataJSON: text(client("create", ceremony)),
        attestationObject: text(cbor(attestation)),
        transports: ["internal", "unknown"],
      })
    },
    /** As passkey.js sends a signature. `isVerified`: by the lock of the device. */
    get: (ceremony: Ceremony, isVerified = true): string => {
      counter += 1
      const clientData = client("get", ceremony)
      const data = dataOf(ceremony, flags.present | (isVerified ? flags.verified : 0))
      const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), privateKey)
      return answer({
        clientDataJSON: text(clientData),
        authenticatorData: text(data),
        signature: text(signature),
      })
    },
  }
}
