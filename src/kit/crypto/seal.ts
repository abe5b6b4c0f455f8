// Encrypts personal data at rest with AES-256-GCM under a key from the environment, and computes keyed digests for look-ups.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { columnsOf, type SealedColumn } from '#kit/crypto/sealed-column.ts'
import { ConfigError, secret } from '#kit/runtime/config.ts'
import { messageOf } from '#kit/runtime/record.ts'
import { randomOctets } from './id.ts'

/**
 * Seals and opens bytes, text and JSON. `context` names the place the value belongs to (its table and row): a sealed
 * value moved to another place does not open.
 */
export interface Seal {
  bytes(plain: Uint8Array, context: string): Buffer
  open(sealed: Uint8Array, context: string): Buffer
  json(value: unknown, context: string): Buffer
  openJson<T>(sealed: Uint8Array, context: string): T
  /** A keyed digest: equal values have equal digests, and only the holder of the key can compute them. */
  digest(value: string, purpose: string): Buffer
  /** Whether a sealed value, of which the first 16 bytes are enough, is under the key that seals now. */
  isCurrent(sealed: Uint8Array): boolean
}

export const sealSettings = {
  LENDLOOM_KEYS: secret(
    'Keys that personal data is sealed with: id:base64 of 32 bytes each, separated by commas; the first one seals, all open, and one as id:base64:open only opens',
  ),
  LENDLOOM_DIGEST_KEY: secret(
    'The key that look-ups are made with, as id:base64; the last one of LENDLOOM_KEYS that does not only open when it is empty. It stays when keys are changed',
    '',
  ),
}

/**
 * A sealed value that cannot be opened, because its authentication fails or its key is missing. Names the column and
 * row.
 */
export class DamagedValue extends Error {
  /** `table.column`. */
  readonly place: string
  /** The context that the value is bound to, with the key of its row. */
  readonly context: string

  constructor(place: string, context: string, why = 'fails its authentication: it was changed, or is not of this row') {
    super(`the sealed value in ${place} (${context}) ${why}`)
    this.name = 'DamagedValue'
    this.place = place
    this.context = context
  }
}

/** The seal of a program's settings. `columns` are those that it seals. Throws `ConfigError` when a key is malformed. */
export function sealFrom(
  config: { LENDLOOM_KEYS: string; LENDLOOM_DIGEST_KEY: string },
  columns: SealedColumn[],
): Seal {
  try {
    return sealWith(config.LENDLOOM_KEYS, config.LENDLOOM_DIGEST_KEY, columns)
  } catch (error) {
    throw new ConfigError(`configuration:\n  ${messageOf(error)}`)
  }
}

const version = 1
const ivLength = 12
const tagLength = 16
/** A shorter tag, which could be guessed, is not accepted. */
const gcm = { authTagLength: tagLength }

interface SealingKey {
  id: string
  key: KeyObject
  opensOnly: boolean
}

function keyFrom(entry: string): SealingKey | null {
  const match = /^\s*([a-z0-9]{1,8}):([A-Za-z0-9+/]{43}=)(:open)?\s*$/.exec(entry)
  if (!match) return null
  const [, id = '', bytes = '', onlyOpens] = match
  // The key object is prepared once: raw bytes would be converted for every value, at three times the cost of sealing
  // it.
  return { id, key: createSecretKey(Buffer.from(bytes, 'base64')), opensOnly: onlyOpens !== undefined }
}

/** The keys of a program by what they are for. */
interface Keyring {
  current: SealingKey
  byId: Map<string, KeyObject>
  digestSecret: KeyObject
}

