// Before the consents the view names the lenders that are known for the loan and would be asked now, and nobody else.
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

/** A borrower whose profile says this, and who has not sent it yet. */
async function borrower(of = tenant, profile: object = {}, journeyType: ProductId = 'PERSONAL_LOAN') {
  const { body } = await openSession(url, of, newApplicant({ journeyType }))
  const page = await enter(url, body.embedUrl)
  const saved = await call(page, 'PUT', '/profile', { ...profile })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  return { tenantId: of.tenantId, journeyId: page.journeyId }
}

/** The context of another process, which remembers nothing yet. */
function elsewhere(known: typeof ctx): typeof ctx {
  return { ...known, db: new Proxy(known.db, {}) }
}

async function receivers(who: { tenantId: string; journeyId: string }, known = ctx): Promise<string[]> {
  const view = await viewOf(elsewhere(known), who as Parameters<typeof viewOf>[1], null, ctx.clock())
  assert.deepEqual(faults(EmbedView, view), [])
  return view.receivers
}

const namesOf = ({ offers }: Awaited<ReturnType<typeof journeyWithOffers>>) =>
  offers.map(({ lenderId }) => `Lender ${lenderId.slice(-4)}`).sort()
const { profile } = application()
const work = (employmentType: string) => ({ profile, address, workProfile: { ...workProfile, employmentType } })

test('D1 §3: the review names lenders of the network that were asked for this product, and none while none is known', async () => {
  const who = await borrower()
  assert.deepEqual(await receivers(who), [])
  const found = await journeyWithOffers(platform, [terms, terms], 1)
  await pass(ctx, () => true)
  const names = namesOf(found)
  assert.deepEqual(await receivers(who), names)
  assert.deepEqual(await receivers(await borrower(tenant, {}, 'GOLD_LOAN')), [], 'for no other product')
  assert.deepEqual(await receivers(await borrower(secondTenant)), [], 'of no other tenant')
  const after = await viewOf(ctx, { ...who, journeyId: found.journeyId } as never, null, ctx.clock())
  assert.deepEqual(after.receivers, [], 'once it was sent the page has the lenders themselves')

  const { lenderId } = found.offers.find(({ status }) => status === 'OFFER_AWAITED')!
  const off = { bppId: lenderId, providerId: 'p', tenantId: null }
  const act = { reason: 'It answers nobody', expected: { searching: 1, offered: 0 } }
  await ctx.db.tx((tx) => switchOff({ tx, at: ctx.clock() }, null, off, act))
  const without = names.filter((name) => name !== `Lender ${lenderId.slice(-4)}`)
  assert.deepEqual(await receivers(who), without, 'a lender that is switched off is not asked')
  await ctx.db.tx((tx) => switchOn({ tx, at: ctx.clock() }, null, off))
  assert.deepEqual(await receivers(who), names)
})

test('D3 §1: the review names a lending partner where its rules admit this borrower, and while it is on', async () => {
  const isNamed = async (profile: object) => (await receivers(await borrower(tenant, profile))).includes(partner)
  assert.equal(await isNamed({}), false, 'nothing is known of the work yet')
  assert.equal(await isNamed(work('salaried')), false)
  assert.equal(await isNamed(work('selfEmployed')), true)
  assert.equal(await isNamed({ ...work('selfEmployed'), address: { pincode: '400001' } }), false, 'no full address')
  const { sender } = (await partnersOf(ctx).all(ctx.db))[0]!
  const off = { bppId: sender, providerId: 'partner', tenantId: tenant.tenantId }
  const act = { reason: 'It is closed', expected: { searching: 0, offered: 0 } }
  await ctx.db.tx((tx) => switchOff({ tx, at: ctx.clock() }, null, off, act))
  assert.equal(await isNamed(work('selfEmployed')), false)
})

test('who is known is read once in a minute: a view takes no statement for it', async () => {
  const who = await borrower()
  const other = elsewhere(ctx)
  await partnersOf(other).all(other.db)
  const look = () => viewOf(other, who as Parameters<typeof viewOf>[1], null, ctx.clock())
  const before = ctx.db.statements
  await look()
  const first = ctx.db.statements - before
  assert.equal(await statementsOf(ctx.db, look), first - 3, 'figures, switches, names')
  const fresh = knownLendersOf(elsewhere(ctx))
  const at = ctx.clock()
  const read = () => fresh(tenant.tenantId, 'PERSONAL_LOAN', at)
  const unread = ctx.db.statements
  await Promise.all([read(), read(), read()])
  assert.equal(ctx.db.statements - unread, 3, 'figures, switches, names; many who look at once read once')
})
