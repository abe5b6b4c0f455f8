// Time-based one-time codes (RFC 6238): SHA-1, six digits, a new code every thirty seconds.
import { createHmac } from 'node:crypto'

const stepSeconds = 30
const digits = 6

/** The number of complete thirty-second steps since 1970. */
export const stepAt = (at: Date): number => Math.floor(at.getTime() / 1000 / stepSeconds)

export function codeOf(secret: Uint8Array, step: number, count = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** count).padStart(count, '0')
}

/** Returns the step of a code; null for a wrong code. Accepts the steps before and after too, because clocks differ. */
export function stepOf(secret: Uint8Array, code: string, at: Date): number | null {
  const now = stepAt(at)
  const typed = code.replaceAll(/\s/g, '')
  return [now, now - 1, now + 1].find((step) => codeOf(secret, step) === typed) ?? null
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 of RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let pending = 0
  let bits = 0
  for (const byte of bytes) {
    pending = (pending << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(pending >>> (bits - 5)) & 31]
    pending &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet[(pending << (5 - bits)) & 31] : text
}

/** The URI that an authenticator app scans as a QR code. */
export function otpauthUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`
}
