// The sandbox's identity provider: records from DigiLocker at once, or a video call that an official reviews later.

import { createHash } from 'node:crypto'
import { type Block, pdfOf } from '@lendloom/documents/pdf'
import type { Table } from '@lendloom/foundation/machine'
import { html } from '@lendloom/http/markup'
import { longDayText } from '@lendloom/lending/calendar'
import {
  type KycRequest,
  KycSession,
  type KycState,
  KycRequest as Request,
} from '@lendloom/wire/provider/provider-interfaces'
import { facts, masked } from '#sandbox/core/page-frame.ts'
import { recording } from './call-recording.ts'
import type {
  CheckOutcome,
  Paper,
  Provider,
  ProviderDecision,
  ProviderVerification,
  VerificationMove,
} from './provider.ts'

const author = 'Sandbox Identity'

/** The files of a state: fetched records, the recording of the call, and the report after the decision. */
async function kycPapers(verification: ProviderVerification<KycRequest>, at: Date): Promise<Paper[]> {
  const isVideo = verification.request.mode === 'VIDEO'
  const hasRecords = verification.state === (isVideo ? 'UNDER_REVIEW' : 'VERIFIED')
  const papers = [
    ...(hasRecords ? [await aadhaarPaper(verification, at), await panPaper(verification, at)] : []),
    ...(hasRecords && isVideo ? [{ kind: 'video', contentType: 'video/mp4', bytes: recording(at) } as const] : []),
    ...(verification.state === 'VERIFIED' ? [await report(verification, at)] : []),
  ]
  return papers
}

/** The last four digits of a fictional Aadhaar number, derived from the verification id; there are no other digits. */
const lastFour = ({ verificationId }: Pick<ProviderVerification, 'verificationId'>): string =>
  String(createHash('sha256').update(verificationId).digest().readUInt32BE() % 10_000).padStart(4, '0')

const aadhaarPaper = (verification: ProviderVerification<KycRequest>, at: Date): Promise<Paper> =>
  paper('aadhaar_xml_pdf', 'Aadhaar offline verification', at, [
    table([
      ['Name', verification.request.person.full_name],
      ['Date of birth', longDayText(verification.request.person.date_of_birth)],
      ['Aadhaar number', `XXXX XXXX ${lastFour(verification)}`],
      ['Signature of the issuing authority', 'valid'],
    ]),
  ])

const panPaper = ({ request: { person } }: ProviderVerification<KycRequest>, at: Date): Promise<Paper> =>
  paper('pan_pdf', 'PAN verification', at, [
    table([
      ['PAN', person.pan],
      ['Name on record', person.full_name],
      ['Status', 'VALID'],
      ['Name and date of birth', 'match'],
    ]),
  ])

const report = (verification: ProviderVerification<KycRequest>, at: Date): Promise<Paper> =>
  paper('kyc_report', 'KYC report', at, [
    table([
      ['Session', verification.verificationId],
      [
        'Method',
        verification.request.mode === 'VIDEO' ? 'records and a recorded video call' : 'records from DigiLocker',
      ],
      ['Name', verification.request.person.full_name],
      ['PAN', masked(verification.request.person.pan)],
      ['Started', verification.createdAt.toISOString()],
      ['Decided', at.toISOString()],
      ['Result', verification.state],
    ]),
    ...(verification.request.mode === 'VIDEO' ? [{ kind: 'heading', text: 'The call' } as const, callChecks] : []),
  ])

const callChecks = tableOf(
  ['Check', 'Outcome'],
  [
    ['Consent recorded', 'yes'],
    ['Device located in India', 'yes'],
    ['Liveness', 'yes'],
    ['Face against the Aadhaar photograph', 'match'],
    ['PAN card shown and read', 'yes'],
  ],
)

async function paper(kind: string, title: string, createdAt: Date, blocks: Block[]): Promise<Paper> {
  const notice: Block = { kind: 'text', text: 'This is a sandbox document. It does not identify a real person.' }
  const bytes = await pdfOf({ title, author, blocks: [...blocks, notice], createdAt })
  return { kind, contentType: 'application/pdf', bytes }
}

function tableOf(head: string[], rows: string[][]): Block {
  return { kind: 'table', head, rows, widths: [2, 3] }
}
const table = (rows: string[][]): Block => tableOf([], rows)

const kycMachine: Table<KycState, VerificationMove> = {
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

function borrowerDecision(
  { scenario, attempt, request }: ProviderVerification<KycRequest>,
  outcome: CheckOutcome,
): ProviderDecision | 'again' {
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
  initialState: 'LINK_SENT',
  successState: 'VERIFIED',
  machine: kycMachine,
  borrowerDecision,
  delayedDecision({ state, scenario }) {
    if (state !== 'UNDER_REVIEW') return null
    const delayFactor = scenario === 'kyc-slow' ? 10 : 1
    return scenario === 'kyc-rejected'
      ? { move: 'refuse', reasonCode: mismatch, delayFactor }
      : { move: 'finish', delayFactor }
  },
  filesOfState: kycPapers,
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
    furtherEndings: mode === 'VIDEO' ? [['hang-up', 'Leave the call']] : [],
  }),
}
