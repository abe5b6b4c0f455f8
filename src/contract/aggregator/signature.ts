// Signatures of the account-aggregator network: detached over each body, compact inside a consent; RS256 and nothing else (ReBIT 2.x).

import { createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto'
import { fieldsOf } from '#kit/runtime/narrow.ts'

/** A key to sign with, and the name under which the other side finds its public half. */
export interface Signer {
  kid: string
  privateKey: KeyObject
}

/** The public half as a directory states it. */
export type PublicJwk = JsonWebKey & { kid: string }

/** The key that a signature names, or undefined when the directory has none of that name. */
export type KeyOf = (kid: string) => KeyObject | undefined

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
  alg: 'RS256',
})

/** RSA of at least 2048 bits alone; null for any other key. */
export function keyFromJwk(jwk: JsonWebKey): KeyObject | null {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    return key.asymmetricKeyType === 'rsa' && modulusLength >= fewestBits ? key : null
  } catch {
    return null
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The `x-jws-signature` of exactly these bytes: a JWS without its middle, over the unencoded payload (RFC 7797). */
export function detachedSignature(body: Uint8Array | string, { kid, privateKey }: Signer): string {
  const header = encoded({ alg: 'RS256', kid, b64: false, crit: ['b64'] })
  return `${header}..${sign('sha256', signingInput(header, body), privateKey).toString('base64url')}`
}

/** Whether these bytes were signed by the key that the header names. Over the bytes received: spelled anew they differ. */
export function isSignedBy(body: Uint8Array | string, header: string | undefined, keyOf: KeyOf): boolean {
  const [head = '', middle, signature, ...more] = (header ?? '').split('.')
  if (middle !== '' || !signature || more.length > 0) return false
  const { alg, kid, b64, crit } = headerIn(head)
  const isDetached = b64 === false && Array.isArray(crit) && crit.length === 1 && crit[0] === 'b64'
  return alg === 'RS256' && isDetached && verified(signingInput(head, body), kid, signature, keyOf)
}

const signingInput = (head: string, body: Uint8Array | string): Buffer =>
  Buffer.concat([Buffer.from(`${head}.`), Buffer.from(body)])

/** An ordinary compact JWS of a JSON value. */
export function compactJws(payload: object, { kid, privateKey }: Signer): string {
  const input = `${encoded({ alg: 'RS256', kid })}.${encoded(payload)}`
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
}

/** The value that a compact JWS carries, or null when its signature does not hold. */
export function openCompactJws(text: string, keyOf: KeyOf): unknown {
  const [head = '', payload = '', signature, ...more] = text.split('.')
  const { alg, kid, crit } = headerIn(head)
  if (!signature || more.length > 0 || alg !== 'RS256' || crit !== undefined) return null
  if (!verified(Buffer.from(`${head}.${payload}`), kid, signature, keyOf)) return null
  return jsonIn(payload)
}

/** The key that a signature of either kind names; undefined when it names none. */
export const kidOf = (signature: string | undefined): string | undefined => {
  const { kid } = headerIn(signature?.split('.')[0] ?? '')
  return typeof kid === 'string' ? kid : undefined
}

function verified(input: Buffer, kid: unknown, signature: string, keyOf: KeyOf): boolean {
  const key = typeof kid === 'string' ? keyOf(kid) : undefined
  return key?.asymmetricKeyType === 'rsa' && verify('sha256', input, key, Buffer.from(signature, 'base64url'))
}

const headerIn = (head: string): Record<string, unknown> => fieldsOf(jsonIn(head))

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
