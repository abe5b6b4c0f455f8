// Ledger entries are posted once, reversed at most once, and never changed.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { connect } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { testDatabase } from '@lendloom/tests/setup/database'
import fc from 'fast-check'
import { accounts, type ChartAccount } from './chart.ts'
import { balancesFrom, type LedgerEntry, posting, reversalOf } from './entry.ts'
import { balancesOf, postEntries } from './post-entries.ts'
import { findReversal, readEntries } from './store.ts'

const db = connect(await testDatabase('partner'), { connections: 4 })
after(() => db.close())
const at = new Date('2026-11-20T06:00:00.000Z')

const receipt = (caseRef: string, entryId = 'receipt-1'): LedgerEntry => ({
  caseRef,
  entryId,
  kind: 'RECEIPT',
  businessOn: '2026-11-27',
  reverses: null,
  postings: [...posting('BANK', 'INTEREST', 460_00n, 1), ...posting('BANK', 'PRINCIPAL', 4330_00n, 1)],
})
const postNow = (...entries: LedgerEntry[]) => db.tx((tx) => postEntries(tx, entries, { at, on: '2026-11-20' }))

test('D3 §2.5: a balance is the sum of debits less credits, and all balances add up to zero', async () => {
  const caseRef = uuidv4()
  await postNow(receipt(caseRef), receipt(caseRef, 'receipt-2'))
  const balances = await balancesOf(db, caseRef)
  assert.equal(balances.BANK, 9580_00n)
  assert.equal(balances.INTEREST, -920_00n)
  assert.equal(balances.PRINCIPAL, -8660_00n)
  assert.equal(
    Object.values(balances).reduce((sum, paise) => sum + paise, 0n),
    0n,
  )
  const storedFields = { choice: null, knownOn: '2026-11-27' }
  assert.deepEqual(await readEntries(db, caseRef), [
    { ...receipt(caseRef), ...storedFields },
    { ...receipt(caseRef, 'receipt-2'), ...storedFields },
  ])
  assert.ok(Object.values(await balancesOf(db, uuidv4())).every((paise) => paise === 0n))
})

test('D3 §6 rule 7: posting an entry twice fails and rolls back the whole batch', async () => {
  const caseRef = uuidv4()
  await postNow(receipt(caseRef))
  await assert.rejects(postNow(receipt(caseRef, 'receipt-2'), receipt(caseRef)), /ledger_(entry|posting)_pkey/)
  assert.equal((await readEntries(db, caseRef)).length, 1)
})

test('D3 §2.5: an entry can be reversed once, and the reversal restores every balance', async () => {
  const caseRef = uuidv4()
  const original = receipt(caseRef)
  await postNow(original, reversalOf(original, 'reversal-1', '2026-12-01'))
  assert.ok(Object.values(await balancesOf(db, caseRef)).every((paise) => paise === 0n))
  assert.equal((await findReversal(db, caseRef, 'receipt-1'))?.entryId, 'reversal-1')
  await assert.rejects(postNow(reversalOf(original, 'reversal-2', '2026-12-02')), /ledger_entry_reversed_once/)
})

test('an entry without postings is not stored', async () => {
  const caseRef = uuidv4()
  await postNow({ ...receipt(caseRef), postings: posting('BANK', 'PRINCIPAL', 0n, 1) })
  assert.deepEqual(await readEntries(db, caseRef), [])
})

test('property: postings always balance, and an entry and its reversal add up to zero', () => {
  const account = fc.constantFrom(...(Object.keys(accounts) as ChartAccount[]))
  const paise = fc.bigInt(-(10n ** 12n), 10n ** 12n)
  fc.assert(
    fc.property(fc.array(fc.tuple(account, account, paise, fc.nat({ max: 22 }))), (random) => {
      const postings = random.flatMap(([debit, credit, amount, row]) => posting(debit, credit, amount, row))
      assert.ok(postings.every((each) => each.paise > 0n))
      const total = (sums: Record<string, bigint>) => Object.values(sums).reduce((sum, each) => sum + each, 0n)
      assert.equal(total(balancesFrom(postings)), 0n)
      const entry: LedgerEntry = { ...receipt('case'), postings }
      const combined = balancesFrom([...postings, ...reversalOf(entry, 'reversal-1', '2026-12-01').postings])
      assert.ok(Object.values(combined).every((sum) => sum === 0n))
    }),
  )
})

test('D3 §4.4: no SQL statement of the partner updates or deletes ledger rows', () => {
  const paths = globSync('apps/partner/src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  assert.ok(paths.length > 20)
  for (const path of paths)
    assert.doesNotMatch(readFileSync(path, 'utf8'), /\b(?:update|delete from|truncate)\s+(?:table\s+)?ledger_/i, path)
})
