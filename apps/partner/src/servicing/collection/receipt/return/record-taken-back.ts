// Records that the bank took the money of a receipt back by itself, so that nobody posts it or sends it back.

import type { Write } from '@lendloom/postgres/write'
import type { ReceiptKey } from '#partner/servicing/collection/receipt/store.ts'
import { bookTakenBack } from '#partner/servicing/collection/receipt/unposted-receipts.ts'
import { lockReturnable, nextReturnId, storeReturn } from './order-return.ts'
import type { BankDebit, TakenBack } from './store.ts'

/** Records the bank's debit of a receipt's money. Orders no transfer. Throws as `lockReturnable` does. */
export async function recordTakenBack({ tx, at }: Write, key: ReceiptKey, debit: BankDebit): Promise<void> {
  const { provider, receiptId, amountPaise } = await lockReturnable(tx, key)
  const row: TakenBack = {
    returnId: await nextReturnId(tx, key),
    provider,
    receiptId,
    status: 'TAKEN_BACK',
    amountPaise,
    bankReference: debit.bankReference,
    takenBackOn: debit.takenBackOn,
    createdAt: at,
    updatedAt: at,
  }
  await storeReturn(tx, row)
  await bookTakenBack({ tx, at }, row, row.takenBackOn)
}
