// Reads the bank's lists of debit results and receipts. Each read continues at the saved position.

import { enqueue, noTenantId, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { type BankCaller, type BankReply, receiptsAfter, resultsAfter } from '#partner/bank/client.ts'
import type { Context } from '#partner/context.ts'
import { type BankList, readPosition, writePosition } from './bank-list-store.ts'
import { applyDebitResult } from './debit/apply-debit-result.ts'
import { receiveReceipt } from './receipt/receive-receipt.ts'

const readBankKind = 'read-bank'

/** Queues one recurring job per list at program start. */
export async function queueBankLists({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const dueAt = clock()
  const lists: BankList[] = ['debit-results', 'receipts']
  await db.tx(async (tx) => {
    for (const list of lists)
      await enqueue(tx, {
        tenantId: noTenantId,
        kind: readBankKind,
        key: `${readBankKind} ${list}`,
        payload: { list },
        dueAt,
      })
  })
}

export const bankListWorker = (ctx: Context): Worker =>
  work<{ list: BankList }>({
    kind: readBankKind,
    ...ctx,
    async handle({ payload: { list } }) {
      if (list === 'debit-results') await readList(ctx, list, resultsAfter, (each) => applyDebitResult(ctx, each))
      else await readList(ctx, list, receiptsAfter, (each) => receiveReceipt(ctx, each))
      throw new RetryLater(ctx.config.BANK_POLL_SECONDS, 'read to the end')
    },
  })

/** Handles each page, then saves its position. After a crash the page is handled again, which has no further effect. */
async function readList<Item>(
  ctx: Context,
  list: BankList,
  fetchPage: (bank: BankCaller, after: string) => Promise<BankReply<{ items: Item[]; next: string }>>,
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  const provider = ctx.config.BANK_NAME
  for (let position = await readPosition(ctx.db, provider, list); ; ) {
    const reply = await fetchPage(ctx, position)
    if (reply.is !== 'answered' || reply.value.items.length === 0) return
    for (const item of reply.value.items) await handle(item)
    position = reply.value.next
    await writePosition(ctx.db, { provider, list, position, at: ctx.clock() })
  }
}
