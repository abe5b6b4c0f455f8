// Whole loans against mutual funds with lenders of the sandbox in ONDC:FIS12:SL, beside lenders with a page per step (FIS12 §27).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { paiseFrom } from '@lendloom/lending/money'
import type { EmbedPayment } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { disbursedStatuses } from '#test/oracles/lifecycle-oracle.ts'
import { answerPage, type Borrower, call, enter, type Plan, proceedUntil, readView } from '#test/setup/borrower.ts'
import { drawFrom } from '#test/setup/draw-from-line.ts'
import { fundsCases, mfc } from '#test/setup/funds.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const programs = await startPrograms({
  lenders: allLenders,
  env: {
    SANDBOX_LENDER_VERSIONS: 'tulsi=2.3.0-stops,sahyadri=2.3.0-stops',
    NETWORK_DOMAINS: 'ONDC:FIS12,ONDC:FIS12:SL',
  },
})
const listener = await startListener(programs.platformUrl, programs.tenant)
const { startJourney, assertValidTranscript } = fundsCases(programs)

/** Starts a journey, takes the offer of this lender, and opens the hosted page. */
async function borrowerWith(lenderName: string, digits: string, productType: 'CREDIT_LINE' | 'TERM_LOAN') {
  const { callHybrid, lenders } = await startJourney(digits, { mfc, loanPreferences: { productType } })
  const lender = await until(`the offer of ${lenderName}`, async () =>
    (await lenders()).find((each) => each.lender_name === lenderName && each.offers.length > 0),
  )
  const handover = await callHybrid('POST', `/offers/${lender.offers[0]!.offer_id}/hosted`, {})
  return { lenders, borrower: await enter(programs.platformUrl, handover.body.data.hosted_url) }
}

async function proceedTo(
  screen: EmbedView['screen'],
  { borrower }: Pick<Awaited<ReturnType<typeof borrowerWith>>, 'borrower'>,
  plan: Plan = {},
): Promise<string[]> {
  const screens: string[] = []
  const isReached = (view: EmbedView) => {
    if (screens.at(-1) !== view.screen) screens.push(view.screen)
    return view.screen === screen
  }
  await proceedUntil(borrower, screen, isReached, plan)
  return screens
}

const kinds = {
  'missed-emi-payment': 'MISSED_EMI_PAYMENT',
  'pre-part-payment': 'PRE_PART_PAYMENT',
  foreclosure: 'FORECLOSURE',
} as const

/** Requests a payment and pays it on the lender's page. Returns it as the page showed it before. */
async function payAt(borrower: Borrower, path: keyof typeof kinds, body: object = {}) {
  const kind = kinds[path]
  const waitFor = (status: EmbedPayment['status']) =>
    until(`${kind} ${status}`, async () =>
      (await readView(borrower)).servicing.find((each) => each.kind === kind && each.status === status),
    )
  assert.equal((await call(borrower, 'POST', `/servicing/${path}`, body)).status, 200)
  const asked = await waitFor('LINK_READY')
  await answerPage(asked.redirectUrl!, 'approve')
  await waitFor('PAID')
  return asked
}

const updatesOf = async (journeyId: string, status: string) =>
  (await listener.waitForArrivals(journeyId, status)).map(({ payload }) => payload.borrower.journey)

