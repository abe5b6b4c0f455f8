// Loans with bank data: the consent at the account aggregator, its outcomes, and the monitoring consent after the sanction.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { listAaSessions } from '@lendloom/platform/src/lenders/network/consent/store.ts'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { decideAtAggregator, visitAggregator } from '#test/setup/aggregator.ts'
import {
  apply,
  type Borrower,
  browseOnly,
  call,
  enter,
  newApplicant,
  openSession,
  proceedUntil,
  readView,
  showsScreen,
} from '#test/setup/borrower.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { registryKeys } from '#test/setup/transcript.ts'
import { inEnglish } from '#test/setup/words.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const { platformUrl, tenant, db } = programs

async function enterAs(pan: string): Promise<Borrower> {
  const { body } = await openSession(platformUrl, tenant, newApplicant())
  return enter(platformUrl, body.embedUrl, pan)
}

const narmada = ({ accountAggregator }: EmbedView) =>
  accountAggregator.find(({ lenderName }) => lenderName === 'Narmada Finserv')
const offerOf = ({ offers }: EmbedView) => offers.find(({ lenderName }) => lenderName === 'Narmada Finserv')
const answerOf = ({ lenders }: EmbedView) => lenders.find(({ name }) => name === 'Narmada Finserv')
const sessionOf = async ({ journeyId }: Borrower) =>
  (await listAaSessions(db, { tenantId: tenant.tenantId, journeyId })).at(-1)!

/** The actions exchanged with one lender; fails on a violation of the network's rules. */
async function actionsWith({ journeyId }: Borrower, lender: string): Promise<string[]> {
  const transcript = await transcriptOf(programs, tenant.tenantId, journeyId)
  assert.deepEqual(invariantsOf(transcript, await registryKeys(programs)), [])
  return transcript.filter(({ party }) => party === `${lender}.sandbox.example`).map(({ action }) => action)
}

/** Applies, and waits until Narmada requests the consent. */
async function borrowerWithConsentDue(pan = 'ABCPE1234F'): Promise<Borrower> {
  const borrower = await enterAs(pan)
  await apply(borrower)
  await proceedUntil(borrower, 'Narmada asks', (view) => narmada(view) !== undefined, browseOnly)
  return borrower
}

const linkOf = async (borrower: Borrower): Promise<string> => {
  const { status, body } = await call(borrower, 'POST', `/aa/${narmada(borrower.view)!.offerId}/redirect`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.url
}

test('D2 §2.2, FIS12 §7.8: a lender waits for the consent while others offer, and offers after the approval', async () => {
  const borrower = await borrowerWithConsentDue()
  assert.equal((await sessionOf(borrower)).state, 'REQUIRED')
  assert.equal(answerOf(borrower.view)!.status, 'OFFER_AWAITED')
  await proceedUntil(borrower, 'others offer', ({ offers }) => offers.length > 0, browseOnly)
  const url = await linkOf(borrower)
  assert.equal((await sessionOf(borrower)).state, 'IN_PROGRESS')
  const page = await visitAggregator(url, 'approve')
  assert.equal(page.status, 200)
  assert.match(await page.text(), /close this window/)
  await proceedUntil(borrower, 'Narmada offers', (view) => offerOf(view) !== undefined, browseOnly)
  assert.equal((await sessionOf(borrower)).state, 'CONFIRMED')
  assert.equal(narmada(borrower.view), undefined)
  const choose = (offers: EmbedView['offers']) => {
    const offer = offers.find(({ lenderName }) => lenderName === 'Narmada Finserv')!
    return { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths }
  }
  await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), { choose })
  const actions = await actionsWith(borrower, 'narmada')
  assert.deepEqual(actions.slice(0, 5), ['on_search', 'select', 'on_select', 'select', 'on_select'])
})

test('D2 §2.2: a rejected consent is FAILED, and the lender makes no offer', async () => {
  const borrower = await borrowerWithConsentDue()
  await visitAggregator(await linkOf(borrower), 'decline')
  await proceedUntil(borrower, 'no offer', (view) => answerOf(view)!.status === 'NO_OFFER_AVAILABLE', browseOnly)
  assert.match(inEnglish(answerOf(borrower.view)!.reason), /did not share/)
  const session = await sessionOf(borrower)
  assert.equal(session.state, 'FAILED')
  assert.equal((await call(borrower, 'POST', `/aa/${session.offerId}/redirect`)).status, 409)
})

test('D2 §2.2: a borrower who decides later gets a new link', async () => {
  const borrower = await borrowerWithConsentDue()
  const first = await linkOf(borrower)
  await visitAggregator(first, 'later')
  await until('the consent is undecided', async () => (await sessionOf(borrower)).state === 'REDIRECT_READY')
  assert.equal(narmada(await readView(borrower))!.standing, 'DUE')
  const second = await linkOf(borrower)
  assert.notEqual(second, first)
  await visitAggregator(second, 'approve')
  await proceedUntil(borrower, 'Narmada offers', (view) => offerOf(view) !== undefined, browseOnly)
})

