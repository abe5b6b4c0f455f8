// Loans for which a lender wants bank data: the consent at the aggregator, every ending of it, and the one that comes after the sanction.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invariantsOf } from '#conformance/network/v203/invariants.ts'
import type { EmbedView } from '#contract/hosted/embed.ts'
import { listAaSessions } from '#platform/aa/store.ts'
import { transcriptOf } from '#platform/network/transcript.ts'
import { decideAtAggregator, visitAggregator } from '#test/setup/aggregator.ts'
import {
  apply,
  type Borrower,
  browsing,
  call,
  enter,
  goOn,
  newApplicant,
  openSession,
  readView,
  shows,
} from '#test/setup/borrower.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { registryKeys } from '#test/setup/transcript.ts'
import { inEnglish } from '#test/setup/words.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const { platformUrl, tenant, db } = programs

async function borrower(pan: string): Promise<Borrower> {
  const { body } = await openSession(platformUrl, tenant, newApplicant())
  return enter(platformUrl, body.embedUrl, pan)
}

const narmada = ({ accountAggregator }: EmbedView) =>
  accountAggregator.find(({ lenderName }) => lenderName === 'Narmada Finserv')
const offerOf = ({ offers }: EmbedView) => offers.find(({ lenderName }) => lenderName === 'Narmada Finserv')
const answerOf = ({ lenders }: EmbedView) => lenders.find(({ name }) => name === 'Narmada Finserv')
const sessionOf = async ({ journeyId }: Borrower) =>
  (await listAaSessions(db, { tenantId: tenant.tenantId, journeyId })).at(-1)!

/** The messages to one lender, which must keep every rule and invariant of the network. */
async function actionsWith({ journeyId }: Borrower, lender: string): Promise<string[]> {
  const transcript = await transcriptOf(programs, tenant.tenantId, journeyId)
  assert.deepEqual(invariantsOf(transcript, await registryKeys(programs)), [])
  return transcript.filter(({ party }) => party === `${lender}.sandbox.example`).map(({ action }) => action)
}

/** Applies, and waits until Narmada asks for the bank statement beside the offers of the others. */
async function borrowerWithConsentDue(pan = 'ABCPE1234F'): Promise<Borrower> {
  const one = await borrower(pan)
  await apply(one)
  await goOn(one, 'Narmada asks', (view) => narmada(view) !== undefined, browsing)
  return one
}

