// A minimal HTTP client over a socket, because hostile requests are not valid enough for Node's clients.
import { connect, type Socket } from 'node:net'

export interface WireReply {
  /** 0 when the server closed the connection without an answer. */
  status: number
  headers: Record<string, string>
  body: Buffer
  ms: number
}

const tickMs = 20
let stalledMs = 0
let lastTick = performance.now()
/** Counts the time in which this process did not run, which is not the server's. */
setInterval(() => {
  const now = performance.now()
  stalledMs += Math.max(0, now - lastTick - 2 * tickMs)
  lastTick = now
}, tickMs).unref()

/** One connection at a time to one port, reconnected when the server closes it. */
export class Wire {
  private readonly port: number
  private socket: Socket | null = null

  constructor(port: number) {
    this.port = port
  }

  async send(bytes: Buffer, method: string): Promise<WireReply> {
    const isReused = this.socket !== null
    const reply = await this.exchange(bytes, method)
    // The server may close an idle connection just before the request.
    return reply.status === 0 && isReused ? this.exchange(bytes, method) : reply
  }

  close(): void {
    this.socket?.destroy()
    this.socket = null
  }

  private exchange(bytes: Buffer, method: string): Promise<WireReply> {
    const socket = this.socket ?? connect({ port: this.port, host: '127.0.0.1', noDelay: true })
    this.socket = socket
    const began = performance.now()
    const stalledBefore = stalledMs
    const parser = new AnswerParser(method)
    return new Promise((resolve) => {
      const finish = (reuse: boolean) => {
        const ended = performance.now()
        socket.removeAllListeners()
        socket.on('error', () => {})
        clearTimeout(timer)
        if (!reuse || parser.closes) this.close()
        resolve({ ...parser.result(), ms: ended - began - (stalledMs - stalledBefore) })
      }
      const timer = setTimeout(() => finish(false), timeoutMs)
      socket.on('data', (chunk) => {
        parser.add(chunk)
        if (parser.isStream) finish(false)
        else if (parser.isComplete) finish(true)
      })
      socket.once('error', () => finish(false))
      socket.once('close', () => finish(false))
      socket.write(bytes)
    })
  }
}

const timeoutMs = 20_000

/** Collects the bytes of one answer: headers, then a body with a length, in chunks, or until the end. */
class AnswerParser {
  private bytes: Buffer = Buffer.alloc(0)
  private head: { status: number; headers: Record<string, string>; end: number } | null = null
  private readonly method: string

  constructor(method: string) {
    this.method = method
  }

  add(chunk: Buffer): void {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk])
    while (!this.head) {
      const end = this.bytes.indexOf('\r\n\r\n')
      if (end < 0) return
      const [first = '', ...lines] = this.bytes.subarray(0, end).toString('latin1').split('\r\n')
      const status = Number(first.split(' ')[1])
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      )
      if (status >= 200) this.head = { status, headers, end: end + 4 }
      else this.bytes = this.bytes.subarray(end + 4)
    }
  }

  get isStream(): boolean {
    return this.head?.headers['content-type']?.startsWith('text/event-stream') ?? false
  }

  get closes(): boolean {
    return this.head === null || this.head.headers.connection === 'close'
  }

  private get bodyBytes(): Buffer {
    return this.bytes.subarray(this.head?.end ?? 0)
  }

  get isComplete(): boolean {
    if (!this.head) return false
    const { status, headers } = this.head
    if (this.method === 'HEAD' || status === 204 || status === 304) return true
    if (headers['transfer-encoding'] === 'chunked')
      return this.bodyBytes.subarray(-5).toString('latin1') === '0\r\n\r\n'
    return headers['content-length'] !== undefined && this.bodyBytes.length >= Number(headers['content-length'])
  }

  result(): Omit<WireReply, 'ms'> {
    if (!this.head) return { status: 0, headers: {}, body: Buffer.alloc(0) }
    const { status, headers } = this.head
    const body = headers['transfer-encoding'] === 'chunked' ? unchunked(this.bodyBytes) : this.bodyBytes
    return { status, headers, body }
  }
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at)
    const length = line < 0 ? 0 : Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16)
    if (!length) break
    parts.push(bytes.subarray(line + 2, line + 2 + length))
    at = line + 2 + length + 2
  }
  return Buffer.concat(parts)
}
