// Journeys in the console over real HTTP: search, list, head, timeline, masking and cost.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { runInTrace } from '@lendloom/foundation/trace'
import { businessDate } from '@lendloom/lending/calendar'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { application, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { consoleUser } from '@lendloom/tests/setup/console'
import { fullJourney, personalTexts } from '@lendloom/tests/setup/console-journey'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { ask, type Reply, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { statementsOf } from '@lendloom/tests/setup/round-trips'
import { immediateRetries } from '@lendloom/tests/setup/webhooks'
import { timelineKinds } from '@lendloom/wire/console/journey-lists'
import { webhookDeliveryWorker } from '#platform/integrators/webhook/deliver-updates.ts'
import { noFilter } from '#platform/integrators/webhook/delivery.ts'
import { resendDelivery } from '#platform/integrators/webhook/resend-delivery.ts'
import { listDeliveries } from '#platform/integrators/webhook/store.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { journeysCsv } from './journeys-csv.ts'

const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env, RATE_LIMITS: 'off', REQUEST_LOG_DAYS: '30' })
const { ctx, tenant, secondTenant, url } = platform
const receiver = await startReceiver()
after(() => receiver.stop())
receiver.answer = () => (receiver.received.length === 1 ? 503 : 204)
await ask(`${url}/api/lab/webhook-endpoints`, {
  method: 'POST',
  key: tenant.apiKey,
  body: { url: receiver.url('/hook') },
})
const testJourney = await runInTrace({ correlationId: 'night-7' }, () => fullJourney(platform, lender))
const owner = { tenantId: tenant.tenantId, applicationId: tenant.applicationId }
const worker = webhookDeliveryWorker(ctx, immediateRetries)
after(() => worker.stop())
const listJourneyDeliveries = () =>
  listDeliveries(ctx.db, owner, { ...noFilter, journeyId: testJourney.journeyId }, 100)
const waitForDelivery = () =>
  until('deliveries', async () => {
    const allDeliveries = await listJourneyDeliveries()
    return allDeliveries.every(({ state }) => state === 'DELIVERED') && allDeliveries
  })
const allDeliveries = await waitForDelivery()
const firstDelivery = allDeliveries.at(-1)!

const operator = await consoleUser(platform, { role: 'operator' })
const support = await consoleUser(platform, { role: 'support', tenantId: tenant.tenantId })
const viewer = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })
const journeyPath = `/journeys/${testJourney.journeyId}`
const assertNoPersonalData = (body: unknown) => {
  const text = JSON.stringify(body)
  for (const personal of personalTexts) assert.ok(!text.includes(personal), `${personal} is in ${text.slice(0, 3000)}`)
}
const search = (user: typeof operator, q: string, more = ''): Promise<Reply> =>
  user.ask('GET', `/search?q=${encodeURIComponent(q)}${more}`)

async function openJourney(borrowerProviderID: string, contactNumber: string) {
  const { endUse: _, ...applicant } = application()
  const person = { ...applicant, borrowerProviderID }
  const { status, body } = await openSession(url, tenant, { ...person, profile: { ...person.profile, contactNumber } })
  assert.equal(status, 201, JSON.stringify(body))
}

const identifiers = {
  borrower: (
    await ctx.db<{
      externalId: string
    }>`select external_id from borrower b join journey j using (bucket, tenant_id, borrower_id)
    where j.journey_id = ${testJourney.journeyId}`
  )[0]!.externalId,
  pan: 'abcpe4321f ',
  email: 'Asha.K@mail.example',
  journey: testJourney.journeyId,
  correlation: 'night-7',
  event: firstDelivery.eventId,
  delivery: firstDelivery.deliveryId,
  'network-transaction': (await testJourney.journey()).networkTransactionId,
  case: testJourney.ids.caseRef,
  loan: testJourney.ids.loanId!,
  'bank-reference': 'UTR-IN-88',
  grievance: testJourney.grievanceId,
}

for (const [kind, q] of Object.entries(identifiers))
  test(`finds a journey by ${kind}, but not for a user of another tenant`, async () => {
    for (const user of [operator, support, viewer]) {
      const { status, body } = await search(user, q)
      assert.equal(status, 200, JSON.stringify(body))
      const found = body.items.find((item: { kind: string }) => item.kind === kind)
      assert.equal(found?.journeyId, testJourney.journeyId, JSON.stringify(body))
      assert.equal(found.tenantId, tenant.tenantId)
      assertNoPersonalData(body)
    }
    assert.deepEqual((await search(outsider, q)).body.items, [])
    assert.deepEqual((await search(operator, q, `&tenantId=${secondTenant.tenantId}`)).body.items, [])
    assert.equal((await search(outsider, q, `&tenantId=${tenant.tenantId}`)).status, 404)
  })