const linkOf = async (one: Borrower): Promise<string> => {
  const { status, body } = await call(one, 'POST', `/aa/${narmada(one.view)!.offerId}/redirect`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.url
}

test('D2 §2.2, FIS12 §7.8: a lender waits for the consent beside ready offers, and offers once it is given', async () => {
  const one = await borrowerWithConsentDue()
  assert.equal((await sessionOf(one)).state, 'REQUIRED')
  assert.equal(answerOf(one.view)!.status, 'OFFER_AWAITED')
  await goOn(one, 'others offer', ({ offers }) => offers.length > 0, browsing)
  const url = await linkOf(one)
  assert.equal((await sessionOf(one)).state, 'IN_PROGRESS')
  const page = await visitAggregator(url, 'approve')
  assert.equal(page.status, 200)
  assert.match(await page.text(), /close this window/)
  await goOn(one, 'Narmada offers', (view) => offerOf(view) !== undefined, browsing)
  assert.equal((await sessionOf(one)).state, 'CONFIRMED')
  assert.equal(narmada(one.view), undefined)
  const choose = (offers: EmbedView['offers']) => {
    const offer = offers.find(({ lenderName }) => lenderName === 'Narmada Finserv')!
    return { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths }
  }
  await goOn(one, 'the money', shows('DISBURSED'), { choose })
  const actions = await actionsWith(one, 'narmada')
  assert.deepEqual(actions.slice(0, 5), ['on_search', 'select', 'on_select', 'select', 'on_select'])
})

test('D2 §2.2: the borrower rejects: FAILED, and the lender makes no offer', async () => {
  const one = await borrowerWithConsentDue()
  await visitAggregator(await linkOf(one), 'decline')
  await goOn(one, 'no offer', (view) => answerOf(view)!.status === 'NO_OFFER_AVAILABLE', browsing)
  assert.match(inEnglish(answerOf(one.view)!.reason), /did not share/)
  assert.equal((await sessionOf(one)).state, 'FAILED')
  assert.equal((await call(one, 'POST', `/aa/${(await sessionOf(one)).offerId}/redirect`)).status, 409)
})

test('D2 §2.2: who decides later gets a new link, and the old one is spent', async () => {
  const one = await borrowerWithConsentDue()
  const first = await linkOf(one)
  await visitAggregator(first, 'later')
  await until('undecided', async () => (await sessionOf(one)).state === 'REDIRECT_READY')
  assert.equal(narmada(await readView(one))!.standing, 'DUE')
  const second = await linkOf(one)
  assert.notEqual(second, first)
  await visitAggregator(second, 'approve')
  await goOn(one, 'Narmada offers', (view) => offerOf(view) !== undefined, browsing)
})

test('D2 §2.2: an approval without any return is seen by asking the aggregator', async () => {
  const one = await borrowerWithConsentDue()
  await decideAtAggregator(await linkOf(one), 'approve')
  await goOn(one, 'Narmada offers', (view) => offerOf(view) !== undefined, browsing)
  assert.deepEqual([(await sessionOf(one)).state, (await sessionOf(one)).returnedCode], ['CONFIRMED', null])
})

test('D2 §2.2: a consent that nobody decided on in time: EXPIRED', async () => {
  const one = await borrowerWithConsentDue()
  await visitAggregator(await linkOf(one), 'lapse')
  await until('expired', async () => (await sessionOf(one)).state === 'EXPIRED')
  await goOn(one, 'no offer', (view) => answerOf(view)!.status === 'NO_OFFER_AVAILABLE', browsing)
  assert.match(inEnglish(answerOf(one.view)!.reason), /time .* has run out/)
})

test('FIS12 §3.4: a lender that cannot ask for the consent (80201) makes no offer, and there is no session', async () => {
  const one = await borrower('ABCPE9021F')
  await apply(one)
  await goOn(one, 'no offer', (view) => answerOf(view)?.status === 'NO_OFFER_AVAILABLE', browsing)
  assert.equal(await sessionOf(one), undefined)
})

test('FIS12 §3.4: a lender that does not know the borrower’s handle (80230) is asked again with another one', async () => {
  const one = await borrowerWithConsentDue('ABCPE9024F')
  const { offerId, standing: report, handle } = narmada(one.view)!
  assert.deepEqual([report, handle!.at, answerOf(one.view)!.status], ['HANDLE', 'sandbox-aa', 'OFFER_AWAITED'])
  assert.match(handle!.refused, /^98\d{8}@sandbox-aa$/)
  assert.equal((await call(one, 'POST', `/aa/${offerId}/redirect`)).status, 409, 'nobody can be sent anywhere yet')
  const name = (aaID: string) => call(one, 'POST', `/aa/${offerId}/handle`, { aaID })
  for (const wrong of ['asha@elsewhere', handle!.refused]) {
    const { status, body } = await name(wrong)
    assert.deepEqual([status, body.error.details.field], [400, 'aaID'], wrong)
  }
  assert.equal((await name('asha.kulkarni@sandbox-aa')).status, 200)
  assert.equal((await name('asha@sandbox-aa')).status, 409, 'it is being asked')
  await goOn(one, 'the consent', (view) => narmada(view)?.standing === 'DUE', browsing)
  await visitAggregator(await linkOf(one), 'approve')
  await goOn(one, 'Narmada offers', (view) => offerOf(view) !== undefined, browsing)
  const session = await sessionOf(one)
  assert.deepEqual([session.state, session.handleWanted], ['CONFIRMED', false])
  const actions = await actionsWith(one, 'narmada')
  assert.deepEqual(actions.slice(1, 7), ['select', 'on_select', 'select', 'on_select', 'select', 'on_select'])
})

for (const [digits, code] of [
  ['9022', '80202'],
  ['9023', '80224'],
] as const)
  test(`FIS12 §3.4: a lender that fails after the approval (${code}): FAILED`, async () => {
    const one = await borrowerWithConsentDue(`ABCPE${digits}F`)
    await visitAggregator(await linkOf(one), 'approve')
    await goOn(one, 'no offer', (view) => answerOf(view)!.status === 'NO_OFFER_AVAILABLE', browsing)
    assert.equal((await sessionOf(one)).state, 'FAILED')
  })

test('FIS12 §8.1 rows 18–20: a lender that watches the account pays once the borrower agrees; refused, it asks anew', async () => {
  const one = await borrower('ABCPE9025F')
  const due = ({ screen, accountAggregator: [first] }: EmbedView) => screen === 'DISBURSAL' && first?.standing === 'DUE'
  await goOn(one, 'the lender asks', due)
  const { offerId, purpose } = one.view.accountAggregator[0]!
  assert.equal(purpose, 'MONITORING')
  const link = async () => (await call(one, 'POST', `/aa/${offerId}/redirect`)).body.url
  await visitAggregator(await link(), 'decline')
  const first = await sessionOf(one)
  await goOn(one, 'it is not given', ({ accountAggregator: [own] }) => own?.standing === 'OVER')
  await until('another handle', async () => (await sessionOf(one)).consentHandle !== first.consentHandle)
  await goOn(one, 'the lender asks anew', due)
  await visitAggregator(await link(), 'approve')
  await goOn(one, 'the money', shows('DISBURSED'))
  assert.equal((await sessionOf(one)).state, 'CONFIRMED')
  const lender = one.view.selected!.lenderName.split(' ')[0]!.toLowerCase()
  const actions = (await actionsWith(one, lender)).filter((action) => !action.endsWith('status'))
  assert.deepEqual(actions.slice(-5), ['on_confirm', 'on_update', 'on_update', 'update', 'on_update'])
})

test('no program complained', () => assert.deepEqual(programs.complaints, []))
