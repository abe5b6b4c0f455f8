// Requests that the sandbox refuses: bad signatures, unknown senders, repetitions, early steps, invalid forms.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { testDatabase } from '@lendloom/tests/setup/database'
import { call, json, post, subscription } from '@lendloom/tests/setup/sandbox/buyer'
import {
  applyWithPan,
  bankAccount,
  formUrl,
  initWith,
  proceedToQuote,
  profileOf,
  searchLender,
  selectWith,
  settlementFor,
  submissionIn,
} from '@lendloom/tests/setup/sandbox/journey'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { signatureHeader, signingKeysFrom } from '@lendloom/wire/network/signing'
import { search } from '@lendloom/wire/network/v203/search'
import { init, select } from '@lendloom/wire/network/v203/select-to-confirm'
import { status } from '@lendloom/wire/network/v203/update-and-status'

const bureauCredential = randomBytes(24).toString('hex')
const { url, buyer } = await openSandbox(() => testDatabase('sandbox'), { BUREAU_CREDENTIAL: bureauCredential })
const searchMessage = search({
  product: 'PERSONAL_LOAN',
  fee: { type: 'percent', value: '1' },
  terms: { delayInterest: '2', staticTerms: 'https://buyer.example/terms', offlineContract: true },
})
const nackOf = (incoming: { body: Buffer }) => {
  const { message, error } = json(incoming as never)
  assert.equal(message.ack.status, 'NACK')
  return error
}

test('FIS12 §6.1: look-up requires a signature (1020) and two criteria, and finds no participant for a wrong key id', async () => {
  const unsigned = await buyer.lookup({ type: 'BPP', domain: 'ONDC:FIS12' }, 'Signature keyId="a|b|ed25519"')
  assert.equal(unsigned.status, 401)
  assert.equal(nackOf(unsigned).code, '1020')
  const withOneCriterion = await buyer.lookup({ type: 'BPP' })
  assert.equal(withOneCriterion.status, 400)
  assert.equal(nackOf(withOneCriterion).code, '400')
  const sellers = json(await buyer.lookup({ type: 'BPP', domain: 'ONDC:FIS12', city: 'std:080' }))
  assert.deepEqual(sellers.map((each: { subscriber_id: string }) => each.subscriber_id).sort(), [
    'kaveri.sandbox.example',
    'meridian.sandbox.example',
    'narmada.sandbox.example',
    'sahyadri.sandbox.example',
    'tulsi.sandbox.example',
  ])
  assert.deepEqual(json(await buyer.lookup({ subscriber_id: 'kaveri.sandbox.example', ukId: 'other' })), [])
})

test('FIS12 §6.2: subscribing is refused without a correctly signed site page, and for the id of a sandbox party', async (t) => {
  const host = createServer((_request, response) => response.end('<html></html>')).listen(0, '127.0.0.1')
  t.after(() => {
    host.closeAllConnections()
    host.close()
  })
  await once(host, 'listening')
  const uri = `http://127.0.0.1:${(host.address() as AddressInfo).port}/ondc`
  const keys = { signing: signingKeysFrom(randomBytes(32)), encryption: encryptionKeysFrom(randomBytes(32)) }
  const apply = (id: string, at: string) =>
    call({
      method: 'POST',
      url: `${url}/registry/subscribe`,
      body: JSON.stringify(subscription(id, at, uuidv4(), keys.signing.publicKey, keys.encryption.publicKey)),
    })
  assert.match(nackOf(await apply('stranger.example', uri)).message, /carries no signature/)
  assert.match(nackOf(await apply('stranger.example', 'http://127.0.0.1:9/ondc')).message, /could not be fetched/)
  assert.match(nackOf(await apply('stranger.example', buyer.uri)).message, /does not fit/)
  assert.match(nackOf(await apply('kaveri.sandbox.example', uri)).message, /belongs to a party/)
  const malformed = await call({ method: 'POST', url: `${url}/registry/subscribe`, body: '{"context":{}}' })
  assert.equal(nackOf(malformed).path, '$.message')
})

test('JSON that is nested 5,000 levels deep, or not UTF-8, is refused as malformed by every API', async () => {
  const deep = '['.repeat(5000) + ']'.repeat(5000)
  const nested = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
  const bodies = [deep, nested, `{"context":${nested},"message":${deep}}`, Buffer.from('7b2261223a22ff227d', 'hex')]
  for (const path of ['/registry/subscribe', '/gateway/search', '/lenders/meridian/ondc/search'])
    for (const body of bodies) {
      const { status, body: answer } = await call({ method: 'POST', url: `${url}${path}`, body })
      assert.equal(status, 400, path)
      assert.match(answer.toString(), /nested|UTF-8/, path)
    }
})

