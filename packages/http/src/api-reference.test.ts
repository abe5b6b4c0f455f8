// The page of the API reference: what it may load, and how it escapes what it is given.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referencePage } from './api-reference.ts'

const { body, headers } = referencePage({
  title: 'Orders <b>',
  documentUrl: '/openapi.json?a="b"',
  scalar: '/assets/scalar.js',
  links: [{ href: '/other', text: 'Elsewhere & more' }],
  maySend: true,
})

test('scripts are those of this program, and the page asks no other server', () => {
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /script-src 'self' 'sha256-[^']+';/)
  assert.doesNotMatch(policy, /unsafe-eval|https?:|\*/)
  assert.match(policy, /connect-src 'self'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
})

test('texts and addresses are escaped', () => {
  const page = String(body)
  assert.ok(page.includes('<title>Orders &lt;b&gt;</title>'))
  assert.ok(page.includes('Elsewhere &amp; more'))
  assert.ok(!page.includes('a="b"'))
})
