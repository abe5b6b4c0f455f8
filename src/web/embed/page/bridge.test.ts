// The recipients of the page's messages, and their form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Around, hostOf, targets } from './bridge.ts'

const app = 'https://app.example'

test('a known parent is the only recipient, if its origin is allowed', () => {
  assert.deepEqual(targets([app, 'https://other.example'], [app]), [app])
  assert.deepEqual(targets([app], ['https://stranger.example']), [])
  assert.deepEqual(targets([app], ['null']), [])
  assert.deepEqual(targets([app], ['https://app.example.evil.example']), [])
})

test('with an unknown parent each allowed origin is a recipient, and never `*`', () => {
  assert.deepEqual(targets([app, 'https://other.example'], undefined), [app, 'https://other.example'])
  assert.deepEqual(targets(['*', 'https://*.example', app], undefined), [app])
})

test('a sandbox allows any local port if the parent is known', () => {
  assert.deepEqual(targets(['http://localhost:*'], ['http://localhost:5173']), ['http://localhost:5173'])
  assert.deepEqual(targets(['http://localhost:*'], ['http://localhost.evil.example:5173']), [])
  assert.deepEqual(targets(['http://localhost:*'], undefined), [])
})

function around(more: Partial<Around> = {}) {
  const posted: [unknown, string][] = []
  const parent = { postMessage: (message: unknown, origin: string) => void posted.push([message, origin]) }
  return { posted, window: { parent, location: {}, ...more } as Around }
}

test('D1 §6: messages go to the host’s exact origin, which the platform can change', () => {
  const { posted, window } = around({ location: { ancestorOrigins: ['https://new.example'] } })
  const host = hostOf(window, [app])
  host.tell({ type: 'lab.ready' })
  host.allow(['https://new.example'])
  host.tell({ type: 'lab.exit' })
  assert.deepEqual(posted, [[{ type: 'lab.exit' }, 'https://new.example']])
  assert.equal(host.framed, true)
})

test('a page in its own window sends no message', () => {
  const { posted, window } = around()
  const alone = { ...window } as Around
  alone.parent = alone as never
  hostOf(alone, [app]).tell({ type: 'lab.ready' })
  assert.deepEqual(posted, [])
})

test('an app around a web view gets JSON, on Android and iOS', () => {
  for (const place of ['android', 'ios']) {
    const received: string[] = []
    const channel = { postMessage: (json: string) => void received.push(json) }
    const { window } = around(
      place === 'android' ? { LendloomBridge: channel } : { webkit: { messageHandlers: { lendloom: channel } } },
    )
    window.parent = window as never
    const host = hostOf(window, [])
    host.tell({ type: 'lab.open', url: 'https://lender.example/kyc' })
    assert.deepEqual(received, ['{"type":"lab.open","url":"https://lender.example/kyc"}'])
    assert.equal(host.opensPages, true)
  }
})
