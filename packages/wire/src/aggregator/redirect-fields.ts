// The fields of a redirect to an account aggregator and back: written as pairs, encrypted, and ids obfuscated.

import { createCipheriv, createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)
/** The guideline's number of rounds. */
const rounds = 65_536
/** Required by the guideline, which has no MAC either: the content is a claim, not a proof. */
const zeroIv = Buffer.alloc(16)

/** The key for one stamp: a tenth of a second of work, off the main thread; not cached. */
export const keyFor = (secret: string, stamp: string): Promise<Buffer> =>
  derive(secret, Buffer.from(stamp), rounds, 32, 'sha256')

/** AES-256-CBC, as URL-safe Base64 with padding. */
export async function encryptFields(plain: string, secret: string, stamp: string): Promise<string> {
  const cipher = createCipheriv('aes-256-cbc', await keyFor(secret, stamp), zeroIv)
  const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** Decrypts either Base64 alphabet. Returns null if the secret or stamp is wrong. */
export async function decryptFields(text: string, secret: string, stamp: string): Promise<string | null> {
  const decipher = createDecipheriv('aes-256-cbc', await keyFor(secret, stamp), zeroIv)
  try {
    const bytes = Buffer.concat([decipher.update(Buffer.from(restorePluses(text), 'base64')), decipher.final()])
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Obfuscates an id: XOR with the stamp's digits, then standard Base64. Not encryption: the rule is public. */
export const veil = (id: string, stamp: string): string => xor(Buffer.from(id), stamp).toString('base64')

/** Reads what `veil` wrote. */
export const unveil = (text: string, stamp: string): string =>
  xor(Buffer.from(restorePluses(text), 'base64'), stamp).toString('utf8')

/** Restores each plus that a URL parser read as a space; Base64 contains no spaces. */
const restorePluses = (text: string): string => text.replaceAll(' ', '+')

/** An empty stamp changes nothing. */
function xor(bytes: Buffer, stamp: string): Buffer {
  const key = Buffer.from(stamp)
  if (key.length === 0) return bytes
  return Buffer.from(bytes.map((byte, i) => byte ^ key.readUInt8(i % key.length)))
}

/** One entry for each value, in the order in which they are written. */
export type RedirectFields = [key: string, value: string][]

/**
 * Writes the pairs. The guideline escapes only a return address with parameters; some aggregators escape every value,
 * so `escaped` is a setting per aggregator. Characters that would break the pairs are always escaped.
 */
export const fieldsText = (fields: RedirectFields, escaped: boolean): string =>
  fields
    .map(([key, value]) => `${key}=${escaped || /[&=%?#]/.test(value) ? encodeURIComponent(value) : value}`)
    .join('&')

/** Parses the pairs of either spelling. A badly escaped value is used as it is. */
export function fieldsOf(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const pair of text.split('&').filter(Boolean)) {
    const at = pair.indexOf('=')
    const [key, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    values.set(key, [...(values.get(key) ?? []), unescapeValue(value)])
  }
  return values
}

function unescapeValue(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
