// The recipients of the page's messages, and their form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HostWindow, hostOf, targetOrigins } from './bridge.ts'

const app = 'https://app.example'

test('only a known parent with an allowed origin receives messages', () => {
  assert.deepEqual(targetOrigins([app, 'https://other.example'], [app]), [app])
  assert.deepEqual(targetOrigins([app], ['https://stranger.example']), [])
  assert.deepEqual(targetOrigins([app], ['null']), [])
  assert.deepEqual(targetOrigins([app], ['https://app.example.evil.example']), [])
})

test('if the parent is unknown, messages go to each allowed origin and never to `*`', () => {
  assert.deepEqual(targetOrigins([app, 'https://other.example'], undefined), [app, 'https://other.example'])
  assert.deepEqual(targetOrigins(['*', 'https://*.example', app], undefined), [app])
})

test('a sandbox allows any local port if the parent is known', () => {
  assert.deepEqual(targetOrigins(['http://localhost:*'], ['http://localhost:5173']), ['http://localhost:5173'])
  assert.deepEqual(targetOrigins(['http://localhost:*'], ['http://localhost.evil.example:5173']), [])
  assert.deepEqual(targetOrigins(['http://localhost:*'], undefined), [])
})

function hostWindow(more: Partial<HostWindow> = {}) {
  const posted: [unknown, string][] = []
  const parent = { postMessage: (message: unknown, origin: string) => void posted.push([message, origin]) }
  return { posted, window: { parent, location: {}, ...more } as HostWindow }
}

test('D1 §6: messages go to the exact origin that the platform last allowed', () => {
  const { posted, window } = hostWindow({ location: { ancestorOrigins: ['https://new.example'] } })
  const host = hostOf(window, [app])
  host.send({ type: 'lab.ready' })
  host.allow(['https://new.example'])
  host.send({ type: 'lab.exit' })
  assert.deepEqual(posted, [[{ type: 'lab.exit' }, 'https://new.example']])
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
