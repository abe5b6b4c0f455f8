// Servicing after disbursal between real programs: missed instalment, part payment, foreclosure.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paiseFrom } from '@lendloom/lending/money'
import type { EmbedPayment, PaymentKind, ServicingPath } from '@lendloom/wire/hosted/embed-servicing'
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
import { inEnglish } from '#test/setup/words.ts'

// A long poll interval, so that the lender pushes before the platform polls.
const programs = await sharedPrograms({ env: { STATUS_POLL_SECONDS: '30' } })

const chooseMeridian = (offers: EmbedView['offers']) => {
  const offer = offers.find(({ lenderName }) => lenderName === 'Meridian Finance')
  return offer ? { offer, amount: '100000', tenureMonths: 12 } : null
}

/** Runs a loan of Meridian Finance to disbursal; the PAN digits may select a fault rule. */
async function runToDisbursal(pan: string): Promise<Borrower> {
  const person = newApplicant()
  const opened = await openSession(programs.platformUrl, programs.tenant, person)
  const borrower = await enter(programs.platformUrl, opened.body.embedUrl, pan)
  await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), { choose: chooseMeridian })
  return borrower
}

const requestServicing = (borrower: Borrower, path: ServicingPath, body: object = {}) =>
  call(borrower, 'POST', `/servicing/${path}`, body)

const paymentIn = ({ servicing }: EmbedView, kind: PaymentKind): EmbedPayment | undefined =>
  servicing.find((each) => each.kind === kind)

const waitForPayment = (borrower: Borrower, kind: PaymentKind, status: EmbedPayment['status']) =>
  until(`${kind} ${status}`, async () => {
    const payment = paymentIn(await readView(borrower), kind)
    return payment?.status === status && payment
  })

/** Requests a payment, pays on the lender's page, and waits until it is PAID. Returns it with the parts of its page. */
async function payAndWait(
  borrower: Borrower,
  path: ServicingPath,
  kind: PaymentKind,
  body: object = {},
): Promise<EmbedPayment> {
  assert.equal((await requestServicing(borrower, path, body)).status, 200)
  const { redirectUrl, parts } = await waitForPayment(borrower, kind, 'LINK_READY')
  await answerPage(redirectUrl!, 'approve')
  return { ...(await waitForPayment(borrower, kind, 'PAID')), parts }
}

const faultsOf = async ({ journeyId }: Borrower): Promise<string[]> =>
  faultsOfJourney(programs, { tenantId: programs.tenant.tenantId, journeyId }, await registryKeys(programs))

const statuses = ({ installments }: EmbedView) => installments.map(({ status }) => status)
const lastOrder = async (borrower: Borrower, action: string) =>
  (await archiveOf(programs, borrower.journeyId))
    .filter((each) => each.action === action)
    .map(bodyOf)
    .at(-1).message.order

test('D2 §4, FIS12 §11.1: a borrower pays a missed instalment, makes a part payment and closes the loan', async () => {
  const borrower = await runToDisbursal('ABCPE9031F')
  const [first, ...others] = statuses(borrower.view)
  assert.equal(first, 'OVERDUE')
  assert.equal(borrower.view.payNow, borrower.view.installments[0]!.amount)
  assert.ok(borrower.view.loanNumber)
  assert.ok(others.every((status) => status === 'NOT-DUE'))
  const partPayment = await requestServicing(borrower, 'pre-part-payment', { amount: '20000' })
  assert.equal(partPayment.status, 200)
  const refused = await waitForPayment(borrower, 'PRE_PART_PAYMENT', 'FAILED')
  assert.match(inEnglish(refused.problem), /cannot do this/)

  const missed = await payAndWait(borrower, 'missed-emi-payment', 'MISSED_EMI_PAYMENT')
  const [instalment] = borrower.view.installments
  assert.equal(paiseFrom(missed.amount!)! - paiseFrom(instalment!.amount)!, 500_00n)
  assert.deepEqual(
    missed.parts.map(({ part, amount }) => ({ part, amount })),
    [
      { part: 'instalment', amount: instalment!.amount },
      { part: 'charges', amount: '500.00' },
    ],
  )
  const paidView = await readView(borrower)
  assert.deepEqual(statuses(paidView), ['CLOSED', ...others])
  const [receipt] = paidView.receipts
  assert.equal(receipt!.kind, 'MISSED_EMI_PAYMENT')
  assert.equal(receipt!.amount, missed.amount)
  assert.equal(receipt!.status, 'PAID')
  assert.equal(paidView.payNow, null)

  const before = borrower.view.installments
  const part = await payAndWait(borrower, 'pre-part-payment', 'PRE_PART_PAYMENT', { amount: '20000' })
  assert.equal(part.amount, '20000.00')
  const plan = (await readView(borrower)).installments
  assert.ok(plan.at(-1)!.status === 'CLOSED' && before.at(-1)!.status === 'NOT-DUE')
  const principal = (order: { quote: { breakup: { title: string; price: { value: string } }[] } }, title: string) =>
    paiseFrom(order.quote.breakup.find((row) => row.title === title)!.price.value)!
  const repaid = await lastOrder(borrower, 'on_update')
  assert.equal(principal(repaid, 'PRINCIPAL') + principal(repaid, 'OUTSTANDING_PRINCIPAL'), 100_000_00n)

  await payAndWait(borrower, 'foreclosure', 'FORECLOSURE')
  const closed = await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED' && borrower.view)
  assert.ok(statuses(closed).every((status) => status === 'CLOSED'))
  assert.equal(closed.pollAfterMs, null)
  assert.deepEqual(await faultsOf(borrower), [])
  const events = await programs.db<{ status: string }>`
    select status from lifecycle_event where journey_id = ${borrower.journeyId} order by sequence`
  assert.equal(events.length, 7, 'no update after DISBURSED')
  const [journey] = await programs.db<{ active: boolean; status: string; closedAt: Date | null }>`
    select active, status, closed_at from journey where journey_id = ${borrower.journeyId}`
  assert.equal(journey!.active, false)
  assert.equal(journey!.status, 'DISBURSED')
  assert.notEqual(journey!.closedAt, null)
  assert.equal((await requestServicing(borrower, 'foreclosure')).status, 409)
})

