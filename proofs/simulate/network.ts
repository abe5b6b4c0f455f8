// Delivers each HTTP request to the handler of the addressed program, late, twice or never.
import { currentOwner, type Owner, type Scheduler, within } from './scheduler.ts'

export interface NetRequest {
  method: string
  url: URL
  headers: Record<string, string>
  body: Buffer
}

export interface NetAnswer {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer
}

/** What happens to one request. */
export type Passage = 'pass' | 'lose' | 'lose answer' | 'repeat' | 'delay'

interface Listener {
  owner: Owner | undefined
  answer(request: NetRequest): Promise<NetAnswer>
}

export class Network {
  readonly #scheduler: Scheduler
  readonly #random: () => number
  readonly #listeners = new Map<number, Listener[]>()
  /** Failures of requests that a program is working on, by program. */
  readonly #underway = new Map<Owner, Set<() => void>>()
  /** Decides what happens to the request with this number on its way between two programs. */
  passageOf: (from: string, to: string, number: number) => Passage = () => 'pass'
  /** Whether a receiver acknowledges the event without storing it. */
  isSwallowed: (request: NetRequest) => boolean = () => false
  isCut: (from: string, to: string) => boolean = () => false
  readonly #sent = new Map<string, number>()

  constructor(scheduler: Scheduler, random: () => number) {
    this.#scheduler = scheduler
    this.#random = random
  }

  listen(port: number, listener: Listener): void {
    this.#listeners.set(port, [...(this.#listeners.get(port) ?? []), listener])
  }

  /** The process has died: nothing listens, and its requests get no answer. */
  kill(owner: Owner): void {
    for (const [port, listeners] of this.#listeners)
      this.#listeners.set(
        port,
        listeners.filter((each) => each.owner !== owner),
      )
    for (const fail of this.#underway.get(owner) ?? []) fail()
    this.#underway.delete(owner)
  }

  #delay = (): number => 0.3 + this.#random() * 3

  /** Resolves with the answer, rejects as a broken connection does, or never settles. */
  send(request: NetRequest): Promise<NetAnswer> {
    const from = currentOwner()
    const [target] = this.#listeners.get(Number(request.url.port)) ?? []
    const fromName = from?.name ?? 'outside'
    const toName = target?.owner?.name ?? `port ${request.url.port}`
    const route = `${fromName}>${toName}`
    const number = (this.#sent.get(route) ?? 0) + 1
    this.#sent.set(route, number)
    const passage = this.passageOf(fromName, toName, number)
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        if (from?.isAlive === false) return
        act()
      }
      const fail = (code: string) =>
        this.#scheduler.schedule(
          this.#delay(),
          `broken ${route}`,
          () => settle(() => reject(Object.assign(new Error(code), { code }))),
          from,
        )
      const path = request.url.pathname
      const arrive = (isRepeat: boolean) => {
        const [listener] = this.#listeners.get(Number(request.url.port)) ?? []
        if (!listener) return void (isRepeat || fail('ECONNREFUSED'))
        if (this.isCut(fromName, toName)) return
        this.#handle(listener, request, isRepeat ? () => {} : fail, (answer) => {
          if (isRepeat || passage === 'lose answer' || this.isCut(fromName, toName)) return
          this.#scheduler.schedule(
            this.#delay(),
            `answer ${route} ${answer.status}`,
            () => settle(() => resolve(answer)),
            from,
          )
        })
      }
      if (passage === 'lose') return
      const delay = this.#delay() + (passage === 'delay' ? this.#random() * 8000 : 0)
      this.#scheduler.schedule(
        delay,
        `request ${route} ${request.method} ${path.replace(/[0-9A-Za-z_-]{20,}/g, '*')}`,
        () => arrive(false),
        undefined,
      )
      if (passage === 'repeat')
        this.#scheduler.schedule(delay + this.#random() * 4000, `repeat ${route}`, () => arrive(true), undefined)
    })
  }

  #handle(
    listener: Listener,
    request: NetRequest,
    fail: (code: string) => void,
    respond: (answer: NetAnswer) => void,
  ): void {
    const { owner } = listener
    const underway = owner ? (this.#underway.get(owner) ?? new Set()) : new Set<() => void>()
    if (owner) this.#underway.set(owner, underway)
    let isSettled = false
    const end = (act: () => void) => {
      if (isSettled) return
      isSettled = true
      underway.delete(breakOff)
      act()
    }
    const breakOff = () => end(() => fail('ECONNRESET'))
    underway.add(breakOff)
    const answering = this.isSwallowed(request)
      ? Promise.resolve(receiptOf(request, this.#scheduler.now))
      : within(owner, () => listener.answer(request))
    answering.then(
      (answer) => end(() => owner?.isAlive === false || respond(answer)),
      () => breakOff(),
    )
  }
}

function receiptOf({ body }: NetRequest, now: number): NetAnswer {
  const { event_id } = JSON.parse(body.toString())
  const receipt = { event_id, receipt_status: 'RECEIVED', received_at: new Date(now).toISOString() }
  const headers = { 'content-type': 'application/json' }
  return { status: 202, headers, body: Buffer.from(JSON.stringify(receipt)) }
}
