// `pageAnswer` builds the document and the security headers of a page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './markup.ts'
import { pageAnswer, sourceOf } from './page-frame.ts'
import { plainPage } from './plain-page.ts'
import type { Answer } from './route.ts'

test('a page forbids frames, forms and external content unless its policy allows them', () => {
  const policyOf = (policy: Record<string, string | null>, style?: string) =>
    pageAnswer({ title: 'A & B', body: html`<p>x</p>`, policy, ...(style && { style }) }).headers[
      'content-security-policy'
    ]
  const defaults = `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  assert.equal(policyOf({}), `default-src 'none'; ${defaults}; img-src 'self'`)
  assert.equal(policyOf({}, 'p{}'), `default-src 'none'; ${defaults}; img-src 'self'; style-src ${sourceOf('p{}')}`)
  assert.equal(
    policyOf({ 'form-action': null }),
    `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src 'self'`,
  )
  const { body, headers } = pageAnswer({ title: 'A & B', body: html`<p>x</p>` })
  assert.match(String(body), /^<!doctype html>\n<html lang="en">.*<title>A &amp; B<\/title>.*<body><p>x<\/p><\/body>/s)
  const values = ['cache-control', 'referrer-policy', 'x-content-type-options'].map((name) => headers[name])
  assert.deepEqual(values, ['no-store', 'no-referrer', 'nosniff'])
  assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}; includeSubDomains$/)
})

test('a page that closes its window runs exactly this script, and other plain pages run none', () => {
  const page = (closesWindow: boolean) => plainPage({ title: 'Done', body: 'Thank you.', closesWindow })
  const policy = ({ headers }: Answer) => headers['content-security-policy']
  const [, script = ''] = /<script>(.*)<\/script>/.exec(String(page(true).body)) ?? []
  assert.equal(script, 'setTimeout(close,3000)')
  assert.ok(policy(page(true))?.includes(`script-src ${sourceOf(script)}`))
  assert.doesNotMatch(`${policy(page(false))} ${page(false).body}`, /script/)
})
