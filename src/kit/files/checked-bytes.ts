// Passes a file on while comparing it with its digest.
import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'

/**
 * Passes the bytes through. The stream fails when they fail, or before its last piece when their SHA-256 (lower-case
 * hexadecimal) differs, so that a reader never takes a wrong file for a complete one.
 */
export function checkedBytes(bytes: Readable, sha256: string): Readable {
  const hash = createHash('sha256')
  let held: Buffer | null = null
  const check = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece)
      const before = held
      held = piece
      done(null, before)
    },
    flush: (done) =>
      hash.digest('hex') === sha256 ? done(null, held) : done(new Error('another file lies in the place of this one')),
  })
  // The stream itself reports the failure to its reader.
  pipeline(bytes, check, () => {})
  return check
}
