// The borrower's session: opens it, polls for changes, keeps the newest view, sends actions, and forwards updates to
// the page that embeds it.

import type { EmbedSessionReply } from '@lendloom/wire/hosted/embed-requests'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { batch, signal } from '@preact/signals'
import { type ApiAnswer, type ApiCall, type FieldFault, newKey, type Send } from './api.ts'
import type { Host } from './host-messages.ts'
import type { Memory } from './reload-memory.ts'
import { pollPauseMs, retryPausesMs } from './retry-pauses.ts'

/**
 * `none`: opened without a link; `used`: the link was used before; `expired`: the session has ended; `failed`: opening
 * failed and can be retried; `elsewhere`: another page took over the journey, and opening again takes it back.
 */
export type SessionState = 'opening' | 'open' | 'none' | 'used' | 'expired' | 'failed' | 'elsewhere'

export interface SessionFailure {
  /**
   * `offline`: no response; `busy`: the platform could not answer now; `moved`: the journey's state no longer allows the
   * action; `pending`: an earlier request has to be settled first; `replaced`: the lender has changed its offer; `passed`:
   * the browser's Back or Forward led to a screen that the journey has left.
   */
  kind: 'offline' | 'busy' | 'moved' | 'pending' | 'replaced' | 'passed'
  /** The path of the action that failed; empty if none did. */
  path: string
  /** Retries with the same idempotency key; null if a retry cannot help. */
  again: (() => void) | null
}

/** What a session needs of its surroundings, which tests replace. */
export interface Context {
  send: Send
  memory: Memory
  host: Host
  /** Calls `action` after a delay; returns a function that cancels it. */
  schedule(action: () => void, ms: number): () => void
}

/** How often an action is sent again by itself: the borrower watches, and may decide to wait no longer. */
const maxRepeats = 3

export type PageSession = ReturnType<typeof sessionIn>

/** Why an action was refused, in the page's words. */
function failureOf({ kind }: ApiAnswer<unknown>): SessionFailure['kind'] {
  return kind === 'replaced' || kind === 'pending' ? kind : 'moved'
}

