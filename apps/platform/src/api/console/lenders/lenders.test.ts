// Lenders in the console over real HTTP: health, registry entries, and switching lenders off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { buyer, fakeNetwork } from '@lendloom/tests/setup/network'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { signingPublicKey } from '#platform/lenders/network/subscribe.ts'
import { listNewest } from '#platform/people/audit/store.ts'
import { platformTenant } from '#platform/people/person.ts'

const network = await fakeNetwork()
const platform = await testPlatform({ NETWORK_REGISTRY_URL: `${network.url}/registry` })
const { ctx, tenant, secondTenant } = platform
const { tenantId } = tenant
const operator = await consoleUser(platform, { role: 'operator' })
const viewer = await consoleUser(platform, { role: 'viewer' })
const admin = await consoleUser(platform, { role: 'admin', tenantId })
const developer = await consoleUser(platform, { role: 'developer', tenantId })
const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })

/** Returns the paths of two lenders: the first has made an offer, the second has not answered yet. */
async function openWithTwoLenders() {
  const journey = await journeyWithOffers(platform, [terms], 1)
  const idOf = (offerId: string) => journey.offers.find((offer) => offer.offerId === offerId)!.lenderId
  const [first, second] = journey.offerIds.map(idOf)
  return { ...journey, first: `/lenders/${first}`, second: `/lenders/${second}`, bppId: first! }
}
const reason = 'It has not answered since noon.'
const confirmation = { reason, searching: 0, offered: 1 }

test('counts a lender’s answers of the last hour by action and result, with the median latency', async () => {
  const { journeyId, first, bppId } = await openWithTwoLenders()
  const now = ctx.clock()
  const insertMessage = async (
    direction: string,
    action: string,
    messageId: string,
    seconds: number,
    outcome = 'ACK',
  ) => {
    const at = secondsAfter(now, seconds)
    const expiresAt = direction === 'sent' ? secondsAfter(at, 30) : null
    const row = {
      bucket: bucketOf(journeyId),
      tenantId,
      journeyId,
      messageKey: uuidv7(at.getTime(), bucketOf(journeyId)),
      direction,
      party: bppId,
      action,
      messageId,
    }
    await ctx.db`insert into network_message ${ctx.db({ ...row, bodySealed: Buffer.alloc(1), outcome, at, expiresAt })}`
  }
  const insertRequest = async (action: string, seconds: number, answerAfter: number | null, outcome?: string) => {
    const messageId = uuidv4()
    await insertMessage('sent', action, messageId, seconds, outcome)
    if (answerAfter !== null) await insertMessage('received', `on_${action}`, messageId, seconds + answerAfter)
  }
  // Seconds from now until the request, and from the request until its response. A request expires after 30 seconds.
  await insertRequest('select', -600, 2)
  await insertRequest('select', -500, 4)
  await insertRequest('select', -400, 40)
  await insertRequest('init', -300, null)
  await insertRequest('init', -200, null, 'NACK 30000')
  await insertRequest('confirm', -10, null)
  await insertRequest('select', -7200, 1)
  const { status, body } = await developer.ask('GET', first)
  assert.equal(status, 200, JSON.stringify(body))
  const noAnswers = { answered: 0, late: 0, refused: 0, silent: 0, unreached: 0, waiting: 0 }
  assert.deepEqual(body.hour, { ...noAnswers, answered: 2, late: 1, refused: 1, silent: 1, waiting: 1, medianMs: 3000 })
  assert.deepEqual(
    body.week,
    { ...noAnswers, answered: 2, late: 1, refused: 1, silent: 1, waiting: 1 },
    'no less than in an hour',
  )
  assert.deepEqual(
    body.actions.map(({ action, hour }: { action: string; hour: { answered: number } }) => ({
      action,
      answered: hour.answered,
    })),
    [
      { action: 'confirm', answered: 0 },
      { action: 'init', answered: 0 },
      { action: 'select', answered: 2 },
    ],
  )
  const { body: firstPage } = await operator.ask('GET', '/lenders?limit=1')
  assert.equal(firstPage.items.length, 1)
  const { body: secondPage } = await operator.ask('GET', `/lenders?after=${encodeURIComponent(firstPage.next)}`)
  assert.ok(secondPage.items.some((each: { bppId: string }) => each.bppId !== firstPage.items[0].bppId))
  assert.equal((await operator.ask('GET', '/lenders?after=x')).status, 400)
})

test('a conversation that ended by an error of the network has the reason of its offer', async () => {
  const { first, journeyId, offer, offerIds, bppId } = await openWithTwoLenders()
  const { lenderId, conversationId } = await offer(offerIds[0]!)
  const at = ctx.clock()
  const row = {
    bucket: bucketOf(journeyId),
    tenantId,
    journeyId,
    conversationId,
    lenderId,
    bppId,
    bppUri: 'https://lender.example',
    providerId: 'p',
    itemId: 'i',
    stage: 'ENDED',
    endedBecause: 'error 80226',
    createdAt: at,
    updatedAt: at,
  }
  await ctx.db`insert into conversation ${ctx.db(row)}`
  await ctx.db`
    update offer set status = 'NO_OFFER_AVAILABLE', reason = 'LENDER_POLICY'
    where journey_id = ${journeyId} and lender_id = ${lenderId}`
  const { body } = await developer.ask('GET', first)
  const conversation = body.conversations.find((each: { journeyId: string }) => each.journeyId === journeyId)
  assert.equal(conversation.endedBecause, 'error 80226')
  assert.deepEqual(conversation.offer, { status: 'NO_OFFER_AVAILABLE', reason: 'LENDER_POLICY' })
})

