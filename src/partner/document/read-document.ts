// A stored file as our own staff read it: from the private store, opened on the way, checked to its last byte (D3 §4.3).
import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { isUuid } from '#kit/crypto/id.ts'
import type { Context } from '#partner/context.ts'
import type { StoredDocument } from './document.ts'
import { openedRow } from './keep-document.ts'
import { findStoredById } from './store.ts'

/**
 * Undefined when the case has no such file. The stream fails when the file was changed where it is kept, and at its end when
 * another one lies in its place.
 */
export async function readDocument(
  { db, store, seal }: Pick<Context, 'db' | 'store' | 'seal'>,
  caseRef: string,
  documentId: string,
): Promise<{ document: StoredDocument; bytes: Readable } | undefined> {
  const row = isUuid(documentId) ? await findStoredById(db, caseRef, documentId) : undefined
  return row && { document: openedRow({ seal }, row), bytes: checked(await store.read(row.objectName), row.sha256) }
}

function checked(bytes: Readable, sha256: string): Readable {
  const hash = createHash('sha256')
  const check = new Transform({
    transform(piece, _encoding, done) {
      hash.update(piece)
      done(null, piece)
    },
    flush: (done) =>
      done(hash.digest('hex') === sha256 ? null : new Error('another file lies in the place of this one')),
  })
  // Whoever reads is told of a failure by the stream itself.
  pipeline(bytes, check, () => {})
  return check
}