/** Creates a session, which is opened by `open`. Its state, view and last failure are signals. */
export function sessionIn({ send, memory, host, schedule }: Context) {
  const state = signal<SessionState>('opening')
  const view = signal<EmbedView | null>(null)
  const failure = signal<SessionFailure | null>(null)
  const busy = signal(false)
  const reconnecting = signal(false)
  let cancelPoll = () => {}
  let isPolling = false
  let mustPollAgain = false
  let failures = 0
  let viewTag: string | null = null
  let endPendingRetry: ((tryAgain: boolean) => void) | null = null
  let repeatsLeft = 0
  let savedOnLeaving: Promise<unknown> | null = null

  async function open(): Promise<void> {
    const { bootstrap, session } = memory.stored
    if (bootstrap) {
      const call: ApiCall = { method: 'POST', path: '/session', body: { token: bootstrap.token }, key: bootstrap.key }
      const answer = await sendWithRetries<EmbedSessionReply>(call, null)
      if (answer.kind !== 'ok') return handleFailure(answer, 'used')
      memory.update({ bootstrap: null, session: answer.body.sessionToken })
      return showView(answer.body.view)
    }
    if (!session) return endSession('none')
    const answer = await sendWithRetries<{ view: EmbedView }>(query('&claim=1'), session)
    if (answer.kind !== 'ok') return handleFailure(answer, 'expired')
    showView(answer.body.view)
  }

  function handleFailure(answer: ApiAnswer<unknown>, stateIfRejected: 'used' | 'expired'): void {
    if (answer.kind === 'offline' || answer.kind === 'busy') {
      host.send({ type: 'lab.error', code: answer.kind.toUpperCase(), retryable: true })
      state.value = 'failed'
    } else endSession(stateIfRejected)
  }

  function endSession(cause: 'none' | 'used' | 'expired'): void {
    cancelPoll()
    memory.forget()
    state.value = cause
    host.send({ type: 'lab.session_expired' })
  }

  const query = (extra = ''): ApiCall => ({
    method: 'GET',
    path: `/journey?after=${memory.stored.relayed ?? 0}${extra}`,
  })

  /** Polls now. If a poll is already pending, polls once more after it, because its response may be outdated. */
  async function refresh(): Promise<void> {
    if (busy.value || state.value !== 'open') return
    mustPollAgain = isPolling
    if (isPolling) return
    cancelPoll()
    isPolling = true
    const { session } = memory.stored
    const answer = await send({ ...query(), tag: viewTag }, session)
    isPolling = false
    // Meanwhile the borrower has gone on to another journey.
    if (session !== memory.stored.session) return
    if (answer.kind === 'ok') {
      viewTag = answer.tag
      showView(answer.body.view)
    } else if (answer.kind === 'same') pollLater(view.value?.pollAfterMs ?? null)
    else if (answer.kind === 'expired') endSession('expired')
    else {
      failures += 1
      reconnecting.value = failures > 1
      schedulePoll(pollPauseMs(failures))
    }
    if (mustPollAgain) await refresh()
  }

  /** Shows a view unless a newer one of its journey is shown, and forwards new updates to the host. */
  function showView(next: EmbedView): void {
    if (next.elsewhere) {
      cancelPoll()
      state.value = 'elsewhere'
      return
    }
    const current = view.value
    if (current && current.journeyId === next.journeyId && next.version < current.version) return
    host.allow(next.hostOrigins)
    const newUpdates = next.updates.filter(({ sequence }) => sequence > (memory.stored.relayed ?? 0))
    for (const { sequence, payload } of newUpdates) {
      host.relay(payload)
      memory.update({ relayed: sequence })
    }
    batch(() => {
      view.value = next
      state.value = 'open'
      // The next poll tells the platform which updates were forwarded, so it follows even if the platform asked for none.
      pollLater(next.pollAfterMs ?? (newUpdates.length > 0 ? 0 : null))
    })
  }

  function pollLater(ms: number | null): void {
    failures = 0
    reconnecting.value = false
    schedulePoll(ms)
    repeatAfterOffline()
  }

  /** The connection is back: what could not be sent is sent now, with its key, unless it fails again and again. */
  function repeatAfterOffline(): void {
    if (failure.value?.kind !== 'offline' || repeatsLeft === 0) return
    repeatsLeft -= 1
    failure.value.again?.()
  }

  function schedulePoll(ms: number | null): void {
    cancelPoll()
    cancelPoll = ms === null ? () => {} : schedule(refresh, ms)
  }

  /** Sends a borrower's action. Returns null on success or expiry, field errors, or an empty list if it was not done. */
  async function act<T extends { view: EmbedView }>(
    call: Omit<ApiCall, 'key'>,
    onSuccess: (body: T) => void = () => {},
  ): Promise<FieldFault[] | null> {
    endPendingRetry?.(false)
    cancelPoll()
    const callWithKey = { ...call, key: newKey() }
    repeatsLeft = maxRepeats
    for (;;) {
      batch(() => {
        busy.value = true
        failure.value = null
      })
      await untilOpen()
      await savedOnLeaving
      const answer = await sendWithRetries<T>(callWithKey, memory.stored.session)
      busy.value = false
      schedulePoll(view.value?.pollAfterMs ?? null)
      if (answer.kind === 'ok') {
        onSuccess(answer.body)
        showView(answer.body.view)
        return null
      }
      if (answer.kind === 'expired') {
        endSession('expired')
        return null
      }
      if (answer.kind === 'fields') return answer.faults
      if (answer.kind !== 'offline' && answer.kind !== 'busy') {
        failure.value = { kind: failureOf(answer), path: call.path, again: null }
        await refresh()
        return []
      }
      host.send({ type: 'lab.error', code: answer.kind.toUpperCase(), retryable: true })
      if (!(await borrowerTriesAgain(answer.kind, call.path))) return []
    }
  }

  /**
   * Sends a draft while the borrower leaves the page, once and without a word: the page may come back or be gone. What is
   * sent after it waits for it, so that an older draft cannot overtake a newer one or an action.
   */
  function saveOnLeaving(call: Pick<ApiCall, 'method' | 'path' | 'body'>): void {
    const sendDraft = () => send({ ...call, key: newKey(), outlivesPage: true }, memory.stored.session)
    // A page that is gone waits no more: without an older draft under way, this one is sent at once.
    const saved = savedOnLeaving ? savedOnLeaving.then(sendDraft) : sendDraft()
    savedOnLeaving = saved
    void saved.then(() => {
      if (savedOnLeaving === saved) savedOnLeaving = null
    })
  }

  /** Resolves once the session is open. The borrower can submit the first part of the profile before that. */
  function untilOpen(): Promise<void> {
    return new Promise((resolve) => {
      const stop = state.subscribe((next) => {
        if (next !== 'open') return
        queueMicrotask(() => stop())
        resolve()
      })
    })
  }

  /** Resolves to true when the borrower retries, to false when another action replaces this one. */
  function borrowerTriesAgain(kind: 'offline' | 'busy', path: string): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (tryAgain: boolean) => {
        endPendingRetry = null
        resolve(tryAgain)
      }
      endPendingRetry = end
      failure.value = { kind, path, again: () => end(true) }
    })
  }

  /** Sends with automatic retries, which are safe because of the idempotency key. */
  async function sendWithRetries<T>(call: ApiCall, token: string | null | undefined): Promise<ApiAnswer<T>> {
    for (let i = 0; ; i++) {
      const answer = await send<T>(call, token)
      const delay = retryPausesMs[i]
      if ((answer.kind !== 'busy' && (answer.kind !== 'offline' || answer.isCut)) || delay === undefined) return answer
      await new Promise<void>((resolve) =>
        schedule(resolve, answer.kind === 'busy' ? (answer.afterMs ?? delay) : delay),
      )
    }
  }

  function reopen(): void {
    state.value = 'opening'
    void open()
  }

  return {
    state,
    view,
    failure,
    busy,
    reconnecting,
    open,
    untilOpen,
    reopen,
    refresh,
    act,
    saveOnLeaving,
  }
}
