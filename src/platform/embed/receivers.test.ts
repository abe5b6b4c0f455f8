// The lenders that the view names before the consents: those that would receive the application now.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmbedView } from '#contract/hosted/embed.ts'
import type { ProductId } from '#contract/product/products.ts'
import { faults } from '#kit/http/schema.ts'
import { partnersOf } from '#platform/exchange/partners.ts'
import { pass } from '#platform/figures/keep.ts'
import { knownLendersOf } from '#platform/figures/read/known-lenders.ts'
import { switchOff, switchOn } from '#platform/lender/switch.ts'
import { application, call, enter, newApplicant, openSession } from '#test/setup/borrower.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { journeyWithOffers, terms } from '#test/setup/offered.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { statementsOf } from '#test/setup/round-trips.ts'
import { viewOf } from './view.ts'

const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env })
const { url, ctx, tenant, secondTenant } = platform
const partner = 'Celestium Finance Limited'
const { address, workProfile } = application()

/** Opens a journey with this profile, not yet submitted. */
async function borrower(of = tenant, profile: object = {}, journeyType: ProductId = 'PERSONAL_LOAN') {
  const { body } = await openSession(url, of, newApplicant({ journeyType }))
  const page = await enter(url, body.embedUrl)
  const saved = await call(page, 'PUT', '/profile', { ...profile })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  return { tenantId: of.tenantId, journeyId: page.journeyId }
}

/** Returns a context with empty caches, like that of another process. */
function uncachedContext(known: typeof ctx): typeof ctx {
  return { ...known, db: new Proxy(known.db, {}) }
}

async function receivers(who: { tenantId: string; journeyId: string }, known = ctx): Promise<string[]> {
  const view = await viewOf(uncachedContext(known), who as Parameters<typeof viewOf>[1], null, ctx.clock())
  assert.deepEqual(faults(EmbedView, view), [])
  return view.receivers
}

const namesOf = ({ offers }: Awaited<ReturnType<typeof journeyWithOffers>>) =>
  offers.map(({ lenderId }) => `Lender ${lenderId.slice(-4)}`).sort()
const { profile } = application()
const work = (employmentType: string) => ({ profile, address, workProfile: { ...workProfile, employmentType } })

test('D1 §3: names the network’s lenders that were asked for this product', async () => {
  const who = await borrower()
  assert.deepEqual(await receivers(who), [])
  const searched = await journeyWithOffers(platform, [terms, terms], 1)
  await pass(ctx, () => true)
  const names = namesOf(searched)
  assert.deepEqual(await receivers(who), names)
  assert.deepEqual(await receivers(await borrower(tenant, {}, 'GOLD_LOAN')), [], 'not for another product')
  assert.deepEqual(await receivers(await borrower(secondTenant)), [], 'not for another tenant')
  const after = await viewOf(ctx, { ...who, journeyId: searched.journeyId } as never, null, ctx.clock())
  assert.deepEqual(after.receivers, [], 'after submission the page shows the lenders themselves')

  const { lenderId } = searched.offers.find(({ status }) => status === 'OFFER_AWAITED')!
  const off = { bppId: lenderId, providerId: 'p', tenantId: null }
  const act = { reason: 'It does not answer', expected: { searching: 1, offered: 0 } }
  await ctx.db.tx((tx) => switchOff({ tx, at: ctx.clock() }, null, off, act))
  const without = names.filter((name) => name !== `Lender ${lenderId.slice(-4)}`)
  assert.deepEqual(await receivers(who), without, 'a disabled lender is not asked')
  await ctx.db.tx((tx) => switchOn({ tx, at: ctx.clock() }, null, off))
  assert.deepEqual(await receivers(who), names)
})

test('D3 §1: names an enabled lending partner whose rules admit the borrower', async () => {
  const isNamed = async (profile: object) => (await receivers(await borrower(tenant, profile))).includes(partner)
  assert.equal(await isNamed({}), false, 'the employment is unknown')
  assert.equal(await isNamed(work('salaried')), false)
  assert.equal(await isNamed(work('selfEmployed')), true)
  assert.equal(await isNamed({ ...work('selfEmployed'), address: { pincode: '400001' } }), false, 'no full address')
  const { sender } = (await partnersOf(ctx).all(ctx.db))[0]!
  const off = { bppId: sender, providerId: 'partner', tenantId: tenant.tenantId }
  const act = { reason: 'It is closed', expected: { searching: 0, offered: 0 } }
  await ctx.db.tx((tx) => switchOff({ tx, at: ctx.clock() }, null, off, act))
  assert.equal(await isNamed(work('selfEmployed')), false)
})

test('known lenders are cached for a minute and read once by concurrent views', async () => {
  const who = await borrower()
  const other = uncachedContext(ctx)
  await partnersOf(other).all(other.db)
  const readView = () => viewOf(other, who as Parameters<typeof viewOf>[1], null, ctx.clock())
  const before = ctx.db.statements
  await readView()
  const first = ctx.db.statements - before
  assert.equal(await statementsOf(ctx.db, readView), first - 3, 'figures, switches, names')
  const fresh = knownLendersOf(uncachedContext(ctx))
  const at = ctx.clock()
  const read = () => fresh(tenant.tenantId, 'PERSONAL_LOAN', at)
  const unread = ctx.db.statements
  await Promise.all([read(), read(), read()])
  assert.equal(ctx.db.statements - unread, 3, 'figures, switches, names: concurrent calls read once')
})
