// The signed head of a chain: a head that was sent out earlier shows that entries were cut off or the chain was rebuilt.

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Seal } from '#kit/crypto/seal.ts'
import { fieldsOf } from '#kit/runtime/narrow.ts'
import type { ChainEnd, VerifiedLinks } from './chain.ts'

export interface ChainHead {
  /** Which log: a tenant's id, or a word of the program. */
  log: string
  sequence: number
  /** Hexadecimal. */
  digest: string
  /** When it was signed, in ISO 8601. */
  at: string
}

/** How often heads are sent out. */
export const headSeconds = 86_400

/** Says that no head leaves the installation, and which settings that takes; null where one is mailed each day. */
export function whyHeadsStay({ AUDIT_EMAIL, SMTP_URL }: { AUDIT_EMAIL: string; SMTP_URL: string }): string | null {
  const absent = Object.entries({ AUDIT_EMAIL, SMTP_URL }).flatMap(([name, value]) => (value === 'none' ? name : []))
  if (absent.length === 0) return null
  return `no head was sent out: entries cut off at the end would not be noticed; set ${absent.join(' and ')}`
}

/** What comes before the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Made of the digest key, which stays when the keys of sealing are changed. */
const keyOf = (seal: Seal): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([pkcs8Head, seal.digest('', 'key of audit heads')]),
    format: 'der',
    type: 'pkcs8',
  })

const word = 'lendloom-head'

/** The head as one word, which mails carry unchanged. */
export function signedHead(seal: Seal, log: string, { sequence, digest }: ChainEnd, at: Date): string {
  const head: ChainHead = { log, sequence, digest: digest.toString('hex'), at: at.toISOString() }
  const content = Buffer.from(JSON.stringify(head)).toString('base64url')
  return [word, content, sign(null, Buffer.from(content), keyOf(seal)).toString('base64url')].join('.')
}

/** The heads in a text, as the source of a mail too, which breaks long lines; null stands for one whose signature does not hold. */
export function headsIn(seal: Seal, text: string): (ChainHead | null)[] {
  const key = createPublicKey(keyOf(seal))
  const found = text.replaceAll(/=\r?\n/g, '').matchAll(/lendloom-head\.([\w-]{1,1000})\.([\w-]{86})/g)
  return [...found].map(([, content = '', signature = '']) => {
    if (!verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64url'))) return null
    const { log, sequence, digest, at } = fieldsOf(JSON.parse(Buffer.from(content, 'base64url').toString()))
    return { log: String(log), sequence: Number(sequence), digest: String(digest), at: String(at) }
  })
}

/** What was found in a chain, held against the heads that were sent out of it. `digestAt` is that of an entry; null without one. */
export async function heldAgainst<Found extends VerifiedLinks>(
  found: Found,
  heads: ChainHead[],
  digestAt: (sequence: number) => Promise<Buffer | null>,
): Promise<Found> {
  for (const { sequence, digest, at } of found.fault ? [] : heads) {
    const kept = sequence === 0 ? null : await digestAt(sequence)
    const why =
      sequence > found.entries
        ? `it is missing, and was the head that was sent out on ${at}`
        : kept !== null && kept.toString('hex') !== digest && `it is not the entry that was sent out on ${at}`
    if (why) return { ...found, fault: { sequence: Math.min(sequence, found.entries + 1), why } }
  }
  return found
}
