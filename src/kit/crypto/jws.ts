// JSON Web Signatures by jose: RS256 and nothing else, detached over the bytes of a body or compact around a JSON value.

import { createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import type * as Jose from 'jose'
import { load } from '#kit/runtime/load.ts'
import { lazily } from '#kit/runtime/record.ts'

const jose = lazily((): typeof Jose => load('jose'))

/** A key to sign with, and the name under which the other side finds its public half. */
export interface Signer {
  kid: string
  privateKey: KeyObject
}

/** The public half as a directory states it. */
export type PublicJwk = JsonWebKey & { kid: string }

/** Finds the key that a signature names; undefined when the directory does not have it. */
export type KeyOf = (kid: string) => KeyObject | undefined

const alg = 'RS256'
/** RS256 takes no shorter key (RFC 7518 §3.3). */
const fewestBits = 2048

export const newSigner = (kid: string): Signer => ({
  kid,
  privateKey: generateKeyPairSync('rsa', { modulusLength: fewestBits }).privateKey,
})

export const publicJwk = ({ kid, privateKey }: Signer): PublicJwk => ({
  ...createPublicKey(privateKey).export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg,
})

/** Accepts only RSA keys of at least 2048 bits; null for any other key. */
export function keyFromJwk(jwk: JsonWebKey): KeyObject | null {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    return key.asymmetricKeyType === 'rsa' && modulusLength >= fewestBits ? key : null
  } catch {
    return null
  }
}

/** The `x-jws-signature` of exactly these bytes: a JWS without its middle, over the unencoded payload (RFC 7797). */
export async function detachedSignature(body: Uint8Array | string, { kid, privateKey }: Signer): Promise<string> {
  const unsigned = new (jose().FlattenedSign)(Buffer.from(body))
  const jws = await unsigned.setProtectedHeader({ alg, kid, b64: false, crit: ['b64'] }).sign(privateKey)
  return `${jws.protected}..${jws.signature}`
}

/** Whether the key that the header names signed these bytes. `body` is as received: the same JSON in other bytes fails. */
export async function isSignedBy(body: Uint8Array | string, header = '', keyOf: KeyOf): Promise<boolean> {
  const [head, middle, signature = '', ...more] = header.split('.')
  if (middle !== '' || more.length > 0) return false
  // jose accepts a payload of bytes only when the header has `b64: false` and lists it in `crit`.
  const jws = { protected: head, payload: Buffer.from(body), signature }
  return (await verified(() => jose().flattenedVerify(jws, keyBy(keyOf), { algorithms: [alg] }))) !== null
}

/** An ordinary compact JWS of a JSON value. */
export const compactJws = (payload: object, { kid, privateKey }: Signer): Promise<string> =>
  new (jose().CompactSign)(Buffer.from(JSON.stringify(payload))).setProtectedHeader({ alg, kid }).sign(privateKey)

/** Returns the value of a compact JWS, or null when its signature is invalid. */
export async function openCompactJws(text: string, keyOf: KeyOf): Promise<unknown> {
  const jws = await verified(() => jose().compactVerify(text, keyBy(keyOf), { algorithms: [alg] }))
  if (jws === null || jws.protectedHeader.crit !== undefined) return null
  try {
    return JSON.parse(Buffer.from(jws.payload).toString('utf8'))
  } catch {
    return null
  }
}

/** The key that a signature of either kind names; undefined when it names none. */
export function kidOf(signature: string): string | undefined {
  try {
    return jose().decodeProtectedHeader(signature).kid
  } catch {
    return undefined
  }
}

const keyBy =
  (keyOf: KeyOf) =>
  ({ kid }: { kid?: unknown }): KeyObject => {
    const key = typeof kid === 'string' ? keyOf(kid) : undefined
    if (!key) throw new (jose().errors.JWKSNoMatchingKey)()
    return key
  }

/** jose throws a JOSEError for a signature and a TypeError for a key of another kind or length. */
async function verified<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof jose().errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