describe('lenders of mutual fund loans with stops', { concurrency: 3 }, () => {
  test('FIS12 §27.2: a credit line is opened after one page of its lender, which also takes a complaint about it', async () => {
    const line = await borrowerWith('Tulsi Credit', '1251', 'CREDIT_LINE')
    const screens = await proceedTo('LINE_OPEN', line)
    const due = screens.filter((screen) => /^(BANK|KYC|LIEN|E_MANDATE|LOAN_AGREEMENT)$/.test(screen))
    assert.deepEqual(due, ['KYC'], 'the page has all steps, the account too')
    const { creditLine, steps, selected } = line.borrower.view
    assert.equal(creditLine!.used, '0.00')
    assert.equal(line.borrower.view.paysHere, true)
    assert.equal(line.borrower.view.drawsHere, true)
    const complaint = { topic: 'CHARGES', text: 'A charge of 500 rupees was taken that the offer did not show.' }
    assert.equal((await call(line.borrower, 'POST', '/grievances', complaint)).status, 200)
    await until('the resolution, in the same domain', async () =>
      (await readView(line.borrower)).grievances!.items.some(({ status }) => status === 'RESOLVED'),
    )
    assert.equal(steps.kyc.attempts, 1)
    assert.equal(steps.bankMandate.status, 'NOT_REQUIRED')
    assert.deepEqual(
      selected!.lenderPage!.stops.map(({ step, state }) => `${step} ${state}`),
      ['kyc done', 'eMandate done', 'pledge done', 'loanAgreement done'],
    )
    await assertValidTranscript(line.borrower.journeyId)
  })

  test('FIS12 §27.5, D1 §3: a line is drawn twice, repaid in part and closed; its first payout is DISBURSED', async () => {
    const { borrower } = await borrowerWith('Tulsi Credit', '1254', 'CREDIT_LINE')
    await proceedTo('LINE_OPEN', { borrower })
    await drawFrom(borrower, '25000')
    await until('the drawn amount', async () => (await readView(borrower)).creditLine!.used === '25000.00')
    await drawFrom(borrower, '10000')
    await until('both amounts', async () => (await readView(borrower)).creditLine!.used === '35000.00')
    const tooMuch = await call(borrower, 'POST', '/servicing/pre-part-payment', { amount: '35001' })
    assert.equal(tooMuch.status, 400, JSON.stringify(tooMuch.body))
    await payAt(borrower, 'pre-part-payment', { amount: '20000' })
    await until('the repaid amount', async () => (await readView(borrower)).creditLine!.used === '15000.00')
    await payAt(borrower, 'foreclosure')
    await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED')
    const updates = await updatesOf(borrower.journeyId, 'DISBURSED')
    assert.equal(updates.length, disbursedStatuses.length, 'a second drawdown adds no event')
    await assertValidTranscript(borrower.journeyId)
  })

  test('FIS12 §27.2, D1 §3: a term loan is paid out after the order, and its seven events come in order', async () => {
    const loan = await borrowerWith('Sahyadri Capital', '1251', 'TERM_LOAN')
    await proceedTo('DISBURSED', loan)
    const updates = await updatesOf(loan.borrower.journeyId, 'DISBURSED')
    assert.deepEqual(
      updates.map(({ status }) => status),
      disbursedStatuses,
    )
    const { installments, accepted } = updates.at(-1)!.offers.find((offer) => offer.accepted)!
    assert.equal(accepted, true)
    assert.ok(installments.length > 0)
    await assertValidTranscript(loan.borrower.journeyId)
  })

  test('FIS12 §27.4, D2 §4: a missed instalment, a part and the rest of a term loan are paid, with the parts that its lender states', async () => {
    const { borrower } = await borrowerWith('Sahyadri Capital', '9031', 'TERM_LOAN')
    await proceedTo('DISBURSED', { borrower })
    assert.equal(borrower.view.paysHere, true)
    const [instalment] = borrower.view.installments
    const missed = await payAt(borrower, 'missed-emi-payment')
    const [first, charge] = missed.parts
    assert.deepEqual(first, { part: 'instalment', amount: instalment!.amount })
    assert.equal(charge!.part, 'charges')
    assert.equal(paiseFrom(missed.amount!)!, paiseFrom(first!.amount)! + paiseFrom(charge!.amount)!)
    const part = await payAt(borrower, 'pre-part-payment', { amount: '20000' })
    assert.equal(part.amount, '20000.00', 'nothing is charged in the cooling-off period')
    await payAt(borrower, 'foreclosure')
    await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED')
    const updates = await updatesOf(borrower.journeyId, 'DISBURSED')
    assert.equal(updates.length, disbursedStatuses.length, 'a payment adds no event')
    await assertValidTranscript(borrower.journeyId)
  })

  test('FIS12 §27.1: the same journey reaches lenders with a page per step in the other domain', async () => {
    const loan = await borrowerWith('Meridian Finance', '1252', 'TERM_LOAN')
    const names = (await loan.lenders()).map(({ lender_name }) => lender_name)
    assert.ok(names.includes('Sahyadri Capital'))
    const screens = await proceedTo('DISBURSED', loan)
    assert.ok(screens.includes('LIEN'))
    await assertValidTranscript(loan.borrower.journeyId)
  })

  test('FIS12 §27.2, PAN 9010: a page that fails once is tried again', async () => {
    const line = await borrowerWith('Tulsi Credit', '9010', 'CREDIT_LINE')
    await proceedTo('LINE_OPEN', line)
    assert.equal(line.borrower.view.steps.kyc.attempts, 2)
    await assertValidTranscript(line.borrower.journeyId)
  })

  test('FIS12 §27.2: a declined page ends the application', async () => {
    const line = await borrowerWith('Tulsi Credit', '1253', 'CREDIT_LINE')
    await proceedTo('REJECTED', line, { declinedSteps: ['kyc'] })
    const updates = await updatesOf(line.borrower.journeyId, 'REJECTED')
    assert.equal(updates.at(-1)!.decision_status, 'NOT_APPROVED')
    await assertValidTranscript(line.borrower.journeyId)
  })
})