test('finds a journey by its second email address, loan id, bank reference and partner event', async () => {
  for (const [q, kind] of [
    ['asha@works.example', 'email'],
    ['ORDER-4711', 'loan'],
    ['UTR-OUT-77', 'bank-reference'],
    [testJourney.receivedEventId, 'event'],
  ] as const) {
    const { items } = (await search(support, q)).body
    assert.equal(items[0]?.kind, kind, q)
    assert.equal(items[0]?.journeyId, testJourney.journeyId, q)
  }
  const [item] = (await search(support, testJourney.receivedEventId)).body.items
  assert.equal((await support.ask('GET', `${journeyPath}/timeline/${item.entryId}`)).status, 200)
})

test('FIS12 §27.5: finds a drawdown by its transaction and its bank reference, and the timeline has it', async () => {
  const { journeyId } = testJourney
  const { tenantId } = tenant
  const bucket = bucketOf(journeyId)
  const drawdownId = uuidv7(ctx.clock().getTime(), bucket)
  const transactionId = uuidv4(bucket)
  const at = ctx.clock()
  await ctx.db`insert into drawdown ${ctx.db({
    bucket,
    tenantId,
    journeyId,
    drawdownId,
    status: 'PAID_OUT',
    requestedPaise: 25_000_00n,
    payoutReference: 'UTRDRAW0001',
    requestedAt: at,
    updatedAt: at,
  })}`
  await ctx.db`insert into conversation ${ctx.db({
    bucket,
    tenantId,
    journeyId,
    conversationId: drawdownId,
    lenderId: uuidv7(),
    bppId: 'line.example',
    bppUri: 'https://line.example',
    providerId: 'p',
    itemId: drawdownId,
    stage: 'DISBURSED',
    transactionId,
    createdAt: at,
    updatedAt: at,
  })}`
  for (const q of [transactionId, 'UTRDRAW0001']) {
    const { body } = await search(operator, q)
    assert.match(JSON.stringify(body), new RegExp(`drawdown.${drawdownId}`), q)
    assert.doesNotMatch(JSON.stringify((await search(outsider, q)).body), new RegExp(drawdownId), q)
  }
  const entry = (await timeline('?limit=200')).items.find(({ id }) => id === `drawdown.${drawdownId}`)!
  assert.equal(entry.title.params.amountPaise, '2500000')
  assert.equal(entry.state, 'PAID_OUT')
})

test('D1 §2.3: finds a borrower by mobile number in any format, without the number in the response', async () => {
  await openJourney('by-mobile', '9812345678')
  for (const q of ['9812345678', '+91 98123 45678', '98123-45678']) {
    const { items } = (await search(support, q)).body
    assert.equal(items[0]?.kind, 'mobile', q)
    assert.equal(items[0]?.matched, null, q)
    assert.equal(items.length, 1, q)
    assert.deepEqual((await search(outsider, q)).body.items, [])
  }
})

test('rejects a search that is too short, too long or without a session', async () => {
  assert.equal((await search(support, 'x')).status, 400)
  assert.equal((await search(support, 'x'.repeat(201))).status, 400)
  assert.deepEqual((await search(support, "'; drop table journey --")).body.items, [])
  assert.equal((await ask(`${url}/api/console/search?q=night-7`)).status, 401)
})

test('lists journeys newest first and masked, in pages and by filter', async () => {
  for (let i = 0; i < 4; i++) await openJourney(`listed-${i}`, `980000100${i}`)
  const fullList = (await support.ask('GET', '/journeys')).body
  assert.equal(fullList.next, null)
  const ids = fullList.items.map(({ journeyId }: { journeyId: string }) => journeyId)
  assert.deepEqual(ids, ids.toSorted().reverse())
  assertNoPersonalData(fullList)
  for (const filter of [
    '',
    '&product=PERSONAL_LOAN',
    '&status=STARTED',
    `&applicationId=${tenant.applicationId}`,
    '&from=2020-01-01',
  ]) {
    const pagedIds: string[] = []
    for (let after = ''; ; ) {
      const { body } = await support.ask('GET', `/journeys?limit=2${filter}${after && `&after=${after}`}`)
      pagedIds.push(...body.items.map(({ journeyId }: { journeyId: string }) => journeyId))
      if (body.next === null) break
      after = body.next
    }
    const filtersByStatus = filter.includes('status')
    const expected = fullList.items.filter((item: { status: string }) => !filtersByStatus || item.status === 'STARTED')
    assert.deepEqual(
      pagedIds,
      expected.map(({ journeyId }: { journeyId: string }) => journeyId),
      filter,
    )
  }
  const item = fullList.items.find(({ journeyId }: { journeyId: string }) => journeyId === testJourney.journeyId)
  assert.deepEqual(item.borrower, {
    providerId: identifiers.borrower,
    name: 'Asha V••••• K•••••',
    mobile: '••••••1234',
  })
  assert.equal(item.lender.name, 'Celestium Finance Limited')
  assert.equal(item.waitsFor, null)
  const [newest] = fullList.items
  assert.equal(newest.waitsFor.what, 'PROFILE')
  assert.equal(newest.waitsFor.whose, 'borrower')
  for (const filterWithoutMatch of ['status=REJECTED', 'product=GOLD_LOAN', 'to=2020-01-01', 'from=2099-01-01'])
    assert.deepEqual((await support.ask('GET', `/journeys?${filterWithoutMatch}`)).body.items, [], filterWithoutMatch)
  for (const [invalidFilter, field] of [
    ['after=x', 'after'],
    ['from=2026-13-40', 'from'],
    ['limit=201', 'limit'],
    ['status=X', 'status'],
  ])
    assert.equal((await support.ask('GET', `/journeys?${invalidFilter}`)).body.error.details.field, field)
  assert.equal((await operator.ask('GET', `/journeys?tenantId=${tenant.tenantId}`)).body.items.length, ids.length)
  assert.deepEqual((await outsider.ask('GET', '/journeys')).body.items, [])
})

