// The sandbox's identity provider: papers from the locker at once, a video judged by an official afterwards.

import { type KycRequest, KycSession, type KycState, KycRequest as Request } from '#contract/provider/kyc.ts'
import { html } from '#kit/http/markup.ts'
import { longDayText } from '#kit/money/calendar.ts'
import type { Table } from '#kit/runtime/machine.ts'
import { masked } from '#sandbox/core/format.ts'
import { facts } from '#sandbox/core/page.ts'
import { kycPapers } from './kyc-papers.ts'
import type { Decision, Move, Outcome, Provider, Verification } from './verification.ts'

const kycMachine: Table<KycState, Move> = {
  LINK_SENT: {
    finish: 'VERIFIED',
    submit: 'UNDER_REVIEW',
    refuse: 'REJECTED',
    hangUp: 'CALL_ENDED',
    cancel: 'CALL_ENDED',
    lapse: 'LINK_EXPIRED',
  },
  UNDER_REVIEW: { finish: 'VERIFIED', refuse: 'REJECTED' },
  VERIFIED: {},
  REJECTED: {},
  CALL_ENDED: {},
  LINK_EXPIRED: {},
}

const mismatch = 'CUSTOMER_DETAIL_MISMATCH'

function borrower({ scenario, attempt, request }: Verification<KycRequest>, outcome: Outcome): Decision | 'again' {
  const isVideo = request.mode === 'VIDEO'
  if (outcome === 'decline') return { move: 'refuse', reasonCode: 'CONSENT_DENIED' }
  if (outcome === 'lapse') return { move: 'lapse', reasonCode: 'LINK_EXPIRED' }
  if (outcome === 'hang-up') return { move: 'hangUp', reasonCode: 'USER_LEFT_CALL' }
  if (scenario === 'kyc-retry' && attempt === 0) return 'again'
  if (scenario === 'kyc-cut-off' && isVideo) return { move: 'hangUp', reasonCode: 'CALL_DROPPED' }
  if (isVideo) return { move: 'submit' }
  return scenario === 'kyc-rejected' ? { move: 'refuse', reasonCode: mismatch } : { move: 'finish' }
}

export const kyc: Provider<KycRequest> = {
  kind: 'kyc',
  brand: 'Sandbox Identity',
  request: Request,
  reply: KycSession,
  initial: 'LINK_SENT',
  best: 'VERIFIED',
  machine: kycMachine,
  borrower,
  behind({ state, scenario }) {
    if (state !== 'UNDER_REVIEW') return null
    const times = scenario === 'kyc-slow' ? 10 : 1
    return scenario === 'kyc-rejected' ? { move: 'refuse', reasonCode: mismatch, times } : { move: 'finish', times }
  },
  papers: kycPapers,
  details: ({ request }) => ({ mode: request.mode }),
  page: ({ request: { person, mode } }) => ({
    title: mode === 'VIDEO' ? 'Confirm your identity in a video call' : 'Confirm your identity',
    body: html`<p>You share your PAN and address records from DigiLocker${mode === 'VIDEO' && ', and show yourself and your PAN card in a recorded call'}. They are used for this application only.</p>
${facts([
  ['Name', person.full_name],
  ['PAN', masked(person.pan)],
  ['Date of birth', longDayText(person.date_of_birth)],
  ['Mobile', masked(person.mobile)],
])}`,
    approve: mode === 'VIDEO' ? 'Share my records and finish the call' : 'Share my records and confirm',
    decline: 'Decline',
    again: 'Your identity could not be confirmed this time. Please try again.',
    more: mode === 'VIDEO' ? [['hang-up', 'Leave the call']] : [],
  }),
}
