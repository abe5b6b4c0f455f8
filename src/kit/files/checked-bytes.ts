// A file that is passed on as it comes, and compared with its digest on the way.
import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'

/**
 * The same bytes. The stream fails when they fail, and before its last piece when they are not those of this SHA-256 (lower-case
 * hexadecimal): whoever was told the length does not take another file for a whole one.
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
  // Whoever reads is told of a failure by the stream itself.
  pipeline(bytes, check, () => {})
  return check
}
