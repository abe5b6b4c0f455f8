// Settings for incoming mail: port, addresses, limits.

import { clamdSetting } from '#kit/files/malware.ts'
import { choice, number, portOrNone, type Setting } from '#kit/runtime/config.ts'

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
    'The domain of the addresses that people write to, grievance@ and grievance+…@ it; also the one of our Message-IDs',
    'lendloom.example',
  ),
  MAIL_IN_PORT: portOrNone(
    'The port on which mail for these addresses is taken in; none where a mail server does not hand it over',
  ),
  MAIL_IN_PROTOCOL: choice('How it is handed over', ['smtp', 'lmtp'], 'smtp'),
  MAIL_IN_MAX_BYTES: number('The largest mail that is taken in, in bytes', 20 << 20, 1 << 16, 100 << 20),
  MAIL_IN_PER_SENDER: number(
    'How many mails of one sender, by the return path, are taken in within an hour; more are refused for now and come again',
    60,
    20,
  ),
  MAIL_IN_PER_THREAD: number('How many mails of one thread are taken in within an hour', 30, 1),
  MAIL_IN_PER_ADDRESS: number('How many mails to one address are taken in within an hour', 1000, 1),
  CLAMD: clamdSetting(
    'The malware scanner of attachments, a clamd on host:port whose StreamMaxLength, MaxFileSize and MaxScanSize are above MAIL_IN_MAX_BYTES, with AlertExceedsMax on; off where they are only checked for their structure',
  ),
}
