// Settings of the partner's file store and scanner.

import { clamdSetting } from '#kit/files/malware.ts'
import { type Setting, secret, text } from '#kit/runtime/config.ts'

const bucketUrl = (about: string): Setting<string | null> => ({
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

export const documentSettings = {
  PARTNER_FILES_DIR: text(
    'Where files are written while they come in, and kept, sealed, unless there is a bucket for them',
    '.lendloom/partner-files',
  ),
  PARTNER_S3_URL: bucketUrl(
    'The bucket of an S3-compatible service that keeps the files, as https://host/bucket; off where the directory does',
  ),
  PARTNER_S3_REGION: text('The region that requests to the bucket are signed for', 'ap-south-1'),
  PARTNER_S3_ACCESS_KEY_ID: secret(
    'Who we are to that service; none for what the AWS SDK finds: environment, profile or the role of the machine',
    'none',
  ),
  PARTNER_S3_SECRET_ACCESS_KEY: secret('What requests to that service are signed with', 'none'),
  PARTNER_CLAMD: clamdSetting(
    'The malware scanner, a clamd on host:port whose StreamMaxLength, MaxFileSize and MaxScanSize are above 250M, with AlertExceedsMax on; off where files are only checked for their structure',
  ),
}
