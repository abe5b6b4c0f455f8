// The subscriber API over real HTTP: accepted and rejected callbacks, their NACK codes, and idempotency.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import { uuidv4 } from '@lendloom/seal/id'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { signatureHeader, signingKeysFrom } from '@lendloom/wire/network/signing'
import { readInbound } from '#platform/lenders/network/inbound/store.ts'
import { readMessages } from '#platform/lenders/network/messages/store.ts'
import { openConversations } from '#platform/lenders/network/open-conversation.ts'
import { requireKnownSender, verifySender } from '#platform/lenders/network/registry.ts'
import { searchNetwork } from '#platform/lenders/network/search.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
platform.onApply.run = async (tx, _, journey, __, inbound, at) => {
  if (inbound.type === 'on_search' && inbound.found?.dialect === '2.0.3')
    await openConversations({ ...ctx, tx, at }, journey, inbound.sender, inbound.found.items)
}

/** A journey whose search was sent and acknowledged, and the ids for an answer. */
async function searchedJourney() {
  const journey = await platform.newJourney()
  await ctx.db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
  const sent = await network.nextCall('/gateway/search', journey.networkTransactionId)
  const messages = () => readMessages(ctx.db, ctx.seal, journey.tenantId, journey.journeyId)
  await waitFor(async () => (await messages())[0]!.outcome === 'ACK')
  const { transaction_id: transactionId, message_id: messageId } = sent.body.context
  const ids = { transactionId, messageId }
  return {
    journey,
    ids,
    onSearch: (context = {}) =>
      network.callback('on_search', { ...ids, message: exampleOf('on_search', network), context }),
  }
}

async function discoveredJourney() {
  const { journey, ids, onSearch } = await searchedJourney()
  await network.postSigned(url, onSearch())
  await platform.waitForInbound(journey, 'on_search')
  return { journey, transactionId: ids.transactionId }
}

const errorCode = ({ body }: { body: { error?: { code: string } } }) => body.error?.code

test('FIS12 §2, §3.1: an answer to our search is acknowledged, archived unchanged and applied', async () => {
  const { journey, ids, onSearch } = await searchedJourney()
  const raw = onSearch()
  assert.deepEqual(await network.postSigned(url, raw), { status: 200, body: { message: { ack: { status: 'ACK' } } } })
  const inbound = await platform.waitForInbound(journey, 'on_search')
  assert.equal(inbound.sender.bppId, network.lender.id)
  assert.ok(inbound.found?.dialect === '2.0.3')
  assert.ok(inbound.found.items.some(({ assessment }) => assessment === 'bureau'))
  const messages = await readMessages(ctx.db, ctx.seal, journey.tenantId, journey.journeyId)
  assert.deepEqual(
    messages.map(({ direction, action, outcome }) => ({ direction, action, outcome })),
    [
      { direction: 'sent', action: 'search', outcome: 'ACK' },
      { direction: 'received', action: 'on_search', outcome: 'ACK' },
    ],
  )
  assert.equal(messages[1]!.body.toString(), raw)
  assert.match(messages[1]!.headers!.authorization!, /^Signature keyId="sahyadri.example\|lender-key\|ed25519"/)
  const [conversation, ...others] = await platform.conversations(journey)
  assert.deepEqual(others, [])
  assert.equal(conversation!.itemId, 'pl-bureau')
  assert.equal(conversation!.stage, 'DISCOVERED')
  assert.equal(conversation!.transactionId, ids.transactionId)
})

test('FIS12 §3.3: ten concurrent copies of a callback are all acknowledged and applied once', async () => {
  const { journey, onSearch } = await searchedJourney()
  const raw = onSearch()
  const answers = await Promise.all(Array.from({ length: 10 }, () => network.postSigned(url, raw)))
  for (const answer of answers) assert.equal(answer.body.message.ack.status, 'ACK')
  await platform.waitForInbound(journey, 'on_search')
  assert.equal((await network.postSigned(url, raw)).body.message.ack.status, 'ACK')
  const inboundMessages = await readInbound(ctx.db, journey.tenantId, journey.journeyId)
  assert.equal(inboundMessages.filter(({ type }) => type === 'on_search').length, 1)
  const messages = await readMessages(ctx.db, ctx.seal, journey.tenantId, journey.journeyId)
  assert.equal(messages.length, 2)
})

