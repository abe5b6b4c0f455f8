// POST /dedupe: asks the partner whether it knows the borrower; the same check is repeated until it is answered (D3 §4.1).

import { DedupeReply, type DedupeRequest, dedupeReplyFaults } from '#contract/exchange/dedupe.ts'
import { fits } from '#kit/http/schema.ts'
import { jsonIn } from '#kit/runtime/record.ts'
import type { Applicant } from './applicant.ts'
import { callPartner, type ExchangeContext, WrongAnswer } from './call.ts'
import type { PartnerCase } from './case.ts'

/** The partner's answer. Throws `NoAnswer` when the same request is to be made again, `WrongAnswer` when it is useless. */
export async function checkDuplicates(
  ctx: ExchangeContext,
  { caseRef, dedupeRequestId }: Pick<PartnerCase, 'caseRef' | 'dedupeRequestId'>,
  { pan, mobile, bornOn, name }: Applicant,
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
  if (answer.status !== 200) throw new WrongAnswer(`dedupe answered ${answer.status}`)
  const reply = jsonIn(answer.body)
  const [wrong] = dedupeReplyFaults(reply, request)
  if (wrong || !fits(DedupeReply, reply))
    throw new WrongAnswer(`the dedupe answer is not one: ${wrong?.path} ${wrong?.message}`)
  return reply
}