test('D2 §4: an impossible request fails, and only one request of a kind may be open', async () => {
  const borrower = await runToDisbursal('ABCPE1234F')
  // Only the lender knows whether an instalment is overdue; here all are paid or not due.
  assert.equal((await requestServicing(borrower, 'missed-emi-payment')).status, 200)
  const failed = await waitForPayment(borrower, 'MISSED_EMI_PAYMENT', 'FAILED')
  assert.match(inEnglish(failed.problem), /no EMI is overdue/)
  const withoutAmount = await requestServicing(borrower, 'pre-part-payment')
  assert.equal(withoutAmount.status, 400)
  assert.equal(withoutAmount.body.error.details.field, 'amount')
  assert.equal((await requestServicing(borrower, 'pre-part-payment', { amount: '1.50' })).status, 400)
  assert.equal((await requestServicing(borrower, 'foreclosure')).status, 200)
  const again = await requestServicing(borrower, 'foreclosure')
  assert.equal(again.status, 409)
  assert.equal(again.body.error.code, 'ASYNC_OPERATION_PENDING')
  const { redirectUrl } = await waitForPayment(borrower, 'FORECLOSURE', 'LINK_READY')
  const unchanged = statuses(borrower.view)

  // Leaving the page without paying changes nothing, and another kind of payment may be requested.
  await answerPage(redirectUrl!, 'decline')
  assert.equal((await requestServicing(borrower, 'pre-part-payment', { amount: '5000' })).status, 200)
  const part = await waitForPayment(borrower, 'PRE_PART_PAYMENT', 'LINK_READY')
  assert.deepEqual(statuses(await readView(borrower)), unchanged)

  // After the part payment the foreclosure amount is out of date.
  await answerPage(part.redirectUrl!, 'approve')
  await waitForPayment(borrower, 'PRE_PART_PAYMENT', 'PAID')
  assert.match(await (await fetch(redirectUrl!)).text(), /no longer valid/)
  assert.equal((await requestServicing(borrower, 'status')).status, 200)
  assert.match(inEnglish((await waitForPayment(borrower, 'FORECLOSURE', 'EXPIRED')).problem), /ask for it again/)
  assert.deepEqual(await faultsOf(borrower), [])
})

test('FIS12 §3.4: a failed payment (80213) can be retried, and a missing payment page (80212) is reported', async () => {
  const [withFailure, withoutPage] = await Promise.all([runToDisbursal('ABCPE9032F'), runToDisbursal('ABCPE9034F')])
  await requestServicing(withFailure, 'pre-part-payment', { amount: '10000' })
  const { redirectUrl } = await waitForPayment(withFailure, 'PRE_PART_PAYMENT', 'LINK_READY')
  await answerPage(redirectUrl!, 'approve')
  assert.match(
    inEnglish((await waitForPayment(withFailure, 'PRE_PART_PAYMENT', 'FAILED')).problem),
    /could not be completed/,
  )
  await answerPage(redirectUrl!, 'approve')
  const { problem } = await waitForPayment(withFailure, 'PRE_PART_PAYMENT', 'PAID')
  assert.equal(problem, null)
  assert.deepEqual(await faultsOf(withFailure), [])

  await requestServicing(withoutPage, 'foreclosure')
  assert.match(inEnglish((await waitForPayment(withoutPage, 'FORECLOSURE', 'FAILED')).problem), /payment link/)
  assert.equal((await readView(withoutPage)).screen, 'DISBURSED')
  assert.deepEqual(await faultsOf(withoutPage), [])
})

