// Asks a partner whether it already knows the borrower (D3 §4.1).

import { jsonIn } from '@lendloom/foundation/json'
import { fits } from '@lendloom/foundation/schema'
import { DedupeReply, type DedupeRequest, dedupeReplyFaults } from '@lendloom/wire/exchange/dedupe'
import type { ApplicantDetails } from '#platform/lenders/partner/applicant.ts'
import { callPartner, type ExchangeContext, UnusableAnswer } from '#platform/lenders/partner/call-partner.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'

/** Requests the duplicate check. Throws `RetryablePartnerError`, or `UnusableAnswer` for an invalid answer. */
export async function requestDuplicateCheck(
  ctx: ExchangeContext,
  { caseRef, dedupeRequestId }: Pick<PartnerCase, 'caseRef' | 'dedupeRequestId'>,
  { pan, mobile, bornOn, name }: ApplicantDetails,
): Promise<DedupeReply> {
  const request: DedupeRequest = {
    request_id: dedupeRequestId,
    external_reference_id: caseRef,
    product: 'BUSINESS_LOAN',
    applicant: { pan, mobile: `+91${mobile}`, date_of_birth: bornOn, name },
  }
  const answer = await callPartner(ctx, {
    method: 'POST',
    path: '/dedupe',
    headers: { 'content-type': 'application/json', 'idempotency-key': dedupeRequestId },
    body: JSON.stringify(request),
    timeoutMs: 10_000,
  })
  if (answer.status !== 200) throw new UnusableAnswer(`dedupe answered ${answer.status}`)
  const reply = jsonIn(answer.body)
  const [fault] = dedupeReplyFaults(reply, request)
  if (fault || !fits(DedupeReply, reply))
    throw new UnusableAnswer(`the dedupe answer is invalid: ${fault?.path} ${fault?.message}`)
  return reply
}
