// Checks the digest of a stream while it passes.
import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'

/**
 * Passes the bytes through. The stream fails if its source fails, or before its last chunk if the SHA-256 (lower-case
 * hexadecimal) differs. So a reader never takes a damaged file for a complete file.
 */
export function checkedBytes(bytes: Readable, sha256: string): Readable {
  const hash = createHash('sha256')
  let pending: Buffer | null = null
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      const previous = pending
      pending = chunk
      done(null, previous)
    },
    flush: (done) =>
      hash.digest('hex') === sha256
        ? done(null, pending)
        : done(new Error('the stored file is damaged: its digest differs')),
  })
  // The stream itself reports the failure to its reader.
  pipeline(bytes, check, () => {})
  return check
}
