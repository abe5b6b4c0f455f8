// After the money: a missed instalment, a part repaid early and the end of a loan, over real HTTP between real programs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmbedView } from '#contract/hosted/embed.ts'
import type { EmbedPayment, PaymentKind, ServicingPath } from '#contract/hosted/embed-servicing.ts'
import { paiseFrom } from '#kit/money/money.ts'
import {
  answerPage,
  type Borrower,
  call,
  enter,
  goOn,
  newApplicant,
  openSession,
  readView,
  shows,
} from '#test/setup/borrower.ts'
import { faultsOfJourney } from '#test/setup/judging.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { archiveOf, bodyOf, registryKeys } from '#test/setup/transcript.ts'
import { inEnglish } from '#test/setup/words.ts'

// Nobody is asked how a loan stands before the lender had its chance to tell.
const programs = await sharedPrograms({ env: { STATUS_POLL_SECONDS: '30' } })

const ofMeridian = (offers: EmbedView['offers']) => {
  const offer = offers.find(({ lenderName }) => lenderName === 'Meridian Finance')
  return offer ? { offer, amount: '100000', tenureMonths: 12 } : null
}

/** Somebody whose loan with Meridian Finance was paid out; the digits of the PAN ask for a fault scenario. */
async function repaying(pan: string): Promise<Borrower> {
  const person = newApplicant()
  const opened = await openSession(programs.platformUrl, programs.tenant, person)
  const borrower = await enter(programs.platformUrl, opened.body.embedUrl, pan)
  await goOn(borrower, 'the money', shows('DISBURSED'), { choose: ofMeridian })
  return borrower
}

const ask = (borrower: Borrower, path: ServicingPath, body: object = {}) =>
  call(borrower, 'POST', `/servicing/${path}`, body)

const paymentIn = ({ servicing }: EmbedView, kind: PaymentKind): EmbedPayment | undefined =>
  servicing.find((each) => each.kind === kind)

const reaching = (borrower: Borrower, kind: PaymentKind, status: EmbedPayment['status'], withinMs?: number) =>
  until(
    `${kind} ${status}`,
    async () => {
      const payment = paymentIn(await readView(borrower), kind)
      return payment?.status === status && payment
    },
    withinMs,
  )

/** Asks, pays on the lender's page, and waits until the lender says so. */
async function pays(
  borrower: Borrower,
  path: ServicingPath,
  kind: PaymentKind,
  body: object = {},
): Promise<EmbedPayment> {
  assert.equal((await ask(borrower, path, body)).status, 200)
  const { redirectUrl } = await reaching(borrower, kind, 'LINK_READY')
  await answerPage(redirectUrl!, 'approve')
  return reaching(borrower, kind, 'PAID')
}

const faultsOf = async ({ journeyId }: Borrower): Promise<string[]> =>
  faultsOfJourney(programs, { tenantId: programs.tenant.tenantId, journeyId }, await registryKeys(programs))

const statuses = ({ installments }: EmbedView) => installments.map(({ status }) => status)
const lastOrder = async (borrower: Borrower, action: string) =>
  (await archiveOf(programs, borrower.journeyId))
    .filter((each) => each.action === action)
    .map(bodyOf)
    .at(-1).message.order

test('D2 §4, FIS12 §11.1: a missed instalment is paid, a part is repaid, the loan is closed', async () => {
  const borrower = await repaying('ABCPE9031F')
  const [first, ...others] = statuses(borrower.view)
  assert.equal(first, 'OVERDUE')
  assert.ok(others.every((status) => status === 'NOT-DUE'))
  const early = await ask(borrower, 'pre-part-payment', { amount: '20000' })
  assert.equal(early.status, 200)
  const refused = await reaching(borrower, 'PRE_PART_PAYMENT', 'FAILED')
  assert.match(inEnglish(refused.problem), /cannot do this/)

  const missed = await pays(borrower, 'missed-emi-payment', 'MISSED_EMI_PAYMENT')
  const [instalment] = borrower.view.installments
  assert.equal(paiseFrom(missed.amount!)! - paiseFrom(instalment!.amount)!, 500_00n)
  assert.deepEqual(statuses(await readView(borrower)), ['CLOSED', ...others])

  const before = borrower.view.installments
  const part = await pays(borrower, 'pre-part-payment', 'PRE_PART_PAYMENT', { amount: '20000' })
  assert.equal(part.amount, '20000.00')
  const plan = (await readView(borrower)).installments
  assert.ok(plan.at(-1)!.status === 'CLOSED' && before.at(-1)!.status === 'NOT-DUE')
  const principal = (order: { quote: { breakup: { title: string; price: { value: string } }[] } }, title: string) =>
    paiseFrom(order.quote.breakup.find((row) => row.title === title)!.price.value)!
  const repaid = await lastOrder(borrower, 'on_update')
  assert.equal(principal(repaid, 'PRINCIPAL') + principal(repaid, 'OUTSTANDING_PRINCIPAL'), 100_000_00n)

  await pays(borrower, 'foreclosure', 'FORECLOSURE')
  const closed = await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED' && borrower.view)
  assert.ok(statuses(closed).every((status) => status === 'CLOSED'))
  assert.equal(closed.pollAfterMs, null)
  assert.deepEqual(await faultsOf(borrower), [])
  const events = await programs.db<{ status: string }>`
    select status from lifecycle_event where journey_id = ${borrower.journeyId} order by sequence`
  assert.equal(events.length, 7, 'nothing is told after DISBURSED')
  const [journey] = await programs.db<{ active: boolean; status: string; closedAt: Date | null }>`
    select active, status, closed_at from journey where journey_id = ${borrower.journeyId}`
  assert.deepEqual([journey!.active, journey!.status, journey!.closedAt !== null], [false, 'DISBURSED', true])
  assert.equal((await ask(borrower, 'foreclosure')).status, 409)
})

