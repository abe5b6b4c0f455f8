// The product's patience with silent lenders, against a clock that the test moves.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { secondsAfter } from '#kit/clock.ts'
import type { Worker } from '#kit/queue.ts'
import { advance } from '#platform/journey/advance.ts'
import { findJourney, lockJourney, updateJourney } from '#platform/journey/store.ts'
import { enter, openSession, somebody } from '#test/setup/borrower.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { until } from '#test/setup/world.ts'
import { awaitOffer } from './receive.ts'
import { listOffers } from './store.ts'
import { closingWindows, scheduleWindow } from './window.ts'

let passedSeconds = 0
const { url, world, tenant } = await testPlatform({ OFFER_WINDOW_SECONDS: '120' }, () =>
  secondsAfter(new Date(), passedSeconds),
)
const { tenantId } = tenant
let worker: Worker | undefined
after(() => worker?.stop())

const nothingSaid = {
  minInterestRate: null,
  maxInterestRate: null,
  minTenureMonths: null,
  maxTenureMonths: null,
  minAmount: null,
  maxAmount: null,
}

/** A journey whose search is over and whose only lender has taken the profile and says nothing; its window is open. */
async function waiting(): Promise<string> {
  const { body } = await openSession(url, tenant, somebody())
  const { journeyId } = await enter(url, body.embedUrl)
  const id = '01930000-0000-7000-8000-0000000000cc'
  await world.db.tx(async (tx) => {
    const at = world.clock()
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    await updateJourney(tx, journey, { search: 'CLOSED' }, at)
    await awaitOffer(tx, journey, { conversationId: id, lenderId: id }, nothingSaid, at)
    await advance(tx, world, journey, 'profiled', at)
    await scheduleWindow(tx, world, journey, at)
  })
  return journeyId
}

const statusOf = async (journeyId: string) => (await findJourney(world.db, tenantId, journeyId))!.status
const windowsLeft = async () =>
  (await world.db`select 1 from job where kind = 'offer-window' and due_at <= ${world.clock()}`).length

test('FIS12 §13.1: a lender that says nothing until the window ends has not offered', async () => {
  const journeyId = await waiting()
  worker = closingWindows(world)
  passedSeconds += 119
  await new Promise((resolve) => setTimeout(resolve, 700))
  assert.equal(await statusOf(journeyId), 'PROFILED', 'it still may')
  passedSeconds += 2
  await until('the end', async () => (await statusOf(journeyId)) === 'NOT_OFFERED')
  const [offer] = await listOffers(world.db, { tenantId, journeyId })
  assert.deepEqual([offer!.status, offer!.reason], ['NO_OFFER_AVAILABLE', 'The lender did not answer in time.'])
})

test('FIS12 §3.3: a window that ended while we were away stays open for what is still on its way', async () => {
  await worker!.stop()
  const journeyId = await waiting()
  passedSeconds += 3600
  worker = closingWindows(world)
  await until('the first look', async () => (await windowsLeft()) === 0)
  assert.equal(await statusOf(journeyId), 'PROFILED')
  passedSeconds += 61
  await until('the end', async () => (await statusOf(journeyId)) === 'NOT_OFFERED')
})
