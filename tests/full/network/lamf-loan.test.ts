// Loans against mutual funds in dialect 2.3.0, from statement or consent to disbursal or an open credit line.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listAaSessions } from '@lendloom/platform/src/lenders/network/consent/store.ts'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { findViolations } from '#test/oracles/judge.ts'
import { disbursedStatuses } from '#test/oracles/lifecycle-oracle.ts'
import { visitAggregator } from '#test/setup/aggregator.ts'
import { type Borrower, call, enter, proceedUntil, readView, showsScreen } from '#test/setup/borrower.ts'
import { fundsCases, type Lender, mfc } from '#test/setup/funds.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { ask } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { inEnglish } from '#test/setup/words.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const listener = await startListener(programs.platformUrl, programs.tenant)
const { startJourney, assertValidTranscript } = fundsCases(programs)

const offerOfMeridian = (lenders: () => Promise<Lender[]>) =>
  until('the offer of Meridian', async () =>
    (await lenders()).find(({ lender_name, offers }) => lender_name === 'Meridian Finance' && offers.length > 0),
  )

/** Starts a journey, chooses Meridian's full offer, and opens the hosted page. */
async function borrowerWithMeridian(digits: string) {
  const { callHybrid, lenders } = await startJourney(digits, { mfc })
  const meridian = await offerOfMeridian(lenders)
  const handover = await callHybrid('POST', `/offers/${meridian.offers[0]!.offer_id}/hosted`, {})
  return { borrower: await enter(programs.platformUrl, handover.body.data.hosted_url) }
}

/** Starts a journey for a credit line, which only Narmada offers, after a consent to share folios. */
async function borrowerSharingFolios(digits: string) {
  const { callHybrid, lenders, journeyId } = await startJourney(digits, {
    loanPreferences: { facilitytype: 'OVERDRAFT' },
  })
  const session = async () => (await listAaSessions(programs.db, { ...programs.tenant, journeyId })).at(-1)
  const consentLink = await until('the consent link', async () => {
    return (await callHybrid('GET', '/offers')).body.data.account_aggregator?.url ?? false
  })
  const aggregatorUrl = async () => (await fetch(consentLink, { redirect: 'manual' })).headers.get('location')!
  const approveConsent = async () => visitAggregator(await aggregatorUrl(), 'approve')
  return { callHybrid, lenders, journeyId, session, aggregatorUrl, approveConsent }
}

async function assertNotOffered(journeyId: string, lenders: () => Promise<Lender[]>, reason: RegExp): Promise<void> {
  const updates = await listener.waitForArrivals(journeyId, 'NOT_OFFERED')
  assert.deepEqual(
    updates.map(({ status }) => status),
    ['STARTED', 'PROFILED', 'NOT_OFFERED'],
  )
  const [narmada, ...others] = await lenders()
  assert.equal(narmada!.status, 'NO_OFFER_AVAILABLE')
  assert.deepEqual(narmada!.offers, [])
  assert.deepEqual(others, [])
  assert.match(narmada!.reason!, reason)
  await assertValidTranscript(journeyId, 8)
}

