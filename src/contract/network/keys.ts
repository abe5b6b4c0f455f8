// Signing keys as the network writes them (FIS12 §5, Keys) and as Node wants them.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type Static, Type } from '#kit/http/schema.ts'

const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** A pair in the network's own formats: private 64 bytes (seed, then public key), public 32 bytes, both base64. */
export interface SigningKeys {
  privateKey: string
  publicKey: string
}

/** The private key object of a base64 text of 64 bytes (seed and public key) or of the 32-byte seed alone. Throws on any other length. */
export function signingKey(text: string): KeyObject {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32 && bytes.length !== 64) throw new Error('a signing key is 32 or 64 bytes in base64')
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, bytes.subarray(0, 32)]), format: 'der', type: 'pkcs8' })
}

/** The public key object of a base64 text of 32 bytes. Throws on any other length. */
export function verificationKey(text: string): KeyObject {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32) throw new Error('a signing public key is 32 bytes in base64')
  return createPublicKey({ key: Buffer.concat([spkiPrefix, bytes]), format: 'der', type: 'spki' })
}

/** The pair that grows from a 32-byte random seed. */
export function signingKeysFrom(seed: Uint8Array): SigningKeys {
  const publicKey = rawPublicKey(signingKey(Buffer.from(seed).toString('base64')))
  return { privateKey: Buffer.concat([seed, publicKey]).toString('base64'), publicKey: publicKey.toString('base64') }
}

const rawPublicKey = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(spkiPrefix.length)

/** A participant's key as the network's registry states it (FIS12 §6.1). */
export const Participant = Type.Object({
  subscriber_id: Type.String(),
  ukId: Type.String(),
  subscriber_url: Type.Optional(Type.String()),
  type: Type.String(),
  domain: Type.Optional(Type.String()),
  signing_public_key: Type.String(),
  valid_from: Type.String(),
  valid_until: Type.String(),
  status: Type.String(),
})

/** A key of a participant, as the registry states it. */
export type Participant = Static<typeof Participant>
