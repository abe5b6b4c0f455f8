// A PostgreSQL server in this process: many connections share one session, each for the time of a transaction.
import type { PGlite } from '@electric-sql/pglite'
import type { Backend } from './connection.ts'
import { withoutTimers } from './install.ts'
import {
  dataRow,
  emptyParse,
  errorResponse,
  type Message,
  messagesIn,
  nameOf,
  notification,
  parse,
  queryOf,
  ready,
} from './protocol.ts'
import type { Owner, Scheduler } from './scheduler.ts'

export class DatabaseServer {
  isUp = true
  readonly #scheduler: Scheduler
  readonly #random: () => number
  readonly #pglite: PGlite
  readonly #backends = new Set<Backend>()
  /** The connection whose transaction is open. */
  #holder: Backend | undefined
  #waiting: Backend[] = []
  /** Names of the statements that the session knows; null after a failure, when it is not known. */
  readonly #prepared = new Map<string, boolean>()

  constructor(scheduler: Scheduler, pglite: PGlite, random: () => number) {
    this.#scheduler = scheduler
    this.#pglite = pglite
    this.#random = random
    this.#run(queryOf('listen lendloom_wake'))
  }

  #run = (bytes: Uint8Array): Buffer => Buffer.from(withoutTimers(() => this.#pglite.execProtocolRawSync(bytes)))

  latency = (): number => 0.05 + this.#random() * 0.4

  add(backend: Backend): void {
    this.#backends.add(backend)
  }

  /** Lets the connection run its statements, at once or when the open transaction has ended. */
  admit(backend: Backend): void {
    if (!this.#waiting.includes(backend)) this.#waiting.push(backend)
    this.#serve()
  }

  #serve(): void {
    while (this.#holder === undefined || this.#waiting.includes(this.#holder)) {
      const index = this.#holder
        ? this.#waiting.indexOf(this.#holder)
        : Math.floor(this.#random() * this.#waiting.length)
      const [backend] = this.#waiting.splice(index, 1)
      if (!backend) return
      this.#holder = this.#runUnits(backend) === 'idle' ? undefined : backend
    }
  }

  #runUnits(backend: Backend): 'idle' | 'open' {
    let state: 'idle' | 'open' = this.#holder === backend ? 'open' : 'idle'
    for (let unit = backend.nextUnit(); unit; unit = backend.nextUnit()) {
      if (!backend.answerSetting(unit)) {
        const answer = this.#execute(unit)
        backend.answer(answer.bytes)
        state = answer.state
      }
      if (state === 'idle' && backend.hasUnit()) {
        this.#waiting.push(backend)
        return state
      }
    }
    return state
  }

  /** Runs the messages of one statement. A statement that the session knows is not prepared again. */
  #execute(unit: Message[]): { bytes: Buffer; state: 'idle' | 'open' } {
    const added: string[] = []
    const messages = unit.map((message) => {
      const name = message.type === parse ? nameOf(message) : ''
      if (name === '') return message.bytes
      if (this.#isPrepared(name)) return emptyParse
      added.push(name)
      return message.bytes
    })
    const answer = this.#run(Buffer.concat(messages))
    const kept: Buffer[] = []
    let state: 'idle' | 'open' = 'idle'
    let hasFailed: boolean = false
    for (const { type, bytes } of messagesIn(answer)) {
      if (type === notification) this.#notify(bytes)
      else kept.push(bytes)
      if (type === errorResponse) hasFailed = true
      if (type === ready) state = bytes[5] === 73 ? 'idle' : 'open'
    }
    for (const name of added) this.#prepared.set(name, !hasFailed)
    return { bytes: Buffer.concat(kept), state }
  }

  #isPrepared(name: string): boolean {
    const known = this.#prepared.get(name)
    if (known !== false) return known === true
    const answer = this.#run(queryOf(`select 1 from pg_prepared_statements where name = '${name}'`))
    return [...messagesIn(answer)].some(({ type }) => type === dataRow)
  }

  /** Passes a notification on; it may be lost, because it only saves time. */
  #notify(bytes: Buffer): void {
    for (const backend of this.#backends) if (backend.isListening) backend.answer(bytes)
  }

  /** Rolls back what the connection has not committed. */
  remove(backend: Backend): void {
    if (!this.#backends.delete(backend)) return
    this.#waiting = this.#waiting.filter((each) => each !== backend)
    if (this.#holder !== backend) return
    this.#run(queryOf('rollback'))
    this.#holder = undefined
    this.#serve()
  }

  /** Drops every connection; the server accepts none for a while. */
  crash(downMs: number): void {
    this.isUp = false
    for (const backend of [...this.#backends]) {
      this.remove(backend)
      backend.break()
    }
    this.#scheduler.schedule(
      downMs,
      'restart database',
      () => {
        this.isUp = true
      },
      undefined,
    )
  }

  connectionsOf = (owner: Owner): Backend[] => [...this.#backends].filter((backend) => backend.owner === owner)
}