describe('loans against mutual funds', { concurrency: 3 }, () => {
  // Each test continues the loan of the previous one.
  describe('D1 §4, FIS12 §10.2, FIS12 §12.2: a term loan based on the integrator’s statement, one story', {
    concurrency: 1,
  }, () => {
    let callHybrid: Awaited<ReturnType<typeof startJourney>>['callHybrid']
    let offer: Lender['offers'][number]
    let borrower: Borrower

    test('D1 §4, FIS12 §10.2: the offer of a term loan lists the required units of each fund', async () => {
      const started = await startJourney('1234', { mfc, loanPreferences: { productType: 'TERM_LOAN' } })
      callHybrid = started.callHybrid
      offer = (await offerOfMeridian(started.lenders)).offers[0]!
      // 50 % of the first fund's value and 80 % of the second's, rounded down to the rupee.
      assert.equal(offer.amount_principal, '593107.00')
      assert.deepEqual(
        offer.pledge_requirements.map(({ scheme_code, registrar, folio, units_required, ltv_ratio }) => ({
          scheme_code,
          registrar,
          folio,
          units_required: Number(units_required),
          ltv_ratio,
        })),
        [
          { scheme_code: 'SHK-FLEX-G', registrar: 'CAMS', folio: '4410077', units_required: 6249, ltv_ratio: '50%' },
          {
            scheme_code: 'NDH-DEBT-G',
            registrar: 'KFIN',
            folio: '8820131',
            units_required: 10201.25,
            ltv_ratio: '80%',
          },
        ],
      )
    })

    test('FIS12 §12.2: only the offered term can be chosen', async () => {
      // The message `select` of 2.3.0 has no term.
      const { least_tenure_months: least, most_tenure_months: most } = offer.limits
      assert.equal(offer.offer_term, '36 months')
      assert.equal(least, 36)
      assert.equal(most, 36)
      const otherTerm = await callHybrid('POST', `/offers/${offer.offer_id}/hosted`, { tenureMonths: 12 })
      assert.equal(otherTerm.status, 400)
      assert.equal(otherTerm.body.error.details.field, 'tenureMonths')
    })

    test('D1 §4, FIS12 §10.2: a smaller amount on the hosted page needs fewer units of each fund', async () => {
      const handover = await callHybrid('POST', `/offers/${offer.offer_id}/hosted`, { amount: '300000' })
      borrower = await enter(programs.platformUrl, handover.body.data.hosted_url)
      assert.equal(borrower.view.selected!.offerId, offer.offer_id)
      const { terms, pledges } = borrower.view.selected!
      assert.deepEqual(
        terms.schemes.map(({ name, registrar, folio, unitsRequired, ltv }) => ({
          name,
          registrar,
          folio,
          unitsRequired,
          ltv,
        })),
        [
          { name: 'Shakti Flexi Cap Fund', registrar: 'CAMS', folio: '4410077', unitsRequired: '6249.000', ltv: '50%' },
          {
            name: 'Nidhi Corporate Bond Fund',
            registrar: 'KFIN',
            folio: '8820131',
            unitsRequired: '10201.250',
            ltv: '80%',
          },
        ],
      )
      // The share 300,000 / 593,107 of the units, rounded up to a thousandth of a unit.
      assert.deepEqual(
        pledges.map(({ name, folio, units }) => ({ name, folio, units })),
        [
          { name: 'Shakti Flexi Cap Fund', folio: '4410077', units: '3160.813' },
          { name: 'Nidhi Corporate Bond Fund', folio: '8820131', units: '5159.904' },
        ],
      )
    })

    test('D1 §4, FIS12 §10.2: the screens lead to disbursal, and the updates arrive in order', async () => {
      const screens: string[] = []
      await proceedUntil(borrower, 'the money', (view) => {
        if (screens.at(-1) !== view.screen) screens.push(view.screen)
        return view.screen === 'DISBURSED'
      })
      const pages = screens.filter((screen) => /^(BANK|KYC|LIEN|E_MANDATE|LOAN_AGREEMENT)$/.test(screen))
      assert.deepEqual(pages, ['BANK', 'KYC', 'LIEN', 'E_MANDATE', 'LOAN_AGREEMENT'])
      const principal = Number(borrower.view.selected!.terms.amountPrincipal)
      assert.ok(principal >= 300_000)
      assert.ok(principal < 300_100)
      const updates = (await listener.waitForArrivals(borrower.journeyId, 'DISBURSED')).map(
        ({ payload }) => payload.borrower,
      )
      assert.deepEqual(
        updates.map(({ journey: { status, type, endUse } }) => ({ status, type, endUse })),
        disbursedStatuses.map((status) => ({ status, type: 'LAMF_LOAN', endUse: 'education' })),
      )
      const { journey } = updates.at(-1)!
      assert.equal(journey.kyc_attempts, 1)
      assert.equal(journey.emandate_attempts, 1)
      assert.equal(journey.esign_attempts, 1)
    })

    test('FIS12 §20: a complaint goes to the lender over the network, is resolved, and closed with a rating', async () => {
      const complaint = { topic: 'CHARGES', text: 'A charge of 500 rupees was taken that the offer did not show.' }
      assert.equal((await call(borrower, 'POST', '/grievances', complaint)).status, 200)
      const { id } = await until('the resolution', async () => {
        await readView(borrower)
        return borrower.view.grievances!.items.find(({ status }) => status === 'RESOLVED')
      })
      assert.equal((await call(borrower, 'POST', `/grievances/${id}/close`, { rating: 'THUMBS-UP' })).status, 200)
      assert.equal(borrower.view.grievances!.items[0]!.status, 'CLOSED')
    })

    test('D1 §4, FIS12 §10.2: servicing is refused after disbursal, and the network messages are valid', async () => {
      for (const kind of ['foreclosure', 'pre-part-payment', 'missed-emi-payment']) {
        const refused = await call(borrower, 'POST', `/servicing/${kind}`, { amount: '1000' })
        assert.equal(refused.status, 409, kind)
        assert.equal(refused.body.error.code, 'STATE_PRECONDITION_FAILED', kind)
      }
      await assertValidTranscript(borrower.journeyId)
    })
  })

  test('FIS12 §10.2 row 4: the borrower can pledge only one fund for a smaller loan', async () => {
    const { callHybrid, lenders } = await startJourney('1238', {
      mfc,
      loanPreferences: { productType: 'TERM_LOAN' },
    })
    const meridian = await offerOfMeridian(lenders)
    const handOver = (body: object) => callHybrid('POST', `/offers/${meridian.offers[0]!.offer_id}/hosted`, body)
    const flexi = { scheme_code: 'SHK-FLEX-G', units: '6249' }
    const bond = { scheme_code: 'NDH-DEBT-G', units: '10201.25' }
    for (const [pledges, field] of [
      [[{ ...flexi, units: '6249.001' }], 'pledges.0.units'],
      [[bond, { ...flexi, scheme_code: 'SHK-MID-G' }], 'pledges.1'],
      [[{ ...bond, units: '0' }], 'pledges'],
    ] as const) {
      const { status, body } = await handOver({ pledges })
      assert.equal(status, 400)
      assert.equal(body.error.code, 'VALIDATION_FAILED')
      assert.equal(body.error.details.field, field)
    }
    const handover = await handOver({ pledges: [flexi, { ...bond, units: '0.000' }] })
    assert.equal((await handOver({ pledges: [{ ...flexi, units: '6249.000' }] })).status, 200)
    const refused = await handOver({ pledges: [flexi, bond] })
    assert.equal(refused.status, 409)
    assert.equal(refused.body.error.details.field, 'pledges')
    const borrower = await enter(programs.platformUrl, handover.body.data.hosted_url)
    assert.deepEqual(
      borrower.view.selected!.pledges.map(({ name, units }) => ({ name, units })),
      [{ name: 'Shakti Flexi Cap Fund', units: '6249.000' }],
    )
    assert.deepEqual(
      borrower.view.selected!.terms.schemes.map(({ nav }) => nav),
      ['85.0250', '40.1234'],
    )
    await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'))
    // 50 % of the fund's value of 5,31,321.22, rounded down to the rupee.
    assert.equal(borrower.view.selected!.terms.amountPrincipal, '265660.00')
    assert.equal(borrower.view.selected!.changed, true)
    await assertValidTranscript(borrower.journeyId)
  })

  test('D1 §3: the sandbox advances the journey to DISBURSED', async () => {
    const { journeyId } = await startJourney('1236', { mfc, loanPreferences: { productType: 'TERM_LOAN' } })
    const path = `/api/sandbox/journeys/${journeyId}/advance`
    const accepted = await ask(`${programs.platformUrl}${path}`, {
      method: 'POST',
      key: programs.tenant.apiKey,
      body: { to: 'DISBURSED' },
    })
    assert.equal(accepted.status, 202)
    await listener.waitForArrivals(journeyId, 'DISBURSED')
    await assertValidTranscript(journeyId)
  })

  test('D1 §4: the statement of another person is not sent to any lender', async () => {
    const other = { data: mfc.data.map((part) => ({ ...part, pan: 'ABCPZ9999F' })) }
    const { callHybrid, journeyId } = await startJourney('1237', { mfc: other })
    await until(
      'a required consent',
      async () => (await callHybrid('GET', '/offers')).body.data.account_aggregator ?? false,
    )
    const messages = await transcriptOf(programs, programs.tenant.tenantId, journeyId)
    assert.ok(messages.every(({ body }) => !body.includes('/files/statement/')))
  })

  test('FIS12 §3.4, PAN 9052: a rejected lien ends the journey', async () => {
    const { borrower } = await borrowerWithMeridian('9052')
    await proceedUntil(borrower, 'the end', showsScreen('REJECTED'))
    assert.match(inEnglish(borrower.view.endReason), /units/)
    await assertValidTranscript(borrower.journeyId)
  })

  test('FIS12 §3.4, PAN 9051: a lien that fails once is retried on the same page', async () => {
    const { borrower } = await borrowerWithMeridian('9051')
    await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'))
    await assertValidTranscript(borrower.journeyId)
  })

  test('D1 §3 NOT_OFFERED, PAN 9054: a borrower without free units gets no offer', async () => {
    const { journeyId, lenders } = await startJourney('9054', { mfc, loanPreferences: { facilitytype: 'TERM' } })
    const updates = await listener.waitForArrivals(journeyId, 'NOT_OFFERED')
    assert.equal(updates.at(-1)!.payload.borrower.journey.type, 'LAMF_LOAN')
    for (const { offers } of await lenders()) assert.deepEqual(offers, [])
  })

  test('FIS12 §3.4, PAN 9024: a lender that does not accept the handle (80216) makes no offer', async () => {
    const { lenders, journeyId } = await startJourney('9024', { loanPreferences: { facilitytype: 'OVERDRAFT' } })
    await assertNotOffered(journeyId, lenders, /could not accept some of the details/)
    assert.deepEqual(await listAaSessions(programs.db, { ...programs.tenant, journeyId }), [])
  })

  for (const [digits, what, reason] of [
    ['9022', 'cannot read the shared folios (80202)', /could not read/],
    ['9023', 'fails after the approval (80224)', /did not give consent/],
  ] as const)
    test(`FIS12 §3.4, §10.2, PAN ${digits}: a lender that ${what} makes no offer`, async () => {
      const { lenders, journeyId, session, approveConsent } = await borrowerSharingFolios(digits)
      assert.equal((await approveConsent()).status, 200)
      await assertNotOffered(journeyId, lenders, reason)
      assert.equal((await session())!.state, 'FAILED')
    })

  test('D2 §2.2, PAN 9026: an undecided consent to share folios is EXPIRED after twenty seconds', async () => {
    const { lenders, journeyId, session, aggregatorUrl } = await borrowerSharingFolios('9026')
    const address = await aggregatorUrl()
    const { consentHandle: handle } = (await session())!
    const [consent] = await programs.sandboxDb<{ expiresAt: Date; createdAt: Date }>`
      select expires_at, created_at from aa_consent where handle = ${handle}`
    const seconds = (consent!.expiresAt.getTime() - consent!.createdAt.getTime()) / 1000
    assert.ok(seconds > 15 && seconds <= 20, `the consent expires after ${seconds} seconds`)
    // Expires the consent at once, before the borrower approves it.
    await programs.sandboxDb`update aa_consent set expires_at = now() where handle = ${handle}`
    await visitAggregator(address, 'approve')
    await assertNotOffered(journeyId, lenders, /time .* has run out/)
    assert.equal((await session())!.state, 'EXPIRED')
  })

  test('D1 §4, FIS12 §10.1: a preferred credit line is offered after the borrower shares the folios', async () => {
    const { callHybrid, lenders, approveConsent } = await borrowerSharingFolios('1235')
    await approveConsent()
    const line = await until('the line', async () => (await lenders()).find(({ offers }) => offers.length > 0))
    assert.equal(line.lender_name, 'Narmada Finserv')
    assert.deepEqual(
      (await lenders()).map(({ lender_name }) => lender_name),
      ['Narmada Finserv'],
    )
    const handover = await callHybrid('POST', `/offers/${line.offers[0]!.offer_id}/hosted`, {})
    const borrower = await enter(programs.platformUrl, handover.body.data.hosted_url)
    // Fund names are unknown, because the folios were shared only with the lender.
    const { schemes } = borrower.view.selected!.terms
    assert.ok(schemes.length > 0 && schemes.every(({ name, schemeCode }) => name === schemeCode))
    assert.deepEqual(
      borrower.view.selected!.pledges.map(({ folio, units }) => ({ folio, units })),
      schemes.map(({ folio, unitsRequired }) => ({ folio, units: unitsRequired })),
      'the full limit needs all units',
    )
    await proceedUntil(borrower, 'the open line', showsScreen('LINE_OPEN'))
    const limit = borrower.view.selected!.terms.amountPrincipal
    const { changedAt, ...open } = borrower.view.creditLine!
    assert.deepEqual(open, { limit, used: '0.00', free: limit })
    const { data } = (await callHybrid('GET', '/offers')).body
    assert.equal(data.status, 'LENDER_REDIRECTED')
    assert.equal(data.decision_status, 'APPROVED')
    assert.deepEqual(data.credit_line, {
      offer_id: line.offers[0]!.offer_id,
      status: 'OPEN',
      limit,
      utilised: '0.00',
      available: limit,
      opened_at: data.credit_line.opened_at,
      changed_at: changedAt,
    })
    const updates = (await listener.waitForArrivals(borrower.journeyId, 'LENDER_REDIRECTED')).map(
      ({ payload }) => payload.borrower,
    )
    assert.equal(updates.at(-1)!.journey.status, 'LENDER_REDIRECTED', 'no disbursal')
    const refused = await call(borrower, 'POST', '/servicing/foreclosure')
    assert.equal(refused.status, 409)
    assert.equal(refused.body.error.code, 'STATE_PRECONDITION_FAILED')
    assert.equal((await call(borrower, 'POST', '/servicing/status')).status, 200)
    await assertValidTranscript(borrower.journeyId)
  })
})

test('D1 §6: the updates of these journeys obey the specification', () => {
  assert.deepEqual(findViolations(listener), [])
})

test('no program logged an error', () => {
  assert.deepEqual(programs.errorLines, [])
})
