// The bank as the others meet it: its routes, and the workers that make its promises come true.
import type { Api } from '#kit/http/server.ts'
import type { Worker } from '#kit/messaging/queue.ts'
import { type BankContext, refuseAtBank } from './bank-route.ts'
import { enquireDebit, listResults, presentDebit, settlingDebits } from './debit.ts'
import { endMandate, listReceipts, payIn } from './receipt.ts'
import { checkAccount, enquireTransfer, orderTransfer, settlingTransfers } from './transfer.ts'

export const bankApi: Api<BankContext> = {
  prefix: '/bank',
  routes: [
    ...[orderTransfer, enquireTransfer, checkAccount],
    ...[presentDebit, enquireDebit, listResults],
    ...[payIn, listReceipts, endMandate],
  ],
  refuse: refuseAtBank,
}

export const settling = (ctx: BankContext): Worker[] => [settlingTransfers(ctx), settlingDebits(ctx)]
