// Writes sealed files in a separate thread: digesting and sealing a large file would delay all requests.
import { Worker } from 'node:worker_threads'
import type { FileKey } from '#kit/crypto/seal-frames.ts'
import { release } from '#kit/runtime/release.ts'

/** One file. Its methods are called one after the other; each throws what went wrong before. */
export interface FileWriter {
  /**
   * Resolves when the bytes were copied and their buffers may be reused. A caller that is faster than the disk waits
   * here.
   */
  append(chunks: Buffer[]): Promise<void>
  /** Ends the file; returns the size and SHA-256 (hexadecimal) of the plain bytes. */
  finish(): Promise<{ sizeBytes: number; sha256: string }>
  /** Syncs the file to disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** A command for the thread, which runs the commands of a file in sequence; after a failure all later ones fail. */
export type WriterCommand =
  | { act: 'open'; file: number; path: string; key: FileKey }
  | { act: 'append'; file: number; memory: SharedArrayBuffer; bytes: number }
  | { act: 'finish' | 'sync' | 'close'; file: number }
/** The answer to a command, with its number. */
export type WriterReply = { call: number; value?: unknown; error?: Error }

/** Block size of transfers to the thread; the blocks are the only memory that incoming files use. */
const blockBytes = 1 << 20
const mostBlocks = 16

let files = 0
let calls = 0
let thread: Worker | undefined
const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()

function send<T>(command: WriterCommand): Promise<T> {
  const call = ++calls
  return new Promise<T>((resolve, reject) => {
    const worker = running()
    // A process that waits for an answer does not end before it.
    if (waiting.size === 0) worker.ref()
    waiting.set(call, { resolve, reject })
    worker.postMessage({ call, command })
  })
}

function running(): Worker {
  if (thread) return thread
  const worker = new Worker(new URL('./file-writer-thread.ts', import.meta.url))
  worker.on('message', ({ call, value, error }: WriterReply) => {
    const waits = waiting.get(call)
    waiting.delete(call)
    if (waiting.size === 0) worker.unref()
    if (error) waits?.reject(error)
    else waits?.resolve(value)
  })
  // The files of a crashed thread are lost; the next file starts another thread.
  worker.on('error', (error) => {
    thread = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  })
  thread = worker
  return worker
}

const free: SharedArrayBuffer[] = []
const wanting: ((block: SharedArrayBuffer) => void)[] = []
let made = 0

async function takeBlock(): Promise<SharedArrayBuffer> {
  const block = free.pop()
  if (block) return block
  if (made++ < mostBlocks) return new SharedArrayBuffer(blockBytes)
  made--
  return new Promise((resolve) => wanting.push(resolve))
}
function giveBack(block: SharedArrayBuffer): void {
  const next = wanting.shift()
  if (next) next(block)
  else free.push(block)
}

/** Creates a file that only our user may read. */
export function writeFile(path: string, key: FileKey): FileWriter {
  const file = ++files
  let failure: { error: unknown } | undefined
  const note = (answer: Promise<unknown>): Promise<unknown> =>
    answer.catch((error) => {
      failure ??= { error }
    })
  /** Answers come in the order of the commands, so the first failure is thrown. */
  const failingFirst = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error) => {
      throw failure ? failure.error : error
    })
  note(send({ act: 'open', file, path, key }))

  return {
    async append(chunks) {
      for (let rest = chunks.filter(({ length }) => length > 0); rest.length > 0; ) {
        const memory = await takeBlock()
        if (failure) giveBack(memory)
        if (failure) throw failure.error
        let bytes = 0
        ;[bytes, rest] = fill(Buffer.from(memory), rest)
        note(send({ act: 'append', file, memory, bytes })).then(() => giveBack(memory))
      }
    },
    finish: () => failingFirst(send({ act: 'finish', file })),
    sync: () => failingFirst(send({ act: 'sync', file })),
    close: () => send({ act: 'close', file }),
  }
}

/** Copies as much as fits; returns the number of copied bytes, and the rest. */
function fill(block: Buffer, chunks: Buffer[]): [bytes: number, rest: Buffer[]] {
  let bytes = 0
  for (const [i, chunk] of chunks.entries()) {
    const copied = chunk.copy(block, bytes)
    bytes += copied
    if (copied < chunk.length) return [bytes, [chunk.subarray(copied), ...chunks.slice(i + 1)]]
    release(chunk)
  }
  return [bytes, []]
}
