// Stores private files: sealed while they arrive, and stored under a name once they are complete and on disk.
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { uuidv4 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { newFileKey, openFrames, resealedFrames } from '@lendloom/seal/seal-frames'
import { type FileWriter, writeFile } from './file-writer.ts'

export interface ObjectStore {
  /** Creates a file that is invisible until `keep`. */
  draft(): FileDraft
  /** Returns the plain bytes of a file. Throws when the file does not exist; the stream fails if bytes were changed. */
  read(name: string): Promise<Readable>
  /** Reseals a file with the current key; false when that key already seals it. The file stays readable meanwhile. */
  reseal(name: string): Promise<boolean>
  /** Deletes a file; does nothing if it does not exist. */
  remove(name: string): Promise<void>
}

/** A file that is being written. Its methods must be called in sequence; the caller ends with `keep` or `drop`. */
export interface FileDraft {
  /** Appends chunks, whose buffers may be reused afterwards. A failed write is thrown by the next call. */
  append(chunks: Buffer[]): Promise<void>
  /** Ends the file; returns the size and SHA-256 (hexadecimal) of the plain bytes. */
  finish(): Promise<{ sizeBytes: number; sha256: string }>
  /** Returns the plain bytes of the finished file, before `keep`. */
  read(): AsyncIterable<Buffer>
  /**
   * Resolves when the finished file is durable under `name` (64 hexadecimal digits, derived from its content). An
   * existing file of that name has the same content and stays.
   */
  keep(name: string): Promise<void>
  /** Deletes the draft. Does nothing after `keep`. */
  drop(): Promise<void>
}

/** The storage of finished drafts. `put` moves or copies the sealed and synced file at `path`. */
export interface ObjectBackend {
  has(name: string): Promise<boolean>
  put(name: string, path: string): Promise<void>
  /** Stores small sealed bytes, durably when it resolves. */
  write(name: string, bytes: Buffer): Promise<void>
  /** Opens the sealed bytes of a file, to be read in order. */
  open(name: string): Promise<{ read(bytes: number): Promise<Buffer>; close(): Promise<void> }>
  /** Deletes a file; does nothing if it does not exist. */
  remove(name: string): Promise<void>
}

const context = 'object'
const namePattern = /^[0-9a-f]{64}$/
const draftLifetimeMs = 24 * 3_600_000

/** Opens a store with its drafts below `directory`; `backend` stores finished files, by default there too. */
export async function openStore(directory: string, seal: Seal, backend?: ObjectBackend): Promise<ObjectStore> {
  const drafts = join(directory, 'draft')
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  await deleteOldDrafts(drafts)
  const storage = backend ?? directoryBackend(directory)
  return {
    draft() {
      const path = join(drafts, uuidv4())
      return draftOf(path, { seal, writer: writeFile(path, newFileKey(seal, context)), storage })
    },
    async read(name) {
      const { read, close } = await storage.open(validName(name))
      const plain = Readable.from(openFrames(seal, context, read), { objectMode: false, highWaterMark: 1 << 20 })
      return plain.once('close', () => void close().catch(() => {}))
    },
    async reseal(name) {
      const path = join(drafts, uuidv4())
      const file = await storage.open(validName(name))
      try {
        const bytes = resealedFrames(seal, context, file.read)
        if ((await writeWhole(path, bytes)) === 0) return false
        await storage.put(name, path)
        return true
      } finally {
        await file.close()
        await rm(path, { force: true })
      }
    },
    remove: (name) => storage.remove(validName(name)),
  }
}

function draftOf(
  path: string,
  { seal, writer, storage }: { seal: Seal; writer: FileWriter; storage: ObjectBackend },
): FileDraft {
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= writer.close()
    return closing
  }
  return {
    append: (chunks) => writer.append(chunks),
    finish: () => writer.finish(),
    async *read() {
      const file = await open(path, 'r')
      try {
        yield* openFrames(seal, context, (bytes) => readExactly(file, bytes))
      } finally {
        await file.close()
      }
    },
    async keep(name) {
      if (!(await storage.has(validName(name)))) {
        await writer.sync()
        await storage.put(name, path)
      }
      await close()
      await rm(path, { force: true })
    },
    async drop() {
      await close()
      await rm(path, { force: true })
    },
  }
}

/** The whole bytes of a small file. */
export async function readBytes(backend: ObjectBackend, name: string): Promise<Buffer> {
  const file = await backend.open(name)
  try {
    const pieces: Buffer[] = []
    for (;;) {
      const piece = await file.read(pieceBytes)
      pieces.push(piece)
      if (piece.length < pieceBytes) return Buffer.concat(pieces)
    }
  } finally {
    await file.close()
  }
}

const pieceBytes = 1 << 20

/** Stores files below `directory/object`, in folders by the first two digits of their names; one rename makes a file visible. */
export function directoryBackend(directory: string): ObjectBackend {
  const root = join(directory, 'object')
  const pathOf = (name: string): string => join(root, name.slice(0, 2), name)
  async function put(name: string, path: string): Promise<void> {
    const folder = join(root, name.slice(0, 2))
    if (await mkdir(folder, { recursive: true, mode: 0o700 })) {
      await syncFolder(root)
      await syncFolder(directory)
    }
    await rename(path, pathOf(name))
    await syncFolder(folder)
  }
  return {
    put,
    async write(name, bytes) {
      const drafts = join(directory, 'draft')
      await mkdir(drafts, { recursive: true, mode: 0o700 })
      const path = join(drafts, uuidv4())
      try {
        await writeWhole(path, [bytes])
        await put(name, path)
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
    },
    has: (name) =>
      stat(pathOf(name)).then(
        () => true,
        () => false,
      ),
    async open(name) {
      const file = await open(pathOf(name), 'r')
      return { read: (bytes) => readExactly(file, bytes), close: () => file.close() }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

/** Writes and syncs a file; returns the number of chunks. */
async function writeWhole(path: string, pieces: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<number> {
  let count = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of pieces) {
      count++
      await file.writeFile(piece)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return count
}

async function readExactly(file: FileHandle, bytes: number): Promise<Buffer> {
  const target = Buffer.allocUnsafe(bytes)
  let filled = 0
  while (filled < bytes) {
    const { bytesRead } = await file.read(target, filled, bytes - filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return target.subarray(0, filled)
}

/** Syncs a folder: without it, the name of a new file may be lost in a crash. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** Deletes drafts older than a day, which are those of dead processes. */
async function deleteOldDrafts(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name)
    const stats = await stat(path).catch(() => null)
    if (stats && Date.now() - stats.mtimeMs > draftLifetimeMs) await rm(path, { force: true })
  }
}

function validName(name: string): string {
  if (!namePattern.test(name)) throw new Error('the name of a stored file must be 64 hexadecimal digits')
  return name
}
