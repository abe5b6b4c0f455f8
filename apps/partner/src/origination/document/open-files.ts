// Opens the partner's file store: a directory, or a bucket if one is configured.

import type { Readable } from 'node:stream'
import { bucketBackend } from '@lendloom/files/bucket-settings'
import { checkedBytes } from '@lendloom/files/checked-bytes'
import { directoryBackend, type ObjectBackend, type ObjectStore, openStore } from '@lendloom/files/object-store'
import type { Config } from '@lendloom/foundation/config'
import { isUuid } from '@lendloom/foundation/uuid'
import type { Seal } from '@lendloom/seal/seal'
import type { Context } from '#partner/context.ts'
import type { StoredDocument } from './document.ts'
import type { documentSettings } from './settings.ts'
import { findStoredById } from './store.ts'
import { openDocumentRow } from './store-document.ts'

export const openFiles = async (config: Config<typeof documentSettings>, seal: Seal): Promise<ObjectStore> =>
  openStore(config.PARTNER_FILES_DIR, seal, bucketFrom(config))

/** Where the archive is: beside the files, encrypted by itself. */
export const archiveBackend = (config: Config<typeof documentSettings>): ObjectBackend =>
  bucketFrom(config) ?? directoryBackend(config.PARTNER_FILES_DIR)

export const bucketFrom = (config: Config<typeof documentSettings>): ObjectBackend | undefined =>
  bucketBackend('PARTNER', {
    url: config.PARTNER_S3_URL,
    region: config.PARTNER_S3_REGION,
    accessKeyId: config.PARTNER_S3_ACCESS_KEY_ID,
    secretAccessKey: config.PARTNER_S3_SECRET_ACCESS_KEY,
  })

/**
 * Returns a document and a stream of its bytes; undefined if the case has no such document. The stream fails if the
 * stored file was altered or replaced.
 */
export async function readDocument(
  { db, store, seal }: Pick<Context, 'db' | 'store' | 'seal'>,
  caseRef: string,
  documentId: string,
): Promise<{ document: StoredDocument; bytes: Readable } | undefined> {
  const row = isUuid(documentId) ? await findStoredById(db, caseRef, documentId) : undefined
  return (
    row && {
      document: openDocumentRow({ seal }, row),
      bytes: checkedBytes(await store.read(row.objectName), row.sha256),
    }
  )
}
