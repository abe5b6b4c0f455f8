// A malware scanner that speaks clamd's INSTREAM over TCP and knows one signature: EICAR's.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { eicar } from './files.ts'

export interface FakeClamd {
  port: number
  /** The sizes of the files it has seen whole. */
  files: number[]
  /** Connections that ended within a file. */
  broken(): number
  stop(): Promise<void>
}

/** It ends with the test file. `mostBytes` is its StreamMaxLength. */
export async function fakeClamd({ mostBytes = 300 << 20 } = {}): Promise<FakeClamd> {
  const files: number[] = []
  let broken = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    listen(socket, mostBytes, (size) => files.push(size)).catch(() => broken++)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  after(stop)
  return { port: (server.address() as { port: number }).port, files, broken: () => broken, stop }
}

async function listen(socket: Socket, mostBytes: number, seen: (size: number) => void): Promise<void> {
  let held: Buffer = Buffer.alloc(0)
  const incoming = socket.on('error', () => {})[Symbol.asyncIterator]()
  async function take(bytes: number): Promise<Buffer> {
    const pieces = [held]
    for (let have = held.length; have < bytes; ) {
      const { value, done } = await incoming.next()
      if (done) throw new Error('broken off')
      pieces.push(value as Buffer)
      have += (value as Buffer).length
    }
    const all = pieces.length > 1 ? Buffer.concat(pieces) : held
    held = all.subarray(bytes)
    return all.subarray(0, bytes)
  }
  const command = await take(10)
  if (command.toString('latin1') !== 'zINSTREAM\0') return void socket.end('UNKNOWN COMMAND\0')
  let size = 0
  let tail = ''
  let isFound = false
  for (let length = (await take(4)).readUInt32BE(); length > 0; length = (await take(4)).readUInt32BE()) {
    size += length
    if (size > mostBytes) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
    const text = tail + (await take(length)).toString('latin1')
    isFound ||= text.includes(eicar.toString('latin1'))
    tail = text.slice(-eicar.length)
  }
  seen(size)
  socket.end(isFound ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
}
