// Bank statements of the lending partner's borrowers: shared, declined, forged, bouncing; from the page to the lender's decision.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import type { OfferCard, OfferDetail } from '#contract/headless/offer.ts'
import { readForm } from '#contract/network/forms.ts'
import { pdfOf } from '#kit/files/pdf.ts'
import { sentEvents } from '#kit/messaging/outbox.ts'
import { findCaseOf, listDocuments, newestStatement } from '#platform/exchange/store.ts'
import {
  answerPage,
  application,
  bankAccount,
  enter,
  newApplicant,
  openSession,
  proceedUntil,
} from '#test/setup/borrower.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
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
    ...{ NETWORK_SEARCH_TTL: 'PT20S', NETWORK_CALL_TTL: 'PT25S', OFFER_WINDOW_SECONDS: '60' },
    PARTNER_BANK_STATEMENT: 'OPTIONAL',
    PARTNER_WITHOUT_STATEMENT_RUPEES: '100000',
  },
})
const lenderName = 'Celestium Finance Limited'

/** Somebody who took the partner's recommendation, and is asked for a statement. */
async function proceeded(pan: string) {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  const { profile, workProfile, address } = application(pan)
  const path = `/journeys/${borrower.journeyId}/profile`
  await mustCall(borrower, 'PUT', path, {
    ...{ profile, address, workProfile: { ...workProfile, employmentType: 'selfEmployed' } },
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
  (await findCaseOf(programs.db, { tenantId: programs.tenant.tenantId, journeyId }))!

async function leadOf(borrower: HeadlessBorrower) {
  const { tenantId, caseRef } = await caseOf(borrower)
  const events = await sentEvents(programs.db, programs.seal, { tenantId, partitionKey: caseRef })
  const all = events.map(({ raw }) => JSON.parse(raw.toString('utf8')))
  return all.find(({ event_type }) => event_type === 'LEAD_SUBMITTED').data
}

/** The form of our page that does this. */
async function formOf(url: string, act: string) {
  const text = await (await fetch(url)).text()
  const forms = text
    .split('<form')
    .slice(1)
    .map((part) => `<form${part.slice(0, part.indexOf('</form>'))}</form>`)
  const found = forms.find((each) => each.includes(`value="${act}"`))
  assert.ok(found, `${act} is on the page: ${text}`)
  return readForm(found, url)
}

async function send(url: string, act: string, file?: Blob): Promise<Response> {
  const form = await formOf(url, act)
  const body = new FormData()
  for (const { name, value } of form.fields) if (value !== null && name !== 'statement') body.append(name, value)
  if (file) body.append('statement', file, 'statement.pdf')
  return fetch(form.action, { method: 'POST', body, redirect: 'manual' })
}

/** Our page behind the link of the step. */
async function pageOf(borrower: HeadlessBorrower, card: OfferCard): Promise<string> {
  const { actionRequired, resource } = await stepAt(borrower, card)
  assert.ok(actionRequired === 'REDIRECT' || actionRequired === 'AWAIT_CALLBACK', actionRequired)
  return (await fetch(resource.redirectURL)).url
}

describe('bank statements', { concurrency: 4 }, () => {
  test('D3 §1, §2.3, §4.3: shared at the analyser, it is analysed, sent with its files by the manifest, and the loan is paid out', async () => {
    const { borrower, card } = await proceeded('ABCPE1234F')
    assert.deepEqual((await stepAt(borrower, card)).resource.type, 'REDIRECT')
    assert.equal(await completeSteps(borrower, card.offerID, ['DISBURSED', 'REJECTED'], deadlineMs), 'DISBURSED')
    const lead = await leadOf(borrower)
    const { status, source, report_data, account, unavailable_reason } = lead.banking
    assert.deepEqual([status, source, unavailable_reason], ['COMPLETED', 'STATEMENT_UPLOAD', null])
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
    for (const { state, sha256 } of files)
      assert.deepEqual([state, /^[0-9a-f]{64}$/.test(sha256 ?? '')], ['STORED', true])
    const final: OfferDetail = await mustCall(borrower, 'GET', offerPath(borrower, card.offerID))
    assert.equal(final.amountPrincipal, card.amountPrincipal, 'a sound statement leaves the recommendation as it is')
  })

  test('D3 §2.3: a PDF handed in on our page goes to the analyser; what is no PDF is told, and changes nothing', async () => {
    const { borrower, card } = await proceeded('ABCPE2345F')
    const url = await pageOf(borrower, card)
    const wrong = await send(url, 'upload', new Blob(['no PDF'], { type: 'application/pdf' }))
    assert.equal(wrong.status, 422)
    assert.match(await wrong.text(), /PDF of at most 20 MiB/)
    assert.equal(await newestStatement(programs.db, await caseOf(borrower)), undefined)
    const pdf = await pdfOf({
      ...{ title: 'Statement', author: 'A bank', createdAt: new Date() },
      blocks: [{ kind: 'text', text: 'Six months.' }],
    })
    const taken = await send(url, 'upload', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }))
    assert.equal(taken.status, 303)
    await waitForStatus(borrower, 'KYC_PENDING')
    assert.equal((await leadOf(borrower)).banking.status, 'COMPLETED')
    const stored = (await listDocuments(programs.db, await caseOf(borrower))).find(
      ({ documentType }) => documentType === 'BANK_STATEMENT',
    )
    assert.equal(stored?.sha256, createHash('sha256').update(pdf).digest('hex'), 'the very bytes that were handed in')
  })

  test('D3 §2.3: who goes on without a statement is lent less, and has consented to no analysis', async () => {
    const { borrower, card } = await proceeded('ABCPE3456F')
    const gone = await send(await pageOf(borrower, card), 'without')
    assert.equal(gone.status, 200)
    await waitForStatus(borrower, 'KYC_PENDING')
    const lead = await leadOf(borrower)
    assert.deepEqual(
      [lead.banking.status, lead.banking.unavailable_reason, lead.consents.bank_analysis.accepted],
      ['NOT_PROVIDED', 'The borrower did not share a bank statement.', false],
    )
    assert.ok(Number(card.amountPrincipal) > 100_000)
    const final: OfferDetail = await mustCall(borrower, 'GET', offerPath(borrower, card.offerID))
    assert.deepEqual([Number(final.amountPrincipal), final.termsChanged], [100_000, true])
  })

  test('D3 §2.3, §1.1 rule 3: returned debits and heavy instalments are declined by rule, with the reason', async () => {
    for (const digits of ['9145', '9146']) {
      const { borrower, card } = await proceeded(`ABCPE${digits}F`)
      assert.equal(
        await completeSteps(borrower, card.offerID, ['REJECTED', 'KYC_PENDING'], deadlineMs),
        'REJECTED',
        digits,
      )
      assert.equal((await leadOf(borrower)).proposed_offer.bre_decision, 'REVIEW_REQUIRED')
    }
  })

  test('D3 §2.3: a thin statement is left to people', async () => {
    const { borrower, card } = await proceeded('ABCPE9144F')
    await approvePages((await stepAt(borrower, card)).resource.redirectURL)
    await until('the lead', async () => (await caseOf(borrower)).stage === 'REGISTERED')
    assert.equal((await leadOf(borrower)).banking.report_data.months.length, 2)
    assert.equal((await stateOf(borrower)).status, 'OFFER_SELECTED')
  })

  test('D3 §2.3: a statement that cannot be used may be shared again; after three tries the lead says that it failed', async () => {
    const { borrower, card } = await proceeded('ABCPE9142F')
    for (let tries = 1; tries <= 3; tries++) {
      const url = await pageOf(borrower, card)
      const shared = await send(url, 'share')
      assert.equal(shared.status, 303)
      await answerPage(shared.headers.get('location')!, 'approve')
      const statement = await until(`try ${tries} failed`, async () => {
        const newest = await newestStatement(programs.db, await caseOf(borrower))
        return newest?.attempt === tries && newest.status === 'FAILED' && newest
      })
      assert.equal(statement.reason, 'PDF_FRAUD_DETECTED')
      if (tries < 3) assert.equal((await stepAt(borrower, card)).diagnostics.retryable, true)
    }
    await until('the lead', async () => (await caseOf(borrower)).stage === 'REGISTERED')
    const { banking, documents_expected } = await leadOf(borrower)
    assert.deepEqual([banking.status, banking.unavailable_reason], ['FAILED', 'PDF_FRAUD_DETECTED'])
    assert.equal(documents_expected.length, 1, 'what could not be used is not promised')
  })

  test('D1 §1: on the hosted page the account is named first, then its statement is shared', async () => {
    const { body } = await openSession(programs.platformUrl, programs.tenant, newApplicant())
    const borrower = await enter(programs.platformUrl, body.embedUrl, 'ABCPE4321F')
    const seen: string[] = []
    const choose: NonNullable<Parameters<typeof proceedUntil>[3]>['choose'] = (offers) => {
      const offer = offers.find((each) => each.lenderName === lenderName)
      return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
    }
    const view = await proceedUntil(
      borrower,
      'the money',
      ({ screen }) => {
        if (seen.at(-1) !== screen) seen.push(screen)
        return screen === 'DISBURSED' || screen === 'REJECTED'
      },
      { choose, employmentType: 'selfEmployed' },
      deadlineMs,
    )
    assert.equal(view.status, 'DISBURSED', seen.join(', '))
    assert.ok(seen.indexOf('BANK') < seen.indexOf('STATEMENT') && seen.includes('BANK'), seen.join(', '))
    const [consent] = await programs.db<{ channel: string; hasIp: boolean }>`
      select channel, ip_sealed is not null as has_ip from consent
      where journey_id = ${view.journeyId} and purpose = 'bank_analysis'`
    assert.deepEqual(consent, { channel: 'hosted', hasIp: true })
  })

  test('D1 §3: the sandbox’s own borrower shares a statement as every borrower does', async () => {
    const { borrower } = await proceeded('ABCPE7777F')
    const url = `${programs.platformUrl}/api/sandbox/journeys/${borrower.journeyId}/advance`
    const { apiKey: key } = programs.tenant
    assert.equal((await ask(url, { method: 'POST', key, body: { to: 'DISBURSED' } })).status, 202)
    await waitForStatus(borrower, 'DISBURSED', deadlineMs)
    assert.equal((await leadOf(borrower)).banking.status, 'COMPLETED')
  })

  test('D1 §3: a consent that is withdrawn stops it, also while the analyser is at work', async () => {
    const { borrower, card } = await proceeded('ABCPE5432F')
    const shared = await send(await pageOf(borrower, card), 'share')
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

test('nothing that happened was logged as an error', () => {
  assert.deepEqual(programs.errorLines, [])
})

test('D1 §6.6: what was sealed of a statement moves to another key, at both sides', async () => {
  const moved = await resealAll(programs)
  for (const column of [
    'platform partner_statement.url_sealed',
    'platform partner_statement.report_sealed',
    'partner case_bank_review.review_sealed',
  ])
    assert.ok(moved.has(column), column)
})
