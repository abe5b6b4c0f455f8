// All workers of transfers, debits, the bank's lists, claims and arrears.
import type { Worker } from '@lendloom/queue/queue'
import type { Context } from '#partner/context.ts'
import { agentNoticeWorker } from './arrears/introduce-agent.ts'
import { promiseWorker } from './arrears/promise.ts'
import { reminderMailWorker, reminderQueueWorker } from './arrears/send-reminders.ts'
import { closedLoanWorker, mandateCancellationWorker } from './cancel-mandate.ts'
import { caseCollectionWorker, dueScanWorker, queueDueScan } from './debit/collect-due.ts'
import { debitNoticeWorker } from './debit/notice/send-debit-notices.ts'
import { debitWorker } from './debit/present-debit.ts'
import { heldPaymentWorker } from './held-payment.ts'
import { lapseWorker } from './lapse-applications.ts'
import { bankListWorker, queueBankLists } from './read-bank-lists.ts'
import { claimWorker } from './receipt/payment-claim.ts'
import { receiptReturnWorker } from './receipt/return/order-return.ts'
import { refundClaimWorker } from './refund-claim-worker.ts'
import { disbursementWorker } from './transfer/carry-out-disbursement.ts'
import { refundWorker } from './transfer/order-refund.ts'
import { returnWorker } from './transfer/return-transfer.ts'

/**
 * Queues the recurring jobs, and returns the workers. The scan for dues prepares debits only while the autopilot is on;
 * otherwise an officer starts it on the page of the money.
 */
export async function collectionWorkers(ctx: Context): Promise<Worker[]> {
  await Promise.all([queueBankLists(ctx), queueDueScan(ctx)])
  return [
    disbursementWorker(ctx),
    refundWorker(ctx),
    receiptReturnWorker(ctx),
    returnWorker(ctx),
    mandateCancellationWorker(ctx),
    closedLoanWorker(ctx),
    lapseWorker(ctx),
    debitWorker(ctx),
    debitNoticeWorker(ctx),
    bankListWorker(ctx),
    claimWorker(ctx),
    refundClaimWorker(ctx),
    heldPaymentWorker(ctx),
    dueScanWorker(ctx),
    caseCollectionWorker(ctx),
    promiseWorker(ctx),
    reminderQueueWorker(ctx),
    reminderMailWorker(ctx),
    agentNoticeWorker(ctx),
  ]
}
