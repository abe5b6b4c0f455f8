// Settings of the partner's file store and scanner.

import { bucketUrl } from '@lendloom/files/bucket-settings'
import { clamdSetting } from '@lendloom/files/malware'
import { secret, text } from '@lendloom/foundation/config'

export const documentSettings = {
  PARTNER_FILES_DIR: text(
    'Directory for incoming files, and for stored (sealed) files unless a bucket is configured',
    '.lendloom/partner-files',
  ),
  PARTNER_S3_URL: bucketUrl(
    'Bucket of an S3-compatible service for stored files, as https://host/bucket; off to store them in the directory',
  ),
  PARTNER_S3_REGION: text('Region for signing requests to the bucket', 'ap-south-1'),
  PARTNER_S3_ACCESS_KEY_ID: secret(
    'Access key ID for the bucket; none to use the credentials that the AWS SDK finds: environment, profile or machine role',
    'none',
  ),
  PARTNER_S3_SECRET_ACCESS_KEY: secret('Secret access key for the bucket', 'none'),
  PARTNER_CLAMD: clamdSetting(
    'The malware scanner, a clamd on host:port whose StreamMaxLength, MaxFileSize and MaxScanSize are above 250M, with AlertExceedsMax on; off to check only the structure of files',
  ),
}