test('FIS12 §3.3: accepts a retry with a later timestamp and rejects another message with the same id', async () => {
  const { journey, onSearch } = await searchedJourney()
  const raw = onSearch()
  await network.postSigned(url, raw)
  const { context, message } = JSON.parse(raw)
  const later = { ...context, timestamp: new Date().toISOString() }
  const again = await network.postSigned(url, JSON.stringify({ context: later, message }))
  assert.equal(again.body.message.ack.status, 'ACK')
  const other = { catalog: { ...message.catalog, providers: [] } }
  const { body } = await network.postSigned(url, JSON.stringify({ context: later, message: other }))
  assert.equal(body.error.code, '20008')
  assert.equal(body.error.path, '$.context.message_id')
  const inboundMessages = await readInbound(ctx.db, journey.tenantId, journey.journeyId)
  assert.equal(inboundMessages.filter(({ type }) => type === 'on_search').length, 1)
})

test('FIS12 §3.3: a callback that is repeated after its record and body were archived is acknowledged, and not applied again', async () => {
  const { journey, onSearch } = await searchedJourney()
  const raw = onSearch()
  await network.postSigned(url, raw)
  await platform.waitForInbound(journey, 'on_search')
  const { journeyId, tenantId } = journey
  await ctx.db`update journey set created_at = ${daysAfter(ctx.clock(), -100)} where journey_id = ${journeyId}`
  await ctx.db`delete from inbound_message where journey_id = ${journeyId}`
  await ctx.db`update network_message set body_sealed = null, headers_sealed = null where journey_id = ${journeyId}`
  const { context, message } = JSON.parse(raw)
  const later = JSON.stringify({ context: { ...context, timestamp: new Date().toISOString() }, message })
  assert.equal((await network.postSigned(url, later)).body.message.ack.status, 'ACK')
  assert.deepEqual(await readInbound(ctx.db, tenantId, journeyId), [])
  assert.equal((await readMessages(ctx.db, ctx.seal, tenantId, journeyId)).length, 2)
})

test('FIS12 §5: answers an invalid signature with 401 and a NACK, and stores nothing', async () => {
  const { journey, onSearch } = await searchedJourney()
  const raw = onSearch()
  const other = signingKeysFrom(randomBytes(32)).privateKey
  const hour = 3_600_000
  const invalidSignings = [
    { header: null },
    { header: 'Bearer x' },
    { privateKey: other },
    { keyId: 'no-such-key' },
    { at: new Date(Date.now() - hour) },
    { at: new Date(Date.now() + hour) },
  ]
  for (const signing of invalidSignings) {
    const answer = await network.postSigned(url, raw, signing)
    assert.equal(answer.status, 401, JSON.stringify(signing))
    assert.equal(answer.body.message.ack.status, 'NACK')
    assert.equal(errorCode(answer), '20001')
  }
  const { tenantId, journeyId } = journey
  assert.deepEqual(await readInbound(ctx.db, tenantId, journeyId), [])
  assert.equal((await readMessages(ctx.db, ctx.seal, tenantId, journeyId)).length, 1)
})

function sign(raw: string, seconds: number, lifeSeconds = 300): string {
  const { id: subscriberId, keyId: uniqueKeyId, keys } = network.lender
  const at = new Date(Date.now() + seconds * 1000)
  return signatureHeader(raw, { subscriberId, uniqueKeyId, privateKey: keys.privateKey, at, lifeSeconds })
}

function signAs(subscriberId: string, raw: string): string {
  const { privateKey } = network.lender.keys
  return signatureHeader(raw, { subscriberId, uniqueKeyId: 'k', privateKey, at: new Date(), lifeSeconds: 300 })
}

test('FIS12 §5: NETWORK_CLOCK_SKEW_SECONDS sets how far the clock of a lender may be off', async () => {
  const { onSearch } = await searchedJourney()
  const raw = Buffer.from(onSearch())
  for (const [skewSeconds, seconds, isAccepted] of [
    [120, 110, true],
    [120, 130, false],
    [5, 10, false],
    [5, -310, false],
  ] as const) {
    const config = { ...ctx.config, NETWORK_CLOCK_SKEW_SECONDS: skewSeconds }
    const sender = verifySender({ ...ctx, config }, raw, sign(raw.toString(), seconds), new Date())
    if (isAccepted) assert.equal(await sender, network.lender.id)
    else await assert.rejects(sender, /expired|not-yet-valid/, `${seconds} s off`)
  }
})

