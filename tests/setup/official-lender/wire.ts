// Network signatures, implemented only from FIS12 §5 (BLAKE2b-512 and Ed25519), without code of the platform.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'

// biome-ignore lint/suspicious/noExplicitAny: wire messages have any shape
export type Json = any

export interface Keys {
  privateKey: KeyObject
  /** Base64 of the 32 raw bytes. */
  publicKey: string
}

export function newKeys(): Keys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { privateKey, publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64') }
}

const spki = Buffer.from('302a300506032b6570032100', 'hex')
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicKeyOf = (base64: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([spki, Buffer.from(base64, 'base64')]), format: 'der', type: 'spki' })

/** Parses a private key as the specification prints it: base64 of seed and public key. */
export const privateKeyOf = (base64: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([pkcs8, Buffer.from(base64, 'base64').subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  })

const signingString = (raw: string | Buffer, created: string, expires: string): Buffer => {
  const digest = createHash('blake2b512').update(raw).digest('base64')
  return Buffer.from(`(created): ${created}\n(expires): ${expires}\ndigest: BLAKE-512=${digest}`)
}

export interface Signer {
  id: string
  keyId: string
  privateKey: KeyObject
}

/** Returns the value of `Authorization` or `X-Gateway-Authorization`. `at` is in Unix seconds. */
export function authorizationHeader(
  raw: string | Buffer,
  by: Signer,
  at = Math.floor(Date.now() / 1000),
  lifeSeconds = 3600,
): string {
  const created = String(at)
  const expires = String(at + lifeSeconds)
  const signature = sign(null, signingString(raw, created, expires), by.privateKey).toString('base64')
  const parts = {
    keyId: `${by.id}|${by.keyId}|ed25519`,
    algorithm: 'ed25519',
    created,
    expires,
    headers: '(created) (expires) digest',
    signature,
  }
  return `Signature ${Object.entries(parts)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}`
}

/** Returns the fault of a signature, or null. `keyOf` looks up a registered key; `sender` is the subscriber named in the body. */
export function signatureFault(
  raw: string | Buffer,
  header: string | undefined,
  sender: string | null,
  keyOf: (id: string, keyId: string) => string | undefined,
): string | null {
  if (!header?.startsWith('Signature ')) return 'the signature is missing'
  const parts = Object.fromEntries(
    [...header.slice(10).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const { keyId = '', algorithm, created = '', expires = '', headers, signature = '' } = parts
  const [id = '', key = '', keyAlgorithm] = keyId.split('|')
  if (keyAlgorithm !== 'ed25519' || algorithm !== 'ed25519') return `is signed by ${keyAlgorithm}, ${algorithm}`
  if (headers !== '(created) (expires) digest') return `signs ${headers}`
  const now = Date.now() / 1000
  if (!(Number(created) <= now + 5 && Number(expires) >= now && Number(created) < Number(expires)))
    return `is valid from ${created} to ${expires}, not now`
  if (sender !== null && id !== sender) return `is signed by ${id}, but sent by ${sender}`
  const publicKey = keyOf(id, key)
  if (publicKey === undefined) return `is signed by an unknown key ${id}|${key}`
  const isValid = verify(
    null,
    signingString(raw, created, expires),
    publicKeyOf(publicKey),
    Buffer.from(signature, 'base64'),
  )
  return isValid ? null : 'does not verify'
}
