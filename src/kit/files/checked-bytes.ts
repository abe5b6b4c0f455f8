// Passes a file on while comparing it with its digest.
import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'

/**
 * Passes the bytes through. The stream fails when its source fails, or before its last chunk when the SHA-256 (lower-case
 * hexadecimal) differs, so that a reader never takes a wrong file for a complete one.
 */
export function checkedBytes(bytes: Readable, sha256: string): Readable {
  const hash = createHash('sha256')
  let pending: Buffer | null = null
  const check = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece)
      const before = pending
      pending = piece
      done(null, before)
    },
    flush: (done) =>
      hash.digest('hex') === sha256
        ? done(null, pending)
        : done(new Error('the stored file is another file: its digest differs')),
  })
  // The stream itself reports the failure to its reader.
  pipeline(bytes, check, () => {})
  return check
}
