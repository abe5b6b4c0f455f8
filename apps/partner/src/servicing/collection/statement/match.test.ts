// Suggested, several-to-one and aged matches of bank lines with the books.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import type { ReferenceTotals } from './reconcile.ts'
import { reviewDays } from './store.ts'
import { groupByAge, suggestEntries } from './suggest-matches.ts'

const totals = (changes: Partial<ReferenceTotals>): ReferenceTotals => ({
  reference: '',
  valueOn: '2026-11-27',
  bank: null,
  books: null,
  description: '',
  caseRef: null,
  loanId: null,
  ...changes,
})

test('D3 §2.5: suggests entries of the same amount by reference and day, the best first', () => {
  const suggestions = suggestEntries(
    [
      totals({ reference: 'BANK1', bank: 5n, description: 'NEFT utr-123456 ASHA' }),
      totals({ reference: 'BANK2', bank: 7n }),
      totals({ reference: 'BANK3', bank: 9n }),
      totals({ reference: 'utr 999', bank: 8n }),
      totals({ reference: 'NEAR', books: 5n }),
      totals({ reference: 'UTR123456', books: 5n, valueOn: '2026-11-28' }),
      totals({ reference: 'TWIN1', books: 7n }),
      totals({ reference: 'TWIN2', books: 7n }),
      totals({ reference: 'UTR999', books: 8n }),
      totals({ reference: 'OTHER', books: 1n }),
    ],
    20,
  )
  assert.deepEqual(
    suggestions.map(({ line, entries, isAmbiguous }) => ({
      reference: line.reference,
      entries: entries.map(({ entry, reference, daysApart }) => ({
        reference: entry.reference,
        match: reference,
        daysApart,
      })),
      isAmbiguous,
    })),
    [
      {
        reference: 'utr 999',
        entries: [{ reference: 'UTR999', match: 'same', daysApart: 0 }],
        isAmbiguous: false,
      },
      {
        reference: 'BANK1',
        entries: [
          { reference: 'UTR123456', match: 'in-text', daysApart: 1 },
          { reference: 'NEAR', match: null, daysApart: 0 },
        ],
        isAmbiguous: false,
      },
      {
        reference: 'BANK2',
        entries: [
          { reference: 'TWIN1', match: null, daysApart: 0 },
          { reference: 'TWIN2', match: null, daysApart: 0 },
        ],
        isAmbiguous: true,
      },
    ],
  )
})

test('D3 §2.5: groups what is unmatched by its age', () => {
  const days = ['2026-12-08', '2026-12-05', '2026-12-04', '2026-12-01', '2026-11-30', '2026-11-08', '2026-11-07']
  const groups = groupByAge(
    days.map((valueOn) => totals({ valueOn, bank: 5n, books: 7n })),
    '2026-12-08',
  )
  assert.deepEqual(
    groups.map(({ from, count, difference }) => ({ from, count, difference })),
    [
      { from: 0, count: 2, difference: 4n },
      { from: 4, count: 2, difference: 4n },
      { from: 8, count: 2, difference: 4n },
      { from: 31, count: 1, difference: 2n },
    ],
  )
})

