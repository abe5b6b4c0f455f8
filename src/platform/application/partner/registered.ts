// The partner's ids are known, by its event or by Status: they are saved once, and the files that wait are sent (D3 §4.3).

import { Refusal } from '#kit/http/refusal.ts'
import type { TxContext } from '#platform/context.ts'
import { canMove, type PartnerCase, stageAfter } from '#platform/exchange/case.ts'
import { followUpPartner } from '#platform/exchange/status.ts'
import { changeCase } from '#platform/exchange/store.ts'
import { scheduleUploads } from './uploading.ts'

/** Saves the ids. Told again the same ones change nothing; others are refused, as is a registration that nobody asked for. */
export async function registered(
  ctx: TxContext,
  application: PartnerCase,
  ids: { leadId: string; loanId: string },
): Promise<PartnerCase> {
  const { tx, at } = ctx
  if (application.leadId !== null) {
    if (application.leadId === ids.leadId && application.loanId === ids.loanId) return application
    throw new Refusal('forbidden', 'the case is registered under other ids', { code: 'IDENTITY_CONFLICT' })
  }
  if (application.leadEventId === null) throw new Refusal('wrong-state', 'no lead was submitted for this case')
  // A borrower may have ended the application meanwhile: the ids are kept all the same, for what is still to be told.
  const stage = canMove(application, 'registered') ? stageAfter(application, 'registered') : application.stage
  const known = await changeCase(tx, application, { ...ids, stage }, at)
  await scheduleUploads(tx, known, at)
  if (stage !== application.stage) await followUpPartner(ctx, known)
  return known
}