test('FIS12 §5: accepts any blanks in the list of signed headers and a clock that is a minute off', async () => {
  for (const list of [' (created)(expires)digest', '(created)(expires)digest', '(created)  (expires) digest ']) {
    const { onSearch } = await searchedJourney()
    const raw = onSearch()
    const header = sign(raw, 0).replace('(created) (expires) digest', list)
    assert.equal((await network.postSigned(url, raw, { header })).status, 200, list)
  }
  const cases: [seconds: number, lifeSeconds: number, status: number][] = [
    [50, 300, 200],
    [70, 300, 401],
    [-350, 300, 200],
    [-370, 300, 401],
    [0, 86_400, 200],
    [0, 86_401, 401],
  ]
  for (const [seconds, lifeSeconds, status] of cases) {
    const { onSearch } = await searchedJourney()
    const raw = onSearch()
    const { status: answered } = await network.postSigned(url, raw, { header: sign(raw, seconds, lifeSeconds) })
    assert.equal(answered, status, `created ${seconds} s from now, valid for ${lifeSeconds} s`)
  }
})

test('FIS12 §5 step 4: rejects a message that another lender signed', async () => {
  const { onSearch } = await searchedJourney()
  const keys = signingKeysFrom(randomBytes(32))
  network.registerKey('other.example', 'k', keys.publicKey)
  const answer = await network.postSigned(url, onSearch(), {
    id: 'other.example',
    keyId: 'k',
    privateKey: keys.privateKey,
  })
  assert.equal(answer.status, 401)
  assert.match(answer.body.error.message, /wrong-sender/)
})

test('FIS12 §5 step 5: rejects a validly signed message of a buyer app', async () => {
  const { onSearch } = await searchedJourney()
  const keys = signingKeysFrom(randomBytes(32))
  network.registerKey('shop.example', 'k', keys.publicKey, 'BAP')
  const raw = onSearch({ bpp_id: 'shop.example' })
  const answer = await network.postSigned(url, raw, { id: 'shop.example', keyId: 'k', privateKey: keys.privateKey })
  assert.equal(answer.status, 401)
})

test('FIS12 §5 step 7: refreshes a cached key that has changed in the registry', async () => {
  const first = await searchedJourney()
  const old = signingKeysFrom(randomBytes(32))
  network.registerKey('rotating.example', 'k', old.publicKey)
  const signer = { id: 'rotating.example', keyId: 'k' }
  const context = { bpp_id: signer.id }
  assert.equal(
    (await network.postSigned(url, first.onSearch(context), { ...signer, privateKey: old.privateKey })).status,
    200,
  )
  const fresh = signingKeysFrom(randomBytes(32))
  network.registerKey('rotating.example', 'k', fresh.publicKey)
  platform.advanceClock(2)
  const second = await searchedJourney()
  assert.equal(
    (await network.postSigned(url, second.onSearch(context), { ...signer, privateKey: fresh.privateKey })).status,
    200,
  )
  const third = await searchedJourney()
  assert.equal(
    (await network.postSigned(url, third.onSearch(context), { ...signer, privateKey: old.privateKey })).status,
    401,
  )
})

test('FIS12 §6.1: answers 503 while the registry is unavailable, and accepts the retry', async () => {
  const { onSearch } = await searchedJourney()
  const keys = signingKeysFrom(randomBytes(32))
  network.registerKey('late.example', 'k', keys.publicKey)
  const signer = { id: 'late.example', keyId: 'k', privateKey: keys.privateKey }
  const raw = onSearch({ bpp_id: signer.id })
  network.on('/registry/v2.0/lookup', () => ({ status: 503, body: 'down' }))
  const unavailable = await network.postSigned(url, raw, signer)
  assert.equal(unavailable.status, 503)
  assert.equal(unavailable.body.message.ack.status, 'NACK')
  network.on('/registry/v2.0/lookup', undefined)
  assert.equal((await network.postSigned(url, raw, signer)).status, 200)
})

