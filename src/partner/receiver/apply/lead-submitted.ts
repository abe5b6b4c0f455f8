// LEAD_SUBMITTED: exactly one case from the complete dataset, its ids reserved, its files expected (D3 §1.1 rule 2, §3).
import type { EventOf } from '#contract/exchange/envelope.ts'
import { randomOctets } from '#kit/crypto/random.ts'
import { reservedId } from '#partner/case/case.ts'
import { register } from '#partner/case/register.ts'
import type { TxContext } from '#partner/context.ts'
import { expectDocuments } from '#partner/document/manifest.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { reviewBank } from '#partner/review/bank/store.ts'

export async function onLeadSubmitted(ctx: TxContext, event: EventOf<'LEAD_SUBMITTED'>): Promise<void> {
  const { tx } = ctx
  const { data } = event
  const { pan, mobile, date_of_birth: bornOn } = data.borrower
  const expected = data.documents_expected.map(({ document_reference_id, document_type }) => ({
    documentReferenceId: document_reference_id,
    documentType: document_type,
  }))
  const loanCase = await register(ctx, {
    sender: event.sender,
    caseRef: event.correlation.external_reference_id,
    eventId: event.event_id,
    product: data.product,
    dedupeReferenceId: data.dedupe_reference_id,
    applicant: { pan, mobile, bornOn },
    whole: data,
    awaitsDocuments: expected.length > 0,
    leadId: reservedId(randomOctets(8)),
    loanId: reservedId(randomOctets(8)),
  })
  await reviewBank(ctx, loanCase.caseRef, data)
  await expectDocuments(tx, loanCase.caseRef, expected)
  const pending = expected.map(({ documentReferenceId }) => documentReferenceId)
  const status = pending.length > 0 ? ('DOCUMENTS_PENDING' as const) : ('UNDER_REVIEW' as const)
  await sendEvent(ctx, loanCase, { type: 'LEAD_REGISTERED', data: { status, documents_pending: pending } })
}
