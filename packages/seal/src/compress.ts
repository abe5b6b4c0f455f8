// Compresses values before they are sealed.
import { readFileSync } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * Texts that stored values share: names and codes, without data of a person. They never change, because stored values
 * need them. zlib reads the whole dictionary for each value. `npm run bench -- dictionary [--below 2048]` builds them.
 */
const dictionaries = {
  long: readFileSync(new URL('dictionary-1.txt', import.meta.url)),
  short: readFileSync(new URL('dictionary-2.txt', import.meta.url)),
}
const shortBelow = 2048

/** Compressing a smaller value takes longer than it is worth. */
const minBytes = 350
/** The same for a value that is kept only for days. */
const minShortLivedBytes = 1024

/** Allocating zlib's default memory takes longer than compressing a small value. */
const maxSmallBytes = 16_384
const smallMemory = { memLevel: 5, chunkSize: 1024 }

interface PackedValue {
  body: Buffer
  by: keyof typeof dictionaries
}

/** An update is sealed for its event and for its delivery, as the same bytes. */
const packedBefore = new WeakMap<Uint8Array, PackedValue>()

/**
 * Compresses a value, which must not change afterwards; null if that makes it no smaller. The length of the result depends
 * on the content. An outsider learns a secret from it only by many lengths of the same secret beside texts that they
 * choose, and no value that leaves the database in sealed form repeats a secret.
 */
export function pack(plain: Uint8Array, isShortLived: boolean): PackedValue | null {
  if (plain.length < (isShortLived ? minShortLivedBytes : minBytes)) return null
  const packed = packedBefore.get(plain) ?? deflated(plain)
  packedBefore.set(plain, packed)
  return packed.body.length < plain.length ? packed : null
}

function deflated(plain: Uint8Array): PackedValue {
  const by = plain.length < shortBelow ? 'short' : 'long'
  const options = { dictionary: dictionaries[by], ...(plain.length <= maxSmallBytes && smallMemory) }
  return { body: deflateRawSync(plain, options), by }
}

/** Has no limit of its own, because the seal only unpacks values that this installation packed. */
export const unpack = ({ body, by }: PackedValue): Buffer =>
  inflateRawSync(body, { dictionary: dictionaries[by], chunkSize: body.length < 1024 ? 4096 : 16_384 })
