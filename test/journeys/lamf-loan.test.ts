// Loans against mutual funds, whole: from the statement that an integrator hands over to the money, in dialect 2.3.0.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listAaSessions } from '#platform/aa/store.ts'
import { transcriptOf } from '#platform/network/transcript.ts'
import { judged } from '#test/exactness/judge.ts'
import { canonical } from '#test/exactness/lifecycle-oracle.ts'
import { visitAggregator } from '#test/setup/aggregator.ts'
import { type Borrower, call, enter, goOn, shows } from '#test/setup/borrower.ts'
import { fundsCases, type Lender, mfc } from '#test/setup/funds.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { ask } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { inEnglish } from '#test/setup/words.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const listener = await startListener(programs.platformUrl, programs.tenant)
const { begun, assertCleanOnTheNetwork } = fundsCases(programs)

const offerOfMeridian = (lenders: () => Promise<Lender[]>) =>
  until('the offer of Meridian', async () =>
    (await lenders()).find(({ lender_name, offers }) => lender_name === 'Meridian Finance' && offers.length > 0),
  )

/** The borrower has chosen all of Meridian's offer, and is on the hosted page. */
async function chosen(digits: string) {
  const { say, lenders } = await begun(digits, { mfc })
  const meridian = await offerOfMeridian(lenders)
  const handed = await say('POST', `/offers/${meridian.offers[0]!.offer_id}/hosted`, {})
  return { borrower: await enter(programs.platformUrl, handed.body.data.hosted_url) }
}

/** A line is preferred, which Narmada alone gives on folios that the borrower shares; and where they are shared. */
async function sharing(digits: string) {
  const { say, lenders, journeyId } = await begun(digits, { loanPreferences: { facilitytype: 'OVERDRAFT' } })
  const session = async () => (await listAaSessions(programs.db, { ...programs.tenant, journeyId })).at(-1)
  const link = await until('a consent to be given', async () => {
    return (await say('GET', '/offers')).body.data.account_aggregator?.url ?? false
  })
  const redirected = async () => (await fetch(link, { redirect: 'manual' })).headers.get('location')!
  const visit = async () => visitAggregator(await redirected(), 'approve')
  return { say, lenders, journeyId, session, redirected, visit }
}

async function assertNotOffered(journeyId: string, lenders: () => Promise<Lender[]>, reason: RegExp): Promise<void> {
  const updates = await listener.arrivalsUntil(journeyId, 'NOT_OFFERED')
  assert.deepEqual(
    updates.map(({ status }) => status),
    ['STARTED', 'PROFILED', 'NOT_OFFERED'],
  )
  const [narmada, ...others] = await lenders()
  assert.deepEqual([narmada!.status, narmada!.offers, others], ['NO_OFFER_AVAILABLE', [], []])
  assert.match(narmada!.reason!, reason)
  await assertCleanOnTheNetwork(journeyId, 8)
}

