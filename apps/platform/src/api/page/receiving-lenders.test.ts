// Before asking for consents, the page names the lenders that would receive the application now.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import type { ProductId } from '@lendloom/lending/product/products'
import { application, call, enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { statementsOf } from '@lendloom/tests/setup/round-trips'
import { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { partnersOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { switchOff, switchOn } from '#platform/lending/lender/switch.ts'
import { knownLendersOf } from '#platform/records/figures/read/known-lenders.ts'
import { updateFigures } from '#platform/records/figures/update-figures.ts'
import { pageViewOf } from './page-view.ts'

const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env })
const { ctx, tenant, secondTenant } = platform
const partner = 'Celestium Finance Limited'
const { address, workProfile } = application()

/** Opens a journey and saves the profile without submitting it. */
async function openJourney(
  owner = tenant,
  profile: object = {},
  { journeyType = 'PERSONAL_LOAN' as ProductId, at = platform } = {},
) {
  const { url } = at
  const { body } = await openSession(url, owner, newApplicant({ journeyType }))
  const page = await enter(url, body.embedUrl)
  const saved = await call(page, 'PUT', '/profile', { ...profile })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  return { tenantId: owner.tenantId, journeyId: page.journeyId }
}

/** Returns a context without cached data, like the context of another process. */
function uncachedContext(source: typeof ctx): typeof ctx {
  return { ...source, db: new Proxy(source.db, {}) }
}

async function receiversFor(who: { tenantId: string; journeyId: string }, source = ctx): Promise<string[]> {
  const view = await pageViewOf(uncachedContext(source), who as Parameters<typeof pageViewOf>[1], null, ctx.clock())
  assert.deepEqual(faults(EmbedView, view), [])
  return view.receivers
}

const namesOf = ({ offers }: Awaited<ReturnType<typeof journeyWithOffers>>) =>
  offers.map(({ lenderId }) => `Lender ${lenderId.slice(-4)}`).sort()
const { profile } = application()
const profileWithWork = (employmentType: string) => ({
  profile,
  address,
  workProfile: { ...workProfile, employmentType },
})

test('D1 §3: lists the network lenders that would receive an application for this product', async () => {
  const who = await openJourney()
  assert.deepEqual(await receiversFor(who), [])
  const searched = await journeyWithOffers(platform, [terms, terms], 1)
  await updateFigures(ctx, () => true)
  const names = namesOf(searched)
  assert.deepEqual(await receiversFor(who), names)
  assert.deepEqual(
    await receiversFor(await openJourney(tenant, {}, { journeyType: 'GOLD_LOAN' })),
    [],
    'lenders of another product are not listed',
  )
  assert.deepEqual(await receiversFor(await openJourney(secondTenant)), [], 'lenders of another tenant are not listed')
  const viewAfterSubmission = await pageViewOf(
    ctx,
    { ...who, journeyId: searched.journeyId } as never,
    null,
    ctx.clock(),
  )
  assert.deepEqual(viewAfterSubmission.receivers, [], "after submission the page lists the lenders' offers instead")

  const { lenderId } = searched.offers.find(({ status }) => status === 'OFFER_AWAITED')!
  const lenderToDisable = { bppId: lenderId, providerId: 'p', tenantId: null }
  const switchOffRequest = { reason: 'It does not answer', expected: { searching: 1, offered: 0 } }
  await ctx.db.tx((tx) => switchOff({ ...ctx, tx, at: ctx.clock() }, null, lenderToDisable, switchOffRequest))
  const remaining = names.filter((name) => name !== `Lender ${lenderId.slice(-4)}`)
  assert.deepEqual(await receiversFor(who), remaining, 'a lender that is switched off is not listed')
  await ctx.db.tx((tx) => switchOn({ tx, at: ctx.clock() }, null, lenderToDisable))
  assert.deepEqual(await receiversFor(who), names)
})

test('D3 §1: lists an enabled lending partner whose rules admit the borrower', async () => {
  const isListed = async (profile: object) => (await receiversFor(await openJourney(tenant, profile))).includes(partner)
  assert.equal(await isListed({}), false, 'the employment is unknown')
  assert.equal(await isListed(profileWithWork('salaried')), false)
  assert.equal(await isListed(profileWithWork('selfEmployed')), true)
  assert.equal(
    await isListed({ ...profileWithWork('selfEmployed'), address: { pincode: '400001' } }),
    false,
    'no full address',
  )
  const { sender } = (await partnersOf(ctx).all(ctx.db))[0]!
  const partnerToDisable = { bppId: sender, providerId: 'partner', tenantId: tenant.tenantId }
  const switchOffRequest = { reason: 'It is closed', expected: { searching: 0, offered: 0 } }
  await ctx.db.tx((tx) => switchOff({ ...ctx, tx, at: ctx.clock() }, null, partnerToDisable, switchOffRequest))
  assert.equal(await isListed(profileWithWork('selfEmployed')), false)
})

test('known lenders are cached, and concurrent views share one read', async () => {
  const own = await testPlatform({ ...lender.env })
  const { ctx, tenant } = own
  const who = await openJourney(tenant, {}, { at: own })
  await journeyWithOffers(own, [terms], 1)
  await updateFigures(ctx, () => true)
  const newProcess = uncachedContext(ctx)
  await partnersOf(newProcess).all(newProcess.db)
  const readView = () => pageViewOf(newProcess, who as Parameters<typeof pageViewOf>[1], null, ctx.clock())
  const statementsBefore = ctx.db.statements
  await readView()
  const firstCost = ctx.db.statements - statementsBefore
  assert.equal(
    await statementsOf(ctx.db, readView),
    firstCost - 3,
    'the cache saves three queries: figures, switches and names',
  )
  const emptyCache = knownLendersOf(uncachedContext(ctx))
  const at = ctx.clock()
  const read = () => emptyCache(tenant.tenantId, 'PERSONAL_LOAN', at)
  const statementsBeforeRead = ctx.db.statements
  await Promise.all([read(), read(), read()])
  assert.equal(
    ctx.db.statements - statementsBeforeRead,
    3,
    'concurrent calls share three queries: figures, switches and names',
  )
})
