// Copies files so that they survive a crash, and computes the digests by which a backup is verified.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

export interface FileDigest {
  bytes: number
  sha256: string
}

const chunkBytes = 1 << 20

/** Copies a file, which may change meanwhile, and syncs the copy. Returns the digest of the copied bytes. */
export async function copyDurably(from: string, to: string): Promise<FileDigest> {
  const target = await open(to, 'wx', 0o600)
  try {
    const digest = await digestOf(from, (chunk) => target.writeFile(chunk))
    await target.sync()
    return digest
  } finally {
    await target.close()
  }
}

/** Reads a file and returns its size and digest. `take` gets each piece. */
export async function digestOf(path: string, take?: (chunk: Buffer) => Promise<void>): Promise<FileDigest> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes)
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
      const chunk = buffer.subarray(0, bytesRead)
      hash.update(chunk)
      bytes += bytesRead
      await take?.(chunk)
    }
  } finally {
    await file.close()
  }
}

/** Syncs a folder: without it, the name of a new file may be lost in a crash. */
export async function syncFolder(path: string): Promise<void> {
  const folder: FileHandle = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** Handles a few items at a time, until all are done or one fails. */
export async function forEachConcurrently<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const remaining = items.values()
  const worker = async (): Promise<void> => {
    for (const item of remaining) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
const concurrency = 4
