// Large files at rest: AES-256-GCM in frames of one mebibyte, so that both ways need memory for one frame, not for a file.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from '#kit/seal.ts'

/*
 * `LLF1`, the length of the sealed key in two bytes, the sealed key; then the frames: a mebibyte of ciphertext each, the
 * last one shorter or empty, each followed by its tag. Every file has a key of its own, so a frame's nonce is its number
 * and whether it is the last: frames that are moved, left out or cut off do not open.
 */
const magic = Buffer.from('LLF1')
const frameBytes = 1 << 20
const tagBytes = 16
const algorithm = 'aes-256-gcm'
const nonce = (frame: number, isLast: boolean): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(frame, 4)
  bytes[11] = isLast ? 1 : 0
  return bytes
}

/** Seals a file piece by piece. What `push` and `end` give is written in that order, after `header`. */
export interface Sealing {
  header: Buffer
  push(plain: Buffer): Buffer[]
  end(): Buffer[]
}

/** `context` names the kind of place the file is kept in: elsewhere it does not open. */
export function sealFrames(seal: Seal, context: string): Sealing {
  const key = randomBytes(32)
  const sealedKey = seal.bytes(key, context)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(sealedKey.length)
  let held: Buffer[] = []
  let heldBytes = 0
  let frame = 0

  function closed(isLast: boolean): Buffer[] {
    const cipher = createCipheriv(algorithm, key, nonce(frame++, isLast))
    const sealed = held.map((piece) => cipher.update(piece))
    cipher.final()
    held = []
    heldBytes = 0
    return [...sealed, cipher.getAuthTag()]
  }

  return {
    header: Buffer.concat([magic, length, sealedKey]),
    push(plain) {
      const ready: Buffer[] = []
      for (let rest = plain; rest.length > 0; ) {
        // A full frame waits for the next byte: until then it may be the last one.
        if (heldBytes === frameBytes) ready.push(...closed(false))
        const piece = rest.subarray(0, frameBytes - heldBytes)
        held.push(piece)
        heldBytes += piece.length
        rest = rest.subarray(piece.length)
      }
      return ready
    },
    end: () => closed(true),
  }
}

/** Reads exactly so many bytes, fewer only where the file ends. */
export type ReadBytes = (bytes: number) => Promise<Buffer>

/** The plain bytes, frame by frame. Throws when the file is cut off, was changed, or belongs elsewhere. */
export async function* openFrames(seal: Seal, context: string, read: ReadBytes): AsyncGenerator<Buffer> {
  const start = await read(magic.length + 2)
  if (start.length < magic.length + 2 || !start.subarray(0, magic.length).equals(magic))
    throw new Error('this is not a sealed file')
  const key = seal.open(await read(start.readUInt16BE(magic.length)), context)
  let ahead = await read(frameBytes + tagBytes)
  for (let frame = 0; ; frame++) {
    const sealed = ahead
    ahead = sealed.length === frameBytes + tagBytes ? await read(frameBytes + tagBytes) : Buffer.alloc(0)
    const isLast = ahead.length === 0
    if (sealed.length < tagBytes) throw new Error('the sealed file is cut off')
    const decipher = createDecipheriv(algorithm, key, nonce(frame, isLast), { authTagLength: tagBytes })
    decipher.setAuthTag(sealed.subarray(-tagBytes))
    const plain = decipher.update(sealed.subarray(0, -tagBytes))
    decipher.final()
    if (plain.length > 0) yield plain
    if (isLast) return
  }
}