test('switching off a lender is refused, with the current effect, if the effect has changed since the preview', async () => {
  const { first, second, offer, offerIds, bppId } = await openWithTwoLenders()
  assert.deepEqual((await developer.ask('GET', `${first}/effect`)).body, {
    searching: 0,
    offered: 1,
    chosen: 0,
    loans: 0,
  })
  assert.equal((await operator.ask('GET', `${second}/effect`)).body.searching, 1)
  for (const who of [viewer, developer])
    assert.equal((await who.ask('POST', `${first}/switch-off`, confirmation)).status, 403)
  const shortReason = await admin.ask('POST', `${first}/switch-off`, { ...confirmation, reason: 'no' })
  assert.equal(shortReason.status, 400)
  assert.equal(shortReason.body.error.details.fields[0].path, 'reason')
  const outdated = await admin.ask('POST', `${first}/switch-off`, { ...confirmation, offered: 2 })
  assert.equal(outdated.status, 409)
  assert.equal(outdated.body.error.details.effect.offered, 1)

  const switchedOff = await admin.ask('POST', `${first}/switch-off`, confirmation)
  assert.equal(switchedOff.status, 200, JSON.stringify(switchedOff.body))
  assert.deepEqual(
    switchedOff.body.off.map((each: object) => ({ ...each, offAt: null })),
    [{ forAll: false, tenantId, reason, offAt: null, personName: 'Test admin' }],
  )
  assert.equal((await offer(offerIds[0]!)).status, 'NO_OFFER_AVAILABLE')
  assert.equal((await admin.ask('POST', `${first}/switch-off`, confirmation)).status, 409)
  // The switch of one tenant does not affect others; only platform staff can switch for all tenants.
  const switchedOffForAll = await operator.ask('POST', `${first}/switch-off`, confirmation)
  assert.equal(switchedOffForAll.status, 200, JSON.stringify(switchedOffForAll.body))
  assert.equal((await admin.ask('POST', `${first}/switch-on`)).body.off[0].forAll, true)
  assert.equal((await admin.ask('POST', `${first}/switch-on`)).status, 409)
  assert.equal((await offer(offerIds[0]!)).status, 'NO_OFFER_AVAILABLE')
  assert.deepEqual((await operator.ask('POST', `${first}/switch-on`)).body.off, [])
  assert.equal((await offer(offerIds[0]!)).status, 'OFFER_RECEIVED')
  const [entry] = await listNewest(ctx.db, platformTenant, null, 1)
  assert.equal(entry!.act, 'LENDER_SWITCHED_ON')
  assert.equal(entry!.subject, bppId)
})

test('tenant staff see and switch only the lenders of their tenant', async () => {
  const { first } = await openWithTwoLenders()
  for (const [method, path, body] of [
    ['GET', first],
    ['GET', `${first}/effect`],
    ['POST', `${first}/switch-off`, confirmation],
    ['POST', `${first}/switch-on`],
  ] as const)
    assert.equal((await outsider.ask(method, path, body)).status, 404, path)
  for (const path of ['/lenders', first, '/network/registry'])
    assert.equal((await outsider.ask('GET', `${path}?tenantId=${tenantId}`)).status, 404, path)
  assert.deepEqual((await outsider.ask('GET', '/lenders')).body.items, [])
  assert.deepEqual((await outsider.ask('GET', '/network/registry')).body, { own: null, lenders: [] })
})

test('FIS12 §6.1: shows whether the registry has our key, and which lenders have no registry entry', async () => {
  const { bppId } = await openWithTwoLenders()
  network.registerKey(buyer.id, buyer.keyId, signingPublicKey(ctx.config), 'BAP')
  const { body } = await viewer.ask('GET', '/network/registry')
  assert.equal(body.own.state, 'known', JSON.stringify(body))
  assert.equal(body.own.isKeyKnown, true, JSON.stringify(body))
  assert.equal(body.own.endsSoon, false, JSON.stringify(body))
  assert.ok(body.own.rotateBy < body.own.validUntil)
  const missing = body.lenders.find(({ subscriberId }: { subscriberId: string }) => subscriberId === bppId)
  assert.equal(missing.state, 'missing')
  assert.deepEqual(missing.keys, [])
  assert.equal(missing.endsSoon, true)
  network.on('/registry/v2.0/lookup', () => ({ status: 503, body: 'busy' }))
  const { body: unreachable } = await viewer.ask('GET', '/network/registry')
  assert.equal(unreachable.own.state, 'unreached')
  assert.equal(unreachable.own.isKeyKnown, false)
  assert.equal(unreachable.lenders[0].state, 'unreached')
})
