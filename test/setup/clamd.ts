// A malware scanner that speaks clamd's INSTREAM over TCP and knows one signature: EICAR's.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { portIsFree } from '#cli/postgres/server.ts'
import { eicar } from './files.ts'
import { freePort } from './platform.ts'

export interface FakeClamd {
  port: number
  /** The sizes of the files it has seen whole. */
  files: number[]
  /** Connections that ended within a file. */
  broken(): number
  stop(): Promise<void>
}

interface Limits {
  /** StreamMaxLength. */
  mostBytes?: number
  /** MaxFileSize: a longer file is passed unread, unless `alerts` is AlertExceedsMax. */
  mostScanned?: number
  alerts?: boolean
}

/** It ends with the test file. */
export async function fakeClamd(limits: Limits = {}): Promise<FakeClamd> {
  const files: number[] = []
  let broken = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    listen(socket, limits, (size) => files.push(size)).catch(() => broken++)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  after(stop)
  return { port: (server.address() as { port: number }).port, files, broken: () => broken, stop }
}

async function listen(socket: Socket, limits: Limits, seen: (size: number) => void): Promise<void> {
  const { mostBytes = 300 << 20, mostScanned = mostBytes, alerts = false } = limits
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
  if (size > mostScanned)
    return void socket.end(alerts ? 'stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0' : 'stream: OK\0')
  socket.end(isFound ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
}

export interface Clamd {
  port: number
  /** Ends it at once, and resolves when it has ended. */
  kill(): Promise<void>
  /** Starts it again on its port, and resolves when it listens. */
  start(): Promise<void>
}

/** What `docs/how-to/connect-a-lending-partner.md` says of limits; a size such as `300M`. */
export const limitsOf = (size: string): string[] => [
  'StreamMaxLength 260M',
  `MaxFileSize ${size}`,
  `MaxScanSize ${size}`,
  'AlertExceedsMax yes',
]

/** The clamd of Debian on a port of its own, with one signature, EICAR's, and these lines of configuration. */
export async function startClamd(binary: string, lines: string[]): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'lendloom-clamd-'))
  const port = await freePort()
  writeFileSync(join(folder, 'local.ndb'), `Local.Test.EICAR:0:*:${eicar.toString('hex')}\n`)
  const settings = [
    ...['Foreground yes', `DatabaseDirectory ${folder}`, 'TCPAddr 127.0.0.1', `TCPSocket ${port}`],
    ...['User root'].filter(() => process.getuid?.() === 0),
    ...lines,
  ]
  writeFileSync(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`)
  let child: ChildProcess | undefined
  process.once('exit', () => {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const clamd: Clamd = {
    port,
    async start() {
      const begun = spawn(binary, ['-c', join(folder, 'clamd.conf')], { stdio: 'ignore' })
      child = begun
      while (await portIsFree(port)) {
        if (begun.exitCode !== null) throw new Error('clamd did not start')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
  await clamd.start()
  return clamd
}

/** With files up to this size, as `limitsOf` takes it. It ends with the test file. */
export async function realClamd(binary: string, size: string): Promise<Clamd> {
  const clamd = await startClamd(binary, limitsOf(size))
  after(() => clamd.kill())
  return clamd
}
