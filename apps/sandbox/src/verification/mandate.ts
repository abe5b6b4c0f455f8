// The sandbox's mandate provider: the borrower authorises debits, then the bank accepts or rejects the mandate.

import { pdfOf } from '@lendloom/documents/pdf'
import type { Table } from '@lendloom/foundation/machine'
import { html } from '@lendloom/http/markup'
import { longDayText } from '@lendloom/lending/calendar'
import { checkedPaise, inr } from '@lendloom/lending/money'
import {
  type MandateRequest,
  type MandateState,
  MandateStatusReport,
  MandateRequest as Request,
} from '@lendloom/wire/provider/provider-interfaces'
import { storeMandateOnFile } from '#sandbox/bank/receipts.ts'
import { facts, masked } from '#sandbox/core/page-frame.ts'
import type {
  CheckOutcome,
  Paper,
  Provider,
  ProviderDecision,
  ProviderVerification,
  VerificationMove,
} from './provider.ts'

const mandateMachine: Table<MandateState, VerificationMove> = {
  register_initiated: { submit: 'auth_success', fail: 'auth_fail', cancel: 'cancelled', lapse: 'expired' },
  auth_success: { finish: 'register_success', refuse: 'register_failed', cancel: 'cancelled' },
  register_success: { cancel: 'cancelled', lapse: 'expired' },
  auth_fail: {},
  register_failed: {},
  cancelled: {},
  expired: {},
}

/** The bank's rejection codes (NACH registration). */
const codes = {
  amount: 'AP10',
  noAccount: 'AP05',
  nameMismatch: 'AP08',
  customerCancelled: 'AP23',
  frequency: 'AP27',
  browserClosed: 'AP30',
}

function borrowerDecision(
  { scenario, attempt }: ProviderVerification<MandateRequest>,
  outcome: CheckOutcome,
): ProviderDecision | 'again' {
  if (outcome === 'decline') return { move: 'fail', reasonCode: codes.customerCancelled }
  if (outcome === 'hang-up') return { move: 'fail', reasonCode: codes.browserClosed }
  if (outcome === 'lapse') return { move: 'lapse', reasonCode: 'LINK_EXPIRED' }
  if (scenario === 'mandate-retry' && attempt === 0) return 'again'
  return { move: 'submit', ...(outcome === 'upi' && { facts: { isUpi: true } }) }
}

function rejection({ scenario, request, facts }: ProviderVerification<MandateRequest>): string | null {
  const most = mostForMandate[facts.isUpi ? 'upi' : 'nach']
  if (checkedPaise(request.maximum_amount) > most) return codes.amount
  if (scenario === 'mandate-rejected') return codes.noAccount
  if (scenario === 'mandate-name') return codes.nameMismatch
  return scenario === 'mandate-frequency' && request.frequency === 'WEEK' ? codes.frequency : null
}

const mostForMandate = { nach: 1_00_00_000_00n, upi: 1_00_000_00n }

/** The UMRN: four letters of the bank, a seven, and fifteen digits. A UPI mandate has an address instead. */
const umrnOf = ({ request, facts }: ProviderVerification<MandateRequest>, digits: string): string =>
  facts.isUpi
    ? `${digits.padStart(32, '0')}@okbank`
    : `${request.account.ifsc.slice(0, 4).toUpperCase()}7${digits.slice(0, 15)}`

export const mandate: Provider<MandateRequest> = {
  kind: 'mandate',
  brand: 'Sandbox Mandates',
  request: Request,
  reply: MandateStatusReport,
  initialState: 'register_initiated',
  successState: 'register_success',
  machine: mandateMachine,
  borrowerDecision,
  delayedDecision(verification) {
    if (verification.state === 'register_success')
      return verification.scenario === 'mandate-withdrawn'
        ? { move: 'cancel', reasonCode: codes.customerCancelled, delayFactor: 3 }
        : null
    if (verification.state !== 'auth_success') return null
    const delayFactor = verification.scenario === 'mandate-slow' ? 10 : 1
    const reasonCode = rejection(verification)
    return reasonCode === null ? { move: 'finish', delayFactor } : { move: 'refuse', reasonCode, delayFactor }
  },
  facts(verification, _at, digits) {
    if (verification.state !== 'register_success') return {}
    const { maximum_amount, frequency, first_collection_on, final_collection_on } = verification.request
    return {
      umrn: umrnOf(verification, digits),
      maximum_amount,
      frequency,
      start_on: first_collection_on,
      end_on: final_collection_on,
    }
  },
  filesOfState: async (verification, at) =>
    verification.state === 'register_success' ? [await mandateForm(verification, at)] : [],
  async onEntered(tx, { state, facts, request }, at) {
    if (typeof facts.umrn !== 'string') return
    const mandateOnFile = {
      umrn: facts.umrn,
      maximumPaise: checkedPaise(request.maximum_amount),
      validFrom: request.first_collection_on,
      validUntil: request.final_collection_on,
      status: state === 'register_success' ? ('ACTIVE' as const) : ('CANCELLED' as const),
    }
    await storeMandateOnFile(tx, mandateOnFile, at)
  },
  details: ({ facts: { isUpi, ...terms } }) => ({
    umrn: null,
    maximum_amount: null,
    frequency: null,
    start_on: null,
    end_on: null,
    ...terms,
  }),
  page: ({ request }) => ({
    title: 'Allow repayment from your account',
    body: html`<p>You allow your lender to debit the instalments of your loan. You can cancel autopay at your bank.</p>${facts(terms(request))}`,
    approve: 'Allow the debits',
    decline: 'Decline',
    again: 'The one-time password was wrong (AP39). Please try again.',
    furtherEndings: [
      ['upi', 'Allow them by UPI Autopay'],
      ['hang-up', 'Close the window'],
    ],
  }),
}

const frequencyText = { WEEK: 'once a week', ADHO: 'as and when presented' }

const terms = (request: MandateRequest): [string, string][] => [
  ['Account holder', request.account.holder_name],
  ['Account', `${masked(request.account.account_number)}, ${request.account.ifsc}`],
  ['Debited', frequencyText[request.frequency]],
  ['At most, each time', inr(checkedPaise(request.maximum_amount))],
  ['From', longDayText(request.first_collection_on)],
  ['Until', longDayText(request.final_collection_on)],
]

async function mandateForm(
  { request, facts, verificationId }: ProviderVerification<MandateRequest>,
  at: Date,
): Promise<Paper> {
  const rows = [
    [facts.isUpi ? 'UMN' : 'UMRN', String(facts.umrn)],
    ...terms(request),
    ['Request', verificationId],
    ['Accepted', at.toISOString()],
  ]
  const bytes = await pdfOf({
    title: facts.isUpi ? 'UPI mandate' : 'NACH mandate',
    author: 'Sandbox Mandates',
    blocks: [
      { kind: 'table', head: [], rows, widths: [2, 3] },
      { kind: 'text', text: 'This is a sandbox document. No account is debited.' },
    ],
    createdAt: at,
  })
  return { kind: 'mandate_form', contentType: 'application/pdf', bytes }
}
