// The bank's API, and the workers that end transfers and debits.
import type { Api } from '@lendloom/http/server'
import type { Worker } from '@lendloom/queue/queue'
import { type BankContext, refuseAtBank } from './bank-route.ts'
import { debitWorker, enquireDebit, listResults, presentDebit } from './debit.ts'
import { pauseMandate, sendNotice } from './debit-notice.ts'
import { paymentPageRoutes } from './payment-page.ts'
import { endMandate, listReceipts, payIn } from './receipts.ts'
import { returnTransfer, returnWorker } from './returned-transfer.ts'
import { downloadStatement, showAccounts } from './statement-page.ts'
import { checkAccount, enquireTransfer, orderTransfer, transferWorker } from './transfer.ts'

export const bankApi: Api<BankContext> = {
  prefix: '/bank',
  routes: [
    orderTransfer,
    enquireTransfer,
    returnTransfer,
    checkAccount,
    presentDebit,
    enquireDebit,
    listResults,
    sendNotice,
    pauseMandate,
    payIn,
    listReceipts,
    endMandate,
    ...paymentPageRoutes,
    showAccounts,
    downloadStatement,
  ],
  refuse: refuseAtBank,
}

export const bankWorkers = (ctx: BankContext): Worker[] => [transferWorker(ctx), returnWorker(ctx), debitWorker(ctx)]
