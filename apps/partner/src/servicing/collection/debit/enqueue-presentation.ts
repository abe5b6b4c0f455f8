// The job that presents one debit to the bank and reads the result.

import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import type { Payment } from '#partner/servicing/collection/payment.ts'

export const presentationKind = 'present-debit'

export interface PresentationJob {
  caseRef: string
  paymentId: string
}

export async function enqueuePresentation(tx: Tx, { caseRef, paymentId }: Payment, dueAt: Date): Promise<void> {
  const payload: PresentationJob = { caseRef, paymentId }
  await enqueue(tx, { tenantId: noTenantId, kind: presentationKind, key: paymentId, payload, dueAt })
}
