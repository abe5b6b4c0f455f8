// Signs and verifies messages: Ed25519 over a BLAKE2b-512 digest of the body, in one header (FIS12 §5, §6.1).
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { cache } from '@lendloom/foundation/cache'
import { type Static, Type } from '@lendloom/foundation/schema'

/** Why a signature is invalid, in the order of the checks in FIS12 §5. */
export type SignatureFault =
  | 'absent' // no header
  | 'malformed' // not a `Signature` with its parameters
  | 'wrong-algorithm' // not ed25519
  | 'wrong-headers' // the signed headers are not created, expires and digest, in this order
  | 'not-yet-valid' // created in the future, beyond the skew
  | 'expired'
  | 'valid-too-long' // expires more than a day after created
  | 'wrong-sender' // signed by a party other than the context's sender
  | 'bad-signature' // the key did not sign these bytes

/** The key that a header claims to be signed with, before verification. */
export interface ClaimedKey {
  subscriberId: string
  uniqueKeyId: string
}

export interface Signature extends ClaimedKey {
  created: number
  expires: number
  signature: string
}

export type Verification<Value> = ({ ok: true } & Value) | { ok: false; fault: SignatureFault }

export interface MessageSigner extends ClaimedKey {
  privateKey: string
  at: Date
  lifeSeconds?: number
}

export interface MessageArrival {
  header: string | undefined
  at: Date
  /** `context.bap_id` of a request, `context.bpp_id` of a callback; omitted for the gateway's header. */
  sender?: string | undefined
  /** The allowed difference between the sender's clock and ours; by default a minute. */
  skewSeconds?: number | undefined
}

/** The BLAKE2b-512 digest of the bytes in base64. The network calls this algorithm BLAKE-512. */
export const digestOf = (rawBody: Uint8Array | string): string =>
  createHash('blake2b512').update(rawBody).digest('base64')

const signingString = (created: number, expires: number, rawBody: Uint8Array | string): Buffer =>
  Buffer.from(`(created): ${created}\n(expires): ${expires}\ndigest: BLAKE-512=${digestOf(rawBody)}`)

/** The value of `Authorization` (or `X-Gateway-Authorization`) for exactly these bytes. */
export function signatureHeader(rawBody: Uint8Array | string, signer: MessageSigner): string {
  const { subscriberId, uniqueKeyId, privateKey, at, lifeSeconds = 300 } = signer
  const created = Math.floor(at.getTime() / 1000)
  const expires = created + lifeSeconds
  const signature = sign(null, signingString(created, expires, rawBody), cachedKey(signingKey, privateKey))
  return (
    `Signature keyId="${subscriberId}|${uniqueKeyId}|ed25519",algorithm="ed25519",created="${created}",` +
    `expires="${expires}",headers="(created) (expires) digest",signature="${signature.toString('base64')}"`
  )
}

/** Returns the key to look up in the registry; null if the header is unreadable. */
export function claimedKeyOf(header: string | undefined): ClaimedKey | null {
  const read = readSignature(header)
  return read.ok ? { subscriberId: read.signature.subscriberId, uniqueKeyId: read.signature.uniqueKeyId } : null
}

const requiredParameters = ['keyId', 'created', 'expires', 'headers', 'signature']
const parameters = [...requiredParameters, 'algorithm']

/**
 * Steps 1 and 2 of FIS12 §5: parses the parameters; accepts only ed25519 over created, expires and digest. As HTTP and the
 * draft of signatures allow, the scheme may be in any case, times may be without quotes, and the algorithm, which the
 * key's id repeats, may be absent.
 */