test('FIS12 §6.1: caches look-ups and shares one request among concurrent callers', async () => {
  const { onSearch } = await searchedJourney()
  const keys = signingKeysFrom(randomBytes(32))
  network.registerKey('popular.example', 'k', keys.publicKey)
  const signer = { id: 'popular.example', keyId: 'k', privateKey: keys.privateKey }
  const raw = onSearch({ bpp_id: signer.id })
  await Promise.all(Array.from({ length: 8 }, () => network.postSigned(url, raw, signer)))
  await network.postSigned(url, raw, signer)
  const requests = network.calls.filter(
    ({ path, raw: text }) => path.endsWith('/lookup') && text.includes('popular.example'),
  )
  assert.equal(requests.length, 1)
  assert.match(requests[0]!.headers.authorization!, /^Signature keyId="buyer.lendloom.example\|key-1\|ed25519"/)
})

test('FIS12 §6.1: at most 64 unknown keys are looked up at once; others wait, and known lenders do not wait for them', async () => {
  const { onSearch } = await searchedJourney()
  const raw = onSearch()
  assert.equal((await network.postSigned(url, raw)).status, 200)
  let isOpen: boolean = false
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const lookups = () => network.calls.filter(({ path }) => path.endsWith('/lookup')).length
  const before = lookups()
  network.on('/registry/v2.0/lookup', async () => {
    if (!isOpen) await released
    return undefined
  })
  const statusOf = async (id: string) => (await network.postSigned(url, raw, { id, keyId: 'k' })).status
  const invented = Array.from({ length: 65 }, (_, i) => statusOf(`invented-${i}.example`))
  await waitFor(() => lookups() === before + 64)
  const shared = statusOf('invented-0.example')
  assert.equal((await network.postSigned(url, raw)).status, 200)
  assert.equal(lookups(), before + 64, 'one waits')
  const waiting = Array.from({ length: 999 }, (_, i) =>
    requireKnownSender(ctx, signAs(`waiting-${i}.example`, raw), new Date()).catch(({ kind }) => kind),
  )
  const refused = await fetch(`${url}/ondc/on_search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: signAs('one-too-many.example', raw) },
    body: raw,
  })
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.match(await refused.text(), /"status":"NACK"/)
  isOpen = true
  release()
  assert.deepEqual([...new Set(await Promise.all([...invented, shared]))], [401])
  assert.deepEqual([...new Set(await Promise.all(waiting))], ['bad-credential'])
  assert.equal(await statusOf('one-too-many.example'), 401)
  const after = lookups()
  assert.equal(await statusOf('one-too-many.example'), 401)
  assert.equal(lookups(), after, 'an unknown key is cached')
  network.on('/registry/v2.0/lookup', undefined)
})

test('FIS12 §4, §3.1: answers a misaddressed or invalid message with a NACK that names the path', async () => {
  const { journey, ids, onSearch } = await searchedJourney()
  const cases: [string, RegExp][] = [
    [onSearch({ bap_id: 'someone.example' }), /^\$\.context\.bap_id$/],
    [onSearch({ transaction_id: uuidv4() }), /^\$\.context\.transaction_id$/],
    [onSearch({ transaction_id: 'not a uuid' }), /^\$\.context\.transaction_id$/],
    [onSearch({ ttl: 'soon' }), /^\$\.context\.ttl$/],
    [onSearch({ timestamp: new Date(Date.now() + 3_600_000).toISOString() }), /^\$\.context\.timestamp$/],
    [onSearch({ bpp_uri: undefined as never }), /^\$\.context\.bpp_uri$/],
    [network.callback('on_search', { ...ids, message: { catalog: {} } }), /^\$\.message\.catalog\.providers$/],
    [network.callback('on_search', { ...ids, error: { message: 'no' } }), /^\$\.error\.code$/],
  ]
  for (const [raw, path] of cases) {
    const { status, body } = await network.postSigned(url, raw)
    assert.equal(status, 200)
    assert.equal(body.message.ack.status, 'NACK')
    assert.match(body.error.path, path)
  }
  const { tenantId, journeyId } = journey
  assert.deepEqual(await readInbound(ctx.db, tenantId, journeyId), [])
  const messages = await readMessages(ctx.db, ctx.seal, tenantId, journeyId)
  assert.ok(
    messages.some(({ outcome }) => outcome?.startsWith('NACK 20006 ')),
    'rejected messages are archived for audit',
  )
})

test('FIS12 §4: outside the sandbox, a NACK names each address that is not https', async () => {
  const { ids, onSearch } = await searchedJourney()
  const asHttps = (raw: string) => raw.replaceAll('"http://', '"https://')
  const catalogue = JSON.parse(asHttps(JSON.stringify(exampleOf('on_search', network))))
  catalogue.catalog.providers[0].items[0].xinput.form.url = 'http://lender.example/form'
  const order = JSON.parse(asHttps(JSON.stringify(exampleOf('on_init_2', network))))
  const formOrder = structuredClone(order)
  const paymentOrder = structuredClone(order)
  formOrder.order.items[0].xinput.form.url = 'http://lender.example/kyc'
  paymentOrder.order.payments[0].url = 'HTTP://lender.example/pay'
  const context = { bpp_uri: 'https://lender.example/ondc' }
  const cases = [
    [onSearch({ bpp_uri: 'http://lender.example/ondc' }), 'context.bpp_uri'],
    [
      network.callback('on_search', { ...ids, message: catalogue, context }),
      'message.catalog.providers.0.items.0.xinput.form.url',
    ],
    [network.callback('on_init', { ...ids, message: formOrder, context }), 'message.order.items.0.xinput.form.url'],
    [network.callback('on_init', { ...ids, message: paymentOrder, context }), 'message.order.payments.0.url'],
  ] as const
  // The first message also loads the lender's key into the cache, because the registry of the tests is at http.
  await network.postSigned(url, onSearch({ ttl: 'soon' }))
  Object.assign(ctx.config, { SANDBOX: false })
  try {
    for (const [raw, path] of cases) {
      const { body } = await network.postSigned(url, raw)
      assert.equal(body.message.ack.status, 'NACK', path)
      assert.equal(body.error?.path, `$.${path}`, path)
    }
  } finally {
    Object.assign(ctx.config, { SANDBOX: true })
  }
})

test('FIS12 §4: the NACK of an unknown version names every version that we speak', async () => {
  const { onSearch } = await searchedJourney()
  for (const version of ['2.0.0', '9.9.9']) {
    const { body } = await network.postSigned(url, onSearch({ version: version as never }))
    assert.equal(body.error.path, '$.context.version')
    assert.equal(body.error.message, 'context.version must be one of 2.0.1, 2.0.2, 2.0.3, 2.3.0')
  }
})

test('FIS12 §4: the NACK of an unknown transaction names the transaction, whatever the version of the message', async () => {
  const { onSearch } = await searchedJourney()
  for (const version of ['2.0.1', '2.0.2', '2.0.3'] as const) {
    const { body } = await network.postSigned(url, onSearch({ version, transaction_id: uuidv4() }))
    assert.equal(body.error.path, '$.context.transaction_id', version)
  }
})

test('FIS12 §3.1: answers 415 to a message that is not JSON, and stores nothing', async () => {
  const { journey, onSearch } = await searchedJourney()
  for (const mediaType of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    const answer = await network.postSigned(url, onSearch(), { mediaType })
    assert.equal(answer.status, 415)
    assert.equal(answer.body.message.ack.status, 'NACK')
    assert.equal(errorCode(answer), '20006')
  }
  assert.deepEqual(await readInbound(ctx.db, journey.tenantId, journey.journeyId), [])
  const accepted = await network.postSigned(url, onSearch(), { mediaType: 'application/json; charset=utf-8' })
  assert.equal(accepted.status, 200)
})

test('FIS12 §3.1: rejects a message whose action differs from the endpoint', async () => {
  const { onSearch } = await searchedJourney()
  const raw = onSearch()
  const { id, keyId, keys } = network.lender
  const header = signatureHeader(raw, {
    subscriberId: id,
    uniqueKeyId: keyId,
    privateKey: keys.privateKey,
    at: new Date(),
  })
  const headers = { authorization: header, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/ondc/on_select`, { method: 'POST', headers, body: raw })
  const body = (await answer.json()) as { error: { path: string } }
  assert.equal(body.error.path, '$.context.action')
})

