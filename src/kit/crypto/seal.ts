// Encrypts personal data at rest with AES-256-GCM, and computes keyed digests for look-ups.

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
 * Seals and opens bytes and JSON. `context` names the table and row of the value, so that a value that is moved to
 * another row does not open.
 */
export interface Seal {
  bytes(plain: Uint8Array, context: string): Buffer
  open(sealed: Uint8Array, context: string): Buffer
  json(value: unknown, context: string): Buffer
  openJson<T>(sealed: Uint8Array, context: string): T
  /** A keyed digest: equal values have equal digests, and only the holder of the key can compute them. */
  digest(value: string, purpose: string): Buffer
  /** Whether a value is sealed with the current key. The first 16 bytes of the value are enough. */
  isCurrent(sealed: Uint8Array): boolean
}

export const sealSettings = {
  LENDLOOM_KEYS: secret(
    'Keys that encrypt personal data, as id:base64 of 32 bytes each, separated by commas; all keys decrypt, the first one encrypts, and a key as id:base64:open only decrypts',
  ),
  LENDLOOM_DIGEST_KEY: secret(
    'Key of the digests by which rows are found, as id:base64; must stay the same when LENDLOOM_KEYS changes; if empty, the last of LENDLOOM_KEYS without :open',
    '',
  ),
}

/** A sealed value cannot be opened, because its authentication fails or its key is missing. */
export class DamagedValue extends Error {
  /** The column of the value, as `table.column`. */
  readonly place: string
  /** The context to which the value is bound, with the key of its row. */
  readonly context: string

  constructor(place: string, context: string, why = 'fails its authentication: it was changed, or is not of this row') {
    super(`the sealed value in ${place} (${context}) ${why}`)
    this.name = 'DamagedValue'
    this.place = place
    this.context = context
  }
}

/** Creates the seal of a program, which seals `columns`. Throws `ConfigError` for a malformed key. */
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
/** Rejects shorter tags, which could be guessed. */
const gcm = { authTagLength: tagLength }

interface SealingKey {
  id: string
  key: KeyObject
  isOpenOnly: boolean
}

function keyFrom(entry: string): SealingKey | null {
  const match = /^\s*([a-z0-9]{1,8}):([A-Za-z0-9+/]{43}=)(:open)?\s*$/.exec(entry)
  if (!match) return null
  const [, id = '', bytes = '', openSuffix] = match
  // Created once: converting the raw bytes for every value would cost three times as much as sealing the value.
  return { id, key: createSecretKey(Buffer.from(bytes, 'base64')), isOpenOnly: openSuffix !== undefined }
}

/** The keys of a program by purpose. */
interface Keyring {
  current: SealingKey
  byId: Map<string, KeyObject>
  digestSecret: KeyObject
}

function keyringFrom(keys: string, digestKey: string): Keyring {
  const entries = keys.split(',').map((entry) => {
    const key = keyFrom(entry)
    if (!key)
      throw new Error('LENDLOOM_KEYS must be id:base64 pairs of 32 bytes each, or id:base64:open, separated by commas')
    return key
  })
  const sealingKeys = entries.filter(({ isOpenOnly }) => !isOpenOnly)
  const [current] = sealingKeys
  if (!current) throw new Error('LENDLOOM_KEYS must hold a key that seals, without :open')
  const byId = new Map(entries.map(({ id, key }) => [id, key]))
  if (byId.size < entries.length) throw new Error('LENDLOOM_KEYS holds two keys of the same id')
  const digestEntry = digestKey === '' ? (sealingKeys.at(-1) ?? current) : keyFrom(digestKey)
  if (!digestEntry || digestEntry.isOpenOnly) throw new Error('LENDLOOM_DIGEST_KEY must be id:base64 of 32 bytes')
  const digestSecret = createSecretKey(Buffer.from(hkdfSync('sha256', digestEntry.key, '', 'lendloom digest', 32)))
  return { current, byId, digestSecret }
}

/**
 * Creates a seal from the value of `LENDLOOM_KEYS`. All keys open values; the first key without `:open` seals values.
 * Digests use `digestKey`, or if it is empty, the last key without `:open`. Throws for a malformed key. The error of a
 * value that does not open names one of `columns`.
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

/** Splits a sealed value into key id, nonce, tag and ciphertext; null for bytes that are not a sealed value. */
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