test('lists what waits for whom since when, and what expired or was cancelled, though no column has it', async () => {
  const found = async (query: string) => {
    const { status, body } = await support.ask('GET', `/journeys?limit=200&${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.items
  }
  await openJourney('waits', '9876500021')
  const isWaiting = ({ borrower }: { borrower: { providerId: string } }) => borrower.providerId === 'waits'
  const [{ journeyId, waitsFor, createdAt }] = (await found('')).filter(isWaiting)
  const isListed = async (query: string) =>
    (await found(query)).some((each: { journeyId: string }) => each.journeyId === journeyId)
  assert.equal(await isListed('waitsOn=borrower'), true)
  assert.equal(await isListed('waitsOn=lender'), false)
  assert.equal(await isListed('waitedDays=1'), false)
  assert.ok(waitsFor.since >= createdAt)
  // The borrower has been idle for four days.
  const [before] = await ctx.db<{ lastBorrowerActAt: Date }>`
    select last_borrower_act_at from journey where journey_id = ${journeyId}`
  const moveBack = async (days: number) => {
    const at = secondsAfter(before!.lastBorrowerActAt, -days * 86_400)
    await ctx.db`update journey set last_borrower_act_at = ${at} where journey_id = ${journeyId}`
    await ctx.db`update lifecycle_event set at = ${at} where journey_id = ${journeyId}`
  }
  await moveBack(4)
  assert.equal(await isListed('waitsOn=borrower&waitedDays=3'), true)
  assert.equal(await isListed('waitsOn=borrower&waitedDays=5'), false)
  await moveBack(0)
  await ctx.db`update journey set active = false where journey_id = ${journeyId}`
  assert.equal(await isListed('status=EXPIRED'), true)
  assert.equal(await isListed('status=CANCELLED'), false)
  await ctx.db`
    update journey set status = 'DISBURSED', closed_at = now(), end_reason = 'PAYOUT_RETURNED'
    where journey_id = ${journeyId}`
  assert.equal(await isListed('status=EXPIRED'), false)
  assert.equal(await isListed('status=CANCELLED'), true)
  await ctx.db`
    update journey set status = 'STARTED', active = true, closed_at = null, end_reason = null
    where journey_id = ${journeyId}`
  const pages: string[] = []
  for (let after = ''; ; ) {
    const { items, next } = (await support.ask('GET', `/journeys?limit=1&waitsOn=borrower${after}`)).body
    pages.push(...items.map((each: { journeyId: string }) => each.journeyId))
    if (next === null) break
    after = `&after=${next}`
  }
  assert.deepEqual(
    pages,
    (await found('waitsOn=borrower')).map((each: { journeyId: string }) => each.journeyId),
  )
})

test('lists what has waited for days by its wait, in pages, and counts what waits for a lender', async () => {
  const waitSince = async (name: string, mobile: string, daysAgo: number) => {
    await openJourney(name, mobile)
    const { items } = (await support.ask('GET', '/journeys?limit=1')).body
    const { journeyId } = items[0]
    const at = secondsAfter(new Date(items[0].createdAt), -daysAgo * 86_400)
    await ctx.db`update journey set last_borrower_act_at = ${at}, search = 'OPEN' where journey_id = ${journeyId}`
    await ctx.db`update lifecycle_event set at = ${at} where journey_id = ${journeyId}`
    return { journeyId, since: at.toISOString() }
  }
  const longest = await waitSince('waits-longest', '9876500031', 6)
  const shorter = await waitSince('waits-shorter', '9876500032', 4)
  const query = '/journeys?waitsOn=lender&waitedDays=3&limit=1'
  const first = (await support.ask('GET', query)).body
  assert.equal(first.items[0].journeyId, longest.journeyId)
  const second = (await support.ask('GET', `${query}&after=${first.next}`)).body
  assert.equal(second.items[0].journeyId, shorter.journeyId)
  assert.equal(second.next, null)
  const attention = (await support.ask('GET', '/attention')).body.items
  const [item] = attention.filter(({ kind }: { kind: string }) => kind === 'WAITING_FOR_LENDER')
  assert.equal(item.count, 2)
  assert.equal(item.since, longest.since)
})

test('D1 §2.3: lists the journeys with an identifier, in pages and with the other filters', async () => {
  const id = testJourney.journeyId
  const found = async (query: string, user = support) => {
    const { status, body } = await user.ask('GET', `/journeys?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assertNoPersonalData(body)
    return body.items.map(({ journeyId }: { journeyId: string }) => journeyId)
  }
  for (const q of Object.values(identifiers)) assert.deepEqual(await found(`q=${encodeURIComponent(q)}`), [id], q)
  assert.deepEqual(await found(`q=${id}`, operator), [id])
  assert.deepEqual(await found(`q=${id}`, outsider), [])
  const { status, product } = (await support.ask('GET', journeyPath)).body
  assert.deepEqual(await found(`q=${id}&status=${status}&product=${product}&from=2020-01-01`), [id])
  for (const filter of ['status=REJECTED', 'product=GOLD_LOAN', 'to=2020-01-01'])
    assert.deepEqual(await found(`q=${id}&${filter}`), [], filter)
  assert.deepEqual(await found('q=Asha'), [], 'names are not searched')
  assert.equal((await support.ask('GET', '/journeys?q=x')).status, 400)
})

test('exports all journeys of a filter, page by page, and audits the export first', async () => {
  for (let i = 0; i < 3; i++) await openJourney(`exported-${i}`, `980000200${i}`)
  const { items } = (await support.ask('GET', '/journeys?status=STARTED')).body
  const file = await fetch(`${url}/api/console/journey-export?status=STARTED`, { headers: { cookie: support.cookie } })
  assert.match(file.headers.get('content-disposition') ?? '', /filename="journeys-\d{4}-\d\d-\d\d\.csv"/)
  const [, ...lines] = (await file.text()).trimEnd().split('\r\n')
  const idsIn = (rows: string[]) => rows.map((line) => line.split(',', 1)[0])
  const ids: string[] = items.map(({ journeyId }: { journeyId: string }) => journeyId)
  assert.deepEqual(idsIn(lines), ids)
  assertNoPersonalData(lines)
  const [act] = await ctx.db`select detail from audit_entry where act = 'JOURNEYS_EXPORTED'`
  assert.deepEqual(act, { detail: '{"status":"STARTED"}' })
  const refused = await support.ask('GET', '/journey-export?from=2026-13-40')
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.details.field, 'from')

  const readAfter = async (last: { journeyId: string } | null) =>
    items.slice(ids.indexOf(last?.journeyId ?? '') + 1).slice(0, 2)
  const pages: string[] = await Readable.from(journeysCsv(readAfter, new Map())).toArray()
  assert.ok(items.length > 2)
  assert.equal(pages.length, Math.ceil(items.length / 2) + 1)
  assert.deepEqual(idsIn(pages.join('').trimEnd().split('\r\n').slice(1)), ids)
})

