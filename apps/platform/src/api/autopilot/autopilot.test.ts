// The autopilot visits a lender's page again that failed once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newApplicant } from '@lendloom/tests/setup/borrower'
import { serve } from '@lendloom/tests/setup/exchange-proxy'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { selectOffer } from '#platform/lending/offer/select-offer.ts'
import { markStepReady } from '#platform/lending/step/move-step.ts'
import { autopilotWorker, startAutopilot } from './autopilot.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const { tenantId } = tenant

test('D2, sandbox: the page for a bank statement before the final terms is opened again after a failure', async () => {
  let visits = 0
  const url = await serve(() => {
    visits++
    return visits === 1 ? { status: 503 } : { status: 200, body: '<p>Thank you.</p>' }
  })
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms], 0, newApplicant())
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const context = { ...ctx, tx, at }
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const choice = { amount: terms.principal, months: 12, origin: { channel: 'sandbox', ip: null } } as const
    await selectOffer(context, journey, offerIds[0]!, choice)
    const selected = (await lockJourney(tx, tenantId, journeyId))!
    const page = { url, formId: 'F1' }
    await markStepReady(context, selected, { name: 'bankMandate', page, at })
    await startAutopilot(tx, selected, 'DISBURSED', at)
  })
  const worker = autopilotWorker(ctx)
  after(() => worker.stop())
  await until('the page is opened again', () => visits > 1)
  assert.equal(visits, 2)
})
