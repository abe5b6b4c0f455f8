// A hash chain of entries. A signed head that was sent out earlier reveals entries that were removed later.
import { hash } from 'node:crypto'
import { canonicalJson } from '@lendloom/foundation/json'

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
