// How a redirection hides what it carries: AES under a key derived from the shared secret and the stamp, and a plain XOR of ids.
import { createCipheriv, createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)
const rounds = 65_536
/** The guideline prescribes it. There is no MAC either: whoever reads such a text learns a claim, never a proof. */
const zeroIv = Buffer.alloc(16)

/** The key for one stamp: a tenth of a second of work, off the main thread; nothing of it is kept. */
export const keyFor = (secret: string, stamp: string): Promise<Buffer> =>
  derive(secret, Buffer.from(stamp), rounds, 32, 'sha256')

/** AES-256-CBC in the URL-safe alphabet of Base64, its padding kept. */
export async function encrypted(plain: string, secret: string, stamp: string): Promise<string> {
  const cipher = createCipheriv('aes-256-cbc', await keyFor(secret, stamp), zeroIv)
  const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** The text behind it in either alphabet, or null when this secret and stamp do not open it. */
export async function decrypted(text: string, secret: string, stamp: string): Promise<string | null> {
  const decipher = createDecipheriv('aes-256-cbc', await keyFor(secret, stamp), zeroIv)
  try {
    const bytes = Buffer.concat([decipher.update(Buffer.from(plused(text), 'base64')), decipher.final()])
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** An id veiled by the stamp: XOR with its digits in turn, then standard Base64. It hides nothing from who knows the rule. */
export const veiled = (id: string, stamp: string): string => xor(Buffer.from(id), stamp).toString('base64')

export const unveiled = (text: string, stamp: string): string =>
  xor(Buffer.from(plused(text), 'base64'), stamp).toString('utf8')

/** A URL reader turns an unescaped plus into a space; no such text has spaces of its own. */
const plused = (text: string): string => text.replaceAll(' ', '+')

function xor(bytes: Buffer, stamp: string): Buffer {
  const key = Buffer.from(stamp)
  return Buffer.from(bytes.map((byte, i) => byte ^ key.readUInt8(i % key.length)))
}
