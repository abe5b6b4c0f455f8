// The extra actions between real programs: the lender's contact, its page about the payout, a rating, and leaving for a price.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rupees } from '@lendloom/lending/money'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import {
  answerPage,
  type Borrower,
  call,
  enter,
  newApplicant,
  openSession,
  proceedUntil,
  readView,
  showsScreen,
} from '#test/setup/borrower.ts'
import { faultsOfJourney } from '#test/setup/judging.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { archiveOf, bodyOf, registryKeys } from '#test/setup/transcript.ts'

const programs = await sharedPrograms({
  env: {
    NETWORK_EXTRA_ACTIONS: 'meridian.sandbox.example:cancel+support+track+rating',
    STATUS_POLL_SECONDS: '30',
    SANDBOX_DISBURSAL_SECONDS: '3',
  },
})

const chooseOf = (name: string) => (offers: EmbedView['offers']) => {
  const offer = offers.find(({ lenderName }) => lenderName === name)
  return offer ? { offer, amount: '100000', tenureMonths: 12 } : null
}

async function runTo(screen: 'DISBURSAL' | 'DISBURSED', lender: string, pan = 'ABCPE1234F'): Promise<Borrower> {
  const opened = await openSession(programs.platformUrl, programs.tenant, newApplicant())
  const borrower = await enter(programs.platformUrl, opened.body.embedUrl, pan)
  await proceedUntil(borrower, screen, showsScreen(screen), { choose: chooseOf(lender) })
  return borrower
}

const messagesOf = (borrower: Borrower, action: string) =>
  archiveOf(programs, borrower.journeyId).then((all) => all.filter((each) => each.action === action).map(bodyOf))
const exchangeOf = async (borrower: Borrower) =>
  (await archiveOf(programs, borrower.journeyId))
    .map(({ action }) => action)
    .filter((action) => /cancel|support|track|rating/.test(action))
    .sort()
const faultsOf = async ({ journeyId }: Borrower): Promise<string[]> =>
  faultsOfJourney(programs, { tenantId: programs.tenant.tenantId, journeyId }, await registryKeys(programs))
const waitForPayment = (borrower: Borrower, status: string) =>
  until(`payment ${status}`, async () => {
    const payment = (await readView(borrower)).servicing.find(({ kind }) => kind === 'FORECLOSURE')
    return payment?.status === status && payment
  })

test('FIS12 §25: a borrower follows the payout, rates the loan, and leaves it for the price that the lender stated', async () => {
  const borrower = await runTo('DISBURSAL', 'Meridian Finance')
  const tracking = await until('the page to follow', async () => (await readView(borrower)).tracking ?? false)
  assert.match(await (await fetch(tracking)).text(), /Your payout/)
  await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), { choose: chooseOf('Meridian Finance') })

  const [lender] = borrower.view.lenders.filter(({ name }) => name === 'Meridian Finance')
  const [stated] = await messagesOf(borrower, 'on_support')
  assert.deepEqual(lender!.support, {
    link: stated.message.support.url,
    phone: stated.message.support.phone,
    email: stated.message.support.email,
  })

  assert.deepEqual(borrower.view.rating, { given: null })
  const ratings = await Promise.all([5, 4, 3].map((value) => call(borrower, 'POST', '/rating', { value })))
  assert.deepEqual(ratings.map(({ status }) => status).sort(), [200, 409, 409], 'a loan is rated once')
  assert.equal((await call(borrower, 'POST', '/rating', { value: 6 })).status, 400)
  const given = (await readView(borrower)).rating!.given!
  await until('the rating at the lender', async () => (await messagesOf(borrower, 'on_rating')).length === 1)
  assert.equal((await messagesOf(borrower, 'rating'))[0].message.ratings[0].value, String(given))

  assert.equal(borrower.view.exitPrice!.state, 'ASKABLE')
  assert.equal((await call(borrower, 'POST', '/servicing/exit-price', {})).body.view.exitPrice.state, 'ASKED')
  const price = await waitForPrice(borrower)
  assert.deepEqual(borrower.view.servicing, [], 'asking for the price requests nothing')
  assert.equal(borrower.view.screen, 'DISBURSED')
  assert.equal(price.amount, rupees(100_000_00n), 'no interest on the first day, and no charge')
  assert.ok(price.keptFees, 'the borrower learns before the decision that the fees stay')
  for (const exitPrice of [undefined, '1.00'])
    assert.equal(
      (await call(borrower, 'POST', '/servicing/foreclosure', { exitPrice })).status,
      409,
      'a price that the page did not show',
    )
  const decision = { exitPrice: price.amount }
  assert.equal((await call(borrower, 'POST', '/servicing/foreclosure', decision)).status, 200)
  const { redirectUrl, amount } = await waitForPayment(borrower, 'LINK_READY')
  assert.equal(amount, price.amount)
  assert.equal(borrower.view.cancellation, 'OPEN')
  await answerPage(redirectUrl!, 'approve')
  const closed = await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED' && borrower.view)
  assert.equal(closed.cancellation, 'DONE')
  assert.equal((await messagesOf(borrower, 'on_cancel')).at(-1).message.order.status, 'CANCELLED')
  assert.deepEqual(await messagesOf(borrower, 'update'), [], 'the lender cancels the loan instead of closing it')
  assert.deepEqual(await faultsOf(borrower), [])
})

const waitForPrice = (borrower: Borrower) =>
  until('the price', async () => {
    const { exitPrice } = await readView(borrower)
    return exitPrice?.state === 'STATED' && exitPrice
  })

test('FIS12 §25: a loan that its lender does not cancel, or was not asked to, is closed as before', async () => {
  const [refused, other] = await Promise.all([
    runTo('DISBURSED', 'Meridian Finance', 'ABCPE9034F'),
    runTo('DISBURSED', 'Kaveri Bank'),
  ])
  await call(refused, 'POST', '/servicing/exit-price', {})
  const stated = await waitForPrice(refused)
  await call(refused, 'POST', '/servicing/foreclosure', { exitPrice: stated.amount })
  await waitForPayment(refused, 'FAILED')
  const [update] = await messagesOf(refused, 'update')
  assert.equal(
    update.message.order.payments[0].time.label,
    'FORECLOSURE',
    'the lender opens no page for a cancellation',
  )
  assert.equal(refused.view.exitPrice, null)
  assert.equal((await call(refused, 'POST', '/servicing/exit-price', {})).status, 409)
  assert.deepEqual(await faultsOf(refused), [])

  const { tracking, rating, exitPrice } = other.view
  assert.equal(tracking, null)
  assert.equal(rating, null)
  assert.equal(exitPrice, null)
  assert.equal((await call(other, 'POST', '/rating', { value: 5 })).status, 409)
  assert.equal((await call(other, 'POST', '/servicing/exit-price', {})).status, 409)
  await call(other, 'POST', '/servicing/foreclosure', {})
  await waitForPayment(other, 'LINK_READY')
  assert.deepEqual(await exchangeOf(other), [])
})
