// The page removes the token from the URL, and a reload restores the session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryOf, tokenIn } from './reload-memory.ts'

function windowAt(hash: string, state: unknown = null) {
  const window = {
    location: { hash, pathname: '/lab/embed', search: '?tenant_id=1' },
    history: {
      state,
      url: '',
      replaceState(next: unknown, _: string, url?: string | URL | null) {
        this.state = next
        this.url = String(url)
      },
    },
  }
  return window
}

test('D1 §5: the token is removed from the fragment, and the rest of the URL is unchanged', () => {
  const window = windowAt('#token=bt_1')
  const { stored } = memoryOf(window, () => 'key-1')
  assert.deepEqual(stored, { bootstrap: { token: 'bt_1', key: 'key-1' } })
  assert.equal(window.history.url, '/lab/embed?tenant_id=1')
})

test('a reload before the exchange has succeeded repeats it with the same token and key', () => {
  const firstWindow = windowAt('#token=bt_1')
  memoryOf(firstWindow, () => 'key-1')
  const { stored } = memoryOf(windowAt('', firstWindow.history.state), () => 'key-2')
  assert.deepEqual(stored.bootstrap, { token: 'bt_1', key: 'key-1' })
})

test('a new link replaces an old session', () => {
  const { stored } = memoryOf(windowAt('#token=bt_2', { lendloom: { session: 'st_1', part: 2 } }), () => 'key')
  assert.deepEqual(stored, { bootstrap: { token: 'bt_2', key: 'key' } })
})

test('forgetting a session removes it from the history, but not the language', () => {
  const window = windowAt('')
  const memory = memoryOf(window, () => 'key')
  memory.update({ session: 'st_1', language: 'hi' })
  memory.forget()
  assert.deepEqual(window.history.state, { lendloom: { language: 'hi' } })
})

test('forgetting a session keeps the return URL and the position in the history', () => {
  const window = windowAt('', { lendloom: { session: 'st_1', returnUrl: 'https://app.example/done' }, place: 'here' })
  memoryOf(window, () => 'key').forget()
  assert.deepEqual(window.history.state, { lendloom: { returnUrl: 'https://app.example/done' }, place: 'here' })
})

test('a fragment without a token is ignored', () => {
  assert.equal(tokenIn(''), null)
  assert.equal(tokenIn('#token='), null)
  assert.equal(tokenIn('#top'), null)
  assert.equal(tokenIn('#token=bt_1'), 'bt_1')
})
