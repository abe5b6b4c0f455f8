// What a borrower sees of the stops of a lender with one page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { lenderPageView } from './lender-page-view.ts'

const viewOf = (...stops: [type: string, state: string][]) =>
  lenderPageView({
    extras: { progress: { stops: stops.map(([type, state]) => ({ type, state })) } },
  } as unknown as Conversation)

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
      stops: [
        { step: 'kyc', state: 'done' },
        { step: 'bankMandate', state: 'now' },
        { step: 'eMandate', state: 'next' },
      ],
    },
  )
  assert.equal(viewOf(['JOURNEY_OFFLINE', 'PENDING'])!.isOnline, false)
  assert.equal(lenderPageView({ extras: {} } as Conversation), null)
  assert.equal(lenderPageView(undefined), null)
})
