// A software authenticator for tests: creates passkeys and signs challenges (WebAuthn level 3).
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Buffer): string => bytes.toString('base64url')

/** Encodes an authenticator's CBOR: small maps of numbers, texts and bytes. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, count: number): Buffer =>
    count < 24
      ? Buffer.from([(major << 5) | count])
      : count < 256
        ? Buffer.from([(major << 5) | 24, count])
        : Buffer.from([(major << 5) | 25, count >> 8, count & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, inner]) => [cbor(key), cbor(inner as Buffer)])
  return Buffer.concat([head(5, value.size), ...entries])
}

export interface Ceremony {
  challenge: string
  origin: string
  rpId: string
  /** Whether the user was verified by fingerprint, face or PIN. */
  isVerified?: boolean
  /** The count of the answer, as a copy of the device gives it; by default the next count. */
  count?: number
}

/** Creates one passkey on one device. */
export function newPasskey(userHandle: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(20)
  let counter = 0

  const clientData = (type: string, { challenge, origin }: Ceremony): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  function authenticatorData(
    { rpId, isVerified = true, count: ownCount }: Ceremony,
    attestedData: Buffer = Buffer.alloc(0),
  ): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(ownCount ?? counter++)
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attestedData.length > 0 ? 0x40 : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attestedData])
  }

  const credential = {
    id: base64url(credentialId),
    rawId: base64url(credentialId),
    type: 'public-key',
    clientExtensionResults: {},
  }
  return {
    create(ceremony: Ceremony) {
      const cose = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const length = Buffer.from([0, credentialId.length])
      const authData = authenticatorData(ceremony, Buffer.concat([Buffer.alloc(16), length, credentialId, cose]))
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', ceremony)),
        attestationObject: base64url(attestation),
      }
      return { ...credential, response }
    },
    get(ceremony: Ceremony) {
      const data = authenticatorData(ceremony)
      const client = clientData('webauthn.get', ceremony)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle,
      }
      return { ...credential, response }
    },
  }
}
