// Reads the bank's lists on from where they were left: every result and every receipt once, whatever happens in between.

import { enqueue, Later, nobody, type Worker, work } from '#kit/queue.ts'
import { type BankCaller, receiptsAfter, resultsAfter, type Word } from '#partner/bank/client.ts'
import type { World } from '#partner/world.ts'
import { receiveReceipt } from './receive-receipt.ts'
import { settleDebit } from './settle-debit.ts'
import { type List, readPlace, writePlace } from './store.ts'

export const readBankKind = 'read-bank'

/** The two lists have one standing job each, made when the program starts; it is never finished, only due again. */
export async function beginReadingBank({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<void> {
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

export const readingBank = (world: World): Worker =>
  work<{ list: List }>({
    kind: readBankKind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    async handle({ payload: { list } }) {
      if (list === 'debit-results') await readOn(world, list, resultsAfter, (each) => settleDebit(world, each))
      else await readOn(world, list, receiptsAfter, (each) => receiveReceipt(world, each))
      throw new Later(world.config.BANK_POLL_SECONDS, 'read up to its end')
    },
  })

/** The place moves on after a page has had its effect: after a crash the page is read again, and has none. */
async function readOn<Item>(
  world: World,
  list: List,
  ask: (bank: BankCaller, after: string) => Promise<Word<{ items: Item[]; next: string }>>,
  take: (item: Item) => Promise<void>,
): Promise<void> {
  const provider = world.config.BANK_NAME
  for (let place = await readPlace(world.db, provider, list); ; ) {
    const word = await ask(world, place)
    if (word.is !== 'said' || word.value.items.length === 0) return
    for (const item of word.value.items) await take(item)
    place = word.value.next
    await writePlace(world.db, provider, list, place, world.clock())
  }
}