test('D2 §2.2: an approval without a return is found by polling the aggregator', async () => {
  const borrower = await borrowerWithConsentDue()
  await decideAtAggregator(await linkOf(borrower), 'approve')
  await proceedUntil(borrower, 'Narmada offers', (view) => offerOf(view) !== undefined, browseOnly)
  const session = await sessionOf(borrower)
  assert.equal(session.state, 'CONFIRMED')
  assert.equal(session.returnedCode, null)
})

test('D2 §2.2: an undecided consent becomes EXPIRED', async () => {
  const borrower = await borrowerWithConsentDue()
  await visitAggregator(await linkOf(borrower), 'lapse')
  await until('the session has expired', async () => (await sessionOf(borrower)).state === 'EXPIRED')
  await proceedUntil(borrower, 'no offer', (view) => answerOf(view)!.status === 'NO_OFFER_AVAILABLE', browseOnly)
  assert.match(inEnglish(answerOf(borrower.view)!.reason), /time .* has run out/)
})

test('FIS12 §3.4: a lender that cannot create the consent (80201) makes no offer, and there is no session', async () => {
  const borrower = await enterAs('ABCPE9021F')
  await apply(borrower)
  await proceedUntil(borrower, 'no offer', (view) => answerOf(view)?.status === 'NO_OFFER_AVAILABLE', browseOnly)
  assert.equal(await sessionOf(borrower), undefined)
})

test('FIS12 §3.4: after an unknown handle (80230) the platform requests the offer again with another handle', async () => {
  const borrower = await borrowerWithConsentDue('ABCPE9024F')
  const { offerId, standing, handle } = narmada(borrower.view)!
  assert.equal(standing, 'HANDLE')
  assert.equal(handle!.at, 'sandbox-aa')
  assert.equal(answerOf(borrower.view)!.status, 'OFFER_AWAITED')
  assert.match(handle!.refused, /^98\d{8}@sandbox-aa$/)
  assert.equal((await call(borrower, 'POST', `/aa/${offerId}/redirect`)).status, 409, 'no redirect without a handle')
  const submitHandle = (aaID: string) => call(borrower, 'POST', `/aa/${offerId}/handle`, { aaID })
  for (const wrong of ['asha@elsewhere', handle!.refused]) {
    const { status, body } = await submitHandle(wrong)
    assert.equal(status, 400, wrong)
    assert.equal(body.error.details.field, 'aaID', wrong)
  }
  assert.equal((await submitHandle('asha.kulkarni@sandbox-aa')).status, 200)
  assert.equal((await submitHandle('asha@sandbox-aa')).status, 409, 'the request is in progress')
  await proceedUntil(borrower, 'the consent', (view) => narmada(view)?.standing === 'DUE', browseOnly)
  await visitAggregator(await linkOf(borrower), 'approve')
  await proceedUntil(borrower, 'Narmada offers', (view) => offerOf(view) !== undefined, browseOnly)
  const session = await sessionOf(borrower)
  assert.equal(session.state, 'CONFIRMED')
  assert.equal(session.handleWanted, false)
  const actions = await actionsWith(borrower, 'narmada')
  assert.deepEqual(actions.slice(1, 7), ['select', 'on_select', 'select', 'on_select', 'select', 'on_select'])
})

for (const [digits, code] of [
  ['9022', '80202'],
  ['9023', '80224'],
] as const)
  test(`FIS12 §3.4: a lender’s failure after the approval (${code}) makes the session FAILED`, async () => {
    const borrower = await borrowerWithConsentDue(`ABCPE${digits}F`)
    await visitAggregator(await linkOf(borrower), 'approve')
    await proceedUntil(borrower, 'no offer', (view) => answerOf(view)!.status === 'NO_OFFER_AVAILABLE', browseOnly)
    assert.equal((await sessionOf(borrower)).state, 'FAILED')
  })

test('FIS12 §8.1 rows 18–20: a lender that monitors the account disburses after the consent, and requests it again after a refusal', async () => {
  const borrower = await enterAs('ABCPE9025F')
  const due = ({ screen, accountAggregator: [first] }: EmbedView) => screen === 'DISBURSAL' && first?.standing === 'DUE'
  await proceedUntil(borrower, 'the lender asks', due)
  const { offerId, purpose } = borrower.view.accountAggregator[0]!
  assert.equal(purpose, 'MONITORING')
  const link = async () => (await call(borrower, 'POST', `/aa/${offerId}/redirect`)).body.url
  await visitAggregator(await link(), 'decline')
  const first = await sessionOf(borrower)
  await proceedUntil(
    borrower,
    'the consent is refused',
    ({ accountAggregator: [consent] }) => consent?.standing === 'OVER',
  )
  await until('another handle', async () => (await sessionOf(borrower)).consentHandle !== first.consentHandle)
  await proceedUntil(borrower, 'the lender requests the consent again', due)
  await visitAggregator(await link(), 'approve')
  await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'))
  assert.equal((await sessionOf(borrower)).state, 'CONFIRMED')
  const lender = borrower.view.selected!.lenderName.split(' ')[0]!.toLowerCase()
  const actions = (await actionsWith(borrower, lender)).filter((action) => !action.endsWith('status'))
  assert.deepEqual(actions.slice(-5), ['on_confirm', 'on_update', 'on_update', 'update', 'on_update'])
})

test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))
