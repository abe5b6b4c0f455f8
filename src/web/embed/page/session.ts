// The borrower's session: opens it, keeps the newest view, asks again when due, acts, and passes updates on to the host.
import { batch, signal } from '@preact/signals'
import type { EmbedSessionReply, EmbedView } from '#contract/hosted/embed.ts'
import { type ApiAnswer, type ApiCall, type FieldFault, newKey, type Send } from './api.ts'
import type { Host } from './bridge.ts'
import type { Memory } from './memory.ts'
import { pollPauseMs, retryPausesMs } from './pauses.ts'

/**
 * `none`: opened without a link; `used`: the link was spent; `expired`: the session ended; `failed`: try again;
 * `elsewhere`: another page has taken the journey over, and this one may take it back by opening again.
 */
export type SessionState = 'opening' | 'open' | 'none' | 'used' | 'expired' | 'failed' | 'elsewhere'

export interface Trouble {
  kind: 'offline' | 'busy' | 'moved' | 'passed'
  /** Does the same again, with the same idempotency key; null when there is nothing to repeat. */
  again: (() => void) | null
}

export interface Context {
  send: Send
  memory: Memory
  host: Host
  /** Calls back after a delay; returns a function that cancels it. */
  later(act: () => void, ms: number): () => void
}

export type PageSession = ReturnType<typeof sessionIn>

export function sessionIn({ send, memory, host, later }: Context) {
  const state = signal<SessionState>('opening')
  const view = signal<EmbedView | null>(null)
  const trouble = signal<Trouble | null>(null)
  const busy = signal(false)
  const reconnecting = signal(false)
  let callOff = () => {}
  let asking = false
  let again = false
  let failures = 0
  let settleWaiting: ((tryAgain: boolean) => void) | null = null

  /** Opens or resumes the session. */
  async function open(): Promise<void> {
    const { bootstrap, session } = memory.kept
    if (bootstrap) {
      const order: ApiCall = { method: 'POST', path: '/session', body: { token: bootstrap.token }, key: bootstrap.key }
      const answer = await patiently<EmbedSessionReply>(order, null)
      if (answer.kind !== 'ok') return failed(answer, 'used')
      memory.keep({ bootstrap: null, session: answer.body.sessionToken })
      return take(answer.body.view)
    }
    if (!session) return end('none')
    const answer = await patiently<{ view: EmbedView }>(query('&claim=1'), session)
    if (answer.kind !== 'ok') return failed(answer, 'expired')
    take(answer.body.view)
  }

  function failed(answer: ApiAnswer<unknown>, refused: 'used' | 'expired'): void {
    if (answer.kind === 'offline' || answer.kind === 'busy') {
      host.tell({ type: 'lab.error', code: answer.kind.toUpperCase(), retryable: true })
      state.value = 'failed'
    } else end(refused)
  }

  function end(how: 'none' | 'used' | 'expired'): void {
    callOff()
    memory.forget()
    state.value = how
    host.tell({ type: 'lab.session_expired' })
  }

  const query = (more = ''): ApiCall => ({ method: 'GET', path: `/journey?after=${memory.kept.relayed ?? 0}${more}` })

  /** Polls now. During a pending request another one follows it, because the pending answer may be outdated. */
  async function ask(): Promise<void> {
    if (busy.value || state.value !== 'open') return
    again = asking
    if (asking) return
    callOff()
    asking = true
    const answer = await send(query(), memory.kept.session)
    asking = false
    if (answer.kind === 'ok') take(answer.body.view)
    else if (answer.kind === 'expired') end('expired')
    else {
      failures += 1
      reconnecting.value = failures > 1
      askIn(pollPauseMs(failures))
    }
    if (again) await ask()
  }

  /** Shows a view unless a newer one is shown, and forwards new updates to the host. */
  function take(next: EmbedView): void {
    if (next.elsewhere) {
      callOff()
      state.value = 'elsewhere'
      return
    }
    if (next.version < (view.value?.version ?? 0)) return
    host.allow(next.hostOrigins)
    const fresh = next.updates.filter(({ sequence }) => sequence > (memory.kept.relayed ?? 0))
    for (const { sequence, payload } of fresh) {
      host.relay(payload)
      memory.keep({ relayed: sequence })
    }
    failures = 0
    batch(() => {
      reconnecting.value = false
      view.value = next
      state.value = 'open'
    })
    // Without another reason to poll, the platform still learns that the updates were forwarded.
    askIn(next.pollAfterMs ?? (fresh.length > 0 ? 0 : null))
  }

  function askIn(ms: number | null): void {
    callOff()
    callOff = ms === null ? () => {} : later(ask, ms)
  }

  /** Performs a borrower's act. Returns field faults; null when it succeeded or led elsewhere. */
  async function act<T extends { view: EmbedView }>(
    order: Omit<ApiCall, 'key'>,
    use: (body: T) => void = () => {},
  ): Promise<FieldFault[] | null> {
    settleWaiting?.(false)
    callOff()
    const keyed = { ...order, key: newKey() }
    for (;;) {
      batch(() => {
        busy.value = true
        trouble.value = null
      })
      await opened()
      const answer = await patiently<T>(keyed, memory.kept.session)
      busy.value = false
      askIn(view.value?.pollAfterMs ?? null)
      if (answer.kind === 'ok') {
        use(answer.body)
        take(answer.body.view)
        return null
      }
      if (answer.kind === 'expired') {
        end('expired')
        return null
      }
      if (answer.kind === 'fields') return answer.faults
      if (answer.kind === 'moved') {
        trouble.value = { kind: 'moved', again: null }
        await ask()
        return []
      }
      host.tell({ type: 'lab.error', code: answer.kind.toUpperCase(), retryable: true })
      if (!(await borrowerTriesAgain(answer.kind))) return []
    }
  }

  /** The first part can be filled in while the session is being opened; acts need the session. */
  function opened(): Promise<void> {
    return new Promise((resolve) => {
      const stop = state.subscribe((now) => {
        if (now !== 'open') return
        queueMicrotask(() => stop())
        resolve()
      })
    })
  }

  /** Waits for the button; another act takes its place. */
  function borrowerTriesAgain(kind: 'offline' | 'busy'): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (tryAgain: boolean) => {
        settleWaiting = null
        resolve(tryAgain)
      }
      settleWaiting = settle
      trouble.value = { kind, again: () => settle(true) }
    })
  }

  /** Retries a few times: the same call under the same key has one effect. */
  async function patiently<T>(order: ApiCall, token: string | null | undefined): Promise<ApiAnswer<T>> {
    for (let i = 0; ; i++) {
      const answer = await send<T>(order, token)
      const pause = retryPausesMs[i]
      if ((answer.kind !== 'offline' && answer.kind !== 'busy') || pause === undefined) return answer
      await new Promise<void>((resolve) => later(resolve, answer.kind === 'busy' ? (answer.afterMs ?? pause) : pause))
    }
  }

  function openAgain(): void {
    state.value = 'opening'
    void open()
  }

  return {
    state,
    view,
    trouble,
    busy,
    reconnecting,
    open,
    opened,
    openAgain,
    ask,
    act,
  }
}