test('FIS12 §5: lenders and gateway refuse a changed byte, and a missing, forged or old signature, with 401', async () => {
  const { lender, transactionId } = await searchLender(buyer, 'meridian')
  const otherParty = signingKeysFrom(randomBytes(32))
  const forged = (body: string, at: Date) =>
    signatureHeader(body, { subscriberId: buyer.id, uniqueKeyId: 'key-1', privateKey: otherParty.privateKey, at })
  const tamperings: ((header: string, body: string) => [string | undefined, string])[] = [
    (header, body) => [header, body.replace('PT30S', 'PT31S')],
    (_header, body) => [undefined, body],
    (_header, body) => [forged(body, new Date()), body],
    (_header, body) => [forged(body, new Date(Date.now() - 3_600_000)), body],
    (header, body) => [header.replace(buyer.id, 'nobody.example'), body],
  ]
  for (const tamper of tamperings) {
    const toLender = await buyer.send('status', status({ refId: transactionId }), { transactionId, lender, tamper })
    assert.equal(toLender.status, 401)
    assert.equal(nackOf(toLender).code, '30016')
    const toGateway = await buyer.send('search', searchMessage, { transactionId: uuidv4(), tamper })
    assert.equal(toGateway.status, 401)
    assert.equal(nackOf(toGateway).code, '10001')
  }
})

test('FIS12 §2: a lender refuses a broadcast search that bypassed the gateway', async () => {
  const transactionId = uuidv4()
  const uri = `${url}/lenders/meridian/ondc`
  let signedSearch = { header: '', body: '' }
  await buyer.send('search', searchMessage, {
    transactionId,
    tamper(header, body) {
      signedSearch = { header, body }
      return [header, body]
    },
  })
  const direct = await call({
    method: 'POST',
    url: `${uri}/search`,
    headers: { authorization: signedSearch.header, 'x-gateway-authorization': signedSearch.header },
    body: signedSearch.body,
  })
  assert.equal(direct.status, 401)
  assert.match(nackOf(direct).message, /gateway/)
  const lender = { id: 'kaveri.sandbox.example', uri }
  const wrong = await buyer.send('search', searchMessage, { transactionId: uuidv4(), lender })
  assert.equal(nackOf(wrong).path, '$.context.bpp_id')
})

test('FIS12 §3.3: a repeated request is acknowledged but answered once, and a request past its TTL is refused as stale', async () => {
  const journey = await searchLender(buyer, 'tulsi')
  const { lender, transactionId } = journey
  const messageId = uuidv4()
  const at = new Date()
  const repeat = () => buyer.send('status', status({ refId: transactionId }), { transactionId, lender, messageId, at })
  assert.equal(json(await repeat()).message.ack.status, 'ACK')
  assert.equal(json(await repeat()).message.ack.status, 'ACK')
  assert.equal((await buyer.receive('on_status', journey)).body.error.code, '30018')
  // The lender answers the messages of a conversation in order, so a second answer would come before this one.
  const next = await buyer.send('status', status({ refId: transactionId }), { transactionId, lender })
  assert.equal((await buyer.receive('on_status', journey)).body.context.message_id, next.messageId)

  const oldTimestamp = new Date(Date.now() - 60_000)
  const stale = await buyer.send('status', status({ refId: transactionId }), {
    transactionId,
    lender,
    at: oldTimestamp,
  })
  assert.equal(nackOf(stale).code, '30022')
  const late = await buyer.send('search', searchMessage, { transactionId: uuidv4(), at: oldTimestamp })
  const { code, message, path } = nackOf(late)
  assert.equal(late.status, 200)
  assert.equal(code, '10000', 'reported as stale, not as a bad signature')
  assert.equal(path, '$.context.ttl')
  assert.equal(
    message,
    `the search is stale: its ttl ended at ${new Date(oldTimestamp.getTime() + 30_000).toISOString()}`,
  )
})

test('FIS12 §12.4.2: unknown ids, early steps and unknown transactions are refused', async () => {
  const journey = await searchLender(buyer, 'sahyadri')
  const { lender, transactionId, providerId, itemId } = journey
  const submission = { formId: 'FORM-PROFILE', submissionId: uuidv4() }
  const errorCodeOf = async (message: object, action: 'select' | 'init') => {
    await buyer.send(action, message, { transactionId, lender })
    return (await buyer.receive(`on_${action}`, journey)).body.error.code
  }
  assert.equal(await errorCodeOf(select({ providerId: 'PROV-X', itemId, submission }), 'select'), '30001')
  assert.equal(await errorCodeOf(select({ providerId, itemId: 'ITEM-X', submission }), 'select'), '30004')
  assert.equal(await errorCodeOf(select({ providerId, itemId, submission }), 'select'), '40001')
  const earlyInit = init({ providerId, itemId, submission, settlement: settlementFor(null) })
  assert.equal(await errorCodeOf(earlyInit, 'init'), '30000')
  await submissionIn(buyer.submit(journey.profileUrl, profileOf('ABCPE1234F')))
  assert.equal(await errorCodeOf(select({ providerId, itemId, submission }), 'select'), '80216')

  const unknown = await buyer.send('select', select({ providerId, itemId, submission }), {
    transactionId: uuidv4(),
    lender,
  })
  assert.equal(unknown.status, 404)
  assert.equal(nackOf(unknown).code, '30018')
})

