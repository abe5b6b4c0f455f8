// Platform and partner are killed at random moments: no acknowledged event is lost, and no payment is made twice.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { clockFile } from '@lendloom/cli/src/installation.ts'
import { balancesOf } from '@lendloom/partner/src/books/ledger/post-entries.ts'
import { connect } from '@lendloom/postgres/sql'
import { assertAllApplied, completePartnerLoan, leaseExpiryMs } from '#test/setup/lending-life.ts'
import { clockAdvancer } from '#test/setup/passing.ts'
import { seededRandom } from '#test/setup/patience.ts'
import { patientSettings, startPrograms, until } from '#test/setup/programs.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-kills-'))
after(() => rmSync(directory, { recursive: true }))
const ctx = await startPrograms({
  partner: true,
  env: {
    ...patientSettings,
    CLOCK_FILE: clockFile(directory),
    PARTNER_DEDUPE_SECONDS: '60',
    OFFER_WINDOW_SECONDS: '60',
  },
})
const advanceClock = clockAdvancer(ctx, directory)
const partnerDb = connect(ctx.partnerDatabaseUrl, { connections: 2 })
after(() => partnerDb.close())

/** Kills and restarts programs at seeded random moments. */
async function killInTurn(programs: readonly ('platform' | 'partner')[], seed: number): Promise<void> {
  const random = seededRandom(seed)
  for (const program of programs) {
    await sleep(200 + random() * 1800)
    await ctx.kill(program)
    await sleep(random() * 300)
    await ctx.start(program)
  }
}

describe('D3 §6: loans through kills of platform and partner, one story', () => {
  let cases: string[] = []

  test('D3 §6 rule 8: with random crashes each loan is disbursed once, and every event is applied once', async () => {
    const loans = Promise.all(Array.from({ length: 3 }, () => completePartnerLoan(ctx)))
    await Promise.all([loans, killInTurn(['partner', 'platform', 'partner', 'platform'], 20_261_120)])
    cases = await loans
    for (const caseRef of cases) {
      await assertAllApplied(ctx.db, partnerDb, caseRef)
      await assertAllApplied(partnerDb, ctx.db, caseRef)
    }
  })

  test('D3 §6 rule 7: with crashes during presentation each confirmed debit is posted once', async () => {
    await Promise.all([advanceClock('8d', { step: '1d' }), killInTurn(['partner', 'partner'], 7)])
    const transfers = await ctx.sandboxDb<{ reference: string; amountPaise: bigint }>`
      select client_reference as reference, amount_paise from bank_transfer where status = 'SUCCESS'`
    for (const caseRef of cases) {
      const postedDebits = async () => {
        const presented = await partnerDb<{ collectionId: string; status: string; amountPaise: bigint }>`
          select collection_id, status, amount_paise from payment where case_ref = ${caseRef} and collection_id is not null and status <> 'DROPPED'`
        return presented.length > 0 && presented.every(({ status }) => status === 'POSTED') && presented
      }
      const posted = await until('the debit is posted', postedDebits, leaseExpiryMs)
      const confirmed = await ctx.sandboxDb<{ reference: string; amountPaise: bigint }>`
        select d.reference, d.amount_paise from bank_debit d join bank_debit_result r using (reference)
        where r.status = 'CONFIRMED' and d.reference = any(${posted.map(({ collectionId }) => collectionId)})`
      assert.equal(confirmed.length, posted.length, 'each debit was confirmed once')
      const orders = await partnerDb<{ disbursementId: string }>`
        select disbursement_id from disbursement where case_ref = ${caseRef}`
      assert.equal(orders.length, 1)
      const paid = transfers.filter(({ reference }) => reference === orders[0]!.disbursementId)
      assert.equal(paid.length, 1)
      const { BANK } = await balancesOf(partnerDb, caseRef)
      const received = confirmed.reduce((sum, { amountPaise }) => sum + amountPaise, 0n)
      assert.equal(BANK, received - paid[0]!.amountPaise, 'the ledger matches the bank')
      await assertAllApplied(partnerDb, ctx.db, caseRef)
    }
    assert.equal(transfers.length, cases.length)
    const debits = await ctx.sandboxDb`select 1 from bank_debit`
    const payments = await partnerDb`select 1 from payment where collection_id is not null and status <> 'DROPPED'`
    assert.equal(debits.length, payments.length, 'the partner knows every debit')
  })
})
