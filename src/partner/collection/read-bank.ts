// Reads the bank's lists from the last position: every result and receipt once, also after interruptions.

import { enqueue, nobody, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { type BankCaller, type BankReply, receiptsAfter, resultsAfter } from '#partner/bank/client.ts'
import type { Context } from '#partner/context.ts'
import { receiveReceipt } from './receive-receipt.ts'
import { settleDebit } from './settle-debit.ts'
import { type List, readPlace, writePlace } from './store.ts'

const readBankKind = 'read-bank'

/** The two lists have one standing job each, made when the program starts; it is never finished, only due again. */
export async function beginReadingBank({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const dueAt = clock()
  const lists: List[] = ['debit-results', 'receipts']
  await db.tx(async (tx) => {
    for (const list of lists)
      await enqueue(tx, {
        tenantId: nobody,
        kind: readBankKind,
        key: `${readBankKind} ${list}`,
        payload: { list },
        dueAt,
      })
  })
}

export const readingBank = (ctx: Context): Worker =>
  work<{ list: List }>({
    kind: readBankKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    async handle({ payload: { list } }) {
      if (list === 'debit-results') await readOn(ctx, list, resultsAfter, (each) => settleDebit(ctx, each))
      else await readOn(ctx, list, receiptsAfter, (each) => receiveReceipt(ctx, each))
      throw new RetryLater(ctx.config.BANK_POLL_SECONDS, 'read up to its end')
    },
  })

/** The place moves on after a page has had its effect: after a crash the page is read again, and has none. */
async function readOn<Item>(
  ctx: Context,
  list: List,
  ask: (bank: BankCaller, after: string) => Promise<BankReply<{ items: Item[]; next: string }>>,
  take: (item: Item) => Promise<void>,
): Promise<void> {
  const provider = ctx.config.BANK_NAME
  for (let place = await readPlace(ctx.db, provider, list); ; ) {
    const word = await ask(ctx, place)
    if (word.is !== 'answered' || word.value.items.length === 0) return
    for (const item of word.value.items) await take(item)
    place = word.value.next
    await writePlace(ctx.db, { provider, list, place, at: ctx.clock() })
  }
}
