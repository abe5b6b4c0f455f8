// Bank statements of the lending partner's borrowers, from the page to the lender's decision.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sentEvents } from '@lendloom/event-log/outbox'
import { findMainCase, listDocuments, newestStatement } from '@lendloom/platform/src/lenders/partner/store.ts'
import { connect } from '@lendloom/postgres/sql'
import type { OfferCard, OfferDetail } from '@lendloom/wire/headless/offer'
import { readForm } from '@lendloom/wire/network/html-form'
import {
  answerPage,
  application,
  bankAccount,
  enter,
  newApplicant,
  openSession,
  proceedUntil,
} from '#test/setup/borrower.ts'
import { ownerPasswordPdf, passwordPdf } from '#test/setup/files.ts'
import {
  approvePages,
  cardsOf,
  completeSteps,
  type HeadlessBorrower,
  mustCall,
  offerPath,
  startHeadlessJourney,
  stateOf,
  waitForStatus,
} from '#test/setup/headless.ts'
import { ask } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'
import { resealAll } from '#test/setup/reseal.ts'

const programs = await startPrograms({
  partner: true,
  env: {
    NETWORK_SEARCH_TTL: 'PT20S',
    NETWORK_CALL_TTL: 'PT25S',
    OFFER_WINDOW_SECONDS: '60',
    PARTNER_BANK_STATEMENT: 'OPTIONAL',
    PARTNER_WITHOUT_STATEMENT_RUPEES: '100000',
  },
})
const partnerDb = connect(programs.partnerDatabaseUrl, { connections: 1 })
after(() => partnerDb.close())
const lenderName = 'Celestium Finance Limited'

