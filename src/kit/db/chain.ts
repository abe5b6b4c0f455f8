// A hash chain of entries. A signed head that was sent out earlier reveals entries that were cut off later.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import type { Seal } from '#kit/crypto/seal.ts'
import { canonicalJson, fieldsOf } from '#kit/runtime/record.ts'

/** The last entry of a chain. */
export interface ChainEnd {
  /** The number of entries. */
  sequence: number
  digest: Buffer
}

/** The predecessor digest of a chain's first entry. */
export const firstDigest = Buffer.alloc(32)

/** SHA-256 of the digest before and of the entry as canonical JSON. */
export const linkDigest = (before: Buffer, entry: Record<string, unknown>): Buffer =>
  hash('sha256', Buffer.concat([before, Buffer.from(canonicalJson(entry))]), 'buffer')

/** The result of verifying a chain. */
export interface VerifiedLinks {
  /** That fit, up to the first one that does not. */
  entries: number
  /** Hexadecimal digest of the last entry that fits, to compare with a copy noted elsewhere. */
  digest: string
  /** The first entry that does not fit, and why; null when all do. */
  fault: { sequence: number; why: string } | null
}

/** How a chain is read. */
interface Links<Row extends ChainEnd> {
  /** In their order, behind the number given. */
  rowsAfter(sequence: number, limit: number): Promise<Row[]>
  end(): Promise<ChainEnd | undefined>
  /** The digest of an entry, over the previous digest and its content. */
  digestOf(before: Buffer, row: Row): Buffer
}

const pageRows = 1000

/** Reads a whole chain. */
export async function verifyLinks<Row extends ChainEnd>({
  rowsAfter,
  end,
  digestOf,
}: Links<Row>): Promise<VerifiedLinks> {
  let [last, digest]: [number, Buffer] = [0, firstDigest]
  const found = (fault: VerifiedLinks['fault']): VerifiedLinks => {
    return { entries: last, digest: digest.toString('hex'), fault }
  }
  for (;;) {
    const rows = await rowsAfter(last, pageRows)
    for (const row of rows) {
      if (row.sequence !== last + 1) return found({ sequence: last + 1, why: 'it is missing' })
      if (!digestOf(digest, row).equals(row.digest))
        return found({ sequence: row.sequence, why: 'its digest does not fit: it, or the one before, was changed' })
      ;[last, digest] = [row.sequence, row.digest]
    }
    if (rows.length < pageRows) break
  }
  const noted = await end()
  if (!noted) return found(last === 0 ? null : { sequence: last, why: 'the end of the chain is missing' })
  if (noted.sequence > last) return found({ sequence: last + 1, why: 'it is missing at the end' })
  if (noted.sequence < last || !noted.digest.equals(digest))
    return found({ sequence: last, why: 'it is not the end of the chain' })
  return found(null)
}

/** The signed head of a chain: a head that was sent out earlier shows that entries were cut off or the chain was rebuilt. */
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

/**
 * Explains that no chain head leaves the installation, and which settings change that; null when one is mailed each
 * day.
 */
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

/** Made of the digest key, which stays when the keys of sealing are changed. */
const keyOf = (seal: Seal): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([pkcs8Head, seal.digest('', 'key of audit heads')]),
    format: 'der',
    type: 'pkcs8',
  })

const word = 'lendloom-head'

/** The head as one word, which mails carry unchanged. */
export function signHead(seal: Seal, log: string, { sequence, digest }: ChainEnd, at: Date): string {
  const head: ChainHead = { log, sequence, digest: digest.toString('hex'), at: at.toISOString() }
  const content = Buffer.from(JSON.stringify(head)).toString('base64url')
  return [word, content, sign(null, Buffer.from(content), keyOf(seal)).toString('base64url')].join('.')
}

/** The heads in a text, which may be the source of a mail with broken lines; null for one with a wrong signature. */
export function readHeads(seal: Seal, text: string): (ChainHead | null)[] {
  const key = createPublicKey(keyOf(seal))
  const found = text.replaceAll(/=\r?\n/g, '').matchAll(/lendloom-head\.([\w-]{1,1000})\.([\w-]{86})/g)
  return [...found].map(([, content = '', signature = '']) => {
    if (!verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64url'))) return null
    const { log, sequence, digest, at } = fieldsOf(JSON.parse(Buffer.from(content, 'base64url').toString()))
    return { log: String(log), sequence: Number(sequence), digest: String(digest), at: String(at) }
  })
}

/**
 * Compares a verified chain with heads that were sent out earlier. `digestAt` returns the digest of an entry; null
 * without one.
 */
export async function compareWithHeads<Found extends VerifiedLinks>(
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
