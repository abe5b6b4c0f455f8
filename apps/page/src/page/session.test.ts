// The page's session: opening, polling, actions and retries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import type { ApiAnswer, ApiCall } from './api.ts'
import type { PageMemory } from './reload-memory.ts'
import { sessionIn } from './session.ts'

const viewAt = (version: number, extra: Partial<EmbedView> = {}): EmbedView =>
  ({
    version,
    screen: 'PROFILE',
    hostOrigins: ['https://app.example'],
    updates: [],
    pollAfterMs: null,
    ...extra,
  }) as unknown as EmbedView
const update = (sequence: number) => ({ sequence, payload: { sequence } }) as unknown as EmbedView['updates'][number]
const ok = (view: EmbedView, extra: object = {}, tag: string | null = null) =>
  ({ kind: 'ok', body: { view, ...extra }, tag }) as ApiAnswer<never>

/**
 * A session with a platform that returns `answers` in order, and with timers that `runTimers` runs. `answerLater` takes
 * the calls that a test answers itself.
 */
function setUp(
  answers: ApiAnswer<never>[],
  stored: PageMemory = { session: 'st_1' },
  answerLater: (call: ApiCall) => Promise<ApiAnswer<never>> | null = () => null,
) {
  const requests: (ApiCall & { token: string | null | undefined })[] = []
  const messages: unknown[] = []
  const timers: { act: () => void; ms: number }[] = []
  const memory = {
    stored,
    update(extra: PageMemory) {
      memory.stored = { ...memory.stored, ...extra }
    },
    forget() {
      memory.stored = {}
    },
  }
  const session = sessionIn({
    send: async (call, token) => {
      requests.push({ ...call, token })
      return answerLater(call) ?? answers.shift() ?? ({ kind: 'offline' } as ApiAnswer<never>)
    },
    memory,
    host: {
      allow() {},
      relay: (message) => void messages.push(message),
      send: (message) => void messages.push(message),
      opensPages: false,
      framed: true,
    },
    schedule(act, ms) {
      const timer = { act, ms }
      timers.push(timer)
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1)
      }
    },
  })
  /** Runs all due timers and waits for their effects. */
  async function runTimers(): Promise<void> {
    const dueTimers = timers.splice(0)
    for (const { act } of dueTimers) act()
    await nextTurn()
  }
  return { session, requests, messages, due: timers, memory, runTimers }
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('D1 §5: the token is exchanged for a session once, with its stored key', async () => {
  const bootstrap = { token: 'bt_1', key: 'key-1' }
  const { session, requests, memory } = setUp([ok(viewAt(1), { sessionToken: 'st_9' })], { bootstrap })
  await session.open()
  assert.deepEqual(requests, [{ method: 'POST', path: '/session', body: { token: 'bt_1' }, key: 'key-1', token: null }])
  assert.deepEqual(memory.stored, { bootstrap: null, session: 'st_9' })
  assert.equal(session.state.value, 'open')
})

test('a page without a valid session tells the host and shows the cause', async () => {
  const cases: [PageMemory, ApiAnswer<never>[], string][] = [
    [{ bootstrap: { token: 'bt', key: 'k' } }, [{ kind: 'expired' }], 'used'],
    [{ session: 'st_1' }, [{ kind: 'expired' }], 'expired'],
    [{}, [], 'none'],
  ]
  for (const [stored, answers, state] of cases) {
    const { session, messages, memory } = setUp(answers, stored)
    await session.open()
    assert.equal(session.state.value, state)
    assert.deepEqual(messages, [{ type: 'lab.session_expired' }])
    assert.deepEqual(memory.stored, {})
  }
})

