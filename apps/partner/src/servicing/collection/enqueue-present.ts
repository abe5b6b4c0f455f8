// The job that presents one debit to the bank and reads the result.

import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import type { Payment } from './payment.ts'

export const presentKind = 'present-debit'

export interface PresentJob {
  caseRef: string
  paymentId: string
}

export async function enqueuePresent(tx: Tx, { caseRef, paymentId }: Payment, dueAt: Date): Promise<void> {
  const payload: PresentJob = { caseRef, paymentId }
  await enqueue(tx, { tenantId: noTenantId, kind: presentKind, key: paymentId, payload, dueAt })
}
