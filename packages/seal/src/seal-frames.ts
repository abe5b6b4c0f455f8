// Seals large files with AES-256-GCM in frames of one mebibyte, so that memory holds one frame at a time.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from './seal.ts'

/*
 * A file contains `LLF1`, the length of the sealed key in two bytes, the sealed key, the frames, and an end tag. Each
 * frame is a mebibyte of ciphertext (the last may be shorter) and a tag. Every file has its own key, so the nonce needs
 * only the frame number and an end flag. Moved, missing or truncated frames do not open.
 */
const magic = Buffer.from('LLF1')
const frameBytes = 1 << 20
const tagBytes = 16
const algorithm = 'aes-256-gcm'

function nonce(frame: number, isEnd: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(frame, 4)
  bytes[11] = isEnd ? 1 : 0
  return bytes
}

/** The key of one file, and the header of the file, which contains the sealed key. */
export interface FileKey {
  key: Buffer
  header: Buffer
}

/** The file opens only with the same `context`. */
export function newFileKey(seal: Seal, context: string): FileKey {
  const key = randomBytes(32)
  return { key, header: headerOf(seal.bytes(key, context)) }
}

function headerOf(sealedKey: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(sealedKey.length)
  return Buffer.concat([magic, length, sealedKey])
}

/** Yields the file with its key resealed under the current key; nothing when the key is already current. */
export async function* resealedFrames(seal: Seal, context: string, read: ReadBytes): AsyncGenerator<Buffer> {
  const sealedKey = await readHeader(read)
  if (seal.isCurrent(sealedKey)) return
  yield headerOf(seal.bytes(seal.open(sealedKey, context), context))
  for (;;) {
    const piece = await read(frameBytes)
    if (piece.length > 0) yield piece
    if (piece.length < frameBytes) return
  }
}

async function readHeader(read: ReadBytes): Promise<Buffer> {
  const start = await read(magic.length + 2)
  if (start.length < magic.length + 2 || !start.subarray(0, magic.length).equals(magic))
    throw new Error('this is not a sealed file')
  return read(start.readUInt16BE(magic.length))
}

/** Seals a file chunk by chunk. The results of `push` and `end` are written in order, after the header. */
export interface FrameSealer {
  /** The chunk may be reused afterwards. */
  push(plain: Buffer): Buffer[]
  end(): Buffer[]
}

export function sealFrames(key: Buffer): FrameSealer {
  let frame = 0
  let filled = 0
  let cipher = createCipheriv(algorithm, key, nonce(frame, false))

  function closeFrame(): Buffer {
    cipher.final()
    const tag = cipher.getAuthTag()
    filled = 0
    cipher = createCipheriv(algorithm, key, nonce(++frame, false))
    return tag
  }
  return {
    push(plain) {
      const sealed: Buffer[] = []
      for (let remaining = plain; remaining.length > 0; ) {
        const piece = remaining.subarray(0, frameBytes - filled)
        sealed.push(cipher.update(piece))
        filled += piece.length
        remaining = remaining.subarray(piece.length)
        if (filled === frameBytes) sealed.push(closeFrame())
      }
      return sealed
    },
    end() {
      const sealed = filled > 0 ? [closeFrame()] : []
      const end = createCipheriv(algorithm, key, nonce(frame, true))
      end.final()
      return [...sealed, end.getAuthTag()]
    },
  }
}

/** Reads exactly `bytes` bytes; fewer only at the end of the file. */
export type ReadBytes = (bytes: number) => Promise<Buffer>

/** Yields the plain bytes by frame. Throws when the file is truncated, changed, or sealed for another context. */
export async function* openFrames(seal: Seal, context: string, read: ReadBytes): AsyncGenerator<Buffer> {
  const key = seal.open(await readHeader(read), context)
  /** One frame and the bytes after the frame, as many as the end tag has. */
  let buffered: Buffer = Buffer.alloc(0)
  for (let frame = 0; ; frame++) {
    buffered = Buffer.concat([buffered, await read(frameBytes + 2 * tagBytes - buffered.length)])
    const sealed = buffered.subarray(0, -tagBytes)
    if (sealed.length > 0) yield openFrame(key, nonce(frame, false), sealed)
    buffered = buffered.subarray(sealed.length)
    if (sealed.length === frameBytes + tagBytes) continue
    openFrame(key, nonce(sealed.length > 0 ? frame + 1 : frame, true), buffered)
    return
  }
}

function openFrame(key: Buffer, iv: Buffer, sealed: Buffer): Buffer {
  if (sealed.length < tagBytes) throw new Error('the sealed file is truncated')
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const plain = decipher.update(sealed.subarray(0, -tagBytes))
  decipher.final()
  return plain
}
