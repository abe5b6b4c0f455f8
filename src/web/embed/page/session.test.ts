// The session: opened once, monotonic, reporting each update once, retrying with the same key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmbedView } from '#contract/hosted/embed.ts'
import type { ApiAnswer, ApiCall } from './api.ts'
import type { PageMemory } from './memory.ts'
import { sessionIn } from './session.ts'

const viewAt = (version: number, more: Partial<EmbedView> = {}): EmbedView =>
  ({
    version,
    screen: 'PROFILE',
    hostOrigins: ['https://app.example'],
    updates: [],
    pollAfterMs: null,
    ...more,
  }) as unknown as EmbedView
const update = (sequence: number) => ({ sequence, payload: { sequence } }) as unknown as EmbedView['updates'][number]
const ok = (view: EmbedView, more: object = {}) => ({ kind: 'ok', body: { view, ...more } }) as ApiAnswer<never>

/** A session whose platform gives the answers in order, and whose timers run when asked to. */
function ctx(answers: ApiAnswer<never>[], kept: PageMemory = { session: 'st_1' }) {
  const requests: (ApiCall & { token: string | null | undefined })[] = []
  const messages: unknown[] = []
  const due: { act: () => void; ms: number }[] = []
  const memory = {
    kept,
    keep(more: PageMemory) {
      memory.kept = { ...memory.kept, ...more }
    },
    forget() {
      memory.kept = {}
    },
  }
  const session = sessionIn({
    send: async (order, token) => {
      requests.push({ ...order, token })
      return answers.shift() ?? ({ kind: 'offline' } as ApiAnswer<never>)
    },
    memory,
    host: {
      allow() {},
      relay: (message) => void messages.push(message),
      tell: (message) => void messages.push(message),
      opensPages: false,
      framed: true,
    },
    later(act, ms) {
      const timer = { act, ms }
      due.push(timer)
      return () => {
        if (due.includes(timer)) due.splice(due.indexOf(timer), 1)
      }
    },
  })
  /** Runs what is due, and what follows from it. */
  async function pass(): Promise<void> {
    const now = due.splice(0)
    for (const { act } of now) act()
    await settled()
  }
  return { session, requests, messages, due, memory, pass }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('D1 §5: the token is exchanged once for a session, under its stored key', async () => {
  const bootstrap = { token: 'bt_1', key: 'key-1' }
  const { session, requests, memory } = ctx([ok(viewAt(1), { sessionToken: 'st_9' })], { bootstrap })
  await session.open()
  assert.deepEqual(requests, [{ method: 'POST', path: '/session', body: { token: 'bt_1' }, key: 'key-1', token: null }])
  assert.deepEqual(memory.kept, { bootstrap: null, session: 'st_9' })
  assert.equal(session.state.value, 'open')
})

test('a used link, an ended session and a missing link are distinguished, and reported to the host', async () => {
  const cases: [PageMemory, ApiAnswer<never>[], string][] = [
    [{ bootstrap: { token: 'bt', key: 'k' } }, [{ kind: 'expired' }], 'used'],
    [{ session: 'st_1' }, [{ kind: 'expired' }], 'expired'],
    [{}, [], 'none'],
  ]
  for (const [kept, answers, state] of cases) {
    const { session, messages, memory } = ctx(answers, kept)
    await session.open()
    assert.equal(session.state.value, state)
    assert.deepEqual(messages, [{ type: 'lab.session_expired' }])
    assert.deepEqual(memory.kept, {})
  }
})

test('a page that was replaced by another one stops, keeps its session, and resumes on request', async () => {
  const { session, requests, due, memory, messages } = ctx([
    ok(viewAt(3, { pollAfterMs: 1000 })),
    ok(viewAt(5, { elsewhere: true, pollAfterMs: 1000 })),
    ok(viewAt(6)),
  ])
  await session.open()
  assert.equal(requests[0]!.path, '/journey?after=0&claim=1', 'a page that is loaded anew takes the journey over')
  await session.ask()
  assert.equal(session.state.value, 'elsewhere')
  assert.equal(session.view.value!.version, 3, 'nothing of the other page is shown')
  assert.deepEqual([due.length, memory.kept.session, messages], [0, 'st_1', []])
  session.openAgain()
  await settled()
  assert.deepEqual([session.state.value, session.view.value!.version], ['open', 6])
  assert.equal(requests.at(-1)!.path, '/journey?after=0&claim=1')
})

test('D1 §6.4: an update is passed on once even if responses overlap', async () => {
  const { session, messages, requests, pass } = ctx([
    ok(viewAt(1, { updates: [update(1)] })),
    ok(viewAt(2, { updates: [update(1), update(2)] })),
    ok(viewAt(2)),
  ])
  await session.open()
  await pass()
  await pass()
  assert.deepEqual(messages, [{ sequence: 1 }, { sequence: 2 }])
  assert.deepEqual(
    requests.map(({ path }) => path),
    ['/journey?after=0&claim=1', '/journey?after=1', '/journey?after=2'],
  )
})

test('an older view never replaces a newer one', async () => {
  const { session } = ctx([ok(viewAt(5, { screen: 'KYC' })), ok(viewAt(4, { screen: 'OFFERS' }))])
  await session.open()
  await session.ask()
  assert.equal(session.view.value!.screen, 'KYC')
})

test('a refresh during a pending request sends another one, because the pending response may be outdated', async () => {
  const { session, requests } = ctx([ok(viewAt(1)), ok(viewAt(1)), ok(viewAt(2, { screen: 'BANK' }))])
  await session.open()
  const first = session.ask()
  await Promise.all([session.ask(), session.ask()])
  await first
  assert.equal(requests.length, 3)
  assert.equal(session.view.value!.screen, 'BANK')
})

test('the page polls only when the platform says so', async () => {
  const { session, due } = ctx([ok(viewAt(1, { pollAfterMs: 1500 })), ok(viewAt(2))])
  await session.open()
  assert.deepEqual(
    due.map(({ ms }) => ms),
    [1500],
  )
  await session.ask()
  assert.deepEqual(due, [])
})

test('without a connection it polls less and less often, and shows it from the second failure on', async () => {
  const { session, due, pass } = ctx([ok(viewAt(1, { pollAfterMs: 1000 }))])
  await session.open()
  await pass()
  assert.equal(session.reconnecting.value, false)
  await pass()
  assert.equal(session.reconnecting.value, true)
  assert.deepEqual(
    due.map(({ ms }) => ms),
    [4000],
  )
})

test('D2 §8: one act has one key, for automatic and manual retries', async () => {
  const busy: ApiAnswer<never> = { kind: 'busy', afterMs: null }
  const { session, requests, pass } = ctx([ok(viewAt(1)), busy, busy, busy, ok(viewAt(2))])
  await session.open()
  const act = session.act({ method: 'POST', path: '/x', body: {} })
  for (let i = 0; i < 4; i++) {
    await settled()
    await pass()
  }
  assert.equal(session.trouble.value?.kind, 'busy')
  session.trouble.value!.again!()
  assert.equal(await act, null)
  const keys = requests.filter(({ path }) => path === '/x').map(({ key }) => key)
  assert.equal(keys.length, 4)
  assert.equal(new Set(keys).size, 1)
  assert.equal(session.trouble.value, null)
})

test('a new act replaces one that waits for a retry', async () => {
  const offline: ApiAnswer<never> = { kind: 'offline' }
  const { session, requests, pass } = ctx([ok(viewAt(1)), offline, offline, offline, ok(viewAt(2))])
  await session.open()
  const first = session.act({ method: 'POST', path: '/x', body: {} })
  for (let i = 0; i < 4; i++) {
    await settled()
    await pass()
  }
  assert.equal(await session.act({ method: 'POST', path: '/y', body: {} }), null)
  assert.deepEqual(await first, [])
  const [x, y] = ['/x', '/y'].map((path) => requests.find((order) => order.path === path)!.key)
  assert.notEqual(x, y)
})

test('errors return to the form, and polling continues', async () => {
  const faults = [{ path: 'profile.pan', message: 'x' }]
  const { session, due } = ctx([ok(viewAt(1, { pollAfterMs: 2000 })), { kind: 'fields', faults }])
  await session.open()
  assert.deepEqual(await session.act({ method: 'PUT', path: '/profile', body: {} }), faults)
  assert.deepEqual(
    due.map(({ ms }) => ms),
    [2000],
  )
})

test('an act waits until a failed opening succeeds, and then runs', async () => {
  const offline: ApiAnswer<never> = { kind: 'offline' }
  const answers = [offline, offline, offline, ok(viewAt(1), { sessionToken: 'st_9' }), ok(viewAt(2))]
  const { session, requests, pass } = ctx(answers, { bootstrap: { token: 'bt_1', key: 'key-1' } })
  const act = session.act({ method: 'PUT', path: '/profile', body: {} })
  void session.open()
  for (let i = 0; i < 3; i++) {
    await settled()
    await pass()
  }
  assert.equal(session.state.value, 'failed')
  assert.ok(requests.every(({ path }) => path === '/session'))
  session.openAgain()
  assert.equal(await act, null)
  assert.deepEqual([requests.at(-1)!.path, requests.at(-1)!.token], ['/profile', 'st_9'])
})

test('an act waits for a session that is opening', async () => {
  const { session, requests } = ctx([ok(viewAt(1)), ok(viewAt(2))])
  const act = session.act({ method: 'PUT', path: '/profile', body: {} })
  await settled()
  assert.deepEqual(requests, [])
  await session.open()
  assert.equal(await act, null)
})
