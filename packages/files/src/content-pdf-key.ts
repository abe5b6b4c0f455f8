// The key of an encrypted PDF that opens without a password, as one does that has only an owner password (ISO 32000-2
// §7.6). A viewer opens it without asking; its owner only asks viewers not to print or to change it.
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { PdfDictionary, PdfValue } from './content-pdf-value.ts'
import { unsafeContent } from './resumable-parser.ts'

/** The number and generation of an object, on which the key of its stream depends. */
export interface ObjectName {
  object: number
  generation: number
}

/** Decrypts one stream piece by piece. What it returns may have padding at its end. */
export type Decrypt = (piece: Buffer) => Buffer

export interface PdfKey {
  /** Starts the decryption of a stream. */
  ofStream(name: ObjectName): Decrypt
  /** Whether the key differs by object, so that an object with an unknown name cannot be decrypted. */
  isByObject: boolean
}

type Method = 'RC4' | 'AES-128' | 'AES-256'

export const uncheckableEncryption = () => unsafeContent('is encrypted in a way that cannot be checked')
const needsPassword = () => unsafeContent('needs a password to open; send a copy that opens without a password')

/** What a password is filled up with. The empty password is nothing else. */
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** Collects what a file says about its encryption. A viewer may take any of it, so it must all be the same. */
export interface Encryption {
  /** Reports the name `/Encrypt` anywhere in the file, also in an object stream. */
  addName(): void
  /** Reports the dictionary of a trailer, or of a stream that is one. */
  addTrailer(dictionary: PdfDictionary): void
  /** Reports the dictionary of an object; `undefined`: the name of the object is uncertain. */
  addObject(name: ObjectName | undefined, dictionary: PdfDictionary): void
  isNamed(): boolean
  /** Throws `BadContent` if the file needs a password, or if viewers could read it differently. */
  keyWithoutPassword(): PdfKey
}

export function newEncryption(): Encryption {
  let nameCount = 0
  let trailerCount = 0
  const trailers = new Map<string, EncryptedTrailer>()
  const dictionaries = new Map<string, PdfDictionary>()
  const objects = new Map<string, ObjectName>()

  return {
    addName() {
      nameCount++
    },
    addTrailer(dictionary) {
      const encrypt = dictionary.get('/Encrypt')
      if (encrypt !== undefined) trailerCount++
      // A table that only continues another one has neither.
      else if (!dictionary.has('/Root')) return
      const ids = dictionary.get('/ID')
      const first = Array.isArray(ids) ? ids[0] : undefined
      const trailer = { encrypt, identifier: Buffer.isBuffer(first) ? first : Buffer.alloc(0) }
      addSome(trailers, shapeOf([encrypt ?? null, trailer.identifier.toString('hex')]), trailer)
    },
    addObject(name, dictionary) {
      if (!describesEncryption(dictionary)) return
      addSome(dictionaries, shapeOf(dictionary), dictionary)
      if (name) addSome(objects, shapeOf(name), name)
    },
    isNamed: () => nameCount > 0,
    keyWithoutPassword() {
      const [trailer, ...otherTrailers] = trailers.values()
      if (trailer?.encrypt === undefined || otherTrailers.length > 0) throw uncheckableEncryption()
      if (nameCount !== trailerCount) throw uncheckableEncryption()
      const { encrypt, identifier } = trailer
      if (encrypt instanceof Map) addSome(dictionaries, shapeOf(encrypt), encrypt)
      else if (!objects.has(shapeOf(encrypt))) throw uncheckableEncryption()
      const [dictionary, ...others] = dictionaries.values()
      if (!dictionary || others.length > 0) throw uncheckableEncryption()
      return keyOf(dictionary, identifier)
    },
  }
}

/** What a trailer says about the encryption: its entry, if it has one, and the first identifier of the file. */
interface EncryptedTrailer {
  encrypt: PdfValue | undefined
  identifier: Buffer
}

