// Where the partner keeps its files and who looks at them, for the program's settings.
import { type Setting, text } from '#kit/config.ts'
import type { Clamd } from '#kit/malware.ts'

const scanner = (about: string): Setting<Clamd | null> => ({
  about,
  fallback: 'off',
  read(value) {
    if (value === 'off') return null
    const [, host, port] = /^(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})$/.exec(value) ?? []
    if (!host || Number(port) < 1 || Number(port) > 65_535) throw new Error(`must be host:port or off, not "${value}"`)
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  },
})

export const documentSettings = {
  PARTNER_FILES_DIR: text('Where uploaded files are kept, sealed', '.lendloom/partner-files'),
  PARTNER_CLAMD: scanner(
    'The malware scanner, a clamd on host:port whose StreamMaxLength is at least 250M; off where files are only checked for their structure',
  ),
}
