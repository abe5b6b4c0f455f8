// JSON Web Signatures, only with RS256: detached signatures of a body, and compact signatures with a JSON value.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  sign,
  verify,
} from 'node:crypto'
import { lazily } from '@lendloom/foundation/lazily'
import { load } from '@lendloom/foundation/load-package'
import { required } from '@lendloom/foundation/required'
import type * as Jose from 'jose'

const jose = lazily((): typeof Jose => load('jose'))

/** A signing key, and the id by which receivers find its public key. */
export interface Signer {
  kid: string
  privateKey: KeyObject
}

/** The public key, as a directory publishes it. */
export type PublicJwk = JsonWebKey & { kid: string }

/** Finds the key that a signature names; undefined when the directory does not have it. */
export type KeyOf = (kid: string) => KeyObject | undefined

const alg = 'RS256'
/** RS256 requires this key size or a larger one (RFC 7518 §3.3). */
const minKeyBits = 2048

export const newSigner = (kid: string): Signer => ({
  kid,
  privateKey: generateKeyPairSync('rsa', { modulusLength: minKeyBits }).privateKey,
})

/** The signer of a setting: `text` as `privateKeyFrom` reads it. If empty, a new key with an id of its own. */
export const signerFrom = (kid: string, text: string): Signer =>
  text === ''
    ? newSigner(`${kid}-${randomUUID()}`)
    : { kid, privateKey: required(privateKeyFrom(text), `the RSA key ${kid}`) }

/** Reads base64 of PKCS #8 DER. Accepts only RSA keys of at least 2048 bits; null for any other text. */
export const privateKeyFrom = (text: string): KeyObject | null =>
  rsaKeyOrNull(() => createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }))

/** Whether the public numbers of a private key verify what its private numbers sign. */
export function isConsistentPair(privateKey: KeyObject): boolean {
  try {
    return verify(
      'sha256',
      Buffer.from('pair'),
      createPublicKey(privateKey),
      sign('sha256', Buffer.from('pair'), privateKey),
    )
  } catch {
    return false
  }
}

export const publicJwk = ({ kid, privateKey }: Signer): PublicJwk => ({
  ...createPublicKey(privateKey).export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg,
})

/** Accepts only RSA keys of at least 2048 bits; null for any other key. */
export const keyFromJwk = (jwk: JsonWebKey): KeyObject | null =>
  rsaKeyOrNull(() => createPublicKey({ key: jwk, format: 'jwk' }))

function rsaKeyOrNull(read: () => KeyObject): KeyObject | null {
  try {
    const key = read()
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    return key.asymmetricKeyType === 'rsa' && modulusLength >= minKeyBits ? key : null
  } catch {
    return null
  }
}

/** Returns the `x-jws-signature` of a body: a JWS without the payload part, over the unencoded bytes (RFC 7797). */
export async function detachedSignature(body: Uint8Array | string, { kid, privateKey }: Signer): Promise<string> {
  const unsigned = new (jose().FlattenedSign)(Buffer.from(body))
  const jws = await unsigned.setProtectedHeader({ alg, kid, b64: false, crit: ['b64'] }).sign(privateKey)
  return `${jws.protected}..${jws.signature}`
}

/** Whether the key that the header names signed these bytes. `body` must be the bytes as received. */
export async function isSignedBy(body: Uint8Array | string, header = '', keyOf: KeyOf): Promise<boolean> {
  const [protectedHeader, payload, signature = '', ...more] = header.split('.')
  if (payload !== '' || more.length > 0) return false
  // jose accepts a payload of bytes only when the header has `b64: false` and lists it in `crit`.
  const jws = { protected: protectedHeader, payload: Buffer.from(body), signature }
  return (await verifyOrNull(() => jose().flattenedVerify(jws, keyFinder(keyOf), { algorithms: [alg] }))) !== null
}

export const compactJws = (payload: object, { kid, privateKey }: Signer): Promise<string> =>
  new (jose().CompactSign)(Buffer.from(JSON.stringify(payload))).setProtectedHeader({ alg, kid }).sign(privateKey)

/** Returns the value of a compact JWS, or null when its signature is invalid. */
export async function openCompactJws(text: string, keyOf: KeyOf): Promise<unknown> {
  const jws = await verifyOrNull(() => jose().compactVerify(text, keyFinder(keyOf), { algorithms: [alg] }))
  if (jws === null || jws.protectedHeader.crit !== undefined) return null
  try {
    return JSON.parse(Buffer.from(jws.payload).toString('utf8'))
  } catch {
    return null
  }
}

/** Returns the key id of a detached or compact signature; undefined without one. */
export function kidOf(signature: string): string | undefined {
  try {
    return jose().decodeProtectedHeader(signature).kid
  } catch {
    return undefined
  }
}

const keyFinder =
  (keyOf: KeyOf) =>
  ({ kid }: { kid?: unknown }): KeyObject => {
    const key = typeof kid === 'string' ? keyOf(kid) : undefined
    if (!key) throw new (jose().errors.JWKSNoMatchingKey)()
    return key
  }

/** Returns null for an invalid signature (a JOSEError of jose) and for an unsuitable key (a TypeError). */
async function verifyOrNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof jose().errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