test('D1 §2.6: a journey that ended without a loan and the next one of the borrower name each other', async () => {
  const idOf = async (status: string) => {
    const { items } = (await support.ask('GET', '/journeys?limit=200')).body
    const ownItems = items.filter(
      ({ borrower }: { borrower: { providerId: string } }) => borrower.providerId === 'asks-others',
    )
    return ownItems.find((item: { status: string }) => item.status === status).journeyId
  }
  const neighbours = async (journeyId: string) => {
    const { body } = await support.ask('GET', `/journeys/${journeyId}`)
    return { previousId: body.previous?.journeyId, nextId: body.next?.journeyId, nextStatus: body.next?.status }
  }
  await openJourney('asks-others', '9876500011')
  const refusedId = await idOf('STARTED')
  assert.deepEqual(await neighbours(refusedId), { previousId: undefined, nextId: undefined, nextStatus: undefined })
  await ctx.db`update journey set active = false, status = 'REJECTED' where journey_id = ${refusedId}`
  await openJourney('asks-others', '9876500011')
  const nextId = await idOf('STARTED')
  assert.deepEqual(await neighbours(refusedId), { previousId: undefined, nextId, nextStatus: 'STARTED' })
  assert.deepEqual(await neighbours(nextId), { previousId: refusedId, nextId: undefined, nextStatus: undefined })
  await ctx.db`update journey set status = 'DISBURSED' where journey_id = ${refusedId}`
  assert.deepEqual(
    await neighbours(nextId),
    { previousId: undefined, nextId: undefined, nextStatus: undefined },
    'a new loan does not follow from a loan',
  )
  await ctx.db`update journey set status = 'REJECTED' where journey_id = ${refusedId}`
})

