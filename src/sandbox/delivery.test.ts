// Nothing that was acknowledged is lost, and nobody waits for somebody else's slowness.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decryptChallenge, encryptionKeysFrom, sitePage, siteSignature } from '#contract/network/challenge.ts'
import { claimedKey, signingKeysFrom, verifySignature } from '#contract/network/signing.ts'
import { call } from '#kit/http/client.ts'
import { until } from '#test/setup/programs.ts'
import { json, subscription } from '#test/setup/sandbox/buyer.ts'
import { applyWithPan, profileOf, searchLender, selectWith, submissionIn } from '#test/setup/sandbox/journey.ts'
import { openSandbox } from '#test/setup/sandbox/open-sandbox.ts'
import { testDatabase } from '../../test/setup/database.ts'

const { url, buyer, restart } = await openSandbox(() => testDatabase('sandbox'))

test('FIS12 §2: a search reaches every lender as the same bytes with both signatures; a slow one delays nobody', async (t) => {
  const signing = signingKeysFrom(randomBytes(32))
  const encryption = encryptionKeysFrom(randomBytes(32))
  const { encr_public_key: registryKey } = json(await call({ method: 'GET', url: `${url}/registry/encryption-key` }))
  const searches: { headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  const slow = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.url === '/ondc-site-verification.html') response.end(sitePage(siteSignature('r-1', signing.privateKey)))
    else if (request.url === '/ondc/on_subscribe') {
      const { challenge } = JSON.parse(body)
      response.end(JSON.stringify({ answer: decryptChallenge(challenge, encryption.privateKey, registryKey) }))
    } else searches.push({ headers: request.headers, body })
  }).listen(0, '127.0.0.1')
  t.after(() => {
    slow.closeAllConnections()
    slow.close()
  })
  await once(slow, 'listening')
  const uri = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/ondc`
  const application = subscription('slow.test.example', uri, 'r-1', signing.publicKey, encryption.publicKey)
  application.message.network_participant[0]!.type = 'sellerApp'
  const joined = await call({ method: 'POST', url: `${url}/registry/subscribe`, body: JSON.stringify(application) })
  assert.equal(joined.status, 200)

  const startedAt = Date.now()
  for (let i = 0; i < 3; i++) await searchLender(buyer, 'tulsi')
  // Whoever waited for the slow one would wait five seconds each time.
  assert.ok(Date.now() - startedAt < 15_000)
  await until('the slow one has a search', () => searches.length > 0)
  const [{ headers, body }] = searches as [(typeof searches)[number]]
  assert.ok(buyer.transcript.some((sent) => sent.action === 'search' && sent.body === body))
  for (const [name, role] of [
    ['authorization', 'BAP'],
    ['x-gateway-authorization', 'BG'],
  ] as const) {
    const header = headers[name] as string
    const { subscriberId, uniqueKeyId } = claimedKey(header)!
    const [known] = json(await buyer.lookup({ subscriber_id: subscriberId, ukId: uniqueKeyId, type: role }))
    assert.ok(verifySignature(body, known.signing_public_key, { header, at: new Date() }).ok, name)
  }
})

test('FIS12 §3.3: a callback that is not taken comes again, unchanged, and before later messages', async () => {
  const played = await searchLender(buyer, 'tulsi')
  const submissionId = await submissionIn(buyer.submit(played.profileUrl, profileOf('ABCPE1234F')))
  buyer.failuresLeft = 1
  await selectWith(buyer, played, 'FORM-PROFILE', submissionId)
  while (buyer.failuresLeft > 0) await sleep(5)
  await selectWith(buyer, played, 'FORM-PROFILE', submissionId)
  const [first, second] = [await buyer.receive('on_select', played), await buyer.receive('on_select', played)]
  assert.equal(buyer.failuresLeft, 0)
  const sent = buyer.transcript.filter(({ action, direction }) => action === 'select' && direction === 'sent').slice(-2)
  const ids = sent.map(({ body }) => JSON.parse(body).context.message_id)
  assert.deepEqual([first.body.context.message_id, second.body.context.message_id], ids)
})

test('a request that was acknowledged is answered after a restart, by the same lender with the same key', async () => {
  const before = json(await buyer.lookup({ subscriber_id: 'kaveri.sandbox.example', type: 'BPP' }))
  const played = await applyWithPan(buyer, 'kaveri', 'ABCPE1234F')
  assert.equal(json(played.sent).message.ack.status, 'ACK')
  await restart()
  assert.ok((await buyer.receive('on_select', played, 8)).body.message)
  const after = json(await buyer.lookup({ subscriber_id: 'kaveri.sandbox.example', type: 'BPP' }))
  assert.equal(after[0].signing_public_key, before[0].signing_public_key)
})
