// Whole loans with the sandbox's lenders of the older versions 2.0.1 and 2.0.2, which answer one search in each version.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import {
  type Borrower,
  call,
  enter,
  newApplicant,
  open,
  openSession,
  type Plan,
  readView,
  showsScreen,
} from '#test/setup/borrower.ts'
import { makePayment, proceedWithConsents, showsDisbursed } from '#test/setup/official-borrower.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const programs = await startPrograms({
  lenders: ['tulsi', 'narmada'],
  env: { SANDBOX_LENDER_VERSIONS: 'tulsi=2.0.1,narmada=2.0.2', NETWORK_OLDER_VERSIONS: '2.0.1,2.0.2' },
})

async function startJourney(journeyType: 'PERSONAL_LOAN' | 'GOLD_LOAN', digits: string): Promise<Borrower> {
  const { body } = await openSession(programs.platformUrl, programs.tenant, { ...newApplicant(), journeyType })
  return enter(programs.platformUrl, body.embedUrl, `ABCPE${digits}F`)
}

/** Returns the versions of the messages with each lender. */
async function versionsOf({ journeyId }: Borrower): Promise<Record<string, string[]>> {
  const messages = await transcriptOf(programs, programs.tenant.tenantId, journeyId)
  const contexts = messages.map(({ body }) => JSON.parse(body).context)
  const lenders = [...new Set(contexts.flatMap(({ bpp_id }) => bpp_id ?? []))].sort()
  const of = (lender: string) => contexts.filter(({ bpp_id }) => bpp_id === lender).map(({ version }) => version)
  return Object.fromEntries(lenders.map((lender) => [lender, [...new Set(of(lender))]]))
}

const takeOffer = (name: string): Plan => ({
  choose(offers) {
    const offer = offers.find(({ lenderName }) => lenderName === name)
    return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
  },
})

describe('lenders of older versions', { concurrency: 2 }, () => {
  for (const [version, lender] of [
    ['2.0.1', 'Tulsi Credit'],
    ['2.0.2', 'Narmada Finserv'],
  ] as const)
    test(`FIS12 §24: a personal loan of ${version} with a monitoring consent is disbursed and foreclosed`, async () => {
      const borrower = await startJourney('PERSONAL_LOAN', '9025')
      await proceedWithConsents(borrower, 'the money', showsDisbursed, takeOffer(lender))
      await makePayment(borrower, 'FORECLOSURE')
      await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED')
      const { 'tulsi.sandbox.example': tulsi, 'narmada.sandbox.example': narmada } = await versionsOf(borrower)
      assert.deepEqual(tulsi, ['2.0.1'], 'each lender in its own version')
      assert.deepEqual(narmada, ['2.0.2'], 'each lender in its own version')
    })

  test('FIS12 §24 rule 5: who is back too early from the page of a lender of 2.0.1 gets it again, and the loan goes on', async () => {
    const borrower = await startJourney('PERSONAL_LOAN', '1234')
    const plan = takeOffer('Tulsi Credit')
    await proceedWithConsents(borrower, 'the KYC page', showsScreen('KYC'), plan)
    await open(borrower, 'kyc')
    await call(borrower, 'POST', '/steps/kyc/return')
    await until('the page again', async () => (await readView(borrower)).steps.kyc.problem !== null)
    await proceedWithConsents(borrower, 'the money', showsDisbursed, plan)
    const { sent } = Object.groupBy(
      await transcriptOf(programs, programs.tenant.tenantId, borrower.journeyId),
      ({ direction }) => direction,
    )
    const actions = sent!.map(({ action }) => action)
    assert.equal(actions.filter((action) => action === 'init').length, 4, 'one was refused')
    assert.equal(actions.filter((action) => action === 'confirm').length, 1)
  })

  test('FIS12 §24: a gold loan of 2.0.2 after a consent is disbursed, and a part is paid', async () => {
    const borrower = await startJourney('GOLD_LOAN', '1234')
    await proceedWithConsents(borrower, 'the money', showsDisbursed, takeOffer('Narmada Finserv'))
    await makePayment(borrower, 'PRE_PART_PAYMENT', '2000')
    assert.deepEqual((await versionsOf(borrower))['narmada.sandbox.example'], ['2.0.2'])
  })
})