test('a page whose journey was taken over by another page stops until the borrower resumes it', async () => {
  const { session, requests, due, memory, messages } = setUp([
    ok(viewAt(3, { pollAfterMs: 1000 })),
    ok(viewAt(5, { elsewhere: true, pollAfterMs: 1000 })),
    ok(viewAt(6)),
  ])
  await session.open()
  assert.equal(requests[0]!.path, '/journey?after=0&claim=1', 'a reloaded page takes over the journey')
  await session.refresh()
  assert.equal(session.state.value, 'elsewhere')
  assert.equal(session.view.value!.version, 3, 'the view of the other page is not shown')
  assert.equal(due.length, 0)
  assert.equal(memory.stored.session, 'st_1')
  assert.deepEqual(messages, [])
  session.reopen()
  await nextTurn()
  assert.equal(session.state.value, 'open')
  assert.equal(session.view.value!.version, 6)
  assert.equal(requests.at(-1)!.path, '/journey?after=0&claim=1')
})

test('D1 §6.4: an update in two responses is forwarded once', async () => {
  const { session, messages, requests, runTimers } = setUp([
    ok(viewAt(1, { updates: [update(1)] })),
    ok(viewAt(2, { updates: [update(1), update(2)] })),
    ok(viewAt(2)),
  ])
  await session.open()
  await runTimers()
  await runTimers()
  assert.deepEqual(messages, [{ sequence: 1 }, { sequence: 2 }])
  assert.deepEqual(
    requests.map(({ path }) => path),
    ['/journey?after=0&claim=1', '/journey?after=1', '/journey?after=2'],
  )
})

test('an older view never replaces a newer one', async () => {
  const { session } = setUp([ok(viewAt(5, { screen: 'KYC' })), ok(viewAt(4, { screen: 'OFFERS' }))])
  await session.open()
  await session.refresh()
  assert.equal(session.view.value!.screen, 'KYC')
})

test('a session of another journey shows its older view, and later answers about the first journey are dropped', async () => {
  const answers = [
    ok(viewAt(5, { journeyId: 'first', screen: 'REJECTED' })),
    ok(viewAt(2, { journeyId: 'next', screen: 'SEARCHING' }), { sessionToken: 'st_2' }),
    ok(viewAt(6, { journeyId: 'first', screen: 'REJECTED' })),
  ]
  const { session, memory } = setUp(answers)
  await session.open()
  await session.act({ method: 'POST', path: '/journey/other-lenders' })
  assert.equal(session.view.value!.screen, 'SEARCHING')
  const pending = session.refresh()
  memory.update({ session: 'st_2' })
  await pending
  assert.equal(session.view.value!.journeyId, 'next')
})

test('a refresh during a pending request is repeated after it, because the pending response may be outdated', async () => {
  const { session, requests } = setUp([ok(viewAt(1)), ok(viewAt(1)), ok(viewAt(2, { screen: 'BANK' }))])
  await session.open()
  const first = session.refresh()
  await Promise.all([session.refresh(), session.refresh()])
  await first
  assert.equal(requests.length, 3)
  assert.equal(session.view.value!.screen, 'BANK')
})

test('the page polls only while the platform returns a poll interval', async () => {
  const { session, due } = setUp([ok(viewAt(1, { pollAfterMs: 1500 })), ok(viewAt(2))])
  await session.open()
  assert.deepEqual(
    due.map(({ ms }) => ms),
    [1500],
  )
  await session.refresh()
  assert.deepEqual(due, [])
})

test('D1 §6: an unchanged view stays, and the page polls on with its tag until another view has another tag', async () => {
  const view = viewAt(1, { pollAfterMs: 1000 })
  const same: ApiAnswer<never> = { kind: 'same' }
  const offline: ApiAnswer<never> = { kind: 'offline' }
  const { session, requests, due, runTimers } = setUp([
    ok(view),
    ok(view, {}, 'W/"a"'),
    same,
    offline,
    offline,
    same,
    ok(viewAt(2, { pollAfterMs: 1000 })),
    same,
  ])
  await session.open()
  const shown: unknown[] = []
  for (let poll = 0; poll < 7; poll++) {
    await runTimers()
    shown.push([session.view.value!.version, due[0]!.ms, session.reconnecting.value])
  }
  const paused = [1, 1000, false]
  assert.deepEqual(shown, [
    paused,
    paused,
    [1, 2000, false],
    [1, 4000, true],
    paused,
    [2, 1000, false],
    [2, 1000, false],
  ])
  const tags = [undefined, null, ...Array(5).fill('W/"a"'), null]
  assert.deepEqual(
    requests.map(({ tag }) => tag),
    tags,
  )
})

