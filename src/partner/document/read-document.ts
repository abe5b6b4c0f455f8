// A stored file as our own staff read it: from the private store, opened on the way, checked to its last byte (D3 §4.3).
import type { Readable } from 'node:stream'
import { isUuid } from '#kit/crypto/id.ts'
import { checkedBytes } from '#kit/files/checked-bytes.ts'
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
  return (
    row && { document: openedRow({ seal }, row), bytes: checkedBytes(await store.read(row.objectName), row.sha256) }
  )
}
