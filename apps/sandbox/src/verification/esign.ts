// The sandbox's e-sign provider: appends a signature page to an uploaded PDF.
import { createHash } from 'node:crypto'
import type { PdfDocument } from '@lendloom/documents/pdf'
import { appendPages } from '@lendloom/documents/pdf-pages'
import type { Table } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { html } from '@lendloom/http/markup'
import { refuseParserFailure } from '@lendloom/http/refusing-parser'
import {
  type EsignRequest,
  type EsignState,
  EsignStatusReport,
  EsignRequest as Request,
} from '@lendloom/wire/provider/provider-interfaces'
import { facts, masked } from '#sandbox/core/page-frame.ts'
import type { CheckOutcome, Provider, ProviderDecision, ProviderVerification, VerificationMove } from './provider.ts'

/** A request with the digest of its uploaded file. */
export type EsignOrder = EsignRequest & { file_sha256: string }

const esignMachine: Table<EsignState, VerificationMove> = {
  sign_pending: { finish: 'signed', fail: 'sign_failed', lapse: 'expired', cancel: 'withdrawn' },
  signed: {},
  sign_failed: {},
  expired: {},
  withdrawn: {},
}

function borrowerDecision(
  { scenario, attempt }: ProviderVerification<EsignOrder>,
  outcome: CheckOutcome,
): ProviderDecision | 'again' {
  if (outcome === 'decline') return { move: 'fail', reasonCode: 'SIGNER_DECLINED' }
  if (outcome === 'hang-up') return { move: 'fail', reasonCode: 'SIGNER_LEFT' }
  if (outcome === 'lapse') return { move: 'lapse', reasonCode: 'LINK_EXPIRED' }
  if (scenario === 'esign-retry' && attempt === 0) return 'again'
  return scenario === 'esign-failed' ? { move: 'fail', reasonCode: 'SIGNER_NAME_MISMATCH' } : { move: 'finish' }
}

export const esign: Provider<EsignOrder> = {
  kind: 'esign',
  brand: 'Sandbox Signatures',
  request: Request,
  reply: EsignStatusReport,
  initialState: 'sign_pending',
  successState: 'signed',
  machine: esignMachine,
  borrowerDecision,
  delayedDecision: () => null,
  facts: ({ state, request }) => (state === 'signed' ? { signed_by: request.person.full_name } : {}),
  async filesOfState(verification, at, upload) {
    if (verification.state !== 'signed') return []
    const bytes = await signedDocument(await upload(verification.request.file_id), verification, at)
    return [{ kind: 'signed_document', contentType: 'application/pdf', bytes }]
  },
  details: ({ request, facts }) => ({ source_sha256: request.file_sha256, signed_by: null, ...facts }),
  page: ({ request: { title, person, file_sha256 } }) => ({
    title: 'Sign your agreement',
    body: html`<p>Please read before you sign: <a href="?document" target="_blank" rel="noopener">${title} (PDF)</a>.</p>
${facts([
  ['Signer', person.full_name],
  ['Mobile', masked(person.mobile)],
  ['Fingerprint of the document', file_sha256.slice(0, 16)],
])}`,
    approve: 'Sign with the one-time password 123456',
    decline: 'Do not sign',
    again: 'The signature failed this time. Please try again.',
  }),
}

/** The document with an appended page that states signer, document and time. */
function signedDocument(
  source: Buffer,
  { request, verificationId }: ProviderVerification<EsignOrder>,
  at: Date,
): Promise<Buffer> {
  const serial = createHash('sha256').update(`${verificationId}\n${request.file_sha256}`).digest('hex').slice(0, 32)
  const rows = [
    ['Document', request.title],
    ['SHA-256 of the document', request.file_sha256],
    ['Signed by', request.person.full_name],
    ['PAN', masked(request.person.pan)],
    ['Method', 'one-time password to the registered mobile'],
    ['Signed at', at.toISOString()],
    ['Request', verificationId],
    ['Certificate', serial],
  ]
  const page: PdfDocument = {
    title: 'Signature page',
    author: 'Sandbox Signatures',
    blocks: [
      { kind: 'table', head: [], rows, widths: [2, 3] },
      { kind: 'text', text: 'This is a sandbox signature without legal effect.' },
    ],
    createdAt: at,
  }
  return refuseParserFailure(appendPages(source, page), (why) => new Refusal('invalid', `the document ${why}`))
}