test('a page without a connection polls with backoff, and shows a notice after the second failure', async () => {
  const { session, due, runTimers } = setUp([ok(viewAt(1, { pollAfterMs: 1000 }))])
  await session.open()
  await runTimers()
  assert.equal(session.reconnecting.value, false)
  await runTimers()
  assert.equal(session.reconnecting.value, true)
  assert.deepEqual(
    due.map(({ ms }) => ms),
    [4000],
  )
})

test('D2 §8: all retries of an action have the same idempotency key', async () => {
  const busy: ApiAnswer<never> = { kind: 'busy', afterMs: null }
  const { session, requests, runTimers } = setUp([ok(viewAt(1)), busy, busy, busy, ok(viewAt(2))])
  await session.open()
  const act = session.act({ method: 'POST', path: '/x', body: {} })
  for (let i = 0; i < 4; i++) {
    await nextTurn()
    await runTimers()
  }
  assert.equal(session.failure.value?.kind, 'busy')
  session.failure.value!.again!()
  assert.equal(await act, null)
  const keys = requests.filter(({ path }) => path === '/x').map(({ key }) => key)
  assert.equal(keys.length, 4)
  assert.equal(new Set(keys).size, 1)
  assert.equal(session.failure.value, null)
})

test('D1 §5: an action that found no connection is sent again by itself, with its key, when the next poll succeeds', async () => {
  const offline: ApiAnswer<never> = { kind: 'offline' }
  const view = viewAt(1, { pollAfterMs: 1000 })
  const { session, requests, runTimers } = setUp([ok(view), offline, offline, offline, ok(view), ok(viewAt(2))])
  await session.open()
  const act = session.act({ method: 'POST', path: '/x', body: {} })
  for (let i = 0; i < 4; i++) {
    await nextTurn()
    await runTimers()
  }
  assert.equal(await act, null)
  const keys = requests.filter(({ path }) => path === '/x').map(({ key }) => key)
  assert.equal(keys.length, 4)
  assert.equal(new Set(keys).size, 1)
  assert.equal(session.failure.value, null)
})

test('D1 §5: without any connection an action fails at once, and is sent again when the connection is back', async () => {
  const cut: ApiAnswer<never> = { kind: 'offline', isCut: true }
  const { session, requests } = setUp([ok(viewAt(1, { pollAfterMs: 1000 })), cut, ok(viewAt(1)), ok(viewAt(2))])
  await session.open()
  const act = session.act({ method: 'POST', path: '/x', body: {} })
  await nextTurn()
  assert.equal(session.failure.value?.kind, 'offline')
  await session.refresh()
  assert.equal(await act, null)
  const keys = requests.filter(({ path }) => path === '/x').map(({ key }) => key)
  assert.equal(keys.length, 2)
  assert.equal(new Set(keys).size, 1)
  assert.equal(session.failure.value, null)
})

test('an action that fails however often the connection is back waits for the borrower', async () => {
  const offline: ApiAnswer<never> = { kind: 'offline' }
  const view = viewAt(1, { pollAfterMs: 1000 })
  const round = [offline, offline, offline, ok(view)]
  const { session, requests, runTimers } = setUp([ok(view), ...round, ...round, ...round, ...round, ok(view), ok(view)])
  await session.open()
  void session.act({ method: 'POST', path: '/x', body: {} })
  for (let i = 0; i < 24; i++) {
    await nextTurn()
    await runTimers()
  }
  assert.equal(requests.filter(({ path }) => path === '/x').length, 12)
  assert.equal(session.failure.value?.kind, 'offline')
})

