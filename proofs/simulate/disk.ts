// A disk of which a power cut takes what was not synced: bytes of files, and names in folders.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const load = createRequire(import.meta.url)

/** Paths below it are on the simulated disk. */
export const diskRoot = '/simulated-disk'

interface File {
  bytes: Buffer
  /** What a power cut leaves. */
  synced: Buffer
  changedAt: number
}

const failure = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code })

const isWithin = (folder: string, path: string): boolean => dirname(path) === folder

export class Disk {
  isFull = false
  /** Number of bytes and names that a power cut took. */
  lost = 0
  #files = new Map<string, File>()
  #syncedNames = new Map<string, File>()
  #folders = new Set<string>([diskRoot])
  readonly #open = new Map<number, { path: string; file: File | null }>()
  #lastDescriptor = 1_000_000

  openFile(path: string, mode: 'create' | 'read'): number {
    if (mode === 'create' && this.#files.has(path)) throw failure('EEXIST', path)
    if (mode === 'create')
      this.#files.set(path, { bytes: Buffer.alloc(0), synced: Buffer.alloc(0), changedAt: Date.now() })
    const file = this.#files.get(path)
    if (!file && !this.#folders.has(path)) throw failure('ENOENT', path)
    this.#open.set(++this.#lastDescriptor, { path, file: file ?? null })
    return this.#lastDescriptor
  }

  #opened(descriptor: number): { path: string; file: File | null } {
    const opened = this.#open.get(descriptor)
    if (!opened) throw failure('EBADF', String(descriptor))
    return opened
  }

  write(descriptor: number, pieces: Uint8Array[]): number {
    const { file, path } = this.#opened(descriptor)
    if (this.isFull) throw failure('ENOSPC', path)
    if (!file) throw failure('EISDIR', path)
    const before = file.bytes.length
    file.bytes = Buffer.concat([file.bytes, ...pieces])
    file.changedAt = Date.now()
    return file.bytes.length - before
  }

  read(
    descriptor: number,
    target: Uint8Array,
    { offset, length, position }: { offset: number; length: number; position: number },
  ): number {
    const { file, path } = this.#opened(descriptor)
    if (!file) throw failure('EISDIR', path)
    const piece = file.bytes.subarray(position, position + length)
    target.set(piece, offset)
    return piece.length
  }

  /** Syncs the bytes of a file, or the names of a folder. */
  sync(descriptor: number): void {
    const { path, file } = this.#opened(descriptor)
    if (file) {
      file.synced = file.bytes
      return
    }
    for (const name of [...this.#syncedNames.keys()]) if (isWithin(path, name)) this.#syncedNames.delete(name)
    for (const [name, each] of this.#files) if (isWithin(path, name)) this.#syncedNames.set(name, each)
  }

  close(descriptor: number): void {
    this.#opened(descriptor)
    this.#open.delete(descriptor)
  }

  /** Folders are durable at once, because a lost folder would only hide what the loss of its names shows too. */
  createFolder(path: string): string | undefined {
    const isNew = !this.#folders.has(path)
    for (let each = path; !this.#folders.has(each) && each.startsWith(diskRoot); each = dirname(each))
      this.#folders.add(each)
    return isNew ? path : undefined
  }

  names = (folder: string): string[] =>
    [...this.#files.keys()].filter((name) => isWithin(folder, name)).map((name) => name.slice(folder.length + 1))

  rename(from: string, to: string): void {
    const file = this.#files.get(from)
    if (!file) throw failure('ENOENT', from)
    this.#files.delete(from)
    this.#files.set(to, file)
  }

  remove(path: string): void {
    this.#files.delete(path)
  }

  stat(path: string): { mtimeMs: number; size: number } {
    const file = this.#files.get(path)
    if (!file && !this.#folders.has(path)) throw failure('ENOENT', path)
    return { mtimeMs: file?.changedAt ?? 0, size: file?.bytes.length ?? 0 }
  }

  /** Of what was not synced, any part may remain: here, a part of the bytes by chance, and no new name. */
  cutPower(random: () => number): void {
    this.#open.clear()
    for (const name of this.#files.keys()) if (this.#syncedNames.get(name) !== this.#files.get(name)) this.lost++
    this.#files = new Map(this.#syncedNames)
    for (const file of this.#files.values()) {
      const unsynced = file.bytes.length - file.synced.length
      const kept = random()
      if (unsynced > 0) this.lost += unsynced
      file.bytes = file.bytes.subarray(0, file.synced.length + Math.floor(unsynced * kept))
      file.synced = file.bytes
    }
  }
}

let disk: Disk
export const enterDisk = (next: Disk): void => {
  disk = next
}

const isOnDisk = (path: unknown): path is string => typeof path === 'string' && path.startsWith(diskRoot)
const isDiskDescriptor = (descriptor: unknown): descriptor is number =>
  typeof descriptor === 'number' && descriptor > 1_000_000

/** Replaces a function for paths or descriptors of the disk. */
function replace(holder: Record<string, unknown>, name: string, on: (...args: never[]) => unknown): void {
  const original = holder[name]
  if (typeof original !== 'function') throw new Error(`there is no function ${name}`)
  holder[name] = (...args: unknown[]) =>
    isOnDisk(args[0]) || isDiskDescriptor(args[0]) ? on(...(args as never[])) : original.apply(holder, args)
}

export function installDisk(): void {
  const files = load('node:fs')
  replace(files, 'openSync', (path: string) => disk.openFile(path, 'create'))
  replace(files, 'writevSync', (descriptor: number, pieces: Uint8Array[]) => disk.write(descriptor, pieces))
  replace(files, 'closeSync', (descriptor: number) => disk.close(descriptor))
  for (const name of ['fsync', 'fdatasync'])
    replace(files, name, (descriptor: number, done: (error: Error | null) => void) => {
      disk.sync(descriptor)
      setImmediate(done, null)
    })
  const promises = load('node:fs/promises')
  replace(promises, 'mkdir', async (path: string) => disk.createFolder(path))
  replace(promises, 'open', async (path: string, flags: string) =>
    handleOf(disk.openFile(path, flags === 'wx' ? 'create' : 'read')),
  )
  replace(promises, 'readdir', async (path: string) => disk.names(path))
  replace(promises, 'rename', async (from: string, to: string) => disk.rename(from, to))
  replace(promises, 'rm', async (path: string) => disk.remove(path))
  replace(promises, 'stat', async (path: string) => disk.stat(path))
}

function handleOf(descriptor: number) {
  let position = 0
  return {
    async read(target: Uint8Array, offset: number, length: number) {
      const bytesRead = disk.read(descriptor, target, { offset, length, position })
      position += bytesRead
      return { bytesRead, buffer: target }
    },
    writeFile: async (bytes: Uint8Array) => void disk.write(descriptor, [bytes]),
    sync: async () => disk.sync(descriptor),
    close: async () => disk.close(descriptor),
  }
}