/** Proceeds with the partner up to the step that asks for a statement. */
async function proceedWithPartner(pan: string) {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  const { profile, workProfile, address } = application(pan)
  const path = `/journeys/${borrower.journeyId}/profile`
  await mustCall(borrower, 'PUT', path, {
    profile,
    address,
    workProfile: { ...workProfile, employmentType: 'selfEmployed' },
    bankingInformation: { ...bankAccount, accountType: 'SAVINGS' },
  })
  await mustCall(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
  const card: OfferCard = await until('an offer of the partner', async () =>
    (await cardsOf(borrower)).find(
      (each: OfferCard) => each.lenderName === lenderName && each.status === 'OFFER_RECEIVED',
    ),
  )
  await mustCall(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
  await waitForStatus(borrower, 'BANK_MANDATE_PENDING')
  return { borrower, card }
}

const stepAt = async (borrower: HeadlessBorrower, { offerID }: OfferCard) =>
  (await mustCall(borrower, 'GET', `${offerPath(borrower, offerID)}/steps`)).bankMandate

const caseOf = async ({ journeyId }: HeadlessBorrower) =>
  (await findMainCase(programs.db, { tenantId: programs.tenant.tenantId, journeyId }))!

async function leadOf(borrower: HeadlessBorrower) {
  const { tenantId, caseRef } = await caseOf(borrower)
  const events = await sentEvents(programs.db, programs.seal, { tenantId, partitionKey: caseRef })
  const all = events.map(({ raw }) => JSON.parse(raw.toString('utf8')))
  return all.find(({ event_type }) => event_type === 'LEAD_SUBMITTED').data
}

/** Reads the form with this action from the upload page. */
async function formWithAction(url: string, action: string) {
  const text = await (await fetch(url)).text()
  const forms = text
    .split('<form')
    .slice(1)
    .map((part) => `<form${part.slice(0, part.indexOf('</form>'))}</form>`)
  const match = forms.find((each) => each.includes(`value="${action}"`))
  assert.ok(match, `the page has no form ${action}: ${text}`)
  return readForm(match, url)
}

async function submitForm(url: string, action: string, file?: Blob): Promise<Response> {
  const form = await formWithAction(url, action)
  const body = new FormData()
  for (const { name, value } of form.fields) if (value !== null && name !== 'statement') body.append(name, value)
  if (file) body.append('statement', file, 'statement.pdf')
  return fetch(form.action, { method: 'POST', body, redirect: 'manual' })
}

/** The URL of the upload page, to which the step's link redirects. */
async function pageOf(borrower: HeadlessBorrower, card: OfferCard): Promise<string> {
  const { actionRequired, resource } = await stepAt(borrower, card)
  assert.ok(actionRequired === 'REDIRECT' || actionRequired === 'AWAIT_CALLBACK', actionRequired)
  return (await fetch(resource.redirectURL)).url
}

describe('D3 §2.3, D1 §6.6: bank statements at the lending partner, then a new key, one story', () => {
  describe('bank statements', { concurrency: 4 }, () => {
    test('D3 §1, §2.3, §4.3: a statement shared at the analyser is sent with its files, and the loan is disbursed', async () => {
      const { borrower, card } = await proceedWithPartner('ABCPE1234F')
      assert.equal((await stepAt(borrower, card)).resource.type, 'REDIRECT')
      assert.equal(await completeSteps(borrower, card.offerID, ['DISBURSED', 'REJECTED']), 'DISBURSED')
      const lead = await leadOf(borrower)
      const { status, source, report_data, account, unavailable_reason } = lead.banking
      assert.equal(status, 'COMPLETED')
      assert.equal(source, 'STATEMENT_UPLOAD')
      assert.equal(unavailable_reason, null)
      assert.equal(report_data.months.length, 6)
      assert.equal(account.account_number, bankAccount.accountNumber)
      assert.equal(lead.consents.bank_analysis.accepted, true)
      assert.deepEqual(lead.documents_expected.map((each: { document_type: string }) => each.document_type).sort(), [
        'BANK_ANALYSIS_REPORT',
        'BANK_STATEMENT',
        'BUREAU_REPORT',
      ])
      const files = (await listDocuments(programs.db, await caseOf(borrower))).filter(
        ({ providerReference }) => providerReference === lead.banking.analysis_reference_id,
      )
      assert.equal(files.length, 2)
      for (const { state } of files) assert.equal(state, 'STORED')
      const final: OfferDetail = await mustCall(borrower, 'GET', offerPath(borrower, card.offerID))
      assert.equal(final.amountPrincipal, card.amountPrincipal, 'a good statement does not change the recommendation')
    })

    test('D3 §2.3: a PDF with an owner password goes from our page to the analyser and the partner; others are refused', async () => {
      const { borrower, card } = await proceedWithPartner('ABCPE2345F')
      const url = await pageOf(borrower, card)
      const wrong = await submitForm(url, 'upload', new Blob(['no PDF'], { type: 'application/pdf' }))
      assert.equal(wrong.status, 422)
      assert.match(await wrong.text(), /PDF of at most 20\u00a0MB/)
      assert.equal(await newestStatement(programs.db, await caseOf(borrower)), undefined)
      const locked = await submitForm(
        url,
        'upload',
        new Blob([new Uint8Array(passwordPdf())], { type: 'application/pdf' }),
      )
      assert.equal(locked.status, 422)
      assert.match(await locked.text(), /opens without a password/)
      const pdf = ownerPasswordPdf()
      const uploaded = await submitForm(
        url,
        'upload',
        new Blob([new Uint8Array(pdf)], { type: 'application/octet-stream' }),
      )
      assert.equal(uploaded.status, 303)
      await waitForStatus(borrower, 'KYC_PENDING')
      assert.equal((await leadOf(borrower)).banking.status, 'COMPLETED')
      const { caseRef } = await caseOf(borrower)
      const [stored] = await partnerDb<{ sha256: string }>`
        select sha256 from stored_document where case_ref = ${caseRef} and document_type = 'BANK_STATEMENT'`
      assert.equal(stored?.sha256, createHash('sha256').update(pdf).digest('hex'), 'the uploaded bytes')
    })

    test('D3 §2.3: a borrower without a statement gets a smaller loan and has no consent to analysis', async () => {
      const { borrower, card } = await proceedWithPartner('ABCPE3456F')
      const skipped = await submitForm(await pageOf(borrower, card), 'without')
      assert.equal(skipped.status, 200)
      await waitForStatus(borrower, 'KYC_PENDING')
      const lead = await leadOf(borrower)
      assert.equal(lead.banking.status, 'NOT_PROVIDED')
      assert.equal(lead.banking.unavailable_reason, 'The borrower did not share a bank statement.')
      assert.equal(lead.consents.bank_analysis.accepted, false)
      assert.ok(Number(card.amountPrincipal) > 100_000)
      const final: OfferDetail = await mustCall(borrower, 'GET', offerPath(borrower, card.offerID))
      assert.equal(Number(final.amountPrincipal), 100_000)
      assert.equal(final.termsChanged, true)
    })

    test('D3 §2.3, §1.1 rule 3: returned debits and heavy instalments are declined by rule', async () => {
      for (const digits of ['9145', '9146']) {
        const { borrower, card } = await proceedWithPartner(`ABCPE${digits}F`)
        assert.equal(await completeSteps(borrower, card.offerID, ['REJECTED', 'KYC_PENDING']), 'REJECTED', digits)
        assert.equal((await leadOf(borrower)).proposed_offer.bre_decision, 'REVIEW_REQUIRED')
      }
    })

    test('D3 §2.3: a statement of only two months needs a manual review', async () => {
      const { borrower, card } = await proceedWithPartner('ABCPE9144F')
      await approvePages((await stepAt(borrower, card)).resource.redirectURL)
      await until('the lead', async () => (await caseOf(borrower)).stage === 'REGISTERED')
      assert.equal((await leadOf(borrower)).banking.report_data.months.length, 2)
      assert.equal((await stateOf(borrower)).status, 'OFFER_SELECTED')
    })

    test('D3 §2.3: an unusable statement can be shared again, and after three attempts the lead reports the failure', async () => {
      const { borrower, card } = await proceedWithPartner('ABCPE9142F')
      for (let attempt = 1; attempt <= 3; attempt++) {
        const url = await pageOf(borrower, card)
        const shared = await submitForm(url, 'share')
        assert.equal(shared.status, 303)
        await answerPage(shared.headers.get('location')!, 'approve')
        const statement = await until(`attempt ${attempt} fails`, async () => {
          const newest = await newestStatement(programs.db, await caseOf(borrower))
          return newest?.attempt === attempt && newest.status === 'FAILED' && newest
        })
        assert.equal(statement.reason, 'PDF_FRAUD_DETECTED')
        if (attempt < 3) assert.equal((await stepAt(borrower, card)).diagnostics.retryable, true)
      }
      await until('the lead', async () => (await caseOf(borrower)).stage === 'REGISTERED')
      const { banking, documents_expected } = await leadOf(borrower)
      assert.equal(banking.status, 'FAILED')
      assert.equal(banking.unavailable_reason, 'PDF_FRAUD_DETECTED')
      assert.equal(documents_expected.length, 1, 'the unusable statement is not announced')
    })

    test('D1 §1: on the hosted page the bank account comes before its statement', async () => {
      const { body } = await openSession(programs.platformUrl, programs.tenant, newApplicant())
      const borrower = await enter(programs.platformUrl, body.embedUrl, 'ABCPE4321F')
      const screens: string[] = []
      const choose: NonNullable<Parameters<typeof proceedUntil>[3]>['choose'] = (offers) => {
        const offer = offers.find((each) => each.lenderName === lenderName)
        return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
      }
      const view = await proceedUntil(
        borrower,
        'the money',
        ({ screen }) => {
          if (screens.at(-1) !== screen) screens.push(screen)
          return screen === 'DISBURSED' || screen === 'REJECTED'
        },
        { choose, employmentType: 'selfEmployed' },
      )
      assert.equal(view.status, 'DISBURSED', screens.join(', '))
      assert.ok(screens.indexOf('BANK') < screens.indexOf('STATEMENT') && screens.includes('BANK'), screens.join(', '))
      const [consent] = await programs.db<{ channel: string; hasIp: boolean }>`
        select channel, ip_sealed is not null as has_ip from consent
        where journey_id = ${view.journeyId} and purpose = 'bank_analysis'`
      assert.deepEqual(consent, { channel: 'hosted', hasIp: true })
    })

    test('D1 §3: the sandbox’s autopilot shares a statement', async () => {
      const { borrower } = await proceedWithPartner('ABCPE7777F')
      const url = `${programs.platformUrl}/api/sandbox/journeys/${borrower.journeyId}/advance`
      const { apiKey: key } = programs.tenant
      assert.equal((await ask(url, { method: 'POST', key, body: { to: 'DISBURSED' } })).status, 202)
      await waitForStatus(borrower, 'DISBURSED')
      assert.equal((await leadOf(borrower)).banking.status, 'COMPLETED')
    })

    test('D1 §3: rejecting the offer stops the analysis in progress', async () => {
      const { borrower, card } = await proceedWithPartner('ABCPE5432F')
      const shared = await submitForm(await pageOf(borrower, card), 'share')
      const analyser = shared.headers.get('location')!
      await mustCall(borrower, 'POST', `${offerPath(borrower, card.offerID)}/reject`, {
        rejectedStage: 'OFFER_SELECTED',
        rejectionReason: 'Changed my mind',
      })
      await answerPage(analyser, 'approve').catch(() => '')
      const { stage } = await caseOf(borrower)
      assert.equal(stage, 'ENDED')
      assert.equal((await newestStatement(programs.db, await caseOf(borrower)))?.reportSealed, null)
    })
  })

  test('no program logged an error', () => {
    assert.deepEqual(programs.errorLines, [])
  })

  test('D1 §6.6: resealing moves a statement’s sealed values to the new key, at platform and partner', async () => {
    const moved = await resealAll(programs)
    for (const column of [
      'platform partner_statement.url_sealed',
      'platform partner_statement.report_sealed',
      'partner case_bank_review.review_sealed',
    ])
      assert.ok(moved.has(column), column)
  })
})
