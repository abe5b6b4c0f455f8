// The recipients of the page's messages, and their form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HostWindow, hostOf, targetOrigins } from './host-messages.ts'

const app = 'https://app.example'

test('only a known parent with an allowed origin receives messages', () => {
  assert.deepEqual(targetOrigins([app, 'https://other.example'], app), [app])
  assert.deepEqual(targetOrigins([app], 'https://stranger.example'), [])
  assert.deepEqual(targetOrigins([app], 'null'), [])
  assert.deepEqual(targetOrigins([app], 'https://app.example.evil.example'), [])
})

test('if the parent is unknown, messages go to each allowed origin and never to `*`', () => {
  assert.deepEqual(targetOrigins([app, 'https://other.example']), [app, 'https://other.example'])
  assert.deepEqual(targetOrigins(['*', 'https://*.example', app]), [app])
})

test('a sandbox allows any local port if the parent is known', () => {
  assert.deepEqual(targetOrigins(['http://localhost:*'], 'http://localhost:5173'), ['http://localhost:5173'])
  assert.deepEqual(targetOrigins(['http://localhost:*'], 'http://localhost.evil.example:5173'), [])
  assert.deepEqual(targetOrigins(['http://localhost:*']), [])
})

function hostWindow(more: Partial<HostWindow> = {}) {
  const posted: { message: unknown; origin: string }[] = []
  const listeners: Parameters<HostWindow['addEventListener']>[1][] = []
  const parent = { postMessage: (message: unknown, origin: string) => void posted.push({ message, origin }) }
  const window = {
    parent,
    location: {},
    ...more,
    addEventListener: (_type: 'message', listener: (typeof listeners)[number]) => void listeners.push(listener),
  } as HostWindow
  /** Delivers a message to the page, by default a hello of its parent. */
  const deliver = (event: { origin: string; data?: unknown; source?: unknown }) => {
    const complete = { data: { type: 'lab.hello' }, source: parent, ...event } as unknown as MessageEvent
    for (const listener of listeners) listener(complete)
  }
  return { posted, window, deliver }
}

const local = 'http://localhost:5173'
const ready = { type: 'lab.ready' } as const
const exit = { type: 'lab.exit' } as const

test('D1 §6: an unknown parent that a pattern allows gets all messages once, after its first hello', () => {
  for (const ancestorOrigins of [undefined, [], ['null']]) {
    const { posted, window, deliver } = hostWindow(ancestorOrigins && { location: { ancestorOrigins } })
    const host = hostOf(window, ['http://localhost:*'])
    host.send(ready)
    assert.deepEqual(posted, [])
    for (const _ of [1, 2]) deliver({ origin: local })
    assert.deepEqual(posted, [{ message: ready, origin: local }])
    host.send(exit)
    assert.deepEqual(posted.slice(1), [{ message: exit, origin: local }])
  }
})

test('D1 §6: after a hello, only the parent’s exact origin gets messages, and none of them again', () => {
  const { posted, window, deliver } = hostWindow()
  const host = hostOf(window, [app, 'https://other.example', 'http://localhost:*'])
  host.send(ready)
  deliver({ origin: app })
  host.send(exit)
  assert.deepEqual(posted, [
    { message: ready, origin: app },
    { message: ready, origin: 'https://other.example' },
    { message: exit, origin: app },
  ])
})

test('D1 §6: a hello of a window other than the parent, and any other message, is ignored', () => {
  const { posted, window, deliver } = hostWindow()
  const host = hostOf(window, ['http://localhost:*'])
  host.send(ready)
  for (const source of [null, {}, window]) deliver({ origin: local, source })
  for (const data of [null, 'lab.hello', ['lab.hello'], {}, { type: 'lab.ready' }, { type: ['lab.hello'] }])
    deliver({ origin: local, data })
  assert.deepEqual(posted, [])
})

test('D1 §6: a hello never widens the allowed origins, and cannot be corrected by another one', () => {
  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost.evil.example:80',
    'https://localhost:1',
    '*',
    '',
  ]) {
    const { posted, window, deliver } = hostWindow()
    const host = hostOf(window, ['http://localhost:*'])
    host.send(ready)
    deliver({ origin })
    host.allow(['http://localhost:*', app])
    host.send(exit)
    assert.deepEqual(
      posted.filter(({ origin }) => origin !== app),
      [],
      origin,
    )
  }
  const { posted, window, deliver } = hostWindow()
  const host = hostOf(window, ['http://localhost:*'])
  deliver({ origin: 'https://evil.example' })
  deliver({ origin: local })
  host.send(exit)
  assert.deepEqual(posted, [])
})

test('D1 §6: a parent that the session does not allow gets nothing, also after its hello', () => {
  const { posted, window, deliver } = hostWindow()
  const host = hostOf(window, ['http://localhost:*'])
  host.allow([app])
  deliver({ origin: local })
  host.send(exit)
  assert.deepEqual(posted, [])
})

test('D1 §6: a hello cannot override the origin that the browser reports', () => {
  const { posted, window, deliver } = hostWindow({ location: { ancestorOrigins: ['https://evil.example'] } })
  const host = hostOf(window, ['http://localhost:*'])
  deliver({ origin: local })
  host.send(exit)
  assert.deepEqual(posted, [])
})

test('D1 §6: messages go to the exact origin that the platform last allowed', () => {
  const { posted, window } = hostWindow({ location: { ancestorOrigins: ['https://new.example'] } })
  const host = hostOf(window, [app])
  host.send({ type: 'lab.ready' })
  host.allow(['https://new.example'])
  host.send({ type: 'lab.exit' })
  assert.deepEqual(posted, [{ message: { type: 'lab.exit' }, origin: 'https://new.example' }])
  assert.equal(host.framed, true)
})

test('a page in its own window sends no message', () => {
  const { posted, window } = hostWindow()
  const standalone = { ...window } as HostWindow
  standalone.parent = standalone as never
  hostOf(standalone, [app]).send({ type: 'lab.ready' })
  assert.deepEqual(posted, [])
})

test('an app with a web view receives JSON on Android and iOS', () => {
  for (const platform of ['android', 'ios']) {
    const received: string[] = []
    const channel = { postMessage: (json: string) => void received.push(json) }
    const { window } = hostWindow(
      platform === 'android' ? { LendloomBridge: channel } : { webkit: { messageHandlers: { lendloom: channel } } },
    )
    window.parent = window as never
    const host = hostOf(window, [])
    host.send({ type: 'lab.open', url: 'https://lender.example/kyc' })
    assert.deepEqual(received, ['{"type":"lab.open","url":"https://lender.example/kyc"}'])
    assert.equal(host.opensPages, true)
  }
})