test('FIS12 §12.4.4: the bank form before KYC is rejected, and later pages return 404', async () => {
  const journey = await proceedToQuote(buyer, 'meridian', 'ABCPE1234F')
  await initWith(buyer, journey, 'FORM-KYC', uuidv4(), null)
  assert.equal((await buyer.receive('on_init', journey)).body.error.code, '40001')
  const kyc = formUrl(journey.quote)
  assert.equal((await call({ method: 'GET', url: kyc })).status, 200)
  for (const other of ['mandate', 'agreement'])
    assert.equal((await call({ method: 'GET', url: kyc.replace('/kyc/', `/${other}/`) })).status, 404)
  const withoutOutcome = await post(kyc, {})
  assert.equal(withoutOutcome.status, 400)
})

test('a select repeated with a new message id gets the same offer', async () => {
  const journey = await applyWithPan(buyer, 'meridian', 'ABCPE1234F')
  const first = await buyer.receive('on_select', journey)
  await selectWith(buyer, journey, 'FORM-PROFILE', journey.submissionId)
  const second = await buyer.receive('on_select', journey)
  assert.deepEqual(second.body.message, first.body.message)
})

test('FIS12 §7.7: a refused profile names each invalid field, and the same profile twice is one submission', async () => {
  const { profileUrl } = await searchLender(buyer, 'meridian')
  const { pan: _pan, ...rest } = profileOf('ABCPE1234F')
  const invalidProfile = await buyer.submit(profileUrl, { ...rest, pan: 'ABCDE1234F', dob: '1994-02-31', income: '12' })
  assert.equal(invalidProfile.status, 400)
  const { success, errors } = json(invalidProfile)
  assert.equal(success, false)
  assert.deepEqual(errors.map(({ field }: { field: string }) => field).sort(), ['dob', 'income', 'pan'])
  const aadhaar = json(await buyer.submit(profileUrl, { ...profileOf('ABCPE1234F'), companyName: '9999 9999 0019' }))
  assert.deepEqual(aadhaar.errors, [{ field: 'companyName', message: 'must not be an Aadhaar number' }])
  const firstSubmission = await submissionIn(buyer.submit(profileUrl, profileOf('ABCPE1234F')))
  assert.equal(await submissionIn(buyer.submit(profileUrl, profileOf('ABCPE1234F'))), firstSubmission)
  assert.notEqual(
    await submissionIn(buyer.submit(profileUrl, { ...profileOf('ABCPE1234F'), income: '70000' })),
    firstSubmission,
  )
  const asJson = await call({
    method: 'POST',
    url: profileUrl,
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(asJson.status, 415)
})

test('FIS12 §8.1 F2: an amount or a term outside the offer is refused, naming the field', async () => {
  const journey = await applyWithPan(buyer, 'meridian', 'ABCPE1234F')
  const url = formUrl(await buyer.receive('on_select', journey))
  for (const [amount, term, field] of [
    ['1000', '12', 'requestAmount'],
    ['99999999', '12', 'requestAmount'],
    ['100000.50', '12', 'requestAmount'],
    ['100000', '600', 'requestTerm'],
    ['100000', 'soon', 'requestTerm'],
  ] as const) {
    const { errors } = json(await buyer.submit(url, { requestAmount: amount, requestTerm: term }))
    assert.equal(errors[0].field, field)
  }
})

test('a link with a changed letter, lender or purpose returns 404', async () => {
  const { profileUrl } = await searchLender(buyer, 'meridian')
  const last = profileUrl.at(-1) === 'a' ? 'b' : 'a'
  for (const other of [
    profileUrl.slice(0, -1) + last,
    profileUrl.replace('/meridian/', '/kaveri/'),
    profileUrl.replace('/profile/', '/bank/'),
    profileUrl.replace('/forms/profile/', '/key-facts/final/'),
  ]) {
    assert.equal((await call({ method: 'GET', url: other })).status, 404, other)
    if (other.includes('/forms/')) assert.equal((await post(other, bankAccount)).status, 404, other)
  }
})

test('D3 §2.3: the bureau refuses an invalid date of birth or timestamp', async () => {
  const pull = (birth: string, givenAt: string) =>
    call({
      method: 'POST',
      url: `${url}/bureau/requests`,
      headers: { authorization: `Bearer ${bureauCredential}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        client_reference: uuidv4(),
        consent: { given_at: givenAt, purpose: 'LOAN_UNDERWRITING' },
        person: { full_name: 'Asha Kulkarni', pan: 'ABCPE1234F', date_of_birth: birth, mobile: '9876501234' },
      }),
    })
  const birth = '1992-02-29'
  const givenAt = '2026-11-20T10:00:00.000Z'
  assert.equal((await pull(birth, givenAt)).status, 201)
  for (const wrong of ['0000-00-00', '2026-13-45', '2025-02-29'])
    assert.equal((await pull(wrong, givenAt)).status, 422, wrong)
  assert.equal((await pull(birth, '2026-99-99T99:99:99Z')).status, 422)
})
