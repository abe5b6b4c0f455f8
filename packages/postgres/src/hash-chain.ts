// A hash chain of entries. A signed head that was sent out earlier reveals entries that were removed later.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { canonicalJson } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import type { Seal } from '@lendloom/seal/seal'

/** The last entry of a chain. */
export interface ChainEnd {
  sequence: number
  digest: Buffer
}

/** The predecessor digest of a chain's first entry. */
export const firstDigest = Buffer.alloc(32)

/** Returns SHA-256 of the previous digest and the entry as canonical JSON. */
export const linkDigest = (previousDigest: Buffer, entry: Record<string, unknown>): Buffer =>
  hash('sha256', Buffer.concat([previousDigest, Buffer.from(canonicalJson(entry))]), 'buffer')

/** The result of verifying a chain. */
export interface VerifiedLinks {
  /** The number of valid entries before the first invalid entry. */
  entries: number
  /** Hexadecimal digest of the last valid entry, to compare with a copy stored elsewhere. */
  digest: string
  /** The first invalid entry and the reason; null when all entries are valid. */
  fault: { sequence: number; why: string } | null
}

interface Links<Row extends ChainEnd> {
  rowsAfter(sequence: number, limit: number): Promise<Row[]>
  end(): Promise<ChainEnd | undefined>
  /** Computes the digest of an entry from the previous digest and the entry's content. */
  digestOf(previousDigest: Buffer, row: Row): Buffer
}

const pageRows = 1000

/** Verifies a whole chain. */
export async function verifyLinks<Row extends ChainEnd>({
  rowsAfter,
  end,
  digestOf,
}: Links<Row>): Promise<VerifiedLinks> {
  let last: number = 0
  let digest: Buffer = firstDigest
  const resultWith = (fault: VerifiedLinks['fault']): VerifiedLinks => {
    return { entries: last, digest: digest.toString('hex'), fault }
  }
  for (;;) {
    const rows = await rowsAfter(last, pageRows)
    for (const row of rows) {
      if (row.sequence !== last + 1) return resultWith({ sequence: last + 1, why: 'it is missing' })
      if (!digestOf(digest, row).equals(row.digest))
        return resultWith({
          sequence: row.sequence,
          why: 'its digest is wrong: this entry or the previous one was changed',
        })
      last = row.sequence
      digest = row.digest
    }
    if (rows.length < pageRows) break
  }
  const storedEnd = await end()
  if (!storedEnd) return resultWith(last === 0 ? null : { sequence: last, why: 'the end of the chain is missing' })
  if (storedEnd.sequence > last) return resultWith({ sequence: last + 1, why: 'it is missing at the end' })
  if (storedEnd.sequence < last || !storedEnd.digest.equals(digest))
    return resultWith({ sequence: last, why: 'it is not the end of the chain' })
  return resultWith(null)
}

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
