// The thread that digests, seals and writes files block by block.

import { createHash, type Hash } from 'node:crypto'
import { closeSync, constants, fdatasync, fsync, openSync, writevSync } from 'node:fs'
import { promisify } from 'node:util'
import { parentPort } from 'node:worker_threads'
import { release } from '@lendloom/foundation/release-buffer'
import { required } from '@lendloom/foundation/required'
import { type FrameSealer, sealFrames } from '@lendloom/seal/seal-frames'
import type { WriterCommand, WriterReply } from './file-writer.ts'

interface OpenFile {
  descriptor: number
  hash: Hash
  sealing: FrameSealer
  sizeBytes: number
  /** Number of bytes since the last sync was started. */
  unsynced: number
  syncing: Promise<void> | undefined
  failure: unknown
}

/** A sync starts after so many bytes while the file still arrives, so that the last sync is short. */
const syncEveryBytes = 32 << 20
const syncData = promisify(fdatasync)
const syncFile = promisify(fsync)

const files = new Map<number, OpenFile>()

async function runCommand(command: WriterCommand): Promise<unknown> {
  if (command.act === 'open') return void files.set(command.file, openFile(command))
  const file = files.get(command.file)
  if (command.act === 'close') return file && close(command.file, file)
  if (!file) throw new Error('the file is not open')
  if (file.failure) throw file.failure
  if (command.act === 'append') return append(file, Buffer.from(command.memory, 0, command.bytes))
  if (command.act === 'finish') return finish(file)
  await file.syncing
  if (file.failure) throw file.failure
  await syncFile(file.descriptor)
}

function openFile({ path, key: { key, header } }: Extract<WriterCommand, { act: 'open' }>): OpenFile {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants
  const descriptor = openSync(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
  const hash = createHash('sha256')
  const file = {
    descriptor,
    hash,
    sealing: sealFrames(Buffer.from(key)),
    sizeBytes: 0,
    unsynced: 0,
    syncing: undefined,
    failure: undefined,
  }
  write(file, [Buffer.from(header)])
  return file
}

function append(file: OpenFile, plain: Buffer): void {
  file.hash.update(plain)
  file.sizeBytes += plain.length
  file.unsynced += plain.length
  write(file, file.sealing.push(plain))
  if (file.unsynced < syncEveryBytes || file.syncing) return
  file.unsynced = 0
  // The operating system reports a failed sync only once, so the failure is remembered for the file.
  file.syncing = syncData(file.descriptor)
    .catch((error) => {
      file.failure ??= error
    })
    .then(() => {
      file.syncing = undefined
    })
}

function finish(file: OpenFile): { sizeBytes: number; sha256: string } {
  write(file, file.sealing.end())
  return { sizeBytes: file.sizeBytes, sha256: file.hash.digest('hex') }
}

/** Writes all pieces; a single `writev` may write only a part. */
function write(file: OpenFile, pieces: Buffer[]): void {
  try {
    for (let rest = pieces; rest.length > 0; ) {
      let written = writevSync(file.descriptor, rest)
      while (rest[0] && written >= rest[0].length) {
        written -= rest[0].length
        rest = rest.slice(1)
      }
      if (rest[0]) rest = [rest[0].subarray(written), ...rest.slice(1)]
    }
    for (const piece of pieces) release(piece)
  } catch (error) {
    file.failure ??= error
    throw error
  }
}

async function close(number: number, file: OpenFile): Promise<void> {
  files.delete(number)
  await file.syncing
  closeSync(file.descriptor)
}

const port = required(parentPort, 'the port of the thread')

port.on('message', ({ call, command }: { call: number; command: WriterCommand }) => {
  const reply = (message: WriterReply): void => port.postMessage(message)
  runCommand(command).then(
    (value) => reply({ call, value }),
    (error) => reply({ call, error }),
  )
})
