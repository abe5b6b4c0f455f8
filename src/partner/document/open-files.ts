// Opens the partner's file store: a directory, or a bucket if one is configured.

import type { Readable } from 'node:stream'
import { isUuid } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { checkedBytes } from '#kit/files/checked-bytes.ts'
import { type ObjectBackend, type ObjectStore, openStore } from '#kit/files/object-store.ts'
import { s3Backend } from '#kit/files/s3-backend.ts'
import { type Config, ConfigError } from '#kit/runtime/config.ts'
import type { Context } from '#partner/context.ts'
import { openDocumentRow } from './keep-document.ts'
import type { documentSettings } from './settings.ts'
import { findStoredById, type StoredDocument } from './store.ts'

export const openFiles = async (config: Config<typeof documentSettings>, seal: Seal): Promise<ObjectStore> =>
  openStore(config.PARTNER_FILES_DIR, seal, bucketFrom(config))

export function bucketFrom(config: Config<typeof documentSettings>): ObjectBackend | undefined {
  const { PARTNER_S3_URL: url, PARTNER_S3_REGION: region } = config
  const { PARTNER_S3_ACCESS_KEY_ID: accessKeyId, PARTNER_S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if ((accessKeyId === 'none') !== (secretAccessKey === 'none'))
    throw new ConfigError(
      'configuration:\n  PARTNER_S3_ACCESS_KEY_ID and PARTNER_S3_SECRET_ACCESS_KEY must be set together',
    )
  const keys = accessKeyId === 'none' ? null : { accessKeyId, secretAccessKey }
  return url === null ? undefined : s3Backend({ url, region, keys })
}

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