test('platform staff list the journeys of all tenants, in pages and by filter', async () => {
  const { status, body } = await openSession(url, secondTenant, newApplicant())
  assert.equal(status, 201, JSON.stringify(body))
  for (const filter of [
    '',
    '&status=STARTED',
    '&product=PERSONAL_LOAN',
    `&applicationId=${secondTenant.applicationId}`,
  ]) {
    const pagedItems: { journeyId: string; tenantId: string }[] = []
    for (let after = ''; ; ) {
      const { body } = await operator.ask('GET', `/journeys?limit=2${filter}${after && `&after=${after}`}`)
      pagedItems.push(...body.items)
      if (body.next === null) break
      after = body.next
    }
    const listOfEachTenant = await Promise.all(
      [tenant, secondTenant].map(({ tenantId }) =>
        operator.ask('GET', `/journeys?tenantId=${tenantId}&limit=200${filter}`),
      ),
    )
    const expected = listOfEachTenant.flatMap(({ body: { items } }) =>
      items.map(({ journeyId }: { journeyId: string }) => journeyId),
    )
    assert.deepEqual(
      pagedItems.map(({ journeyId }) => journeyId),
      expected.toSorted().reverse(),
      filter,
    )
    assert.ok(
      pagedItems.some(({ tenantId }) => tenantId === secondTenant.tenantId),
      filter,
    )
  }
})

test('the head shows the journey, the masked borrower, its offers and the possible acts', async () => {
  const { status, body } = await support.ask('GET', journeyPath)
  assert.equal(status, 200, JSON.stringify(body))
  assertNoPersonalData(body)
  assert.equal(body.status, 'DISBURSED')
  assert.equal(body.caseRef, testJourney.ids.caseRef)
  assert.equal(body.waitsFor, null)
  assert.equal(body.borrower.pan, '•••• 321F')
  assert.equal(body.borrower.email, 'a•••@mail.example')
  assert.equal(body.borrower.account, '••••6789')
  const [offer] = body.offers
  assert.equal(offer.lender, 'Celestium Finance Limited')
  assert.equal(offer.chosen, true)
  assert.equal(offer.principal, '200000.00')
  assert.equal(offer.final, true)
  const acts = Object.fromEntries(body.acts.map((act: { act: string }) => [act.act, act]))
  assert.equal(acts.reveal.possible, true)
  assert.equal(acts['replay-deliveries'].possible, false)
  assert.equal(acts['replay-deliveries'].because, 'NOTHING_TO_DO')
  const viewerActs = (await viewer.ask('GET', journeyPath)).body.acts
  assert.ok(
    viewerActs.every(
      ({ possible, because }: { possible: boolean; because: string }) => !possible && because === 'ROLE',
    ),
  )
})

test('the head of a journey that gold secures says what is pledged and at which branch', async () => {
  const { tenantId, journeyId } = testJourney
  const [{ profileSealed } = { profileSealed: null }] = await ctx.db<{ profileSealed: Buffer }>`
    select profile_sealed from profile where journey_id = ${journeyId}`
  const context = detailsContext(tenantId, journeyId)
  const details = ctx.seal.openJson<BorrowerDetails>(profileSealed!, context)
  const gold = { jewelleryWeightGrams: 40, purity: '22K' as const }
  await ctx.db`update profile set profile_sealed = ${ctx.seal.json({ ...details, gold }, context)}
    where journey_id = ${journeyId}`
  const head = (await support.ask('GET', journeyPath)).body
  assert.deepEqual(head.gold, { weightGrams: 40, purity: '22K', branch: null })
  assert.equal(head.visitsBranch, false)
  await ctx.db`update profile set profile_sealed = ${profileSealed} where journey_id = ${journeyId}`
  assert.equal((await support.ask('GET', journeyPath)).body.gold, null)
})

