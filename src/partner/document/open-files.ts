// The store of the partner's files: its own directory, or a bucket where there is one.

import type { Seal } from '#kit/crypto/seal.ts'
import { type ObjectStore, openStore } from '#kit/files/object-store.ts'
import { s3Backend } from '#kit/files/s3-backend.ts'
import { type Config, ConfigError } from '#kit/runtime/config.ts'
import type { documentSettings } from './settings.ts'

export function openFiles(config: Config<typeof documentSettings>, seal: Seal): Promise<ObjectStore> {
  const { PARTNER_S3_URL: url, PARTNER_S3_REGION: region } = config
  const { PARTNER_S3_ACCESS_KEY_ID: accessKeyId, PARTNER_S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if ((accessKeyId === 'none') !== (secretAccessKey === 'none'))
    throw new ConfigError(
      'configuration:\n  PARTNER_S3_ACCESS_KEY_ID and PARTNER_S3_SECRET_ACCESS_KEY are set together, or neither',
    )
  const keys = accessKeyId === 'none' ? null : { accessKeyId, secretAccessKey }
  const backend = url === null ? undefined : s3Backend({ url, region, keys })
  return openStore(config.PARTNER_FILES_DIR, seal, backend)
}
