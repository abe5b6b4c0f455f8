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
import { inflateRawSync } from 'node:zlib'
import { ConfigError, secret } from '@lendloom/foundation/config'
import { messageOf } from '@lendloom/foundation/thrown'
import { pack, unpack } from './compress.ts'
import { randomOctets } from './id.ts'
import { columnsOf, type SealedColumn } from './sealed-column.ts'

/**
 * Seals and opens bytes and JSON. `context` names the table and row of the value, so that a value that is moved to
 * another row does not open.
 */
export interface Seal {
  bytes(plain: Uint8Array, context: string, isShortLived?: boolean): Buffer
  open(sealed: Uint8Array, context: string): Buffer
  /** A value that is kept for days is compressed only if it is longer. */
  json(value: unknown, context: string, isShortLived?: boolean): Buffer
  openJson<T>(sealed: Uint8Array, context: string): T
  /** A keyed digest: equal values have equal digests, and only the holder of the key can compute them. */
  digest(value: string, purpose: string): Buffer
  /** Whether a value is sealed with the current key. The first 16 bytes of the value are enough. */
  isCurrent(sealed: Uint8Array): boolean
}

export const sealSettings = {
  LENDLOOM_KEYS: secret(
    'Keys that encrypt personal data, as id:v2:base64 of 32 bytes each, separated by commas; all keys decrypt, the first one encrypts, and a key with :open at its end only decrypts',
  ),
  LENDLOOM_DIGEST_KEY: secret(
    'Key of the digests by which rows are found, as an entry of LENDLOOM_KEYS; must stay the same when LENDLOOM_KEYS changes; if empty, the last of LENDLOOM_KEYS without :open',
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

/**
 * The formats of a sealed value, by its first byte. `direct` encrypts with the key itself, under a random nonce of 12 bytes,
 * which is safe for 2^32 values of a key. `derived` (XAES-256-GCM) derives a key for each value from 12 bytes of a nonce of
 * 24 bytes, so that a key may seal any number of values; `long` and `short` compress the value before, by the dictionary of
 * that name. Values in format `deflated`, which has no dictionary, are only read.
 */
const formats = { direct: 1, derived: 2, deflated: 3, long: 4, short: 5 } as const
const newestFormat = formats.short
const ivLength = 12
const derivationLength = 12
const blockLength = 16
const tagLength = 16
/** Rejects shorter tags, which could be guessed. */
const gcm = { authTagLength: tagLength }

interface SealingKey {
  id: string
  key: KeyObject
  isOpenOnly: boolean
  /** Derives the AES-GCM key and nonce of one value from a nonce of 24 bytes. */
  derive: Derivation
  /** Whether values that this key seals have a derived key. A key of version 0.1.0 has not. */
  derives: boolean
}

type Derivation = (nonce: Buffer) => { key: KeyObject; iv: Buffer }

function keyFrom(entry: string): SealingKey | null {
  const match = /^\s*([a-z0-9]{1,8}):(v2:)?([A-Za-z0-9+/]{43}=)(:open)?\s*$/.exec(entry)
  if (!match) return null
  const [, id = '', newer, bytes = '', openSuffix] = match
  // Created once: converting the raw bytes for every value would cost three times as much as sealing the value.
  const key = createSecretKey(Buffer.from(bytes, 'base64'))
  return { id, key, isOpenOnly: openSuffix !== undefined, derive: derivationOf(key), derives: newer !== undefined }
}

/** XAES-256-GCM (c2sp.org/XAES-256-GCM): the key of a value is the CMAC of two blocks with the first half of its nonce. */
export function derivationOf(key: KeyObject): Derivation {
  // Encrypts whole blocks one by one, without state, so that one cipher serves all values.
  const ecb = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const zero = ecb.update(Buffer.alloc(blockLength))
  // CMAC's first subkey: the encrypted zero block, doubled.
  const mask = zero.map((byte, i) => (byte << 1) | ((zero[i + 1] ?? 0) >> 7))
  mask[blockLength - 1] = (mask[blockLength - 1] ?? 0) ^ ((zero[0] ?? 0) >> 7 ? 0x87 : 0)
  const prefixes = Buffer.alloc(2 * blockLength)
  prefixes.set([0, 1, 0x58, 0], 0)
  prefixes.set([0, 2, 0x58, 0], blockLength)
  const masked = prefixes.map((byte, i) => byte ^ (mask[i % blockLength] ?? 0))
  return (nonce) => {
    const blocks = Buffer.from(masked)
    for (let i = 0; i < derivationLength; i++) {
      const byte = nonce[i] ?? 0
      for (const at of [4 + i, blockLength + 4 + i]) blocks[at] = (blocks[at] ?? 0) ^ byte
    }
    // A key object, because a cipher takes 12 us longer to accept raw bytes.
    return { key: createSecretKey(ecb.update(blocks)), iv: nonce.subarray(derivationLength) }
  }
}

/** The key, the nonce of AES-GCM and the authenticated data of one value. */
function cipherOf(sealing: SealingKey, format: number, nonce: Buffer, context: string) {
  if (format === formats.direct) return { key: sealing.key, iv: nonce, aad: Buffer.from(context) }
  // The format is authenticated, so that a value cannot be taken for one of another format.
  return { ...sealing.derive(nonce), aad: Buffer.from(`${format}${context}`) }
}

/** The keys of a program by purpose. */
interface Keyring {
  current: SealingKey
  byId: Map<string, SealingKey>
  digestSecret: KeyObject
}

function keyringFrom(keys: string, digestKey: string): Keyring {
  const entries = keys.split(',').map((entry) => {
    const key = keyFrom(entry)
    if (!key)
      throw new Error('LENDLOOM_KEYS must be id:v2:base64 of 32 bytes each, with :open or not, separated by commas')
    return key
  })
  if (entries.some(({ key }) => key.export().every((byte) => byte === 0)))
    throw new Error('LENDLOOM_KEYS holds a key of zeros; lendloom keys create makes a random one')
  const sealingKeys = entries.filter(({ isOpenOnly }) => !isOpenOnly)
  const [current] = sealingKeys
  if (!current) throw new Error('LENDLOOM_KEYS must hold a key that seals, without :open')
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
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
  const headers = Object.values(formats).map((format) =>
    Buffer.from([format, current.id.length, ...Buffer.from(current.id)]),
  )
  const seal: Seal = {
    bytes(plain, context, isShortLived = false) {
      const packed = current.derives ? pack(plain, isShortLived) : null
      const format = packed ? formats[packed.by] : current.derives ? formats.derived : formats.direct
      const nonce = randomOctets(format === formats.direct ? ivLength : derivationLength + ivLength)
      const { key, iv, aad } = cipherOf(current, format, nonce, context)
      const cipher = createCipheriv('aes-256-gcm', key, iv, gcm).setAAD(aad)
      // GCM output is as long as its input: `final` returns nothing.
      const body = cipher.update(packed?.body ?? plain)
      cipher.final()
      const header = headers[format - 1] ?? Buffer.alloc(0)
      return Buffer.concat([header, nonce, cipher.getAuthTag(), body])
    },
    open(sealed, context) {
      const damaged = (why?: string) =>
        new DamagedValue(columnsOf(columns, context) ?? 'an unknown column', context, why)
      const parts = partsOf(sealed)
      if (!parts) throw damaged()
      const sealing = byId.get(parts.keyId)
      if (!sealing) throw damaged(`is under key ${JSON.stringify(parts.keyId)}, which LENDLOOM_KEYS does not hold`)
      const { key, iv, aad } = cipherOf(sealing, parts.format, parts.nonce, context)
      const decipher = createDecipheriv('aes-256-gcm', key, iv, gcm).setAAD(aad)
      const body = decipher.setAuthTag(parts.tag).update(parts.body)
      try {
        decipher.final()
      } catch {
        throw damaged()
      }
      if (parts.format === formats.deflated) return inflateRawSync(body)
      if (parts.format === formats.long) return unpack({ body, by: 'long' })
      return parts.format === formats.short ? unpack({ body, by: 'short' }) : body
    },
    json: (value, context, isShortLived) => seal.bytes(Buffer.from(JSON.stringify(value)), context, isShortLived),
    openJson: (sealed, context) => JSON.parse(seal.open(sealed, context).toString('utf8')),
    digest: (value, purpose) => createHmac('sha256', digestSecret).update(`${purpose}\n${value}`).digest(),
    isCurrent: (sealed) =>
      headers.some((header, i) => current.derives === i > 0 && header.equals(sealed.subarray(0, header.length))),
  }
  return seal
}

interface SealedParts {
  format: number
  keyId: string
  nonce: Buffer
  tag: Buffer
  body: Buffer
}

/** Splits a sealed value; null for bytes that are not a sealed value. */
function partsOf(sealed: Uint8Array): SealedParts | null {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const [format = 0, idLength] = bytes
  if (format < formats.direct || format > newestFormat || idLength === undefined) return null
  const nonceAt = 2 + idLength
  const tagAt = nonceAt + (format === formats.direct ? ivLength : derivationLength + ivLength)
  const bodyAt = tagAt + tagLength
  if (bytes.length < bodyAt) return null
  return {
    format,
    keyId: bytes.toString('utf8', 2, nonceAt),
    nonce: bytes.subarray(nonceAt, tagAt),
    tag: bytes.subarray(tagAt, bodyAt),
    body: bytes.subarray(bodyAt),
  }
}

/** The id of the key that sealed a value, from its first bytes; null for bytes that are not of a sealed value. */
export function keyIdIn(head: Uint8Array): string | null {
  const [format = 0, idLength = 0] = head
  const id = Buffer.from(head.subarray(2, 2 + idLength)).toString('latin1')
  return format >= formats.direct && format <= newestFormat && /^[a-z0-9]{1,8}$/.test(id) ? id : null
}

/** The ids of the keys in the value of `LENDLOOM_KEYS`, first that of the key that seals. */
export function sealKeyIds(keys: string): { id: string; isOpenOnly: boolean }[] {
  const entries = keys.split(',').flatMap((entry) => keyFrom(entry) ?? [])
  const current = entries.find(({ isOpenOnly }) => !isOpenOnly)
  return [...entries].sort((a, b) => Number(b === current) - Number(a === current))
}

/** A new entry for `LENDLOOM_KEYS`. */
export const newSealKey = (id: string): string => `${id}:v2:${randomBytes(32).toString('base64')}`
