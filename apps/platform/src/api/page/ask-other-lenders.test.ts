// A borrower who asks the other lenders after a refusal, from pages of several refused journeys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { application, consents, enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { journeyWithOffers, noRanges, terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { mintEmbedToken, type SessionBorrower } from '#platform/integrators/access/embed-session.ts'
import { insertEmbedToken } from '#platform/integrators/access/store.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { findJourney, lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { lenderKeyText } from '#platform/lending/lender/switch/store.ts'
import { awaitOffer } from '#platform/lending/offer/lender-answers.ts'
import { listOffers, setSelected } from '#platform/lending/offer/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { updateFigures } from '#platform/records/figures/update-figures.ts'
import { pageViewOf } from './page-view.ts'

const platform = await testPlatform()
const { ctx, tenant, url } = platform
const { tenantId } = tenant

async function pageOf(journeyId: string) {
  const { token, row } = mintEmbedToken(ctx, { tenantId, journeyId }, ctx.clock())
  await ctx.db.tx((tx) => insertEmbedToken(tx, row))
  const { body } = await ask(`${url}/api/embed/session`, { method: 'POST', body: { token } })
  const path = `${url}/api/embed/journey/other-lenders`
  return async () => {
    const reply = await ask(path, { method: 'POST', key: body.sessionToken, body: consents('bureau', 'data_sharing') })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return (await findJourney(ctx.db, tenantId, reply.body.view.journeyId))!
  }
}

async function completeProfile(journeyId: string) {
  const key = { tenantId, journeyId }
  const { person } = await readProfile(ctx.db, ctx, key)
  const { profile, address } = application()
  const { personalemail: _, ...personal } = profile
  const complete = {
    ...person,
    address,
    personal: { ...person.personal, ...personal },
    work: { employmentType: 'salaried', companyName: 'Example Industries', income: 85_000 },
  } as BorrowerDetails
  await ctx.db`update profile set profile_sealed = ${ctx.seal.json(complete, detailsContext(tenantId, journeyId))} where journey_id = ${journeyId}`
  await ctx.db`update journey set end_use = 'education' where journey_id = ${journeyId}`
}

async function refuse(journeyId: string): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const [offer] = await listOffers(tx, journey)
    const choice = { offerId: offer!.offerId, lockSource: 'hosted', branchId: null, pledges: [] }
    await setSelected(tx, journey, choice, at)
    await updateJourney(tx, journey, { endReason: 'APPLICATION_REJECTED', active: false }, at)
    await tx`update journey set status = 'REJECTED' where journey_id = ${journeyId}`
    const [lender] = await tx<{ bppId: string; providerId: string }>`
      select bpp_id, provider_id from lender where lender_id = ${offer!.lenderId}`
    return lenderKeyText(lender!)
  })
}

async function awaitAnother(journeyId: string): Promise<void> {
  const lenderId = uuidv7(ctx.clock().getTime() + 1)
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const identity = JSON.stringify({ name: 'Another', logoUrl: null, contact: {} })
    await tx`insert into lender ${tx({ tenantId, lenderId, bppId: lenderId, providerId: 'p', identity, updatedAt: at })}`
    const source = { conversationId: uuidv7(at.getTime(), bucketOf(journeyId)), lenderId }
    await awaitOffer({ tx, at }, (await lockJourney(tx, tenantId, journeyId))!, source, noRanges)
  })
}

test('D1 §2.6: the page of an earlier refusal asks no lender that has refused since', async () => {
  const { journeyId } = await journeyWithOffers(platform, [terms])
  await completeProfile(journeyId)
  const refusals = [await refuse(journeyId)]
  const askFromFirst = await pageOf(journeyId)
  const second = await askFromFirst()
  assert.deepEqual(second.refusedLenders, refusals)
  const askFromSecond = await pageOf(second.journeyId)
  await awaitAnother(second.journeyId)
  refusals.push(await refuse(second.journeyId))
  const third = await askFromFirst()
  assert.deepEqual(third.refusedLenders, refusals)
  assert.equal((await askFromSecond()).journeyId, third.journeyId, 'the other page continues the same journey')
})

test('D1 §2.6: a link opened after a refusal names the lender in the new form, unless the borrower withdrew', async () => {
  const person = newApplicant()
  const { journeyId } = await journeyWithOffers(platform, [terms], 0, person)
  await refuse(journeyId)
  const formOf = async () => {
    const { view } = await enter(url, (await openSession(url, tenant, person)).body.embedUrl)
    return { screen: view.screen, lender: view.lastApplication?.lender ?? null }
  }
  const [lender] = await ctx.db<{ name: string }>`
    select l.identity->>'name' as name from lender l join offer o on o.lender_id = l.lender_id where o.journey_id = ${journeyId}`
  assert.deepEqual(await formOf(), { screen: 'PROFILE', lender: lender!.name })
  const { view } = await enter(url, (await openSession(url, tenant, newApplicant())).body.embedUrl)
  assert.equal(view.lastApplication, null, 'another borrower')
  const row = { tenantId, bucket: bucketOf(journeyId), journeyId, consentId: uuidv7(), channel: 'hosted' }
  await ctx.db`insert into consent_withdrawal ${ctx.db({ ...row, withdrawnAt: ctx.clock() })}`
  assert.deepEqual(await formOf(), { screen: 'PROFILE', lender: null })
})

test('D1 §2.6: once every known lender has refused, the page says so and asks no lender', async () => {
  const choiceIn = async (journeyId: string) => {
    await updateFigures(ctx, () => true)
    // Another process has no cached lenders.
    const elsewhere = { ...ctx, db: new Proxy(ctx.db, {}) }
    const view = await pageViewOf(
      elsewhere,
      { tenantId: secondTenant, journeyId } as SessionBorrower,
      null,
      ctx.clock(),
    )
    return { mayAskOthers: view.mayAskOthers, allRefused: view.allRefused }
  }
  const owner = { ...platform, tenant: platform.secondTenant }
  const { tenantId: secondTenant } = owner.tenant
  const { journeyId, offerIds } = await journeyWithOffers(owner, [terms, terms])
  const keys: string[] = []
  for (const offerId of offerIds) {
    const choice = { offerId, lockSource: 'hosted', branchId: null, pledges: [] }
    await ctx.db.tx(async (tx) => {
      const journey = (await lockJourney(tx, secondTenant, journeyId))!
      await tx`update offer set selected_at = null where journey_id = ${journeyId}`
      await setSelected(tx, journey, choice, ctx.clock())
      await updateJourney(
        tx,
        journey,
        { refusedLenders: keys, endReason: 'APPLICATION_REJECTED', active: false },
        ctx.clock(),
      )
      await tx`update journey set status = 'REJECTED' where journey_id = ${journeyId}`
      const [lender] = await tx<{ bppId: string; providerId: string }>`
        select bpp_id, provider_id from lender l join offer o on o.lender_id = l.lender_id where o.offer_id = ${offerId}`
      keys.push(lenderKeyText(lender!))
    })
    const isLast = offerId === offerIds.at(-1)
    assert.deepEqual(await choiceIn(journeyId), { mayAskOthers: !isLast, allRefused: isLast })
  }
})
