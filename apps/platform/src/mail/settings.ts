// Settings for incoming mail: port, addresses, limits.

import { clamdSetting } from '@lendloom/files/malware'
import { choice, number, portOrNone, type Setting } from '@lendloom/foundation/config'

const domain = (about: string, fallback: string): Setting<string> => ({
  about,
  fallback,
  read(value) {
    if (!/^(?=.{1,200}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/i.test(value))
      throw new Error(`must be a domain such as mail.example.in, not "${value}"`)
    return value.toLowerCase()
  },
})

export const mailInSettings = {
  MAIL_DOMAIN: domain(
    'Domain of the addresses for incoming mail, grievance@ and grievance+…@, and of our Message-IDs',
    'lendloom.example',
  ),
  MAIL_IN_PORT: portOrNone('Port for incoming mail to these addresses; none disables it'),
  MAIL_IN_PROTOCOL: choice('Protocol of incoming mail', ['smtp', 'lmtp'], 'smtp'),
  MAIL_IN_MAX_BYTES: number(
    'Size limit of an incoming mail in bytes; two photos of a telephone are about 11 MB of mail',
    12 << 20,
    1 << 16,
    16 << 20,
  ),
  MAIL_IN_PER_SENDER: number(
    'Incoming mails per sender (return path) and hour; further mail is rejected temporarily, so that its server retries',
    60,
    20,
  ),
  MAIL_IN_PER_THREAD: number('Incoming mails per thread and hour', 30, 1),
  MAIL_IN_PER_ADDRESS: number('Incoming mails per recipient address and hour', 1000, 1),
  CLAMD: clamdSetting(
    'The malware scanner of attachments, a clamd on host:port whose StreamMaxLength, MaxFileSize and MaxScanSize are above MAIL_IN_MAX_BYTES, with AlertExceedsMax on; off checks only the file structure',
  ),
}