test('FIS12 §3.1: invalid JSON, unknown endpoints and GET requests also get a NACK', async () => {
  const raw = 'no json'
  const malformed = await network.postSigned(url, raw)
  assert.equal(malformed.status, 400)
  assert.equal(errorCode(malformed), '20006')
  for (const [method, path, status] of [
    ['GET', '/ondc/on_search', 405],
    ['POST', '/ondc/on_everything', 404],
  ] as const) {
    const answer = await fetch(`${url}${path}`, { method })
    assert.equal(answer.status, status)
    assert.equal(((await answer.json()) as { message: { ack: { status: string } } }).message.ack.status, 'NACK')
  }
})

test('FIS12 §4.1: only on_status may be unsolicited, not on_search, on_init or on_confirm', async () => {
  const { journey, transactionId } = await discoveredJourney()
  for (const [action, step] of [
    ['on_search', 'on_search'],
    ['on_init', 'on_init_1'],
    ['on_confirm', 'on_confirm'],
  ] as const) {
    const answer = await network.postSigned(
      url,
      network.callback(action, { transactionId, message: exampleOf(step, network) }),
    )
    assert.equal(answer.status, 200)
    assert.equal(errorCode(answer), '20008', action)
  }
  const unsolicited = network.callback('on_status', { transactionId, message: exampleOf('on_status_kyc', network) })
  assert.equal((await network.postSigned(url, unsolicited)).body.message.ack.status, 'ACK')
  await waitFor(
    async () => (await readInbound(ctx.db, journey.tenantId, journey.journeyId)).at(-1)?.state === 'IGNORED',
  )
  const last = (await readInbound(ctx.db, journey.tenantId, journey.journeyId)).at(-1)!
  assert.match(last.note!, /out of sequence: on_status .* at DISCOVERED/)
})

