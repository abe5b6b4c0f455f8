// Personal data at rest: AES-256-GCM under a key from the environment, and a keyed digest beside it for look-up.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { randomOctets } from '#kit/chance.ts'

/**
 * Seals and opens bytes, text and JSON. `context` names the place the value belongs to (its table and row): a sealed
 * value moved to another place does not open.
 */
export interface Seal {
  bytes(plain: Uint8Array, context: string): Buffer
  open(sealed: Uint8Array, context: string): Buffer
  json(value: unknown, context: string): Buffer
  openJson<T>(sealed: Uint8Array, context: string): T
  /** A digest that only the holder of the key can compute: equal values meet, nobody can guess them by trying. */
  digest(value: string, purpose: string): Buffer
}

const version = 1
const ivLength = 12
const tagLength = 16
/** A shorter tag, which could be guessed, is not accepted. */
const gcm = { authTagLength: tagLength }

/**
 * Reads `LENDLOOM_KEYS`: `id:base64[,id:base64…]`, 32 bytes each. The first seals, all open, so keys can be rotated.
 * Throws when a key is malformed. Digests always use the last (oldest) key, so look-ups survive a rotation.
 */
export function sealWith(keys: string): Seal {
  const all = keys.split(',').map((entry) => {
    const match = /^\s*([a-z0-9]{1,8}):([A-Za-z0-9+/]{43}=)\s*$/.exec(entry)
    if (!match) throw new Error('LENDLOOM_KEYS must be id:base64 pairs of 32 bytes each, separated by commas')
    // A key object is prepared once; a key in raw bytes would be, for every value, at three times the price of sealing it.
    return { id: match[1]!, key: createSecretKey(Buffer.from(match[2]!, 'base64')) }
  })
  const current = all[0]!
  const byId = new Map(all.map(({ id, key }) => [id, key]))
  if (byId.size < all.length) throw new Error('LENDLOOM_KEYS holds two keys of the same id')
  const digestKey = createSecretKey(Buffer.from(hkdfSync('sha256', all.at(-1)!.key, '', 'lendloom digest', 32)))

  const header = Buffer.from([version, current.id.length, ...Buffer.from(current.id)])

  const seal: Seal = {
    bytes(plain, context) {
      const iv = randomOctets(ivLength)
      const cipher = createCipheriv('aes-256-gcm', current.key, iv, gcm).setAAD(Buffer.from(context))
      // GCM gives as many bytes as it gets: nothing is left for the end.
      const body = cipher.update(plain)
      cipher.final()
      const sealed = Buffer.allocUnsafe(header.length + ivLength + tagLength + body.length)
      let at = header.copy(sealed)
      for (const part of [iv, cipher.getAuthTag(), body]) at += part.copy(sealed, at)
      return sealed
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes[0] !== version) throw new Error(`sealed value of unknown version ${bytes[0]}`)
      const start = 2 + bytes[1]!
      const id = bytes.toString('utf8', 2, start)
      const key = byId.get(id)
      if (!key) throw new Error(`sealed value under key ${id}, which LENDLOOM_KEYS does not hold`)
      const iv = bytes.subarray(start, start + ivLength)
      const tag = bytes.subarray(start + ivLength, start + ivLength + tagLength)
      const decipher = createDecipheriv('aes-256-gcm', key, iv, gcm).setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([decipher.update(bytes.subarray(start + ivLength + tagLength)), decipher.final()])
    },
    json: (value, context) => seal.bytes(Buffer.from(JSON.stringify(value)), context),
    openJson: (sealed, context) => JSON.parse(seal.open(sealed, context).toString('utf8')),
    digest: (value, purpose) => createHmac('sha256', digestKey).update(`${purpose}\n${value}`).digest(),
  }
  return seal
}

/** A new entry for `LENDLOOM_KEYS`. */
export const newSealKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`