function keyringFrom(keys: string, digestKey: string): Keyring {
  const all = keys.split(',').map((entry) => {
    const key = keyFrom(entry)
    if (!key)
      throw new Error('LENDLOOM_KEYS must be id:base64 pairs of 32 bytes each, or id:base64:open, separated by commas')
    return key
  })
  const sealing = all.filter(({ opensOnly }) => !opensOnly)
  const [current] = sealing
  if (!current) throw new Error('LENDLOOM_KEYS must hold a key that seals, without :open')
  const byId = new Map(all.map(({ id, key }) => [id, key]))
  if (byId.size < all.length) throw new Error('LENDLOOM_KEYS holds two keys of the same id')
  const digesting = digestKey === '' ? (sealing.at(-1) ?? current) : keyFrom(digestKey)
  if (!digesting || digesting.opensOnly) throw new Error('LENDLOOM_DIGEST_KEY must be id:base64 of 32 bytes')
  const digestSecret = createSecretKey(Buffer.from(hkdfSync('sha256', digesting.key, '', 'lendloom digest', 32)))
  return { current, byId, digestSecret }
}

/**
 * Reads `LENDLOOM_KEYS`: `id:base64[,id:base64…]`, 32 bytes each. All open; of those without `:open` behind them the first
 * one seals. Digests use `digestKey`, and without one the last key that does not only open. Throws when one is malformed.
 * By `columns` a value that was changed is named.
 */
export function sealWith(keys: string, digestKey = '', columns: SealedColumn[] = []): Seal {
  const { current, byId, digestSecret } = keyringFrom(keys, digestKey)
  const header = Buffer.from([version, current.id.length, ...Buffer.from(current.id)])
  const seal: Seal = {
    bytes(plain, context) {
      const iv = randomOctets(ivLength)
      const cipher = createCipheriv('aes-256-gcm', current.key, iv, gcm).setAAD(Buffer.from(context))
      // GCM output is as long as its input: `final` returns nothing.
      const body = cipher.update(plain)
      cipher.final()
      const sealed = Buffer.allocUnsafe(header.length + ivLength + tagLength + body.length)
      let at = header.copy(sealed)
      for (const part of [iv, cipher.getAuthTag(), body]) at += part.copy(sealed, at)
      return sealed
    },
    open(sealed, context) {
      const damaged = (why?: string) =>
        new DamagedValue(columnsOf(columns, context) ?? 'an unknown column', context, why)
      const parts = partsOf(sealed)
      if (!parts) throw damaged()
      const key = byId.get(parts.keyId)
      if (!key) throw damaged(`is under key ${JSON.stringify(parts.keyId)}, which LENDLOOM_KEYS does not hold`)
      const decipher = createDecipheriv('aes-256-gcm', key, parts.iv, gcm).setAAD(Buffer.from(context))
      const body = decipher.setAuthTag(parts.tag).update(parts.body)
      try {
        return Buffer.concat([body, decipher.final()])
      } catch {
        throw damaged()
      }
    },
    json: (value, context) => seal.bytes(Buffer.from(JSON.stringify(value)), context),
    openJson: (sealed, context) => JSON.parse(seal.open(sealed, context).toString('utf8')),
    digest: (value, purpose) => createHmac('sha256', digestSecret).update(`${purpose}\n${value}`).digest(),
    isCurrent: (sealed) => header.equals(sealed.subarray(0, header.length)),
  }
  return seal
}

/** The id of the key, the nonce, the tag and the ciphertext of a sealed value; null when it is none. */
function partsOf(sealed: Uint8Array): { keyId: string; iv: Buffer; tag: Buffer; body: Buffer } | null {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const [first, idLength] = bytes
  if (first !== version || idLength === undefined) return null
  const ivAt = 2 + idLength
  const tagAt = ivAt + ivLength
  const bodyAt = tagAt + tagLength
  if (bytes.length < bodyAt) return null
  return {
    keyId: bytes.toString('utf8', 2, ivAt),
    iv: bytes.subarray(ivAt, tagAt),
    tag: bytes.subarray(tagAt, bodyAt),
    body: bytes.subarray(bodyAt),
  }
}

/** A new entry for `LENDLOOM_KEYS`. */
export const newSealKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`
