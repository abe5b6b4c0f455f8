// A fake of the malware scanner clamd, for INSTREAM over TCP and EICAR's signature only; and the real clamd.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { portIsFree } from '@lendloom/cli/src/postgres/server.ts'
import { eicar } from './files.ts'
import { freePort } from './platform.ts'

export interface FakeClamd {
  port: number
  /** Sizes of the complete files. */
  fileSizes: number[]
  /** Number of connections that ended within a file. */
  brokenCount(): number
  stop(): Promise<void>
}

interface Limits {
  /** StreamMaxLength. */
  maxStreamBytes?: number
  /** MaxFileSize: a larger file passes unscanned unless `alerts` (AlertExceedsMax) is set. */
  maxScannedBytes?: number
  alerts?: boolean
}

/** Starts a scanner that stops with the test file. */
export async function fakeClamd(limits: Limits = {}): Promise<FakeClamd> {
  const fileSizes: number[] = []
  let brokenCount = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    listen(socket, limits, (size) => fileSizes.push(size)).catch(() => brokenCount++)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  after(stop)
  return { port: (server.address() as { port: number }).port, fileSizes, brokenCount: () => brokenCount, stop }
}

async function listen(socket: Socket, limits: Limits, onFile: (size: number) => void): Promise<void> {
  const { maxStreamBytes = 300 << 20, maxScannedBytes = maxStreamBytes, alerts = false } = limits
  let buffered: Buffer = Buffer.alloc(0)
  const incoming = socket.on('error', () => {})[Symbol.asyncIterator]()
  async function readBytes(bytes: number): Promise<Buffer> {
    const chunks = [buffered]
    for (let length = buffered.length; length < bytes; ) {
      const { value, done } = await incoming.next()
      if (done) throw new Error('the connection ended within a file')
      chunks.push(value as Buffer)
      length += (value as Buffer).length
    }
    const all = chunks.length > 1 ? Buffer.concat(chunks) : buffered
    buffered = all.subarray(bytes)
    return all.subarray(0, bytes)
  }
  const command = await readBytes(10)
  if (command.toString('latin1') !== 'zINSTREAM\0') return void socket.end('UNKNOWN COMMAND\0')
  let size = 0
  let tail = ''
  let isInfected = false
  for (let length = (await readBytes(4)).readUInt32BE(); length > 0; length = (await readBytes(4)).readUInt32BE()) {
    size += length
    if (size > maxStreamBytes) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
    const text = tail + (await readBytes(length)).toString('latin1')
    isInfected ||= text.includes(eicar.toString('latin1'))
    tail = text.slice(-eicar.length)
  }
  onFile(size)
  if (size > maxScannedBytes)
    return void socket.end(alerts ? 'stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0' : 'stream: OK\0')
  socket.end(isInfected ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
}

export interface Clamd {
  port: number
  /** Kills clamd and resolves when it has ended. */
  kill(): Promise<void>
  /** Starts clamd again on its port and resolves when it listens. */
  start(): Promise<void>
}

/** The limits from `docs/how-to/connect-a-lending-partner.md`, for a size such as `300M`. */
export const limitsOf = (size: string): string[] => [
  'StreamMaxLength 260M',
  `MaxFileSize ${size}`,
  `MaxScanSize ${size}`,
  'AlertExceedsMax yes',
]

/** Starts Debian's clamd on a free port with only EICAR's signature and these configuration lines. */
export async function startClamd(binary: string, lines: string[]): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'lendloom-clamd-'))
  const port = await freePort()
  writeFileSync(join(folder, 'local.ndb'), `Local.Test.EICAR:0:*:${eicar.toString('hex')}\n`)
  const settings = [
    'Foreground yes',
    `DatabaseDirectory ${folder}`,
    'TCPAddr 127.0.0.1',
    `TCPSocket ${port}`,
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
      const started = spawn(binary, ['-c', join(folder, 'clamd.conf')], { stdio: 'ignore' })
      child = started
      while (await portIsFree(port)) {
        if (started.exitCode !== null) throw new Error('clamd did not start')
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

/** Starts clamd for files up to this size (see `limitsOf`); it stops with the test file. */
export async function realClamd(binary: string, size: string): Promise<Clamd> {
  const clamd = await startClamd(binary, limitsOf(size))
  after(() => clamd.kill())
  return clamd
}