test('D3 §2.5: one bank line matches several entries, and several lines one entry, only with equal sums', async () => {
  const now = new Date('2026-12-08T06:00:00.000Z')
  const partner = await startTestPartner({}, () => now)
  const { db } = partner
  for (const [bankReference, amountPaise] of [
    ['BOOK1', 300_00n],
    ['BOOK2', 200_00n],
    ['BOOK3', 900_00n],
  ] as const) {
    const row = {
      caseRef: `CASE-${bankReference}`,
      paymentId: uuidv4(),
      status: 'POSTED',
      method: 'NACH',
      amountPaise,
      collectionId: uuidv4(),
      attemptNumber: 1,
      installmentIds: [],
      bankReference,
      valueOn: '2026-11-27',
      createdAt: now,
      updatedAt: now,
    }
    await db.tx((tx) => tx`insert into payment ${tx(row)}`)
  }
  const meera = await deskPerson(partner, 'Meera', 'accounts')
  const body = new FormData()
  const csv =
    'date,reference,amount\n2026-11-27,BATCH,500\n2026-11-27,PART1,400\n2026-12-01,PART2,500\n2026-12-08,ODD,1\n'
  body.set('file', new File([csv], 'day.csv'))
  const { location: page } = await meera.upload('/desk/books/bank', body)
  const match = (bank: string[], books: string[]) =>
    meera.send(`${page}/pair`, [
      ...bank.map((each): [string, string] => ['bank', each]),
      ...books.map((each): [string, string] => ['books', each]),
      ['reason', 'One transfer.'],
    ])
  const { text } = await meera.view(page)
  assert.match(text, /0–3 days\s*1\s*₹1\.00\s*4–7 days\s*1\s*₹500\.00\s*8–30 days\s*5\s*₹2,300\.00\s*Over 30 days\s*0/)
  assert.match(text, /Only in the statement\s*27 Nov 2026\s*BATCH[\s\S]*11 days/)
  for (const [bank, books, why] of [
    [['BATCH'], ['BOOK1', 'BOOK3'], /The amounts differ: ₹500 at the bank, ₹1,200 in the books/],
    [['BATCH', 'ODD'], ['BOOK1', 'BOOK2'], /several lines with one entry/i],
    [['BATCH'], ['BOOK1', 'ODD'], /already matched/],
    [['BATCH'], ['BOOK1', 'BOOK4'], /already matched/],
  ] as const) {
    const refused = await match([...bank], [...books])
    assert.equal(refused.status, 409, refused.text)
    assert.equal(why.test(refused.text), true, refused.text)
  }
  assert.equal((await match([], ['BOOK1'])).status, 400)
  assert.deepEqual(await db`select pair_id from bank_statement_pair`, [], 'nothing is half matched')
  assert.equal((await match(['BATCH'], ['BOOK1', 'BOOK2'])).status, 303)
  assert.equal((await match(['PART1', 'PART2'], ['BOOK3', 'BOOK3'])).status, 303)
  assert.equal((await match(['PART1'], ['BOOK3'])).status, 409)
  const matched = (await meera.view(page)).text
  assert.match(matched, /2 references matched: ₹1,400\.00 came in/)
  assert.match(matched, /BATCH\s*BOOK\d, BOOK\d\s*₹500\.00[\s\S]*PART\d, PART\d\s*BOOK3\s*₹900\.00/)
  assert.equal((await meera.send(`${page}/unpair`, { bank: 'PART2' })).status, 303)
  assert.match((await meera.view(page)).text, /1 reference matched: ₹500\.00 came in/)
  assert.equal((await match(['PART1', 'PART2'], ['BOOK3'])).status, 303)
  const shown = /name="shown" value="(\w+)"/.exec((await meera.view(page)).html)?.[1] ?? ''
  assert.equal((await meera.send(`${page}/close`, { reason: 'A gift.', shown })).status, 303)
  const dev = await deskPerson(partner, 'Dev', 'operations')
  const [, confirm = ''] = /action="([^"]+\/confirm)"/.exec((await dev.view(page)).html) ?? []
  assert.equal((await dev.send(confirm)).status, 303)
  const lateOf = async () => {
    const period = { from: '2026-11-01', to: '2026-12-31' }
    const days = await reviewDays(db, period, [{ fromOn: '2026-11-27', toOn: '2026-12-08' }])
    return days.flatMap(({ late }) => late)
  }
  assert.deepEqual(await lateOf(), [], 'matches of several explain all movements')
  await db`update payment set status = 'TAKEN_BACK' where bank_reference = 'BOOK2'`
  await db`
    insert into payment (case_ref, payment_id, status, method, amount_paise, installment_ids, reversal_of_payment_id, value_on, created_at, updated_at)
    select case_ref, ${uuidv4()}, 'REVERSED', method, amount_paise, installment_ids, payment_id, value_on, created_at, updated_at
    from payment where bank_reference = 'BOOK2'`
  assert.deepEqual(await lateOf(), ['BOOK1'], 'a reversed entry of the batch is noticed')
})
