// Law: on every day the books hold the receipts in the bank that are not posted to a loan, and nothing else, as unposted.
import assert from 'node:assert/strict'
import type { Run } from '@lendloom/postgres/sql'

/**
 * Throws unless the account of unposted receipts equals the bank's receipts less the posted payments, the transfers
 * that came back, and the receipts that went back to their payers.
 */
export async function assertUnpostedLaw(db: Run): Promise<void> {
  const [sums] = await db<{ booked: bigint; inBank: bigint; waiting: bigint; returned: bigint; takenBack: bigint }>`
    with booked as (
      select case when p.credit = 'UNPOSTED' then p.paise else -p.paise end as paise, 'BANK' in (p.debit, p.credit) as is_bank
      from ledger_posting p where 'UNPOSTED' in (p.debit, p.credit))
    select (select coalesce(sum(paise), 0) from booked)::bigint as booked,
      (select coalesce(sum(paise), 0) from booked where is_bank)::bigint as in_bank,
      (select coalesce(sum(amount_paise), 0) from bank_receipt where returned_transfer is null)::bigint
        - (select coalesce(sum(p.amount_paise), 0) from payment p where p.status = 'POSTED' and p.receipt_id is not null)::bigint
        as waiting,
      (select coalesce(sum(amount_paise), 0) from receipt_return where status <> 'FAILED')::bigint as returned,
      (select coalesce(sum(amount_paise), 0) from receipt_return where status = 'TAKEN_BACK')::bigint as taken_back`
  assert.ok(sums)
  assert.equal(sums.booked, sums.waiting - sums.returned)
  assert.equal(sums.inBank, sums.waiting - sums.takenBack)
}