test('a new action replaces one that waits for a retry', async () => {
  const offline: ApiAnswer<never> = { kind: 'offline' }
  const { session, requests, runTimers } = setUp([ok(viewAt(1)), offline, offline, offline, ok(viewAt(2))])
  await session.open()
  const first = session.act({ method: 'POST', path: '/x', body: {} })
  for (let i = 0; i < 4; i++) {
    await nextTurn()
    await runTimers()
  }
  assert.equal(await session.act({ method: 'POST', path: '/y', body: {} }), null)
  assert.deepEqual(await first, [])
  const keyOf = (path: string) => requests.find((call) => call.path === path)!.key
  assert.notEqual(keyOf('/x'), keyOf('/y'))
})

test('field errors are returned to the form, and polling continues', async () => {
  const faults = [{ path: 'profile.pan', message: 'x' }]
  const { session, due } = setUp([ok(viewAt(1, { pollAfterMs: 2000 })), { kind: 'fields', faults }])
  await session.open()
  assert.deepEqual(await session.act({ method: 'PUT', path: '/profile', body: {} }), faults)
  assert.deepEqual(
    due.map(({ ms }) => ms),
    [2000],
  )
})

test('an action waits until the session could be opened after a failure', async () => {
  const offline: ApiAnswer<never> = { kind: 'offline' }
  const answers = [offline, offline, offline, ok(viewAt(1), { sessionToken: 'st_9' }), ok(viewAt(2))]
  const { session, requests, runTimers } = setUp(answers, { bootstrap: { token: 'bt_1', key: 'key-1' } })
  const act = session.act({ method: 'PUT', path: '/profile', body: {} })
  void session.open()
  for (let i = 0; i < 3; i++) {
    await nextTurn()
    await runTimers()
  }
  assert.equal(session.state.value, 'failed')
  assert.ok(requests.every(({ path }) => path === '/session'))
  session.reopen()
  assert.equal(await act, null)
  assert.equal(requests.at(-1)!.path, '/profile')
  assert.equal(requests.at(-1)!.token, 'st_9')
})

test('an action waits for a session that is being opened', async () => {
  const { session, requests } = setUp([ok(viewAt(1)), ok(viewAt(2))])
  const act = session.act({ method: 'PUT', path: '/profile', body: {} })
  await nextTurn()
  assert.deepEqual(requests, [])
  await session.open()
  assert.equal(await act, null)
})

test('D1 §2.1: what is sent after a draft that is saved on leaving waits for it, in order', async () => {
  const sent: string[] = []
  const answers: ((answer: ApiAnswer<never>) => void)[] = []
  const { session } = setUp([ok(viewAt(1))], { session: 'st_1' }, ({ path }) => {
    if (path.startsWith('/journey')) return null
    sent.push(path)
    return new Promise((resolve) => answers.push(resolve))
  })
  await session.open()
  session.saveOnLeaving({ method: 'PUT', path: '/first', body: {} })
  assert.deepEqual(sent, ['/first'], 'sent before the page is gone')
  session.saveOnLeaving({ method: 'PUT', path: '/second', body: {} })
  const act = session.act({ method: 'POST', path: '/act', body: {} })
  await nextTurn()
  assert.deepEqual(sent, ['/first'])
  answers.shift()!({ kind: 'offline' })
  await nextTurn()
  assert.deepEqual(sent, ['/first', '/second'], 'also after a draft that did not arrive')
  answers.shift()!(ok(viewAt(1)))
  await nextTurn()
  assert.deepEqual(sent, ['/first', '/second', '/act'])
  answers.shift()!(ok(viewAt(2)))
  assert.equal(await act, null)
  session.saveOnLeaving({ method: 'PUT', path: '/third', body: {} })
  assert.equal(sent.at(-1), '/third')
})
