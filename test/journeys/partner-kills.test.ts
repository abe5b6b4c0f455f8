// Platform and partner are killed at any moment of several loans at once: no acknowledged event is lost, no money moves twice.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { clockFile } from '#cli/installation.ts'
import { connect } from '#kit/db/sql.ts'
import { balancesOf } from '#partner/ledger/post.ts'
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
const pass = clockAdvancer(ctx, directory)
const partnerDb = connect(ctx.partnerDatabaseUrl, { connections: 2 })
after(() => partnerDb.close())

/** Kills one program after another, at moments that the seed decides. */
async function kill(killed: readonly ('platform' | 'partner')[], seed: number): Promise<void> {
  const random = seededRandom(seed)
  for (const program of killed) {
    await sleep(200 + random() * 1800)
    await ctx.kill(program)
    await sleep(random() * 300)
    await ctx.start(program)
  }
}

let cases: string[] = []

test('D3 §6 rule 8: platform and partner die at any moment; each loan is made once, and every event had its effect once', async () => {
  const lives = Promise.all(Array.from({ length: 3 }, () => completePartnerLoan(ctx)))
  await Promise.all([lives, kill(['partner', 'platform', 'partner', 'platform'], 20_261_120)])
  cases = await lives
  for (const caseRef of cases) {
    await assertAllApplied(ctx.db, partnerDb, caseRef)
    await assertAllApplied(partnerDb, ctx.db, caseRef)
  }
})

test('D3 §6 rule 7: the partner dies while debits are presented; what the bank took is posted, once', async () => {
  await Promise.all([pass('8d', { step: '1d' }), kill(['partner', 'partner'], 7)])
  const transfers = await ctx.sandboxDb<{ reference: string; amountPaise: bigint }>`
    select client_reference as reference, amount_paise from bank_transfer where status = 'SUCCESS'`
  for (const caseRef of cases) {
    const debits = async () => {
      const presented = await partnerDb<{ collectionId: string; status: string; amountPaise: bigint }>`
        select collection_id, status, amount_paise from payment where case_ref = ${caseRef} and collection_id is not null and status <> 'DROPPED'`
      return presented.length > 0 && presented.every(({ status }) => status === 'POSTED') && presented
    }
    const posted = await until('the debit is posted', debits, leaseExpiryMs)
    const taken = await ctx.sandboxDb<{ reference: string; amountPaise: bigint }>`
      select d.reference, d.amount_paise from bank_debit d join bank_debit_result r using (reference)
      where r.status = 'CONFIRMED' and d.reference = any(${posted.map(({ collectionId }) => collectionId)})`
    assert.equal(taken.length, posted.length, 'each was taken once')
    const orders = await partnerDb<{ disbursementId: string }>`
      select disbursement_id from disbursement where case_ref = ${caseRef}`
    assert.equal(orders.length, 1)
    const paid = transfers.filter(({ reference }) => reference === orders[0]!.disbursementId)
    assert.equal(paid.length, 1)
    const { BANK } = await balancesOf(partnerDb, caseRef)
    const came = taken.reduce((sum, { amountPaise }) => sum + amountPaise, 0n)
    assert.equal(BANK, came - paid[0]!.amountPaise, 'the ledger has what the bank has')
    await assertAllApplied(partnerDb, ctx.db, caseRef)
  }
  assert.equal(transfers.length, cases.length)
  const debits = await ctx.sandboxDb`select 1 from bank_debit`
  const payments = await partnerDb`select 1 from payment where collection_id is not null and status <> 'DROPPED'`
  assert.equal(debits.length, payments.length, 'no debit that the partner does not know')
})
