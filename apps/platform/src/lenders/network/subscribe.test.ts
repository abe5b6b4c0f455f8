// Subscription to the network: the registry checks our verification page and challenge answer, then lists our key.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { cacheBytes } from '@lendloom/foundation/cache'
import type { Refusal } from '@lendloom/foundation/refusal'
import { buyer, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import { encryptChallenge, encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { nack } from '@lendloom/wire/network/context'
import { findParticipants } from './registry.ts'
import { isSubscribing, signingPublicKey, subscribe, subscribeWorker } from './subscribe.ts'

const network = await fakeNetwork()
const { ctx, url } = await testSubscriber(network.url, { workers: false })

test('FIS12 §6.2: a refusal throws `forbidden` with its reason, an unavailable registry `upstream`', async () => {
  network.on('/registry/subscribe', () => ({ status: 400, body: nack({ code: '400', message: 'no such PAN' }) }))
  await assert.rejects(
    subscribe(ctx),
    (error: Refusal) => error.kind === 'forbidden' && /no such PAN/.test(error.message),
  )
  network.on('/registry/subscribe', () => ({ status: 503, body: 'unavailable' }))
  await assert.rejects(subscribe(ctx), { kind: 'upstream' })
  network.on('/registry/subscribe', undefined)
})

test('FIS12 §6.2: sends no subscription when the registry already knows the keys', async () => {
  assert.equal(await subscribe(ctx), 'subscribed')
  assert.equal(await subscribe(ctx), 'known')
  const request = network.calls.filter(({ path }) => path === '/registry/subscribe').at(-1)!
  const { entity, network_participant } = request.body.message
  assert.equal(entity.subscriber_id, buyer.id)
  assert.equal(entity.key_pair.signing_public_key, signingPublicKey(ctx.config))
  assert.equal(network_participant[0].subscriber_url, `${url}/ondc`)
  assert.equal(request.body.context.operation.ops_no, 1)
})

test('FIS12 §6.2: rejects a challenge that our key cannot decrypt', async () => {
  const answer = await fetch(`${url}/ondc/on_subscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ challenge: Buffer.from('0123456789abcdef').toString('base64') }),
  })
  const body = (await answer.json()) as { error: { path: string } }
  assert.equal(body.error.path, '$.challenge')
})

test('FIS12 §6.2: opens no challenge that is addressed to another subscriber', async () => {
  const { publicKey, privateKey } = encryptionKeysFrom(randomBytes(32))
  network.on('GET /registry/encryption-key', () => ({ status: 200, body: { encr_public_key: publicKey } }))
  const ownKey = encryptionKeysFrom(Buffer.from(ctx.config.NETWORK_ENCRYPTION_KEY, 'base64').subarray(-32)).publicKey
  const challenge = encryptChallenge('open sesame', privateKey, ownKey)
  const openFor = async (subscriber?: { subscriber_id: string }) => {
    const answer = await fetch(`${url}/ondc/on_subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...subscriber, challenge }),
    })
    return (await answer.json()) as { answer?: string; error?: { path: string } }
  }
  for (const own of [undefined, { subscriber_id: buyer.id }])
    assert.deepEqual(await openFor(own), { answer: 'open sesame' })
  const refused = await openFor({ subscriber_id: 'other.example' })
  assert.equal(refused.answer, undefined)
  assert.equal(refused.error?.path, '$.subscriber_id')
  network.on('GET /registry/encryption-key', undefined)
})

test('FIS12 §6.2: repeats the subscription until the registry is available', async () => {
  network.on('/registry/v2.0/lookup', () => ({ status: 503, body: 'unavailable' }))
  let attempts = 0
  network.on('/registry/subscribe', () =>
    attempts++ < 2
      ? { status: 502, body: 'unavailable' }
      : { status: 200, body: { message: { ack: { status: 'ACK' } } } },
  )
  const { done } = subscribeWorker(ctx)
  assert.ok(isSubscribing(ctx), 'the platform is still subscribing')
  await done
  assert.ok(!isSubscribing(ctx))
  assert.equal(attempts, 3)
})

test('FIS12 §6.1: the cache of unknown keys holds at most 2 MiB', async () => {
  network.on('/registry/v2.0/lookup', () => ({ status: 200, body: [] }))
  // Other files of this process have caches of the same name.
  const bytesBefore = cacheBytes().get('registry-unknown') ?? 0
  for (let i = 0; i < 300; i++)
    await findParticipants(ctx, { subscriberId: `${'x'.repeat(8000)}.example`, uniqueKeyId: `k${i}` })
  const bytes = cacheBytes().get('registry-unknown')! - bytesBefore
  assert.ok(bytes > 1 << 20 && bytes <= 2 << 20, `${bytes} bytes`)
  const lookupCount = () => network.calls.filter(({ path }) => path === '/registry/v2.0/lookup').length
  const before = lookupCount()
  await findParticipants(ctx, { subscriberId: `${'x'.repeat(8000)}.example`, uniqueKeyId: 'k299' })
  assert.equal(lookupCount(), before)
  network.on('/registry/v2.0/lookup', undefined)
})

test('FIS12 §7.2: serves our settlement terms at the address in our messages', async () => {
  const page = await fetch(`${url}/ondc/terms`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /percent of the principal a year/)
})