/** Adds a value, unless there are two different ones, which are enough to refuse a file. */
function addSome<Value>(values: Map<string, Value>, shape: string, value: Value): void {
  if (values.size < 2) values.set(shape, value)
}

/** Whether a viewer could take this dictionary for that of the encryption. */
const describesEncryption = (dictionary: PdfDictionary): boolean =>
  dictionary.get('/Filter') === '/Standard' || (dictionary.has('/O') && dictionary.has('/U'))

const shapeOf = (value: PdfValue): string =>
  JSON.stringify(value, (_, each) => (each instanceof Map ? [...each] : each))

function keyOf(dictionary: PdfDictionary, identifier: Buffer): PdfKey {
  if (dictionary.get('/Filter') !== '/Standard') throw uncheckableEncryption()
  const version = dictionary.get('/V')
  const method = methodOf(dictionary, version)
  const key = version === 5 ? keyOfVersion5(dictionary) : olderKey(dictionary, identifier)
  return {
    ofStream: (name) => decryption(method, key, name),
    isByObject: method === 'RC4' || method === 'AES-128',
  }
}

function methodOf(dictionary: PdfDictionary, version: PdfValue | undefined): Method {
  if (version === 1 || version === 2) return 'RC4'
  if (version !== 4 && version !== 5) throw uncheckableEncryption()
  // Without a filter, only strings or attached files are encrypted, which no document of a loan needs.
  const filter = dictionary.get('/StmF')
  const filters = dictionary.get('/CF')
  const chosen = filters instanceof Map && typeof filter === 'string' ? filters.get(filter) : undefined
  const name = chosen instanceof Map ? chosen.get('/CFM') : undefined
  if (version === 4 && name === '/V2') return 'RC4'
  if (version === 4 && name === '/AESV2') return 'AES-128'
  if (version === 5 && name === '/AESV3') return 'AES-256'
  throw uncheckableEncryption()
}

/** Returns the bytes of an entry; some programs fill them up with zeros. */
function bytesOf(dictionary: PdfDictionary, name: string, length: number): Buffer {
  const value = dictionary.get(name)
  if (!Buffer.isBuffer(value) || value.length < length || value.length > 256) throw uncheckableEncryption()
  return value.subarray(0, length)
}

function numberOf(dictionary: PdfDictionary, name: string, fallback?: number): number {
  const value = dictionary.get(name) ?? fallback
  if (typeof value !== 'number' || !Number.isInteger(value)) throw uncheckableEncryption()
  return value
}

