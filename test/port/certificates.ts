/** Issues X.509 certificates for tests, encoded in DER here (RFC 5280), because Node.js has no function for it. */
import { createHash, generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult, sign } from "node:crypto"
import { isIP } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { Effect } from "effect"

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const size = Buffer.from(content.length.toString(16).padStart(4, "0"), "hex")
  const length = content.length < 128 ? Buffer.of(content.length) : Buffer.concat([Buffer.of(0x82), size])
  return Buffer.concat([Buffer.of(tag), length, content])
}
const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
const integer = (value: number) => der(0x02, Buffer.of(value))
const octets = (value: Uint8Array) => der(0x04, value)
const bits = (value: Uint8Array) => der(0x03, Buffer.of(0), value)
const text = (value: string) => der(0x0c, Buffer.from(value))
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`))
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
const name = (commonName: string) => sequence(der(0x31, sequence(oid("550403"), text(commonName))))
const basicConstraints = (authority: boolean) =>
  sequence(
    oid("551d13"),
    der(0x01, Buffer.of(0xff)),
    octets(sequence(...(authority ? [der(0x01, Buffer.of(0xff))] : []))),
  )
const alternativeNames = (hosts: ReadonlyArray<string>) =>
  sequence(
    oid("551d11"),
    octets(
      sequence(
        ...hosts.map((host) =>
          isIP(host) === 4 ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host)),
        ),
      ),
    ),
  )
const keyId = (spki: Buffer) => sequence(oid("551d0e"), octets(octets(createHash("sha1").update(spki).digest())))

/** `key` and `cert` are PEM. */
interface Certificate {
  readonly key: string
  readonly cert: string
  readonly name: string
  readonly privateKey: KeyObject
}

interface IssueOptions {
  readonly name: string
  /** DNS names and IPv4 addresses; none for an authority. */
  readonly hosts?: ReadonlyArray<string>
  /** From 1 January to 1 January. */
  readonly years?: readonly [number, number]
  /** Self-signed by default. */
  readonly issuer?: Certificate
  /** A new pair of P-256 by default. */
  readonly keys?: KeyPairKeyObjectResult
}

let serial = 0

export const issue = ({
  hosts = [],
  issuer,
  keys = generateKeyPairSync("ec", { namedCurve: "P-256" }),
  name: subject,
  years: [from, until] = [2020, 2120],
}: IssueOptions): Certificate => {
  const { privateKey, publicKey } = keys
  const spki = publicKey.export({ type: "spki", format: "der" })
  serial += 1
  const extensions = [
    basicConstraints(hosts.length === 0),
    keyId(spki),
    ...(hosts.length === 0 ? [] : [alternativeNames(hosts)]),
  ]
  const content = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    ecdsaWithSha256,
    name(issuer?.name ?? subject),
    sequence(time(from), time(until)),
    name(subject),
    spki,
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign("sha256", content, issuer?.privateKey ?? privateKey)
  const cert =
    sequence(content, ecdsaWithSha256, bits(signature))
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  return {
    name: subject,
    privateKey,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.join("\n")}\n-----END CERTIFICATE-----\n`,
  }
}

/** Until the scope closes. */
export const trusting = ({ cert }: Certificate) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = getCACertificates("default")
      setDefaultCACertificates([...before, cert])
      return before
    }),
    (before) => Effect.sync(() => setDefaultCACertificates(before)),
  )
