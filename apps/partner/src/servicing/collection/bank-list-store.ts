// Table bank_place: up to where the bank's lists of debit results and receipts were read.

import type { Run } from '@lendloom/postgres/sql'

export type BankList = 'debit-results' | 'receipts'

/** Returns the position up to which a list was read; empty if it was never read. */
export async function readPosition(db: Run, provider: string, list: BankList): Promise<string> {
  const [row] = await db<{ position: string }>`
    select place as position from bank_place where provider = ${provider} and list = ${list}`
  return row?.position ?? ''
}

interface ListPosition {
  provider: string
  list: BankList
  position: string
  at: Date
}

export async function writePosition(db: Run, { provider, list, position, at }: ListPosition): Promise<void> {
  await db`insert into bank_place ${db({ provider, list, place: position, readAt: at })}
    on conflict (provider, list) do update set place = excluded.place, read_at = excluded.read_at`
}
