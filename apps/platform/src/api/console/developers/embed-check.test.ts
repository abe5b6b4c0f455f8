// The embedding check names the header that prevents a page from embedding the hosted journey.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEmbedding, type PageAnswer } from './embed-check.ts'

const frameUrl = 'https://pay.lendloom.example/lab/embed'
const problemsOf = (
  url: string,
  answer: PageAnswer | Record<string, string>,
  allowedOrigins = ['https://app.example'],
) =>
  checkEmbedding({
    page: new URL(url),
    allowedOrigins,
    frameUrl,
    answer:
      typeof answer === 'object' && !('status' in answer) ? { status: 200, headers: answer } : (answer as PageAnswer),
  }).flatMap(({ code, isFine, about }) => (isFine ? [] : [`${code}: ${about}`]))

test('D1 §6.4: a page of an allowed origin without policies can embed the journey', () => {
  assert.deepEqual(problemsOf('https://app.example/loans', {}), [])
  assert.deepEqual(problemsOf('http://127.0.0.1:5173/', {}, ['http://127.0.0.1:*']), [])
})

test('reports an origin that is not allowed, plain HTTP, a missing response and an error status', () => {
  assert.deepEqual(problemsOf('https://www.app.example/', {}), ['allowed: https://www.app.example'])
  assert.deepEqual(problemsOf('http://app.example/', {}, ['http://app.example']), ['secure: http'])
  const local = checkEmbedding({
    page: new URL('http://127.0.0.1:3000/'),
    allowedOrigins: ['http://127.0.0.1:*'],
    frameUrl: 'http://127.0.0.1:4000/',
    answer: { status: 200, headers: {} },
  })
  assert.deepEqual(
    local.find(({ code }) => code === 'secure'),
    { code: 'secure', isFine: true, about: 'http' },
    'http is accepted for a loopback address, and the finding contains the scheme',
  )
  assert.deepEqual(problemsOf('https://app.example/', 'no answer in time'), ['reachable: no answer in time'])
  assert.deepEqual(problemsOf('https://app.example/', { status: 503, headers: {} }), ['reachable: HTTP 503'])
})

for (const [policy, isFine] of [
  ["default-src 'self'; frame-src https://pay.lendloom.example", true],
  ['frame-src https://*.lendloom.example', true],
  ['frame-src https:', true],
  ['child-src *', true],
  ["default-src 'self'", false],
  ["default-src *; frame-src 'none'", false],
  ['frame-src http://pay.lendloom.example', false],
  ['frame-src https://pay.lendloom.example:8443', false],
  ["frame-src *, frame-src 'self'", false],
] as const)
  test(`Content-Security-Policy: ${policy} ${isFine ? 'allows' : 'forbids'} the frame`, () => {
    const problems = problemsOf('https://app.example/', { 'content-security-policy': policy })
    assert.equal(problems.length === 0, isFine, problems.join())
  })

test('reports a camera that Permissions-Policy disables for frames', () => {
  const policy = 'geolocation=(), camera=(), microphone=(self "https://pay.lendloom.example")'
  assert.deepEqual(problemsOf('https://app.example/', { 'permissions-policy': policy }), ['permissions: camera=()'])
  assert.deepEqual(problemsOf('https://app.example/', { 'permissions-policy': 'camera=*' }), [])
})
