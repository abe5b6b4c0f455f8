// A database connection: the socket that `pg` gets, and the server's end of it.
import { createRequire } from 'node:module'
import { Duplex } from 'node:stream'
import type { DatabaseServer } from './database.ts'
import { acknowledgement, greeting, type Message, messagesIn, simpleQuery, sync, terminate } from './protocol.ts'
import { currentOwner, type Owner, type Scheduler } from './scheduler.ts'

/** The server's end of a connection. */
export class Backend {
  isListening = false
  readonly owner: Owner | undefined
  readonly #socket: DatabaseSocket
  readonly #server: DatabaseServer
  #input: Buffer = Buffer.alloc(0)
  #isGreeted = false

  constructor(socket: DatabaseSocket, server: DatabaseServer) {
    this.#socket = socket
    this.#server = server
    this.owner = currentOwner()
  }

  receive(bytes: Buffer): void {
    this.#input = this.#input.length === 0 ? bytes : Buffer.concat([this.#input, bytes])
    if (!this.#isGreeted) {
      if (this.#input.length < 4 || this.#input.length < this.#input.readInt32BE(0)) return
      this.#input = this.#input.subarray(this.#input.readInt32BE(0))
      this.#isGreeted = true
      this.answer(greeting)
    }
    if (this.#input[0] === terminate) this.#server.remove(this)
    else if (this.hasUnit()) this.#server.admit(this)
  }

  #unitEnd(): number {
    let end = 0
    for (const { type, bytes } of messagesIn(this.#input)) {
      end += bytes.length
      if (type === sync || type === simpleQuery) return end
    }
    return -1
  }

  hasUnit = (): boolean => this.#unitEnd() > 0

  /** The messages up to the next Sync or simple query. */
  nextUnit(): Message[] | undefined {
    const end = this.#unitEnd()
    if (end < 0) return undefined
    const unit = [...messagesIn(this.#input.subarray(0, end))]
    this.#input = this.#input.subarray(end)
    return unit
  }

  /** Settings of the connection concern the session that all share, so they are only acknowledged. */
  answerSetting([first]: Message[]): boolean {
    const text = first && first.type === simpleQuery ? first.bytes.toString('latin1', 5, first.bytes.length - 1) : ''
    if (text.startsWith('listen ')) this.isListening = true
    else if (!text.startsWith('set client_connection_check_interval')) return false
    this.answer(acknowledgement)
    return true
  }

  answer(bytes: Buffer): void {
    this.#socket.arrive(bytes)
  }

  /** The process of the connection has died. */
  abandon(): void {
    this.#socket.close()
  }

  break(): void {
    this.#socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  }
}

/** What `pg` uses in place of a TCP socket. */
export class DatabaseSocket extends Duplex {
  readonly #scheduler: Scheduler
  readonly #find: FindServer
  #server: DatabaseServer | undefined
  #backend: Backend | undefined
  readonly #owner = currentOwner()
  #sentAt = 0
  #answeredAt = 0

  constructor(scheduler: Scheduler, find: FindServer) {
    super()
    this.#scheduler = scheduler
    this.#find = find
  }

  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this

  connect(port: number): this {
    this.#scheduler.schedule(0.2, 'connect', () => {
      if (this.#owner?.isAlive === false || this.destroyed) return
      const server = this.#find(Number(port))
      if (!server?.isUp)
        return void this.destroy(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
      this.#server = server
      this.#backend = new Backend(this, server)
      server.add(this.#backend)
      this.emit('connect')
    })
    return this
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const server = this.#server
    const backend = this.#backend
    done()
    if (!server || !backend || this.#owner?.isAlive === false) return
    this.#sentAt = Math.max(this.#sentAt, this.#scheduler.now + server.latency())
    const bytes = Buffer.from(chunk)
    this.#scheduler.schedule(this.#sentAt - this.#scheduler.now, 'sql', () => {
      if (server.isUp) backend.receive(bytes)
    })
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), '', done)
  }

  override _read(): void {}

  arrive(bytes: Buffer): void {
    const server = this.#server
    if (!server) return
    this.#answeredAt = Math.max(this.#answeredAt, this.#scheduler.now + server.latency())
    this.#scheduler.schedule(
      this.#answeredAt - this.#scheduler.now,
      'rows',
      () => {
        if (this.#owner?.isAlive !== false && !this.destroyed) this.push(bytes)
      },
      this.#owner,
    )
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.close()
    done(error)
  }

  override _final(done: () => void): void {
    done()
    this.close()
    this.push(null)
  }

  /** The server sees the end of the connection after all that was sent before. */
  close(): void {
    const server = this.#server
    const backend = this.#backend
    if (!server || !backend) return
    this.#server = undefined
    this.#scheduler.schedule(
      Math.max(this.#sentAt, this.#scheduler.now + server.latency()) - this.#scheduler.now,
      'close',
      () => server.remove(backend),
      undefined,
    )
  }
}

type FindServer = (port: number) => DatabaseServer | undefined

let newSocket: () => DatabaseSocket
/** From now on, connections reach the servers of this run. */
export function enterDatabases(scheduler: Scheduler, find: FindServer): void {
  newSocket = () => new DatabaseSocket(scheduler, find)
}

/** Replaces the TCP sockets of `pg`; must run before `pg` is loaded. */
export function installDatabases(): void {
  createRequire(import.meta.url)('pg/lib/stream.js').getStream = () => newSocket()
}
