// Private files: sealed while they arrive, stored under a name only when complete and on disk.
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { newFileKey, openFrames, resealedFrames } from '#kit/crypto/seal-frames.ts'
import { type FileWriter, writeFile } from './file-writer.ts'

export interface ObjectStore {
  /** Creates a file that is invisible until it is kept. */
  draft(): FileDraft
  /** The plain bytes of a file. Throws when there is none of that name, and midway when it was changed. */
  read(name: string): Promise<Readable>
  /** Moves a file to the key that seals now; false when it is under it already. It can be read all the time. */
  reseal(name: string): Promise<boolean>
}

/** A file that is being written. Its methods are called one after the other; the creator keeps or drops it. */
export interface FileDraft {
  /** Takes the chunks, whose buffers may be reused afterwards. The next call throws a failed write. */
  append(chunks: Buffer[]): Promise<void>
  /** Everything has arrived; returns the size and SHA-256 (hexadecimal) of the plain bytes. */
  finish(): Promise<{ sizeBytes: number; sha256: string }>
  /**
   * Resolves when the finished file is durable under `name` (64 hexadecimal digits, derived from its content). An
   * existing file of that name has the same content and stays.
   */
  keep(name: string): Promise<void>
  /** Forgets the file. After `keep` it does nothing. */
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
const draftsLiveMs = 24 * 3_600_000

/** A store that writes its drafts below `directory`; finished files are kept by `backend`, by default below it too. */
export async function openStore(directory: string, seal: Seal, backend?: ObjectBackend): Promise<ObjectStore> {
  const drafts = join(directory, 'draft')
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  await sweep(drafts)
  const kept = backend ?? (await directoryBackend(join(directory, 'object')))
  return {
    draft() {
      const path = join(drafts, uuidv4())
      return writing(path, writeFile(path, newFileKey(seal, context)), kept)
    },
    async read(name) {
      const { read, close } = await kept.open(checked(name))
      const plain = Readable.from(openFrames(seal, context, read), { objectMode: false, highWaterMark: 1 << 20 })
      return plain.once('close', () => void close().catch(() => {}))
    },
    async reseal(name) {
      const path = join(drafts, uuidv4())
      const file = await kept.open(checked(name))
      try {
        const bytes = resealedFrames(seal, context, file.read)
        if ((await writeWhole(path, bytes)) === 0) return false
        await kept.put(name, path)
        return true
      } finally {
        await file.close()
        await rm(path, { force: true })
      }
    },
  }
}

function writing(path: string, writer: FileWriter, backend: ObjectBackend): FileDraft {
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= writer.close()
    return closed
  }
  return {
    append: (chunks) => writer.append(chunks),
    finish: () => writer.finish(),
    async keep(name) {
      if (!(await backend.has(checked(name)))) {
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
  const placeOf = (name: string): string => join(root, name.slice(0, 2), name)
  return {
    has: (name) =>
      stat(placeOf(name)).then(
        () => true,
        () => false,
      ),
    async put(name, path) {
      const folder = join(root, name.slice(0, 2))
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(root)
      await rename(path, placeOf(name))
      await syncFolder(folder)
    },
    async open(name) {
      const file = await open(placeOf(name), 'r')
      return { read: (bytes) => readExactly(file, bytes), close: () => file.close() }
    },
  }
}

/** Everything is on disk; returns the number of pieces. */
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
    if (seen && Date.now() - seen.mtimeMs > draftsLiveMs) await rm(path, { force: true })
  }
}

function checked(name: string): string {
  if (!namePattern.test(name)) throw new Error('the name of a kept file is 64 hexadecimal digits')
  return name
}
