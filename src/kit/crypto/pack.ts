// Compresses values before they are sealed.
import { readFileSync } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * Text that many stored values share: names and codes, without data of a person. Stored values need it to be opened, so it
 * never changes; a better one is another file for another format. `npm run bench -- dictionary` builds one.
 */
const dictionary = readFileSync(new URL('dictionary-1.txt', import.meta.url))

/** Compressing a smaller value takes longer than it is worth; the second figure is for values that are kept for days. */
const [minBytes, minShortLivedBytes] = [350, 1024]

/** Allocating zlib's default memory takes longer than compressing a small value. */
const [maxSmallBytes, smallMemory] = [16_384, { memLevel: 5, chunkSize: 1024 }]

/** An update is sealed for its event and for its delivery, as the same bytes. */
const packedBefore = new WeakMap<Uint8Array, Buffer>()

/**
 * Compresses a value, which must not change afterwards; null if that makes it no smaller. The length of the result depends
 * on the content. An outsider learns a secret from it only by many lengths of the same secret beside texts that they
 * choose, and no value that leaves the database in sealed form repeats a secret.
 */
export function pack(plain: Uint8Array, isShortLived: boolean): Buffer | null {
  if (plain.length < (isShortLived ? minShortLivedBytes : minBytes)) return null
  const packed =
    packedBefore.get(plain) ?? deflateRawSync(plain, { dictionary, ...(plain.length <= maxSmallBytes && smallMemory) })
  packedBefore.set(plain, packed)
  return packed.length < plain.length ? packed : null
}

/** Has no limit of its own, because the seal only unpacks values that this installation packed. */
export const unpack = (packed: Uint8Array): Buffer =>
  inflateRawSync(packed, { dictionary, chunkSize: packed.length < 1024 ? 4096 : 16_384 })
