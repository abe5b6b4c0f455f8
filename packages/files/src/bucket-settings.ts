// The settings of a bucket, and its backend.
import { ConfigError, type Setting } from '@lendloom/foundation/config'
import type { ObjectBackend } from './object-store.ts'
import { s3Backend } from './s3-backend.ts'

/** The address of a bucket; null for `off`. */
export const bucketUrl = (about: string): Setting<string | null> => ({
  about,
  fallback: 'off',
  read(value) {
    if (value === 'off') return null
    const url = URL.parse(value)
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || !/^\/[^/]+/.test(url.pathname))
      throw new Error('must be https://host/bucket or off')
    return value.replace(/\/$/, '')
  },
})

export interface BucketSettings {
  url: string | null
  region: string
  /** `none` for both keys to use the credentials that the AWS SDK finds. */
  accessKeyId: string
  secretAccessKey: string
}

/** The configured bucket; undefined without one. `prefix` is that of the settings' names, for the error. */
export function bucketBackend(prefix: string, settings: BucketSettings): ObjectBackend | undefined {
  const { url, region, accessKeyId, secretAccessKey } = settings
  if ((accessKeyId === 'none') !== (secretAccessKey === 'none'))
    throw new ConfigError(
      `configuration:\n  ${prefix}_S3_ACCESS_KEY_ID and ${prefix}_S3_SECRET_ACCESS_KEY must be set together`,
    )
  const keys = accessKeyId === 'none' ? null : { accessKeyId, secretAccessKey }
  return url === null ? undefined : s3Backend({ url, region, keys })
}