describe('loans against mutual funds', { concurrency: 3 }, () => {
  // Each step takes up the loan where the step before it left off.
  describe('D1 §4, FIS12 §10.2, FIS12 §12.2: a term loan on a statement', { concurrency: 1 }, () => {
    let say: Awaited<ReturnType<typeof begun>>['say']
    let offer: Lender['offers'][number]
    let borrower: Borrower

    test('D1 §4, FIS12 §10.2: a term loan on a statement is offered with the units that each fund pledges', async () => {
      const one = await begun('1234', { mfc, loanPreferences: { productType: 'TERM_LOAN' } })
      say = one.say
      offer = (await offerOfMeridian(one.lenders)).offers[0]!
      // Half of the one and four fifths of the other, to the rupee below.
      assert.equal(offer.amount_principal, '593107.00')
      assert.deepEqual(
        offer.pledge_requirements.map(({ scheme_code, registrar, folio, units_required, ltv_ratio }) => [
          ...[scheme_code, registrar, folio, Number(units_required), ltv_ratio],
        ]),
        [
          ['SHK-FLEX-G', 'CAMS', '4410077', 6249, '50%'],
          ['NDH-DEBT-G', 'KFIN', '8820131', 10201.25, '80%'],
        ],
      )
    })

    test('FIS12 §12.2: no term can be chosen but the one that was offered', async () => {
      // A select of 2.3.0 carries no term.
      const { least_tenure_months: least, most_tenure_months: most } = offer.limits
      assert.deepEqual([offer.offer_term, least, most], ['36 months', 36, 36])
      const elsewhere = await say('POST', `/offers/${offer.offer_id}/hosted`, { tenureMonths: 12 })
      assert.deepEqual([elsewhere.status, elsewhere.body.error.details.field], [400, 'tenureMonths'])
    })

    test('D1 §4, FIS12 §10.2: a smaller amount is chosen on the hosted page, with fewer units of each fund', async () => {
      const handed = await say('POST', `/offers/${offer.offer_id}/hosted`, { amount: '300000' })
      borrower = await enter(programs.platformUrl, handed.body.data.hosted_url)
      assert.equal(borrower.view.selected!.offerId, offer.offer_id)
      const { terms, pledges } = borrower.view.selected!
      assert.deepEqual(
        terms.schemes.map(({ name, registrar, folio, unitsRequired, ltv }) => [
          name,
          registrar,
          folio,
          unitsRequired,
          ltv,
        ]),
        [
          ['Shakti Flexi Cap Fund', 'CAMS', '4410077', '6249.000', '50%'],
          ['Nidhi Corporate Bond Fund', 'KFIN', '8820131', '10201.250', '80%'],
        ],
      )
      // 300,000 of 593,107, up to the next thousandth of a unit.
      assert.deepEqual(
        pledges.map(({ name, folio, units }) => [name, folio, units]),
        [
          ['Shakti Flexi Cap Fund', '4410077', '3160.813'],
          ['Nidhi Corporate Bond Fund', '8820131', '5159.904'],
        ],
      )
    })

    test('D1 §4, FIS12 §10.2: the screens lead to the money, and the updates come in order', async () => {
      const screens: string[] = []
      await goOn(borrower, 'the money', (view) => {
        if (screens.at(-1) !== view.screen) screens.push(view.screen)
        return view.screen === 'DISBURSED'
      })
      const pages = screens.filter((screen) => /^(BANK|KYC|LIEN|E_MANDATE|LOAN_AGREEMENT)$/.test(screen))
      assert.deepEqual(pages, ['BANK', 'KYC', 'LIEN', 'E_MANDATE', 'LOAN_AGREEMENT'])
      assert.ok(Number(borrower.view.selected!.terms.amountPrincipal) >= 300_000)
      assert.ok(Number(borrower.view.selected!.terms.amountPrincipal) < 300_100)
      const updates = (await listener.arrivalsUntil(borrower.journeyId, 'DISBURSED')).map(
        ({ payload }) => payload.borrower,
      )
      assert.deepEqual(
        updates.map(({ journey }) => [journey.status, journey.type, journey.endUse]),
        canonical.map((status) => [status, 'LAMF_LOAN', 'education']),
      )
      const { journey } = updates.at(-1)!
      assert.deepEqual([journey.kyc_attempts, journey.emandate_attempts, journey.esign_attempts], [1, 1, 1])
    })

    test('D1 §4, FIS12 §10.2: no servicing is offered after the money, and the network saw nothing wrong', async () => {
      for (const kind of ['foreclosure', 'pre-part-payment', 'missed-emi-payment']) {
        const refused = await call(borrower, 'POST', `/servicing/${kind}`, { amount: '1000' })
        assert.deepEqual([refused.status, refused.body.error.code], [409, 'STATE_PRECONDITION_FAILED'], kind)
      }
      await assertCleanOnTheNetwork(borrower.journeyId)
    })
  })

  test('FIS12 §10.2 row 4: the units of one fund alone are pledged, and carry the loan', async () => {
    const { say, lenders } = await begun('1238', { mfc, loanPreferences: { productType: 'TERM_LOAN' } })
    const meridian = await offerOfMeridian(lenders)
    const hand = (body: object) => say('POST', `/offers/${meridian.offers[0]!.offer_id}/hosted`, body)
    const flexi = { scheme_code: 'SHK-FLEX-G', units: '6249' }
    const bond = { scheme_code: 'NDH-DEBT-G', units: '10201.25' }
    for (const [pledges, field] of [
      [[{ ...flexi, units: '6249.001' }], 'pledges.0.units'],
      [[bond, { ...flexi, scheme_code: 'SHK-MID-G' }], 'pledges.1'],
      [[{ ...bond, units: '0' }], 'pledges'],
    ] as const) {
      const { status, body } = await hand({ pledges })
      assert.deepEqual([status, body.error.code, body.error.details.field], [400, 'VALIDATION_FAILED', field])
    }
    const handed = await hand({ pledges: [flexi, { ...bond, units: '0.000' }] })
    assert.equal((await hand({ pledges: [{ ...flexi, units: '6249.000' }] })).status, 200)
    const refused = await hand({ pledges: [flexi, bond] })
    assert.deepEqual([refused.status, refused.body.error.details.field], [409, 'pledges'])
    const borrower = await enter(programs.platformUrl, handed.body.data.hosted_url)
    assert.deepEqual(
      borrower.view.selected!.pledges.map(({ name, units }) => [name, units]),
      [['Shakti Flexi Cap Fund', '6249.000']],
    )
    assert.deepEqual(
      borrower.view.selected!.terms.schemes.map(({ nav }) => nav),
      ['85.0250', '40.1234'],
    )
    await goOn(borrower, 'the money', shows('DISBURSED'))
    // Half of 5,31,321.22, to the rupee below.
    assert.equal(borrower.view.selected!.terms.amountPrincipal, '265660.00')
    assert.equal(borrower.view.selected!.changed, true)
    await assertCleanOnTheNetwork(borrower.journeyId)
  })

  test('D1 §3: the sandbox drives it to the money, through the same acts', async () => {
    const { journeyId } = await begun('1236', { mfc, loanPreferences: { productType: 'TERM_LOAN' } })
    const path = `/api/sandbox/journeys/${journeyId}/advance`
    const taken = await ask(`${programs.platformUrl}${path}`, {
      method: 'POST',
      key: programs.tenant.apiKey,
      body: { to: 'DISBURSED' },
    })
    assert.equal(taken.status, 202)
    await listener.arrivalsUntil(journeyId, 'DISBURSED')
    await assertCleanOnTheNetwork(journeyId)
  })

  test('D1 §4: a statement that is made out to somebody else goes to no lender', async () => {
    const other = { data: mfc.data.map((part) => ({ ...part, pan: 'ABCPZ9999F' })) }
    const { say, journeyId } = await begun('1237', { mfc: other })
    await until(
      'a consent to be given',
      async () => (await say('GET', '/offers')).body.data.account_aggregator ?? false,
    )
    const messages = await transcriptOf(programs, programs.tenant.tenantId, journeyId)
    assert.ok(messages.every(({ body }) => !body.includes('/files/statement/')))
  })

  test('FIS12 §3.4, PAN 9052: a lien that the registrar refuses for good ends it', async () => {
    const { borrower } = await chosen('9052')
    await goOn(borrower, 'the end', shows('REJECTED'))
    assert.match(inEnglish(borrower.view.endReason), /units/)
    await assertCleanOnTheNetwork(borrower.journeyId)
  })

  test('FIS12 §3.4, PAN 9051: a lien that fails once is tried again on the same page', async () => {
    const { borrower } = await chosen('9051')
    await goOn(borrower, 'the money', shows('DISBURSED'))
    await assertCleanOnTheNetwork(borrower.journeyId)
  })

  test('D1 §3 NOT_OFFERED, PAN 9054: who has no free unit is offered nothing', async () => {
    const { journeyId, lenders } = await begun('9054', { mfc, loanPreferences: { facilitytype: 'TERM' } })
    const updates = await listener.arrivalsUntil(journeyId, 'NOT_OFFERED')
    assert.equal(updates.at(-1)!.payload.borrower.journey.type, 'LAMF_LOAN')
    for (const { offers } of await lenders()) assert.deepEqual(offers, [])
  })

  test('FIS12 §3.4, PAN 9024: a lender that takes no such aggregator handle (80216) makes no offer', async () => {
    const { lenders, journeyId } = await begun('9024', { loanPreferences: { facilitytype: 'OVERDRAFT' } })
    await assertNotOffered(journeyId, lenders, /could not accept some of the details/)
    assert.deepEqual(await listAaSessions(programs.db, { ...programs.tenant, journeyId }), [])
  })

  for (const [digits, what, reason] of [
    ['9022', 'cannot read the folios that were shared (80202)', /could not read/],
    ['9023', 'gives up although the consent was approved (80224)', /not completed in time/],
  ] as const)
    test(`FIS12 §3.4, §10.2, PAN ${digits}: a lender that ${what} makes no offer`, async () => {
      const { lenders, journeyId, session, visit } = await sharing(digits)
      assert.equal((await visit()).status, 200)
      await assertNotOffered(journeyId, lenders, reason)
      assert.equal((await session())!.state, 'FAILED')
    })

  test('D2 §2.2, PAN 9026: a consent to share folios that nobody gives in its twenty seconds is EXPIRED', async () => {
    const { lenders, journeyId, session, redirected } = await sharing('9026')
    const address = await redirected()
    const { consentHandle: handle } = (await session())!
    const [consent] = await programs.sandboxDb<{ expiresAt: Date; createdAt: Date }>`
      select expires_at, created_at from aa_consent where handle = ${handle}`
    const seconds = (consent!.expiresAt.getTime() - consent!.createdAt.getTime()) / 1000
    assert.ok(seconds > 15 && seconds <= 20, `it waits for ${seconds} seconds`)
    // They are ended here, so that nobody has to wait: the borrower, on the way there, comes too late.
    await programs.sandboxDb`update aa_consent set expires_at = now() where handle = ${handle}`
    await visitAggregator(address, 'approve')
    await assertNotOffered(journeyId, lenders, /time .* has run out/)
    assert.equal((await session())!.state, 'EXPIRED')
  })

  test('D1 §4, FIS12 §10.1: a credit line is preferred, and its lender learns of the folios by a consent', async () => {
    const { say, lenders, visit } = await sharing('1235')
    await visit()
    const line = await until('the line', async () => (await lenders()).find(({ offers }) => offers.length > 0))
    assert.equal(line.lender_name, 'Narmada Finserv')
    assert.deepEqual(
      (await lenders()).map(({ lender_name }) => lender_name),
      ['Narmada Finserv'],
    )
    const handed = await say('POST', `/offers/${line.offers[0]!.offer_id}/hosted`, {})
    const borrower = await enter(programs.platformUrl, handed.body.data.hosted_url)
    // Nobody told their names: the folios were shared with the lender alone.
    const { schemes } = borrower.view.selected!.terms
    assert.ok(schemes.length > 0 && schemes.every(({ name, schemeCode }) => name === schemeCode))
    assert.deepEqual(
      borrower.view.selected!.pledges.map(({ folio, units }) => [folio, units]),
      schemes.map(({ folio, unitsRequired }) => [folio, unitsRequired]),
      'all of the line takes all units',
    )
    await goOn(borrower, 'the open line', shows('LINE_OPEN'))
    const limit = borrower.view.selected!.terms.amountPrincipal
    const { changedAt, ...open } = borrower.view.creditLine!
    assert.deepEqual(open, { limit, used: '0.00', free: limit })
    const { data } = (await say('GET', '/offers')).body
    assert.deepEqual([data.status, data.decision_status], ['LENDER_REDIRECTED', 'APPROVED'])
    assert.deepEqual(data.credit_line, {
      ...{ offer_id: line.offers[0]!.offer_id, status: 'OPEN', limit, utilised: '0.00', available: limit },
      ...{ opened_at: data.credit_line.opened_at, changed_at: changedAt },
    })
    const updates = (await listener.arrivalsUntil(borrower.journeyId, 'LENDER_REDIRECTED')).map(
      ({ payload }) => payload.borrower,
    )
    assert.equal(updates.at(-1)!.journey.status, 'LENDER_REDIRECTED', 'no money was paid out')
    const refused = await call(borrower, 'POST', '/servicing/foreclosure')
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
    assert.equal((await call(borrower, 'POST', '/servicing/status')).status, 200)
    await assertCleanOnTheNetwork(borrower.journeyId)
  })
})

test('D1 §6: of none of these journeys was more told than the document allows', () => {
  assert.deepEqual(judged(listener), [])
})

test('no program complained', () => {
  assert.deepEqual(programs.complaints, [])
})
