// Delivery: no acknowledged message is lost, and a slow lender does not delay the others.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '@lendloom/tests/setup/database'
import { until } from '@lendloom/tests/setup/programs'
import { call, json, subscription } from '@lendloom/tests/setup/sandbox/buyer'
import { applyWithPan, profileOf, searchLender, selectWith, submissionIn } from '@lendloom/tests/setup/sandbox/journey'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { decryptChallenge, encryptionKeysFrom, sitePage, siteSignature } from '@lendloom/wire/network/challenge'
import { claimedKeyOf, signingKeysFrom, verifySignature } from '@lendloom/wire/network/signing'

const { url, buyer, restart } = await openSandbox(() => testDatabase('sandbox'))

test('FIS12 §2: a search reaches every lender unchanged with both signatures, without delay by a slow lender', async (t) => {
  const signing = signingKeysFrom(randomBytes(32))
  const encryption = encryptionKeysFrom(randomBytes(32))
  const { encr_public_key: registryKey } = json(await call({ method: 'GET', url: `${url}/registry/encryption-key` }))
  const searches: { headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  const abandoned = new Set<string>()
  const slowLender = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.url === '/ondc-site-verification.html') response.end(sitePage(siteSignature('r-1', signing.privateKey)))
    else if (request.url === '/ondc/on_subscribe') {
      const { challenge } = JSON.parse(body)
      response.end(JSON.stringify({ answer: decryptChallenge(challenge, encryption.privateKey, registryKey) }))
    } else {
      searches.push({ headers: request.headers, body })
      response.on('close', () => abandoned.add(JSON.parse(body).context.transaction_id))
    }
  }).listen(0, '127.0.0.1')
  t.after(() => {
    slowLender.closeAllConnections()
    slowLender.close()
  })
  await once(slowLender, 'listening')
  const uri = `http://127.0.0.1:${(slowLender.address() as AddressInfo).port}/ondc`
  const application = subscription('slow.test.example', uri, 'r-1', signing.publicKey, encryption.publicKey)
  application.message.network_participant[0]!.type = 'sellerApp'
  const joined = await call({ method: 'POST', url: `${url}/registry/subscribe`, body: JSON.stringify(application) })
  assert.equal(joined.status, 200)

  let answeredBefore = 0
  for (let i = 0; i < 3; i++) {
    const { transactionId } = await searchLender(buyer, 'tulsi')
    if (!abandoned.has(transactionId)) answeredBefore++
  }
  assert.ok(answeredBefore > 0, 'a lender has answered before the gateway abandons the request to the slow one')
  await until('the slow lender has received a search', () => searches.length > 0)
  const [{ headers, body }] = searches as [(typeof searches)[number]]
  assert.ok(buyer.transcript.some((sent) => sent.action === 'search' && sent.body === body))
  for (const [name, role] of [
    ['authorization', 'BAP'],
    ['x-gateway-authorization', 'BG'],
  ] as const) {
    const header = headers[name] as string
    const { subscriberId, uniqueKeyId } = claimedKeyOf(header)!
    const [keyRow] = json(await buyer.lookup({ subscriber_id: subscriberId, ukId: uniqueKeyId, type: role }))
    assert.ok(verifySignature(body, keyRow.signing_public_key, { header, at: new Date() }).ok, name)
  }
})

test('FIS12 §3.3: a callback that the buyer app does not accept is resent before later messages', async () => {
  const journey = await searchLender(buyer, 'tulsi')
  const submissionId = await submissionIn(buyer.submit(journey.profileUrl, profileOf('ABCPE1234F')))
  buyer.failuresLeft = 1
  await selectWith(buyer, journey, 'FORM-PROFILE', submissionId)
  while (buyer.failuresLeft > 0) await sleep(5)
  await selectWith(buyer, journey, 'FORM-PROFILE', submissionId)
  const first = await buyer.receive('on_select', journey)
  const second = await buyer.receive('on_select', journey)
  assert.equal(buyer.failuresLeft, 0)
  const sent = buyer.transcript.filter(({ action, direction }) => action === 'select' && direction === 'sent').slice(-2)
  const ids = sent.map(({ body }) => JSON.parse(body).context.message_id)
  assert.equal(ids.length, 2)
  assert.equal(first.body.context.message_id, ids[0])
  assert.equal(second.body.context.message_id, ids[1])
})

test('after a restart the lender has the same key and answers an acknowledged request', async () => {
  const before = json(await buyer.lookup({ subscriber_id: 'kaveri.sandbox.example', type: 'BPP' }))
  const journey = await applyWithPan(buyer, 'kaveri', 'ABCPE1234F')
  assert.equal(json(journey.sent).message.ack.status, 'ACK')
  await restart()
  assert.ok((await buyer.receive('on_select', journey)).body.message)
  const after = json(await buyer.lookup({ subscriber_id: 'kaveri.sandbox.example', type: 'BPP' }))
  assert.equal(after[0].signing_public_key, before[0].signing_public_key)
})
