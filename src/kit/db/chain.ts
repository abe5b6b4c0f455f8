// A chain of entries: each one's digest covers the one before, so that nothing in the middle can be changed, taken out or put in
// without being seen.

import { hash } from 'node:crypto'
import { canonicalJson } from '#kit/runtime/canonical-json.ts'

/** The last entry of a chain. */
export interface ChainEnd {
  /** The number of entries. */
  sequence: number
  digest: Buffer
}

/** What the first entry of a chain stands on. */
export const firstDigest = Buffer.alloc(32)

/** SHA-256 of the digest before and of the entry as canonical JSON. */
export const linkDigest = (before: Buffer, entry: Record<string, unknown>): Buffer =>
  hash('sha256', Buffer.concat([before, Buffer.from(canonicalJson(entry))]), 'buffer')

/** What was found in a chain. */
export interface VerifiedLinks {
  /** That fit, up to the first one that does not. */
  entries: number
  /** Hexadecimal, of the last one that fits: whoever noted it elsewhere can compare. */
  digest: string
  /** The first entry that does not fit, and why; null when all do. */
  fault: { sequence: number; why: string } | null
}

/** How a chain is read. */
export interface Links<Row extends ChainEnd> {
  /** In their order, behind the number given. */
  rowsAfter(sequence: number, limit: number): Promise<Row[]>
  end(): Promise<ChainEnd | undefined>
  /** What the digest of an entry covers. */
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
