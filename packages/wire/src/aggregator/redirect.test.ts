// The redirection to an account aggregator and back: published vectors, timestamps in both zones, and rejections.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Redirection, readRedirect, redirectTo, requestorIn } from './redirect.ts'
import { errorCodes, type ReturnHint, readReturn, returnTo } from './redirect-back.ts'
import { decryptFields, encryptFields, fieldsOf, fieldsText, keyFor, unveil, veil } from './redirect-fields.ts'
import { isFresh, readingsOf, stampOf } from './redirect-stamp.ts'

const { request, response } = JSON.parse(readFileSync(new URL('./fixtures/redirection.json', import.meta.url), 'utf8'))
const { secret, reqdate } = request
const { resdate } = response

test('FIS12 §7.8: the published request and response are encrypted byte for byte', async () => {
  assert.equal((await keyFor(secret, reqdate)).toString('hex'), request.keyHex)
  assert.equal(await encryptFields(request.plaintext, secret, reqdate), request.ecreq)
  assert.equal(await decryptFields(request.ecreq, secret, reqdate), request.plaintext)
  assert.equal(await encryptFields(response.plaintext, secret, resdate), response.ecres)
  assert.equal(
    await decryptFields(response.ecres.replaceAll('_', '/').replaceAll('-', ' '), secret, resdate),
    response.plaintext,
  )
  assert.equal(veil(request.requestor, reqdate), request.fi)
  assert.equal(veil('LSP', reqdate), request.requestorType)
  assert.equal(unveil(response.fi, resdate), response.aggregator)
})

test('FIS12 §7.8: content encrypted with another secret or timestamp is not decrypted', async () => {
  assert.equal(await decryptFields(request.ecreq, 'another secret', reqdate), null)
  assert.equal(await decryptFields(request.ecreq, secret, resdate), null)
  assert.equal(await decryptFields('', secret, reqdate), null)
  assert.equal(await decryptFields(request.ecreq.slice(4), secret, reqdate), null)
})

test('FIS12 §7.8: an id is read although the timestamp is empty', () => {
  assert.equal(requestorIn({ fi: 'YWJj', reqdate: '', ecreq: '' }), 'abc')
})

test('FIS12 §7.8: a timestamp has 15 digits and is accepted in UTC and Indian time', () => {
  assert.equal(stampOf(new Date('2020-11-03T18:03:46.099Z')), reqdate)
  const instants = (stamp: string) => readingsOf(stamp).map(({ at }) => new Date(at).toISOString())
  assert.deepEqual(instants(reqdate), ['2020-11-03T18:03:46.000Z', '2020-11-03T18:03:00.460Z'])
  assert.deepEqual(instants('060420210510756'), ['2021-04-06T05:10:00.756Z'])
  for (const wrong of ['310220201803460', '03112020180346', '031120202403460', '031120201860460', '', 'x'.repeat(15)])
    assert.deepEqual(instants(wrong), [], wrong)
})

test('FIS12 §7.8: a timestamp is valid for 180 seconds, in the format without seconds for 240', () => {
  const at = (text: string) => new Date(`2021-04-06T${text}Z`)
  const inSeconds = stampOf(at('05:10:59.900'))
  assert.deepEqual(
    ['05:07:59.000', '05:13:59.800', '05:14:00.700'].map((now) => isFresh(inSeconds, at(now))),
    [true, true, false],
  )
  const inMilliseconds = '060420210510756'
  assert.deepEqual(
    ['05:07:00.700', '05:07:00.800', '05:14:00.700', '05:14:00.800'].map((now) => isFresh(inMilliseconds, at(now))),
    [false, true, true, false],
  )
})

test('FIS12 §7.8: a timestamp is fresh when it is made, and stale 271 seconds later', () => {
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, (at) => {
      assert.ok(isFresh(stampOf(at), at))
      assert.ok(!isFresh(stampOf(at), new Date(at.getTime() + 271_000)))
    }),
  )
})

