// The job that sends the lead of a case: when it is due, and when the lead is built again.

import type { Tx } from '@lendloom/postgres/sql'
import { enqueue } from '@lendloom/queue/queue'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import { type PartnerCase, stageAfter } from './loan-case.ts'
import { changeCase } from './store.ts'

export interface CaseJob {
  caseRef: string
}

export const leadKind = 'partner-lead'

/** Records that the borrower chose the recommendation. A job builds and sends the lead after the commit. */
export async function chooseCase(tx: Tx, loanCase: PartnerCase, at: Date): Promise<PartnerCase> {
  const { tenantId, caseRef } = loanCase
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: leadKind, key: caseRef, payload, dueAt: at })
  return changeCase(tx, loanCase, { stage: stageAfter(loanCase, 'chosen') }, at)
}

/** Schedules the lead once its account or statement has arrived. */
export const submitWithAccount = (tx: Tx, { tenantId, caseRef, stage }: PartnerCase, at: Date): Promise<void> => {
  const payload: CaseJob = { caseRef }
  return stage === 'CHOSEN' ? enqueue(tx, { tenantId, kind: leadKind, payload, dueAt: at }) : Promise.resolve()
}

/** Schedules a new lead from current data, with a new event id and version (D3 §6 rule 6). */
export async function correctLead(tx: Tx, loanCase: PartnerCase, at: Date): Promise<void> {
  const { tenantId, caseRef } = loanCase
  const reset = { dedupeRequestId: uuidv4(bucketOf(caseRef)), dedupeCheckedAt: null, leadEventId: null }
  await changeCase(tx, loanCase, { stage: stageAfter(loanCase, 'corrected'), ...reset }, at)
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: leadKind, payload, dueAt: at })
}