interface Entry {
  id: string
  at: string
  kind: string
  title: { code: string; params: Record<string, unknown> }
  state: string | null
}
const timeline = async (query = ''): Promise<{ items: Entry[]; next: string | null }> => {
  const { status, body } = await support.ask('GET', `${journeyPath}/timeline${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('the loan of a network lender has its number, and its unpaid instalments are not called outstanding', async () => {
  const { journeyId } = testJourney
  const [network] = await ctx.db<{ conversationId: string }>`
    update conversation set order_id = 'LOAN-7' where journey_id = ${journeyId} returning conversation_id`
  const dueAt = secondsAfter(ctx.clock(), 30 * 86_400).toISOString()
  const installments = JSON.stringify([{ serialNumber: 1, amount: '958000', dueAt, status: 'NOT-PAID' }])
  const [offer] = await ctx.db<{ offerId: string; conversationId: string; installments: unknown }>`
    select offer_id, conversation_id, installments from offer where journey_id = ${journeyId} and selected_at is not null`
  const change = (conversationId: string, plan: string) => ctx.db`
    update offer set conversation_id = ${conversationId}, installments = ${plan}::jsonb where offer_id = ${offer!.offerId}`
  await change(network!.conversationId, installments)
  const { loan } = (await support.ask('GET', journeyPath)).body
  assert.equal(loan.number, 'LOAN-7')
  assert.equal(loan.unpaidInstalments, '9580.00')
  assert.equal(loan.outstanding, null)
  assert.equal(loan.overdueSince, null)
  const missedAt = secondsAfter(ctx.clock(), -30 * 86_400)
  await change(network!.conversationId, installments.replace(dueAt, missedAt.toISOString()))
  const late = (await support.ask('GET', journeyPath)).body.loan
  // A loan without an account is overdue by its plan.
  assert.equal(late.state, 'OVERDUE')
  assert.equal(late.overdue, '9580.00')
  assert.equal(late.overdueSince, businessDate(missedAt))
  assert.equal(late.overdueInstalments, 1)
  const later = secondsAfter(ctx.clock(), 60 * 86_400)
  const plan = [
    { serialNumber: 1, amount: '958000', dueAt, status: 'DELAYED' },
    { serialNumber: 2, amount: '958000', dueAt: later.toISOString(), status: 'NOT-PAID' },
  ]
  await change(network!.conversationId, JSON.stringify(plan))
  const early = (await support.ask('GET', journeyPath)).body.loan
  assert.equal(early.overdueSince, null, 'no loan is overdue since a day that is yet to come')
  assert.deepEqual(early.nextDue, { dueOn: businessDate(later), amount: '9580.00' }, 'the overdue one is not next')
  await change(offer!.conversationId, JSON.stringify(offer!.installments))
})

test('reveals personal data to a permitted role for a reason, and audits it without the personal data', async () => {
  const fields = ['name', 'mobile', 'pan', 'email', 'officialEmail', 'address', 'account', 'notes']
  const reason = 'The borrower (asha.k@mail.example, abcpe4321f) asks on 98765 01234 why nothing has come'
  const { status, body } = await support.ask('POST', `${journeyPath}/reveal`, { reason, fields })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.fields, {
    name: 'Asha Vaidya Kulkarni',
    mobile: '9876501234',
    pan: 'ABCPE4321F',
    email: 'asha.k@mail.example',
    officialEmail: 'asha@works.example',
    address: '7 Fort Road, Mumbai, Maharashtra, 400001',
    account: '50100123456789, HDFC0000001, Asha Kulkarni',
    notes: null,
  })
  const [act] = (await timeline('?kinds=staff')).items
  assert.equal(act!.title.params.act, 'PERSONAL_DATA_REVEALED')
  assert.equal(act!.title.params.personId, support.person.personId)
  assertNoPersonalData(act)
  const [entry] = await ctx.db<{ detail: string; subject: string; tenantId: string }>`
    select detail, subject, tenant_id from audit_entry where act = 'PERSONAL_DATA_REVEALED'`
  assert.equal(entry!.subject, testJourney.journeyId)
  assert.equal(entry!.tenantId, tenant.tenantId)
  assertNoPersonalData(entry)
  const shown = 'The borrower (•••••, •••••) asks on ••••• why nothing has come'
  assert.deepEqual(act!.title.params.detail, { fields: fields.join(','), reason: shown })
  const viewerStatus = (await viewer.ask('POST', `${journeyPath}/reveal`, { reason, fields })).status
  const shortReason = await support.ask('POST', `${journeyPath}/reveal`, { reason: '  because  ', fields })
  const noFields = await support.ask('POST', `${journeyPath}/reveal`, { reason, fields: [] })
  assert.equal(viewerStatus, 403)
  assert.equal(shortReason.status, 400)
  assert.equal(shortReason.body.error.details.field, 'reason')
  assert.equal(noFields.body.error.details.field, 'fields')
})

/** Adds an act of staff, with its reason, to the timeline. */
async function revealPan(): Promise<void> {
  const request = { reason: 'The borrower asks why nothing has come', fields: ['pan'] }
  assert.equal((await support.ask('POST', `${journeyPath}/reveal`, request)).status, 200)
}

test('the timeline contains the entries of every source in order of time', async () => {
  await revealPan()
  const { items, next } = await timeline('?limit=200')
  assert.equal(next, null)
  assert.deepEqual([...new Set(items.map(({ kind }) => kind))].sort(), [...timelineKinds].sort())
  const codes = new Set(items.map(({ title }) => title.code))
  for (const code of [
    'network-sent',
    'network-received',
    'network-noted',
    'event-sent',
    'event-received',
    'check-begun',
    'provider-told',
    'delivery-try',
    'consent-given',
    'consent-withdrawn',
    'offer-chosen',
  ])
    assert.ok(codes.has(code), code)
  assert.deepEqual(
    items.map(({ at }) => at),
    items.map(({ at }) => at).toSorted(),
  )
  const updates = items.filter(({ title }) => title.code === 'update').map(({ title }) => title.params.status)
  assert.deepEqual(updates, [
    'STARTED',
    'PROFILED',
    'OFFERED',
    'OFFER_SELECTED',
    'OFFER_ACCEPTED',
    'LENDER_REDIRECTED',
    'DISBURSED',
  ])
  const states = Object.fromEntries(items.map(({ title, state }) => [title.code, state]))
  assert.equal(states['event-received'], 'WAITING')
  assert.equal(states['network-received'], 'IGNORED')
  assert.equal(states.job, 'WAITING')
  assertNoPersonalData(items)
  const ofCase = `/partner/events?caseRef=${testJourney.ids.caseRef}`
  const { items: events } = (await support.ask('GET', ofCase)).body as {
    items: { eventId: string; borrower: string; facts: object }[]
  }
  assert.ok(events.length > 0)
  for (const { eventId, borrower, facts } of events) {
    const { params } = items.find(({ id }) => id.endsWith(eventId))!.title
    assert.equal(borrower, 'Asha V••••• K•••••')
    assert.deepEqual({ ...params, ...facts }, params, 'the same facts in both lists')
  }
})

test('lists a timeline in pages, in either order and by kind', async () => {
  await revealPan()
  const read = {
    tenantId: tenant.tenantId,
    requestId: uuidv7(),
    applicationId: tenant.applicationId,
    journeyId: testJourney.journeyId,
    correlationId: 'a-read-request',
    method: 'GET',
    route: '/state',
    path: '/state',
    status: 200,
    tookMs: 3,
  }
  await ctx.db`insert into api_request ${ctx.db(read)}`
  const allIds = (await timeline('?limit=200')).items.map(({ id }) => id)
  assert.equal(new Set(allIds).size, allIds.length)
  for (const [order, expected] of [
    ['oldest', allIds],
    ['newest', allIds.toReversed()],
  ] as const) {
    const pagedIds: string[] = []
    for (let after: string | null = null; ; ) {
      const page: { items: Entry[]; next: string | null } = await timeline(
        `?order=${order}&limit=7${after ? `&after=${after}` : ''}`,
      )
      pagedIds.push(...page.items.map(({ id }) => id))
      after = page.next
      if (after === null) break
    }
    assert.deepEqual(pagedIds, expected, order)
  }
  const withoutReads = (await timeline('?reads=omit&limit=200')).items
  const isRead = ({ kind, title: { params } }: Entry) =>
    kind === 'request' && params.method === 'GET' && String(params.status).startsWith('2')
  assert.ok((await timeline('?limit=200')).items.some(isRead), 'there is a request to leave out')
  assert.deepEqual(
    withoutReads.map(({ id }) => id),
    (await timeline('?limit=200')).items.filter((each) => !isRead(each)).map(({ id }) => id),
  )
  const filtered = (await timeline('?kinds=update,staff&limit=200')).items
  assert.deepEqual([...new Set(filtered.map(({ kind }) => kind))].sort(), ['staff', 'update'])
  for (const [invalidFilter, field] of [
    ['kinds=all', 'kinds'],
    ['after=x', 'after'],
    ['order=up', 'order'],
    ['limit=0', 'limit'],
  ])
    assert.equal((await support.ask('GET', `${journeyPath}/timeline?${invalidFilter}`)).body.error.details.field, field)
})

test('returns every timeline entry with a masked document', async () => {
  let documents = 0
  for (const { id, kind, title } of (await timeline('?limit=200')).items) {
    const { status, body } = await support.ask('GET', `${journeyPath}/timeline/${id}`)
    assert.equal(status, 200, `${id}: ${JSON.stringify(body)}`)
    assert.equal(body.id, id)
    assert.equal(body.kind, kind)
    assert.equal(body.title.code, title.code)
    assertNoPersonalData(body)
    if (body.raw !== null) documents++
    if (title.code === 'update') assert.equal(body.raw.borrower.journey.status, title.params.status)
    if (title.code === 'network-received') assert.equal(body.detail.headers.authorization, '[masked]')
    if (title.code === 'network-sent') assert.equal(body.raw.message.person.name, '[masked]')
  }
  assert.ok(documents > 20, `${documents} have a document`)
  for (const id of [
    'update.x',
    'network.0',
    'x',
    'constructor',
    'toString.x',
    `delivery.${testJourney.journeyId}`,
    "try.'--.1",
  ])
    assert.equal(
      (await support.ask('GET', `${journeyPath}/timeline/${encodeURIComponent(id)}`)).status,
      id === 'x' ? 400 : 404,
      id,
    )
})

test('D1 §6: stores every delivery attempt with answer and duration, also after a replay', async () => {
  const attemptsOf = async (deliveryId: string) =>
    (await timeline('?kinds=delivery&limit=200')).items
      .filter(({ title }) => title.code === 'delivery-try' && title.params.deliveryId === deliveryId)
      .map(({ title: { params }, state }) => ({
        number: params.number,
        answer: params.answer,
        state,
        typeOfMs: typeof params.ms,
      }))
  assert.deepEqual(await attemptsOf(firstDelivery.deliveryId), [
    { number: 1, answer: '503', state: 'PENDING', typeOfMs: 'number' },
    { number: 2, answer: '204', state: 'DELIVERED', typeOfMs: 'number' },
  ])
  const { body: failed } = await support.ask('GET', `${journeyPath}/timeline/try.${firstDelivery.deliveryId}.1`)
  assert.equal(failed.answer.answer, '503')
  assert.equal(failed.answer.body, null)
  assert.equal(typeof failed.answer.tookMs, 'number')
  assert.equal(failed.title.params.state, 'DELIVERED', 'each attempt has the current state of its delivery')
  const lastDelivery = allDeliveries[0]!
  assert.deepEqual(await attemptsOf(lastDelivery.deliveryId), [
    { number: 1, answer: '204', state: 'DELIVERED', typeOfMs: 'number' },
  ])
  await ctx.db.tx((tx) => resendDelivery(tx, owner, { deliveryId: lastDelivery.deliveryId }, ctx.clock()))
  await until('the replay', async () => (await attemptsOf(lastDelivery.deliveryId)).length === 2)
  assert.deepEqual(
    (await attemptsOf(lastDelivery.deliveryId)).map(({ number, answer }) => ({ number, answer })),
    [
      { number: 1, answer: '204' },
      { number: 2, answer: '204' },
    ],
  )
  const [{ count } = { count: 0 }] = await ctx.db<{ count: number }>`select count(*)::integer as count from webhook_try`
  assert.ok(
    count <= 4,
    `${count} rows for ${allDeliveries.length} deliveries: a first attempt that succeeds writes no row`,
  )
})

test('every journey route answers 404 to a user of another tenant', async () => {
  const [entry] = (await timeline('?limit=1')).items
  for (const [method, path, body] of [
    ['GET', journeyPath],
    ['GET', `${journeyPath}?tenantId=${tenant.tenantId}`],
    ['GET', `${journeyPath}/timeline`],
    ['GET', `${journeyPath}/timeline/${entry!.id}`],
    ['GET', `${journeyPath}/live`],
    ['POST', `${journeyPath}/reveal`, { reason: 'I would like to know', fields: ['pan'] }],
    ['GET', `/journeys?tenantId=${tenant.tenantId}`],
  ] as [string, string, unknown?][]) {
    const { status, body: answer } = await outsider.ask(method, path, body)
    assert.equal(status, 404, path)
    assert.equal(answer.error?.code, 'RESOURCE_NOT_FOUND', path)
  }
  assert.equal((await operator.ask('GET', journeyPath)).status, 200)
  assert.equal((await operator.ask('GET', `${journeyPath}?tenantId=${secondTenant.tenantId}`)).status, 404)
})

test('FIS12 §12: the transcript of a journey is a file without personal data, and the audit log has who took it', async () => {
  const reply = await viewer.ask('GET', `${journeyPath}/transcript`)
  assert.equal(reply.status, 200)
  assertNoPersonalData(reply.body)
  const [first] = reply.body
  assert.equal(typeof first.action, 'string')
  assert.equal(first.headers, undefined)
  const [entry] = await ctx.db<{ personId: string }>`
    select person_id from audit_entry where act = 'TRANSCRIPT_EXPORTED' and subject = ${testJourney.journeyId}`
  assert.equal(entry?.personId, viewer.person.personId)
  assert.equal((await outsider.ask('GET', `${journeyPath}/transcript`)).status, 404)
})

test('ARCHITECTURE rule 7: each route runs a fixed number of statements', async () => {
  await revealPan()
  await worker.stop()
  const statementsFor = (path: string) =>
    statementsOf(ctx.db, async () => assert.equal((await support.ask('GET', path)).status, 200))
  assert.equal(await statementsFor('/search?q=night-7'), 2)
  assert.equal(await statementsFor('/journeys'), 2)
  assert.equal(
    await statementsFor('/journeys?status=STARTED'),
    3,
    'one more statement, for the applications of the tenant',
  )
  assert.equal(await statementsFor(`${journeyPath}/timeline`), 5, 'one for the bodies of events, one for reasons')
  assert.equal(await statementsFor(journeyPath), 9, 'three of them for the loan')
})

test('lists journeys and deliveries by any filter for a tenant with more than a thousand applications', async () => {
  await openJourney('of-many-applications', '9800003000')
  const paths = ['/journeys?product=PERSONAL_LOAN', '/journeys?status=STARTED', '/webhooks/deliveries?status=STARTED']
  const listIds = async () => {
    const ids: string[][] = []
    for (const path of paths) {
      const { status, body } = await support.ask('GET', path)
      assert.equal(status, 200, path)
      ids.push(body.items.map((item: { journeyId: string }) => item.journeyId))
    }
    return ids
  }
  const before = await listIds()
  assert.ok(before.every((ids) => ids.length > 0))
  await ctx.db`insert into application (tenant_id, application_id, name, origins, created_at)
    select ${tenant.tenantId}::uuid, gen_random_uuid(), 'application ' || n, '{}', ${ctx.clock()}::timestamptz
    from generate_series(1, 1100) as n`
  assert.deepEqual(await listIds(), before)
})