test('FIS12 §12.4.2: rejects a message of a lender without a conversation', async () => {
  const { transactionId } = await discoveredJourney()
  const keys = signingKeysFrom(randomBytes(32))
  network.registerKey('stranger.example', 'k', keys.publicKey)
  const raw = network.callback('on_status', {
    transactionId,
    message: exampleOf('on_status_kyc', network),
    context: { bpp_id: 'stranger.example' },
  })
  const answer = await network.postSigned(url, raw, { id: 'stranger.example', keyId: 'k', privateKey: keys.privateKey })
  assert.equal(errorCode(answer), '20008')
})

test('FIS12 §3.1: answers content that cannot be parsed with a NACK', async () => {
  const { transactionId } = await discoveredJourney()
  const message = exampleOf('on_select_2', network)
  message.order.quote.price.value = 'a lot'
  const answer = await network.postSigned(url, network.callback('on_select', { transactionId, message }))
  assert.equal(answer.body.message.ack.status, 'NACK')
  assert.equal(answer.body.error.path, '$.message.order.quote.price.value')
})

test('FIS12 §7.4: what cannot be an offer is refused with its field, which the operator sees too', async () => {
  const { journey, transactionId } = await discoveredJourney()
  const answerTo = async (change: (order: ReturnType<typeof exampleOf>) => void) => {
    const message = exampleOf('on_select_2', network)
    change(message.order)
    const { body } = await network.postSigned(url, network.callback('on_select', { transactionId, message }))
    assert.equal(body.message.ack.status, 'NACK')
    return body.error.path
  }
  const price = '$.message.order.quote.breakup.0.price'
  assert.equal(await answerTo(({ quote }) => (quote.breakup[0].price.currency = 'USD')), `${price}.currency`)
  assert.equal(await answerTo(({ quote }) => (quote.breakup[0].price.value = '-400000.00')), `${price}.value`)
  const withoutTerms = await answerTo(({ items: [item] }) => delete item.tags)
  assert.equal(withoutTerms, '$.message.order.items.0.tags')
  const messages = await readMessages(ctx.db, ctx.seal, journey.tenantId, journey.journeyId)
  const outcomes = messages.flatMap(({ action, outcome }) => (action === 'on_select' ? [outcome] : []))
  assert.deepEqual(outcomes, [
    'NACK 20006 message.order.quote.breakup.0.price.currency must be INR',
    'NACK 20006 message.order.quote.breakup.0.price.value must be above zero and at most 10000000000.00',
    'NACK 20006 message.order.items.0.tags must have LOAN_INFO, because there is a quote',
  ])
})

test('FIS12 §3.3: a catalogue that arrives after the window is stored and marked as late', async () => {
  const { journey, onSearch } = await searchedJourney()
  platform.advanceClock(20)
  assert.equal((await network.postSigned(url, onSearch())).body.message.ack.status, 'ACK')
  assert.equal((await platform.waitForInbound(journey, 'on_search')).late, true)
})