test('D2 §4: an impossible request is refused, and one of a kind is open at a time', async () => {
  const borrower = await repaying('ABCPE1234F')
  // Whether an instalment was missed is the lender's to say: this one knows of none.
  assert.equal((await ask(borrower, 'missed-emi-payment')).status, 200)
  const none = await reaching(borrower, 'MISSED_EMI_PAYMENT', 'FAILED')
  assert.match(inEnglish(none.problem), /no EMI is overdue/)
  const bare = await ask(borrower, 'pre-part-payment')
  assert.deepEqual([bare.status, bare.body.error.details.field], [400, 'amount'])
  assert.equal((await ask(borrower, 'pre-part-payment', { amount: '1.50' })).status, 400)
  assert.equal((await ask(borrower, 'foreclosure')).status, 200)
  const again = await ask(borrower, 'foreclosure')
  assert.deepEqual([again.status, again.body.error.code], [409, 'ASYNC_OPERATION_PENDING'])
  const { redirectUrl } = await reaching(borrower, 'FORECLOSURE', 'LINK_READY')
  const untouched = statuses(borrower.view)

  // Leaving the page unpaid changes nothing; asking for something else beside it is fine.
  await answerPage(redirectUrl!, 'decline')
  assert.equal((await ask(borrower, 'pre-part-payment', { amount: '5000' })).status, 200)
  const part = await reaching(borrower, 'PRE_PART_PAYMENT', 'LINK_READY')
  assert.deepEqual(statuses(await readView(borrower)), untouched)

  // The part is paid: what it would have cost to close the loan is no longer true.
  await answerPage(part.redirectUrl!, 'approve')
  await reaching(borrower, 'PRE_PART_PAYMENT', 'PAID')
  assert.match(await (await fetch(redirectUrl!)).text(), /no longer valid/)
  assert.equal((await ask(borrower, 'status')).status, 200)
  assert.match(inEnglish((await reaching(borrower, 'FORECLOSURE', 'EXPIRED')).problem), /ask for it again/)
  assert.deepEqual(await faultsOf(borrower), [])
})

test('FIS12 §3.4: a payment that fails (80213) may be made again; a page that cannot be shown (80212) is said so', async () => {
  const [unlucky, pageless] = await Promise.all([repaying('ABCPE9032F'), repaying('ABCPE9034F')])
  await ask(unlucky, 'pre-part-payment', { amount: '10000' })
  const { redirectUrl } = await reaching(unlucky, 'PRE_PART_PAYMENT', 'LINK_READY')
  await answerPage(redirectUrl!, 'approve')
  assert.match(inEnglish((await reaching(unlucky, 'PRE_PART_PAYMENT', 'FAILED')).problem), /could not be completed/)
  await answerPage(redirectUrl!, 'approve')
  const { problem } = await reaching(unlucky, 'PRE_PART_PAYMENT', 'PAID')
  assert.equal(problem, null)
  assert.deepEqual(await faultsOf(unlucky), [])

  await ask(pageless, 'foreclosure')
  assert.match(inEnglish((await reaching(pageless, 'FORECLOSURE', 'FAILED')).problem), /payment link/)
  assert.equal((await readView(pageless)).screen, 'DISBURSED')
  assert.deepEqual(await faultsOf(pageless), [])
})

test('FIS12 §18.5, PAN 9035: an instalment of which the lender tells only when it is asked is paid', async () => {
  const borrower = await repaying('ABCPE9035F')
  assert.ok(statuses(borrower.view).every((status) => status === 'NOT-DUE'))
  await pays(borrower, 'missed-emi-payment', 'MISSED_EMI_PAYMENT')
  assert.equal(statuses(await readView(borrower))[0], 'CLOSED')
  assert.deepEqual(await faultsOf(borrower), [])
})

test('FIS12 §11.1, §4.1: a payment made after somebody asked for the status is found by asking', async () => {
  const borrower = await repaying('ABCPE1234F')
  await ask(borrower, 'foreclosure')
  const { redirectUrl } = await reaching(borrower, 'FORECLOSURE', 'LINK_READY')
  await ask(borrower, 'status')
  await until('the answer', async () => (await archiveOf(programs, borrower.journeyId)).at(-1)!.action === 'on_status')
  await answerPage(redirectUrl!, 'approve')
  await ask(borrower, 'status')
  await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED')
  assert.deepEqual(await faultsOf(borrower), [])
})

test('FIS12 §11.1: a page whose time has passed has expired, and can be asked for again', async () => {
  const borrower = await repaying('ABCPE9033F')
  await ask(borrower, 'foreclosure')
  await reaching(borrower, 'FORECLOSURE', 'LINK_READY')
  await new Promise((resolve) => setTimeout(resolve, 5_200))
  await ask(borrower, 'status')
  await reaching(borrower, 'FORECLOSURE', 'EXPIRED')
  assert.equal((await pays(borrower, 'foreclosure', 'FORECLOSURE')).status, 'PAID')
  assert.deepEqual(await faultsOf(borrower), [])
})

test('no program complained', () => assert.deepEqual(programs.complaints, []))