export function readSignature(header: string | undefined): Verification<{ signature: Signature }> {
  if (!header) return { ok: false, fault: 'absent' }
  const body = /^signature (.+)$/i.exec(header.trim())?.[1]
  const parts = body?.split(/,\s*(?=[A-Za-z]+=["\d])/) ?? []
  const pairs = parts.flatMap((part) => [...part.matchAll(/^([A-Za-z]+)=(?:"([^"]*)"|(\d+))$/g)])
  const read: Partial<Record<string, string>> = Object.fromEntries(
    pairs.map(([, name, quoted, number]) => [name, quoted ?? number]),
  )
  const names = Object.keys(read)
  const isComplete = names.length === parts.length && requiredParameters.every((name) => Object.hasOwn(read, name))
  if (!isComplete || !names.every((name) => parameters.includes(name))) return { ok: false, fault: 'malformed' }
  const { keyId = '', created: from = '', expires: until = '', signature = '' } = read
  const [subscriberId, uniqueKeyId, keyAlgorithm, ...more] = keyId.split('|')
  const isWellFormed = subscriberId && uniqueKeyId && keyAlgorithm && more.length === 0
  if (!isWellFormed || !/^\d{1,12}$/.test(from) || !/^\d{1,12}$/.test(until)) return { ok: false, fault: 'malformed' }
  const { algorithm = keyAlgorithm } = read
  if (keyAlgorithm !== 'ed25519' || algorithm !== 'ed25519') return { ok: false, fault: 'wrong-algorithm' }
  // The network's examples have different spaces in this list, or no spaces.
  if (read.headers?.replaceAll(/\s/g, '') !== '(created)(expires)digest') return { ok: false, fault: 'wrong-headers' }
  return {
    ok: true,
    signature: { subscriberId, uniqueKeyId, created: Number(from), expires: Number(until), signature },
  }
}

/** Limits replays of a signature. Other parties sign for up to an hour. */
const maxLifeSeconds = 86_400

/** Steps 1 to 4 of FIS12 §5: all checks that need no key. */
export function checkClaim({
  header,
  at,
  sender,
  skewSeconds = 60,
}: MessageArrival): Verification<{ signature: Signature }> {
  const read = readSignature(header)
  if (!read.ok) return read
  const { created, expires, subscriberId } = read.signature
  const now = at.getTime() / 1000
  if (created > now + skewSeconds) return { ok: false, fault: 'not-yet-valid' }
  if (expires < now - skewSeconds || created >= expires) return { ok: false, fault: 'expired' }
  if (expires - created > maxLifeSeconds) return { ok: false, fault: 'valid-too-long' }
  if (sender !== undefined && subscriberId !== sender) return { ok: false, fault: 'wrong-sender' }
  return read
}

/** Steps 1 to 4 and 6 of FIS12 §5. `rawBody` is the body as received; `publicKey` is base64, as in the registry. */
export function verifySignature(
  rawBody: Uint8Array | string,
  publicKey: string,
  arrival: MessageArrival,
): Verification<{ signature: Signature }> {
  const claim = checkClaim(arrival)
  if (!claim.ok) return claim
  const { created, expires, signature } = claim.signature
  const bytes = Buffer.from(signature, 'base64')
  const isValid =
    bytes.length === 64 &&
    verify(null, signingString(created, expires, rawBody), cachedKey(verificationKey, publicKey), bytes)
  return isValid ? claim : { ok: false, fault: 'bad-signature' }
}

/** Cached, because creating a key object costs more than verifying a signature. */
const keyObjects = cache<KeyObject>({
  name: 'network-keys',
  maxBytes: 2 << 20,
  lifetimeMs: 3_600_000,
  weigh: () => 1800,
})
function cachedKey(create: (text: string) => KeyObject, text: string): KeyObject {
  const existing = keyObjects.get(`${create.name} ${text}`)
  if (existing) return existing
  const key = create(text)
  keyObjects.set(`${create.name} ${text}`, key)
  return key
}

const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** A key pair in base64. The private key has 64 bytes (seed, then public key), the public key 32 bytes. */
export interface SigningKeys {
  privateKey: string
  publicKey: string
}

/** Creates a private key from base64: 64 bytes (seed, public key) or the 32-byte seed. Throws on any other length. */
export function signingKey(text: string): KeyObject {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32 && bytes.length !== 64) throw new Error('a signing key is 32 or 64 bytes in base64')
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, bytes.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  })
  if (bytes.length === 64 && !rawPublicKey(key).equals(bytes.subarray(32)))
    throw new Error('the public half of a signing key is not that of its seed')
  return key
}

/** Creates a public key from base64. Throws if it is not 32 bytes. */
export function verificationKey(text: string): KeyObject {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32) throw new Error('a signing public key is 32 bytes in base64')
  return createPublicKey({ key: Buffer.concat([spkiPrefix, bytes]), format: 'der', type: 'spki' })
}

/** The base64 of the 32 bytes, of a key that a registry lists as SPKI in DER; another text as it is. */
export function rawVerificationKey(text: string): string {
  const bytes = Buffer.from(text, 'base64')
  const isSpki = bytes.length === 44 && bytes.subarray(0, spkiPrefix.length).equals(spkiPrefix)
  return isSpki ? bytes.subarray(spkiPrefix.length).toString('base64') : text
}

/** The same pair for the same seed of 32 bytes. */
export function signingKeysFrom(seed: Uint8Array): SigningKeys {
  const publicKey = rawPublicKey(signingKey(Buffer.from(seed).toString('base64')))
  return { privateKey: Buffer.concat([seed, publicKey]).toString('base64'), publicKey: publicKey.toString('base64') }
}

const rawPublicKey = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(spkiPrefix.length)

/** A participant's key in the registry (FIS12 §6.1). */
export const Participant = Type.Object({
  subscriber_id: Type.String(),
  ukId: Type.String(),
  subscriber_url: Type.Optional(Type.String()),
  type: Type.String(),
  domain: Type.Optional(Type.String()),
  signing_public_key: Type.String(),
  encr_public_key: Type.Optional(Type.String()),
  valid_from: Type.String(),
  valid_until: Type.String(),
  status: Type.String(),
})

export type Participant = Static<typeof Participant>
