// What a borrower sees of the stops of a lender with one page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { lenderPageView } from './lender-page-view.ts'

const viewWith = (status: string | null, ...stops: [type: string, state: string][]) =>
  lenderPageView({
    extras: {
      progress: {
        stops: stops.map(([type, state]) => ({ type, state })),
        ...(status && { answer: { formId: 'F', submissionId: 'S', status } }),
      },
    },
  } as unknown as Conversation)
const viewOf = (...stops: [type: string, state: string][]) => viewWith(null, ...stops)

test('FIS12 §26.2: the stops that a borrower knows are shown with their state, unknown states as still to come', () => {
  assert.deepEqual(
    viewOf(
      ['LOAN_OFFER', 'SELECTED'],
      ['SINGLE_REDIRECTION', 'IN_PROGRESS'],
      ['KYC', 'SUCCESSFUL'],
      ['BANK_ACCOUNT_VERIFICATION', 'INITIATED'],
      ['REPAYMENT', 'ON_HOLD'],
      ['constructor', 'SUCCESSFUL'],
    ),
    {
      isOnline: true,
      isDone: false,
      stops: [
        { step: 'kyc', state: 'done' },
        { step: 'bankMandate', state: 'now' },
        { step: 'eMandate', state: 'next' },
      ],
    },
  )
  assert.deepEqual(
    viewOf(['EMANDATE', 'COMPLETED'], ['LIEN_MARKING', 'IN_PROGRESS'], ['ESIGN', 'PENDING'])!.stops,
    [
      { step: 'eMandate', state: 'done' },
      { step: 'pledge', state: 'now' },
      { step: 'loanAgreement', state: 'next' },
    ],
    'a loan against mutual funds (FIS12 §27)',
  )
  assert.equal(viewOf(['JOURNEY_OFFLINE', 'PENDING'])!.isOnline, false)
  assert.equal(lenderPageView({ extras: {} } as Conversation), null)
  assert.equal(lenderPageView(undefined), null)
})

test('FIS12 §26.2: a completed page is done before the payout, though the lender still works on a step of it', () => {
  const stops = [
    ['SINGLE_REDIRECTION', 'IN_PROGRESS'],
    ['KYC', 'SUCCESSFUL'],
    ['LOAN_AGREEMENT', 'IN_PROGRESS'],
  ] as [string, string][]
  const waiting = viewWith('OFFLINE_PENDING', ...stops)!
  assert.equal(waiting.isDone, false)
  assert.equal(waiting.stops[1]!.state, 'now')
  const done = viewWith('COMPLETED', ...stops)!
  assert.equal(done.isDone, true)
  assert.equal(done.stops[1]!.state, 'done')
  assert.equal(viewWith('REJECTED', ...stops)!.isDone, false)
})
