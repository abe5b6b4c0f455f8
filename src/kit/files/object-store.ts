// Private files: sealed while they arrive, stored under a name only when complete and on disk.
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { newFileKey, openFrames, resealedFrames } from '#kit/crypto/seal-frames.ts'
import { type FileWriter, writeFile } from './file-writer.ts'

export interface ObjectStore {
  /** Creates a file that is invisible until `keep`. */
  draft(): FileDraft
  /** Returns the plain bytes of a file. Throws when the file does not exist, and midway when its bytes were changed. */
  read(name: string): Promise<Readable>
  /** Reseals a file with the current key; false when it already has it. The file stays readable meanwhile. */
  reseal(name: string): Promise<boolean>
}

/** A file that is being written. Its methods are called one after the other; the creator keeps or drops it. */
export interface FileDraft {
  /** Appends chunks, whose buffers may be reused afterwards. A failed write is thrown by the next call. */
  append(chunks: Buffer[]): Promise<void>
  /** Ends the file; returns the size and SHA-256 (hexadecimal) of the plain bytes. */
  finish(): Promise<{ sizeBytes: number; sha256: string }>
  /**
   * Resolves when the finished file is durable under `name` (64 hexadecimal digits, derived from its content). An
   * existing file of that name has the same content and stays.
   */
  keep(name: string): Promise<void>
  /** Deletes the draft. Does nothing after `keep`. */
  drop(): Promise<void>
}

/** The storage of finished drafts. `path` is the sealed, synced file; `put` moves or copies it. */
export interface ObjectBackend {
  has(name: string): Promise<boolean>
  put(name: string, path: string): Promise<void>
  /** The sealed bytes. */
  open(name: string): Promise<{ read(bytes: number): Promise<Buffer>; close(): Promise<void> }>
}

const context = 'object'
const namePattern = /^[0-9a-f]{64}$/
const draftLifetimeMs = 24 * 3_600_000

/** Opens a store with its drafts below `directory`; `backend` stores finished files, by default below it too. */
export async function openStore(directory: string, seal: Seal, backend?: ObjectBackend): Promise<ObjectStore> {
  const drafts = join(directory, 'draft')
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  await sweep(drafts)
  const storage = backend ?? (await directoryBackend(join(directory, 'object')))
  return {
    draft() {
      const path = join(drafts, uuidv4())
      return draftOf(path, writeFile(path, newFileKey(seal, context)), storage)
    },
    async read(name) {
      const { read, close } = await storage.open(checkedName(name))
      const plain = Readable.from(openFrames(seal, context, read), { objectMode: false, highWaterMark: 1 << 20 })
      return plain.once('close', () => void close().catch(() => {}))
    },
    async reseal(name) {
      const path = join(drafts, uuidv4())
      const file = await storage.open(checkedName(name))
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
  }
}

function draftOf(path: string, writer: FileWriter, backend: ObjectBackend): FileDraft {
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= writer.close()
    return closed
  }
  return {
    append: (chunks) => writer.append(chunks),
    finish: () => writer.finish(),
    async keep(name) {
      if (!(await backend.has(checkedName(name)))) {
        await writer.sync()
        await backend.put(name, path)
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

/** Files in folders by the first two digits of their names; a file appears there by one rename. */
async function directoryBackend(root: string): Promise<ObjectBackend> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const pathOf = (name: string): string => join(root, name.slice(0, 2), name)
  return {
    has: (name) =>
      stat(pathOf(name)).then(
        () => true,
        () => false,
      ),
    async put(name, path) {
      const folder = join(root, name.slice(0, 2))
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(root)
      await rename(path, pathOf(name))
      await syncFolder(folder)
    },
    async open(name) {
      const file = await open(pathOf(name), 'r')
      return { read: (bytes) => readExactly(file, bytes), close: () => file.close() }
    },
  }
}

/** Writes and syncs a file; returns the number of chunks. */
async function writeWhole(path: string, pieces: AsyncIterable<Buffer>): Promise<number> {
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
  const into = Buffer.allocUnsafe(bytes)
  let filled = 0
  while (filled < bytes) {
    const { bytesRead } = await file.read(into, filled, bytes - filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return into.subarray(0, filled)
}

/** The name of a file is on the disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** Deletes drafts of dead processes; those of running processes are younger. */
async function sweep(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name)
    const seen = await stat(path).catch(() => null)
    if (seen && Date.now() - seen.mtimeMs > draftLifetimeMs) await rm(path, { force: true })
  }
}

function checkedName(name: string): string {
  if (!namePattern.test(name)) throw new Error('the name of a stored file must be 64 hexadecimal digits')
  return name
}
