// The bank as the others meet it: its routes, and the workers that make its promises come true.
import type { Door } from '#kit/http-server.ts'
import type { Worker } from '#kit/queue.ts'
import { enquireDebit, listResults, presentDebit, settlingDebits } from './debit.ts'
import { type BankWorld, refuseAtBank } from './door.ts'
import { listReceipts, payIn } from './receipt.ts'
import { checkAccount, enquireTransfer, orderTransfer, settlingTransfers } from './transfer.ts'

export const bankDoor: Door<BankWorld> = {
  prefix: '/bank',
  routes: [
    ...[orderTransfer, enquireTransfer, checkAccount],
    ...[presentDebit, enquireDebit, listResults],
    ...[payIn, listReceipts],
  ],
  refuse: refuseAtBank,
}

export const settling = (world: BankWorld): Worker[] => [settlingTransfers(world), settlingDebits(world)]
