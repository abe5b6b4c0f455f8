// The hosted page’s headers, language, colour scheme and compression.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { recordOf } from '@lendloom/foundation/record'
import { languages, pageLanguage } from '@lendloom/lending/language'
import { documentCache, styleCache, type WebBuild } from '#platform/api/web-build.ts'
import { embedPage } from './hosted-page.ts'

const testBuild = (): WebBuild => ({
  documents: recordOf(languages, (language) => `<html lang="${language}">{"hostOrigins":[]}`),
  files: new Map(),
  scriptHash: 'c2NyaXB0',
  styleHash: 'c3R5bGU=',
  noscriptHash: 'bm9uZQ==',
  demo: { script: '/demo.js', style: '/demo.css' },
  console: { script: '/console.js', style: '/console.css' },
  scalar: '/scalar.js',
  themed: { rules: '', colours: [] },
  working: recordOf(languages, () => 'One moment…'),
  poweredBy: recordOf(languages, () => 'powered by Lendloom'),
  packed: documentCache(),
  styles: styleCache(),
})
const app = 'https://app.example'
const pageFor = (origins: string[], options: object = {}) =>
  embedPage(testBuild(), { language: 'en', origins, ...options })

test('D1 §2.2: the policy allows only the script, the style and the framing origins', () => {
  const policy = pageFor([app, 'https://www.app.example']).headers['content-security-policy']!
  const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule]))
  assert.equal(rules.get('default-src'), `default-src 'none'`)
  assert.equal(rules.get('script-src'), `script-src 'self' 'sha256-c2NyaXB0'`)
  assert.equal(rules.get('style-src'), `style-src 'self' 'sha256-c3R5bGU=' 'sha256-bm9uZQ=='`)
  assert.equal(rules.get('frame-ancestors'), 'frame-ancestors https://app.example https://www.app.example')
  assert.equal(rules.get('require-trusted-types-for'), `require-trusted-types-for 'script'`)
  assert.equal(rules.get('trusted-types'), `trusted-types 'none'`)
  assert.equal(rules.has('report-to'), false)
})

test('the page of an application without origins cannot be framed', () => {
  assert.match(pageFor([]).headers['content-security-policy']!, /frame-ancestors 'none'/)
})

test('an invalid or wildcard origin throws', () => {
  for (const origin of [
    '*',
    'https://*.example',
    'https://app.example/',
    `https://a.example; script-src *`,
    'javascript:1',
  ])
    assert.throws(() => pageFor([origin]), /not an exact origin/, origin)
})

test('D1 §5: the headers forbid caching, and access to the page’s URL or window by other sites', () => {
  const { headers } = pageFor([app])
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin-allow-popups')
  assert.equal(headers['cross-origin-embedder-policy'], 'require-corp')
  assert.equal('x-frame-options' in headers, false)
})

test('the document contains the host origins, also when it is compressed', () => {
  assert.equal(pageFor([app]).body.toString(), '<html lang="en">{"hostOrigins":["https://app.example"]}')
  const { headers, body } = pageFor([app], { acceptEncoding: 'gzip, br', language: 'hi' })
  assert.equal(headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(body).toString(), '<html lang="hi">{"hostOrigins":["https://app.example"]}')
})

test('compressed documents are cached, in at most 8 MiB', () => {
  const sharedBuild = testBuild()
  const page = (origin: string) =>
    embedPage(sharedBuild, { language: 'en', origins: [origin], acceptEncoding: 'br' }).body
  assert.equal(page(app), page(app))
  assert.equal(page(app).buffer.byteLength, page(app).length)
  for (let i = 0; i < 40; i++) sharedBuild.packed.set(`en ${i}`, Buffer.alloc(1 << 20))
  assert.ok(sharedBuild.packed.bytes <= 8 << 20, `${sharedBuild.packed.bytes} bytes`)
})

test('the headers contain the report URL if it is configured', () => {
  const { headers } = pageFor([app], { reportUrl: 'https://reports.example/csp' })
  assert.match(headers['content-security-policy']!, /; report-to csp$/)
  assert.equal(headers['reporting-endpoints'], 'csp="https://reports.example/csp"')
})

test('the page has the requested language, or the browser’s first supported language, or English', () => {
  assert.equal(pageLanguage('hi', 'en'), 'hi')
  assert.equal(pageLanguage(undefined, 'hi-IN,hi;q=0.9,en;q=0.8'), 'hi')
  assert.equal(pageLanguage(undefined, 'fr, mr-IN;q=0.9, hi;q=0.8'), 'mr')
  assert.equal(pageLanguage(undefined, 'gu-IN, en-IN;q=0.9, hi;q=0.8'), 'en')
  assert.equal(pageLanguage('fr', undefined), 'en')
})

test('D1 §2.2: a page in one colour scheme has its own style hash and cache entry', () => {
  const style = ':root{color-scheme:light dark;--page:white}@media(prefers-color-scheme:dark){:root{--page:black}}'
  const documents = recordOf(languages, () => `<style>${style}</style><style>p{}</style>{"hostOrigins":[]}`)
  const web = { ...testBuild(), documents }
  const page = (scheme: 'light' | 'dark' | null) =>
    embedPage(web, { language: 'en', origins: [], scheme, acceptEncoding: 'br' })
  const textOf = (scheme: 'light' | 'dark' | null) => brotliDecompressSync(page(scheme).body).toString()
  assert.match(textOf('dark'), /<style>:root\{color-scheme:dark;.*@media all\{.*<\/style><style>p\{\}<\/style>/)
  assert.match(textOf('light'), /<style>:root\{color-scheme:light;.*@media not all\{/)
  assert.match(textOf(null), /prefers-color-scheme/)
  const darkStyle = style.replace('light dark', 'dark').replace('(prefers-color-scheme:dark)', ' all')
  const hash = createHash('sha256').update(darkStyle).digest('base64')
  assert.ok(page('dark').headers['content-security-policy']?.includes(`'sha256-${hash}'`))
})
