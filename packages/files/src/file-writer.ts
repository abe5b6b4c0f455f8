// Writes sealed files in a separate thread, because digesting and sealing a large file would delay all requests.
import { Worker } from 'node:worker_threads'
import { release } from '@lendloom/foundation/release-buffer'
import type { FileKey } from '@lendloom/seal/seal-frames'

/** One file. Its methods must be called in sequence; each throws the first error of the file. */
export interface FileWriter {
  /** Resolves when the bytes are copied and their buffers may be reused; waits for the disk if it is slower. */
  append(chunks: Buffer[]): Promise<void>
  /** Ends the file; returns the size and SHA-256 (hexadecimal) of the plain bytes. */
  finish(): Promise<{ sizeBytes: number; sha256: string }>
  /** Syncs the file to disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** A command for the thread, which runs the commands of a file in sequence; after a failure, later commands fail. */
export type WriterCommand =
  | { act: 'open'; file: number; path: string; key: FileKey }
  | { act: 'append'; file: number; memory: SharedArrayBuffer; bytes: number }
  | { act: 'finish' | 'sync' | 'close'; file: number }
/** The answer to the command with the number `call`. */
export type WriterReply = { call: number; value?: unknown; error?: Error }

/** Block size of transfers to the thread; the blocks are the only memory that incoming files use. */
const blockBytes = 1 << 20
const maxBlocks = 16

let files = 0
let calls = 0
let thread: Worker | undefined
const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()

function send<T>(command: WriterCommand): Promise<T> {
  const call = ++calls
  return new Promise<T>((resolve, reject) => {
    const worker = runningThread()
    // Keeps the process alive while it waits for an answer.
    if (waiting.size === 0) worker.ref()
    waiting.set(call, { resolve, reject })
    worker.postMessage({ call, command })
  })
}

function runningThread(): Worker {
  if (thread) return thread
  const worker = new Worker(new URL('./file-writer-thread.ts', import.meta.url))
  worker.on('message', ({ call, value, error }: WriterReply) => {
    const caller = waiting.get(call)
    waiting.delete(call)
    if (waiting.size === 0) worker.unref()
    if (error) caller?.reject(error)
    else caller?.resolve(value)
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

const freeBlocks: SharedArrayBuffer[] = []
const blockWaiters: ((block: SharedArrayBuffer) => void)[] = []
let blockCount = 0

async function takeBlock(): Promise<SharedArrayBuffer> {
  const block = freeBlocks.pop()
  if (block) return block
  if (blockCount++ < maxBlocks) return new SharedArrayBuffer(blockBytes)
  blockCount--
  return new Promise((resolve) => blockWaiters.push(resolve))
}
function returnBlock(block: SharedArrayBuffer): void {
  const next = blockWaiters.shift()
  if (next) next(block)
  else freeBlocks.push(block)
}

/** Creates a file that only the user of this process may read. */
export function writeFile(path: string, key: FileKey): FileWriter {
  const file = ++files
  let failure: { error: unknown } | undefined
  const rememberFailure = (answer: Promise<unknown>): Promise<unknown> =>
    answer.catch((error) => {
      failure ??= { error }
    })
  /** Answers come in the order of the commands, so the first failure is thrown. */
  const throwFirstFailure = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error) => {
      throw failure ? failure.error : error
    })
  rememberFailure(send({ act: 'open', file, path, key }))

  return {
    async append(chunks) {
      for (let rest = chunks.filter(({ length }) => length > 0); rest.length > 0; ) {
        const memory = await takeBlock()
        if (failure) returnBlock(memory)
        if (failure) throw failure.error
        let bytes = 0
        ;[bytes, rest] = fill(Buffer.from(memory), rest)
        rememberFailure(send({ act: 'append', file, memory, bytes })).then(() => returnBlock(memory))
      }
    },
    finish: () => throwFirstFailure(send({ act: 'finish', file })),
    sync: () => throwFirstFailure(send({ act: 'sync', file })),
    close: () => send({ act: 'close', file }),
  }
}

/** Copies as much as fits; returns the number of copied bytes and the remaining chunks. */
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