const digest = (algorithm: string, ...parts: Buffer[]): Buffer => {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const md5 = (...parts: Buffer[]): Buffer => digest('md5', ...parts)

/** The versions 1, 2 and 4: algorithms 2, 4 and 5 of the standard. */
function olderKey(dictionary: PdfDictionary, identifier: Buffer): Buffer {
  const revision = numberOf(dictionary, '/R')
  if (revision < 2 || revision > 4) throw uncheckableEncryption()
  const bits = numberOf(dictionary, '/Length', revision === 2 ? 40 : 128)
  const lengths = new Set(revision === 2 ? [5] : [bits / 8, 16])
  const userEntry = bytesOf(dictionary, '/U', revision === 2 ? 32 : 16)
  for (const length of lengths) {
    if (!Number.isInteger(length) || length < 5 || length > 16) continue
    const key = emptyPasswordKey(dictionary, { identifier, revision, length })
    if (userEntryOf(key, { identifier, revision }).equals(userEntry)) return key
  }
  throw needsPassword()
}

function emptyPasswordKey(
  dictionary: PdfDictionary,
  { identifier, revision, length }: { identifier: Buffer; revision: number; length: number },
): Buffer {
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(numberOf(dictionary, '/P') | 0)
  const isMetadataPlain = revision >= 4 && dictionary.get('/EncryptMetadata') === false
  const end = isMetadataPlain ? Buffer.alloc(4, 0xff) : Buffer.alloc(0)
  let key = md5(padding, bytesOf(dictionary, '/O', 32), permissions, identifier, end)
  if (revision >= 3) for (let round = 0; round < 50; round++) key = md5(key.subarray(0, length))
  return key.subarray(0, length)
}

function userEntryOf(key: Buffer, { identifier, revision }: { identifier: Buffer; revision: number }): Buffer {
  if (revision === 2) return rc4(key)(padding)
  let entry = md5(padding, identifier)
  for (let round = 0; round < 20; round++) entry = rc4(key.map((byte) => byte ^ round))(entry)
  return entry
}

/** Version 5: algorithm 2.A of the standard. Revision 5 is Adobe's, of 2008, with a plain digest. */
function keyOfVersion5(dictionary: PdfDictionary): Buffer {
  const revision = numberOf(dictionary, '/R')
  if (revision !== 5 && revision !== 6) throw uncheckableEncryption()
  const hash = revision === 5 ? (salt: Buffer) => digest('sha256', salt) : hardenedHash
  const entry = bytesOf(dictionary, '/U', 48)
  if (!hash(entry.subarray(32, 40)).equals(entry.subarray(0, 32))) throw needsPassword()
  const intermediate = hash(entry.subarray(40, 48))
  const decipher = createDecipheriv('aes-256-cbc', intermediate, Buffer.alloc(16)).setAutoPadding(false)
  return decipher.update(bytesOf(dictionary, '/UE', 32))
}

/** Algorithm 2.B of the standard for the empty password. It ends after 288 rounds at the latest. */
function hardenedHash(salt: Buffer): Buffer {
  let key = digest('sha256', salt)
  for (let round = 1; ; round++) {
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false)
    const mixed = cipher.update(Buffer.concat(Array.from({ length: 64 }, () => key)))
    const remainder = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = digest(['sha256', 'sha384', 'sha512'][remainder] ?? 'sha256', mixed)
    if (round >= 64 && (mixed.at(-1) ?? 0) <= round - 32) return key.subarray(0, 32)
  }
}

function decryption(method: Method, key: Buffer, name: ObjectName): Decrypt {
  switch (method) {
    case 'RC4':
      return rc4(objectKey(key, name, ''))
    case 'AES-128':
      return aes('aes-128-cbc', objectKey(key, name, 'sAlT'))
    case 'AES-256':
      return aes('aes-256-cbc', key)
  }
}

/** Algorithm 1 of the standard. */
function objectKey(key: Buffer, { object, generation }: ObjectName, suffix: string): Buffer {
  const name = Buffer.alloc(5)
  name.writeUIntLE(object % 2 ** 24, 0, 3)
  name.writeUIntLE(generation % 2 ** 16, 3, 2)
  return md5(key, name, Buffer.from(suffix)).subarray(0, Math.min(16, key.length + 5))
}

/** The first block of the data is the initialization vector. */
function aes(algorithm: string, key: Buffer): Decrypt {
  let start = Buffer.alloc(0)
  let decipher: ReturnType<typeof createDecipheriv> | undefined
  return (piece) => {
    if (decipher) return decipher.update(piece)
    start = Buffer.concat([start, piece])
    if (start.length < 16) return Buffer.alloc(0)
    decipher = createDecipheriv(algorithm, key, start.subarray(0, 16)).setAutoPadding(false)
    return decipher.update(start.subarray(16))
  }
}

/** OpenSSL no longer has RC4. */
function rc4(key: Uint8Array): Decrypt {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const at = (index: number): number => state[index] ?? 0
  const swap = (a: number, b: number): void => {
    const kept = at(a)
    state[a] = at(b)
    state[b] = kept
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let i = 0
  let j = 0
  return (piece) => {
    const plain = Buffer.alloc(piece.length)
    for (let k = 0; k < piece.length; k++) {
      i = (i + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      plain[k] = (piece[k] ?? 0) ^ at((at(i) + at(j)) & 255)
    }
    return plain
  }
}
