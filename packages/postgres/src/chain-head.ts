// Signed heads of a hash chain, which are sent out, and later reveal that entries were removed or the chain was rebuilt.

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { fieldsOf } from '@lendloom/foundation/record'
import type { Seal } from '@lendloom/seal/seal'
import type { ChainEnd, VerifiedLinks } from './hash-chain.ts'

/** The signed head of a chain, which later reveals that entries were removed or the chain was rebuilt. */
export interface ChainHead {
  /** The id of a tenant, or the name of the program's own log. */
  log: string
  sequence: number
  /** Hexadecimal. */
  digest: string
  /** When it was signed, in ISO 8601. */
  at: string
}

/** How often heads are sent out. */
export const headSeconds = 86_400

/** Explains why no head is mailed, and which settings are missing; null when heads are mailed. */
export function whyHeadsAreNotSent({
  AUDIT_EMAIL,
  SMTP_URL,
}: {
  AUDIT_EMAIL: string
  SMTP_URL: string
}): string | null {
  const absent = Object.entries({ AUDIT_EMAIL, SMTP_URL }).flatMap(([name, value]) => (value === 'none' ? name : []))
  if (absent.length === 0) return null
  return `no head was sent out: entries cut off at the end would not be noticed; set ${absent.join(' and ')}`
}

/** The bytes before the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derived from the digest key, which stays the same when the sealing keys are rotated. */
const keyOf = (seal: Seal): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([pkcs8Head, seal.digest('', 'key of audit heads')]),
    format: 'der',
    type: 'pkcs8',
  })

const headPrefix = 'lendloom-head'

/** Returns the signed head as one word, for a mail. */
export function signHead(seal: Seal, log: string, { sequence, digest }: ChainEnd, at: Date): string {
  const head: ChainHead = { log, sequence, digest: digest.toString('hex'), at: at.toISOString() }
  const content = Buffer.from(JSON.stringify(head)).toString('base64url')
  return [headPrefix, content, sign(null, Buffer.from(content), keyOf(seal)).toString('base64url')].join('.')
}

/** Reads the heads in a text or in the source of a mail; null for a head with a wrong signature. */
export function readHeads(seal: Seal, text: string): (ChainHead | null)[] {
  const key = createPublicKey(keyOf(seal))
  const matches = text.replaceAll(/=\r?\n/g, '').matchAll(/lendloom-head\.([\w-]{1,1000})\.([\w-]{86})/g)
  return [...matches].map(([, content = '', signature = '']) => {
    if (!verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64url'))) return null
    const { log, sequence, digest, at } = fieldsOf(JSON.parse(Buffer.from(content, 'base64url').toString()))
    return { log: String(log), sequence: Number(sequence), digest: String(digest), at: String(at) }
  })
}

/**
 * Compares a verified chain with heads that were sent out earlier. `digestAt` returns the digest of an entry; null if
 * the entry does not exist.
 */
export async function compareWithHeads<Verified extends VerifiedLinks>(
  verified: Verified,
  heads: ChainHead[],
  digestAt: (sequence: number) => Promise<Buffer | null>,
): Promise<Verified> {
  for (const { sequence, digest, at } of verified.fault ? [] : heads) {
    const storedDigest = sequence === 0 ? null : await digestAt(sequence)
    const why =
      sequence > verified.entries
        ? `it is missing, and was the head that was sent out on ${at}`
        : storedDigest !== null &&
          storedDigest.toString('hex') !== digest &&
          `it is not the entry that was sent out on ${at}`
    if (why) return { ...verified, fault: { sequence: Math.min(sequence, verified.entries + 1), why } }
  }
  return verified
}
