// Where old messages are archived.
import { bucketBackend, bucketUrl } from '@lendloom/files/bucket-settings'
import { directoryBackend, type ObjectBackend } from '@lendloom/files/object-store'
import { type Config, secret, text } from '@lendloom/foundation/config'

export const archiveSettings = {
  ARCHIVE_DIR: text(
    'Directory to which the messages of a journey move after 90 days, encrypted; every process needs the same one; off without an archive, or with a bucket',
    'off',
  ),
  ARCHIVE_S3_URL: bucketUrl('Bucket of an S3-compatible service for the archive, as https://host/bucket, or off'),
  ARCHIVE_S3_REGION: text('Region for signing requests to the bucket of the archive', 'ap-south-1'),
  ARCHIVE_S3_ACCESS_KEY_ID: secret(
    'Access key ID for the bucket of the archive; none to use the credentials that the AWS SDK finds',
    'none',
  ),
  ARCHIVE_S3_SECRET_ACCESS_KEY: secret('Secret access key for the bucket of the archive', 'none'),
}

type ArchiveConfig = Config<typeof archiveSettings>

/** The bucket of the archive; undefined without one. Throws `ConfigError` if only one of its two keys is set. */
export const archiveBucket = (config: ArchiveConfig): ObjectBackend | undefined =>
  bucketBackend('ARCHIVE', {
    url: config.ARCHIVE_S3_URL,
    region: config.ARCHIVE_S3_REGION,
    accessKeyId: config.ARCHIVE_S3_ACCESS_KEY_ID,
    secretAccessKey: config.ARCHIVE_S3_SECRET_ACCESS_KEY,
  })

/** The storage of the archive; null if none is configured. Throws `ConfigError` if only one of its two keys is set. */
export function archiveObjects(config: ArchiveConfig): ObjectBackend | null {
  const { ARCHIVE_DIR: directory } = config
  return archiveBucket(config) ?? (directory === 'off' ? null : directoryBackend(directory))
}