test('FIS12 §7.8: fields round-trip, escaped or not, with a list written as a repeated key', () => {
  const key = fc.constantFrom('txnid', 'sessionid', 'srcref', 'redirect')
  const value = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.uuid(), fc.string({ minLength: 1 }))
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value)), fc.boolean(), (fields, escaped) => {
      const read = fieldsOf(fieldsText(fields, escaped))
      for (const name of new Set(fields.map(([each]) => each)))
        assert.deepEqual(
          read.get(name),
          fields.filter(([each]) => each === name).map(([, text]) => text),
        )
    }),
  )
  assert.equal(fieldsOf('redirect=https://x.example/?a=1%').get('redirect')?.[0], 'https://x.example/?a=1%')
})

const redirection: Redirection = {
  txnId: 'b7f4a1de-0000-4000-8000-000000000001',
  sessionId: 's1',
  userId: '9999988888@sandbox-aa',
  returnUrl: 'https://platform.example/aa/return?from=app&x=1',
  handles: ['h1', 'h2'],
}
const at = new Date('2026-07-20T10:11:12.345Z')
const lsp = { id: 'lsp.example', type: 'LSP', secret } as const

for (const escaped of [false, true])
  test(`FIS12 §7.8: the aggregator reads back ${escaped ? 'an escaped' : 'an unescaped'} redirect`, async () => {
    const {
      url,
      reqdate: stamp,
      expiresAt,
    } = await redirectTo('https://aa.example/web', lsp, redirection, { at, escaped })
    assert.equal(stamp, '200720261011123')
    assert.equal(expiresAt.toISOString(), '2026-07-20T10:14:12.345Z')
    const { fi, requestorType, ecreq } = Object.fromEntries(new URL(url).searchParams) as Record<string, string>
    const query = { fi: fi!, reqdate: stamp, ecreq: ecreq!, requestorType }
    assert.equal(requestorIn(query), 'lsp.example')
    assert.equal(unveil(requestorType!, stamp), 'LSP')
    assert.deepEqual(await readRedirect(query, secret, at), redirection)
    assert.deepEqual(await readRedirect(query, 'another', at), { fault: 'unreadable' })
    const later = new Date(at.getTime() + 241_000)
    assert.deepEqual(await readRedirect(query, secret, later), { fault: 'stale' })
    const bare = { ...query, ecreq: await encryptFields('txnid=1&sessionid=2', secret, stamp) }
    assert.deepEqual(await readRedirect(bare, secret, at), { fault: 'incomplete' })
  })

test('FIS12 §7.8: a return is parsed, and each kind of invalid return has its own fault', async () => {
  const { txnId, sessionId, userId, handles } = redirection
  const answer: ReturnHint = { txnId, sessionId, userId, handles, status: 'S', errorCode: 0 }
  const queryOf = async (returned: object) => {
    const url = new URL(
      await returnTo(redirection.returnUrl, { aggregatorId: 'sandbox-aa', secret }, { ...answer, ...returned }, at),
    )
    assert.equal(url.searchParams.get('from'), 'app')
    return Object.fromEntries(url.searchParams) as { ecres: string; resdate: string; fi: string }
  }
  const from = { aggregatorId: 'sandbox-aa', secret }
  const query = await queryOf({})
  assert.deepEqual(await readReturn(query, from, at), answer)
  for (const code of Object.keys(errorCodes).map(Number).filter(Boolean)) {
    const failed = { status: 'F', errorCode: code, handles: [] }
    assert.deepEqual(await readReturn(await queryOf(failed), from, at), { ...answer, ...failed })
  }
  const late = new Date(at.getTime() + 241_000)
  assert.deepEqual(await readReturn(query, from, late), { fault: 'stale' })
  assert.deepEqual(await readReturn(query, { ...from, aggregatorId: 'other' }, at), { fault: 'wrong-aggregator' })
  assert.deepEqual(await readReturn(query, { ...from, secret: 'other' }, at), { fault: 'unreadable' })
  for (const wrong of [{ status: 'X' }, { errorCode: 6 }, { errorCode: '' }, { txnId: '' }, { sessionId: '' }])
    assert.deepEqual(await readReturn(await queryOf(wrong), from, at), { fault: 'incomplete' })
})