test('D2 §4: a missed instalment is not paid twice while the lender’s schedule does not follow the payment', async () => {
  const borrower = await runToDisbursal('ABCPE9031F')
  const { db } = programs
  const [stored] = await db<{ installments: unknown }>`
    select installments from offer where journey_id = ${borrower.journeyId} and installments <> '[]'`
  await payAndWait(borrower, 'missed-emi-payment', 'MISSED_EMI_PAYMENT')
  const [operation] = await db<{ serialNumber: number | null }>`
    select serial_number from servicing where journey_id = ${borrower.journeyId} and kind = 'MISSED_EMI_PAYMENT'`
  assert.equal(operation!.serialNumber, null, 'the schedule contains the payment, and says what is owed from then on')
  await db`update servicing set serial_number = 1 where journey_id = ${borrower.journeyId} and kind = 'MISSED_EMI_PAYMENT'`
  await db`update offer set installments = ${JSON.stringify(stored!.installments)}::jsonb
    where journey_id = ${borrower.journeyId} and installments <> '[]'`
  const view = await readView(borrower)
  assert.equal(statuses(view)[0], 'OVERDUE')
  assert.equal(view.payNow, null)
  const { status, body } = await requestServicing(borrower, 'missed-emi-payment')
  assert.equal(status, 409)
  assert.equal(body.error.code, 'STATE_PRECONDITION_FAILED')
})

test('FIS12 §18.5, PAN 9035: the borrower pays a missed instalment that only the lender’s answer reveals', async () => {
  const borrower = await runToDisbursal('ABCPE9035F')
  assert.ok(statuses(borrower.view).every((status) => status === 'NOT-DUE'))
  await payAndWait(borrower, 'missed-emi-payment', 'MISSED_EMI_PAYMENT')
  assert.equal(statuses(await readView(borrower))[0], 'CLOSED')
  assert.deepEqual(await faultsOf(borrower), [])
})

test('FIS12 §11.1, §4.1: whoever says “I have paid” before paying learns of the payment seconds after it', async () => {
  const borrower = await runToDisbursal('ABCPE1234F')
  assert.equal((await requestServicing(borrower, 'foreclosure')).status, 200)
  const { redirectUrl } = await waitForPayment(borrower, 'FORECLOSURE', 'LINK_READY')
  const askedAt = Date.now()
  assert.equal((await requestServicing(borrower, 'status')).status, 200)
  const { check } = paymentIn(await readView(borrower), 'FORECLOSURE')!
  assert.equal(check!.isOver, false)
  assert.ok(new Date(check!.until).getTime() > askedAt + 50_000, check!.until)
  await until('the answer to the status request', async () => {
    const [last] = (await archiveOf(programs, borrower.journeyId)).slice(-1)
    return last!.action === 'on_status'
  })
  // From now on the lender sends nothing on its own.
  await answerPage(redirectUrl!, 'approve')
  const paidAt = Date.now()
  await waitForPayment(borrower, 'FORECLOSURE', 'PAID')
  const seconds = (Date.now() - paidAt) / 1000
  assert.ok(seconds < 15, `${seconds} s, although the next regular poll is 30 s after the request`)
  assert.deepEqual(await faultsOf(borrower), [])
})

test('D2 §4: a part payment is limited by what is left, and its saving is that of the lender’s schedules', async () => {
  const borrower = await runToDisbursal('ABCPE1234F')
  const tooMuch = await requestServicing(borrower, 'pre-part-payment', { amount: '999999999' })
  assert.equal(tooMuch.status, 400)
  assert.equal(tooMuch.body.error.details.field, 'amount')
  const planned = (await readView(borrower)).installments
  const paid = await payAndWait(borrower, 'pre-part-payment', 'PRE_PART_PAYMENT', { amount: '20000' })
  const left = (await readView(borrower)).installments
  const unpaidSum = (installments: EmbedView['installments']) =>
    installments.reduce((sum, { amount, status }) => (status === 'NOT-DUE' ? sum + paiseFrom(amount)! : sum), 0n)
  assert.equal(paiseFrom(paid.saved!), unpaidSum(planned) - unpaidSum(left) - 20_000_00n)
})

test('D2 §4: a borrower who changes the amount of a part payment gets a page for the new amount, and pays once', async () => {
  const borrower = await runToDisbursal('ABCPE1234F')
  assert.equal((await requestServicing(borrower, 'pre-part-payment', { amount: '20000' })).status, 200)
  const first = await waitForPayment(borrower, 'PRE_PART_PAYMENT', 'LINK_READY')
  const same = await requestServicing(borrower, 'pre-part-payment', { amount: '20000' })
  assert.equal(same.body.error.code, 'ASYNC_OPERATION_PENDING')
  assert.equal((await requestServicing(borrower, 'pre-part-payment', { amount: '30000' })).status, 200)
  const second = await until('the page for the new amount', async () => {
    const found = (await readView(borrower)).servicing.find(({ kind }) => kind === 'PRE_PART_PAYMENT')
    return found?.operationId !== first.operationId && found?.status === 'LINK_READY' && found
  })
  assert.notEqual(second.redirectUrl, first.redirectUrl)
  assert.match(await (await fetch(first.redirectUrl!)).text(), /no longer valid/)
  await answerPage(second.redirectUrl!, 'approve')
  const paid = await waitForPayment(borrower, 'PRE_PART_PAYMENT', 'PAID')
  assert.equal(Number(paid.amount) >= 30_000, true)
  assert.equal((await readView(borrower)).receipts.filter(({ kind }) => kind === 'PRE_PART_PAYMENT').length, 1)
  assert.deepEqual(await faultsOf(borrower), [])
})

test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))
