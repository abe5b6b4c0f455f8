// Tests bank statements: file formats, reconciliation with the books, and manual pairs.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { rupees } from '@lendloom/lending/money'
import { rekeyDigests } from '@lendloom/postgres/rekey-digests'
import type { Db } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { tablesWith } from '@lendloom/tests/setup/stored-values'
import { fileOf, parseStatement } from './parse-statement.ts'
import { totalByReference } from './reconcile.ts'
import { digestsOfStatements } from './store.ts'

const now = new Date('2026-12-08T06:00:00.000Z')
const rules = { today: '2026-12-09', accounts: ['50200047110101'] }
const linesOf = (text: string) => fileOf(Buffer.from(text), rules).lines
const isRefusal = (message: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.details.field === 'file' && message.test(error.message)

test('reads statements with the headings, delimiters and amounts of different banks', () => {
  const bank = `Account statement,,,,
Branch: Fort,,,,
Date,Narration,Chq./Ref.No.,Withdrawal Amt.,Deposit Amt.
20/11/2026,"NEFT to ASHA, K",UTR1,"97,640.00",
27-11-2026,NACH credit,NACH7,,4790
,Closing balance,,,"1,00,000.00"
`
  assert.deepEqual(
    linesOf(bank).map(({ line, valueOn, paise, reference }) => ({ line, valueOn, amount: rupees(paise), reference })),
    [
      { line: 4, valueOn: '2026-11-20', amount: '-97640.00', reference: 'UTR1' },
      { line: 5, valueOn: '2026-11-27', amount: '4790.00', reference: 'NACH7' },
    ],
  )
  const quoted = '"Date";"Reference";"Narration";"Amount"\n"2026-11-20";"A";"to K, Asha";"1,00,000.50"\n'
  assert.deepEqual(linesOf(quoted), [
    { line: 2, valueOn: '2026-11-20', paise: 100_000_50n, reference: 'A', description: 'to K, Asha' },
  ])
  const signed =
    '\ufeffvalue_date;utr;amount\r\n2026-11-20;A;-1,00,000.50\r\n2026-11-21;B;500.00 Cr\r\n2026-11-22;C;20 DR\r\n'
  assert.deepEqual(
    linesOf(signed).map(({ paise }) => rupees(paise)),
    ['-100000.50', '500.00', '-20.00'],
  )
})

test('refuses amounts whose sum the database cannot store, such as an account number in the wrong column', () => {
  const file = (amount: string) => `date,reference,amount\n2026-12-08,A,${amount}\n`
  assert.equal(linesOf(file('100000000000')).length, 1)
  for (const amount of ['100000000000.01', '-100000000000.01', '502000471101010'])
    assert.throws(() => linesOf(file(amount)), isRefusal(/line 2: .* is more than 100000000000\.00/))
})

test('joins the lines of a reference, because forms cannot send line breaks unchanged', () => {
  const file = 'date,reference,amount\n2026-12-08,"UTR\r\n17",5\n'
  assert.equal(linesOf(file)[0]?.reference, 'UTR 17')
})

test('reads dates in the formats of banks, including two-digit years and month names', () => {
  const days = [
    '08/12/26',
    '08-12-26',
    '08/12/2026',
    '8/12/2026',
    '08-Dec-2026',
    '8 Dec 26',
    '08 DECEMBER 2026',
    '2026-12-08',
    '08.12.2026',
    '8.12.26',
    '08/12/26 10:22:11',
    '08-Dec-2026 9:05 PM',
    '2026-12-08 23:59',
  ]
  const file = `Date,Reference,Amount\n${days.map((day, i) => `${day},A${i},5\n`).join('')}`
  assert.deepEqual(new Set(linesOf(file).map(({ valueOn }) => valueOn)), new Set(['2026-12-08']))
  assert.equal(linesOf(file).length, days.length)
  for (const invalid of [
    '31/11/26',
    '08/13/26',
    '08-Dez-2026',
    '08/12/126',
    '00/12/26',
    '08//26',
    '08.13.2026',
    '08/12/26 25:00',
    '10:22:11',
  ])
    assert.throws(
      () => linesOf(`date,reference,amount\n${invalid},A,5\n`),
      isRefusal(/line 2, column date: .* is not a date/i),
      invalid,
    )
})

test('skips totals and notes below the last dated line', () => {
  const bank = `Date,Narration,Reference No.,Withdrawal,Deposit,Balance
08/12/26,NEFT,UTR1,"97,640.00",,"1,000.00"
09/12/26,NACH,NACH7,,4790,"5,790.00"
Total,,,"97,640.00","4,790.00",
STATEMENT SUMMARY :-
Opening Balance,Dr Count,Cr Count,Debits,Credits,Closing Bal
"98,640.00",1,1,"97,640.00","4,790.00","5,790.00"
This is computer generated, it needs, no, signature, at, all, of, ours
`
  assert.deepEqual(
    linesOf(bank).map(({ line, reference }) => ({ line, reference })),
    [
      { line: 2, reference: 'UTR1' },
      { line: 3, reference: 'NACH7' },
    ],
  )
  const head = 'date,reference,amount\n'
  // Also below a note, a row with a date or an amount is read or refused.
  for (const note of ['', 'Thank you,,\n'])
    for (const [row, why] of [
      ['soon,A,5', /line \d, column date: "soon" is not a date/i],
      ['soon,,5', /line \d, column date: "soon" is not a date/i],
      ['31/11/26,,5', /column date: "31\/11\/26" is not a date/i],
      ['31/11/26,Total,5', /column date: "31\/11\/26" is not a date/i],
      ['31/11/26,,', /column date: "31\/11\/26" is not a date/i],
      [',,5', /line \d has an amount but no date/],
      [',Total Energies,5', /line \d has an amount but no date/],
      ['Total,A,5', /line \d, column date: "Total" is not a date/],
    ] as const)
      assert.throws(() => linesOf(`${head}08/12/26,B,5\n${note}${row}\n`), isRefusal(why), row)
  for (const row of [
    'Closing Balance as on 09/12/26,,5',
    ',Grand Total :,5',
    'Balance C/F,,5',
    'Total,,0.00',
    ',B/F,5',
    ',Sub-Total Credits,5',
    'Available Balance (INR),,5',
  ])
    assert.equal(linesOf(`${head}08/12/26,B,5\n${row}\n`).length, 1, row)
  assert.throws(() => linesOf(`${head}Total,,5\n`), isRefusal(/line 2: the total is 5\.00, but the lines above/))
  assert.throws(
    () => linesOf(`${head}Page 1,,\n08/12/26,B,5\n`),
    isRefusal(/line 2, column date: "Page 1" is not a date/),
  )
})

test('skips separators and page numbers between lines, but no other row without a date', () => {
  const bank = `Date,Narration,Ref No,Withdrawal Amt.,Deposit Amt.
********,**********,********,********,********
08/12/26,NEFT,UTR1,"97,640.00",
Page 1 of 2,,,,
--------,----------,,,
09/12/26,NACH,NACH7,,4790
********,**********,********,********,********
`
  assert.deepEqual(
    linesOf(bank).map(({ line, reference }) => ({ line, reference })),
    [
      { line: 3, reference: 'UTR1' },
      { line: 6, reference: 'NACH7' },
    ],
  )
  for (const head of ['Chq/Ref Number', 'Chq./Ref.No.', 'REF NO.'])
    assert.equal(linesOf(`date,${head},amount\n08/12/26,A,5\n`).length, 1, head)
  for (const invalid of ['****,A,5', 'Page 1 of 2,A,5', 'Page one of two,,', 'Page 1 of 2,,5', '*,,', '****,,5'])
    assert.throws(
      () => linesOf(`date,reference,amount\n${invalid}\n08/12/26,B,5\n`),
      isRefusal(/line 2, column date: .* is not a date/i),
      invalid,
    )
})

test('rejects an unreadable file with the line and the reason', () => {
  const head = 'date,reference,amount\n'
  assert.throws(() => linesOf('hello\nworld\n'), isRefusal(/must contain the columns date, reference/))
  assert.throws(
    () => linesOf(`${head}30 November,A,5\n`),
    isRefusal(/line 2, column date: "30 November" is not a date/),
  )
  assert.throws(
    () => linesOf(`${head}2026-11-30,A,five\n`),
    isRefusal(/line 2, column amount: "five" is not an amount/),
  )
  assert.throws(() => linesOf(`${head}\n\n,A,5\n2026-11-30,A,5\n`), isRefusal(/line 4 has an amount but no date/))
  assert.throws(() => linesOf(`${head}2026-11-30,A,1.005\n`), isRefusal(/"1.005" is not an amount/))
  assert.throws(() => linesOf(`${head}2026-11-30,A,1,00,000\n`), isRefusal(/line 2 has more columns than the heading/))
  assert.throws(() => linesOf(head), isRefusal(/no line has an amount/))
  assert.throws(() => linesOf('date,reference,amount\n"2026'), isRefusal(/not valid CSV/))
})

test('rejects malicious files without blocking the event loop', {
  timeout: 120_000,
}, async () => {
  const bytes = 8 << 20
  const head = 'date,reference,amount\n'
  const attacks: [string, RegExp][] = [
    [','.repeat(bytes), /the statement cannot be read/],
    ['a\r\n'.repeat(bytes / 4), /must contain the columns/],
    [' '.repeat(bytes), /the statement cannot be read/],
    [head + '2026-12-08,A,5\n'.repeat(200_000), /more than 100000 lines/],
  ]
  let ticks = 0
  const ticker = setInterval(() => ticks++, 5)
  for (const [text, why] of attacks)
    await assert.rejects(parseStatement(Buffer.from(text), rules), isRefusal(why), text.slice(0, 40))
  clearInterval(ticker)
  assert.ok(ticks > 10)
  assert.equal((await parseStatement(Buffer.from(`${head}08/12/26,A,5\n`), rules)).lines.length, 1)
})

test('totals movements by reference, and leaves out zero totals', () => {
  const movement = (reference: string, paise: bigint) => ({
    reference,
    paise,
    valueOn: '2026-11-20',
    caseRef: null,
    loanId: null,
    description: '',
  })
  const totals = totalByReference(
    [movement('A', 5n), movement('B', 5n), movement('B', -5n), movement('C', 7n), movement('D', 1n)],
    [movement('A', 5n), movement('C', 8n), movement('E', 2n)],
  )
  assert.deepEqual(
    totals.map(({ reference, bank, books }) => ({ reference, bank, books })),
    [
      { reference: 'A', bank: 5n, books: 5n },
      { reference: 'C', bank: 7n, books: 8n },
      { reference: 'D', bank: 1n, books: null },
      { reference: 'E', bank: null, books: 2n },
    ],
  )
})

/** Inserts a successful debit of 27 November, with changed columns. */
async function insertDebit(db: Db, reference: string, paise: bigint, changes: Record<string, unknown>) {
  const row = {
    caseRef: `CASE-${reference}`,
    paymentId: uuidv4(),
    status: 'POSTED',
    method: 'ENACH',
    amountPaise: paise,
    installmentIds: [],
    collectionId: uuidv4(),
    bankReference: reference,
    valueOn: '2026-11-27',
    ...changes,
  }
  await db.tx((tx) => tx`insert into payment ${tx(row)}`)
  return row
}

/** Inserts two successful debits, a returned debit, and a receipt that was moved from one loan to another. */
async function putPayments(db: Db): Promise<void> {
  const at = new Date()
  const payment = (reference: string, paise: bigint, changes: Record<string, unknown> = {}) =>
    insertDebit(db, reference, paise, { createdAt: at, updatedAt: at, ...changes })
  await payment('NACH1', 4790_00n)
  await payment('NACH2', 4790_00n)
  const returned = await payment('NACH3', 4790_00n, { status: 'TAKEN_BACK' })
  const reversal = { caseRef: returned.caseRef, status: 'REVERSED', reversalOfPaymentId: returned.paymentId }
  await payment('unused', 4790_00n, { ...reversal, bankReference: null, valueOn: '2026-11-28' })
  const receipt = {
    provider: 'bank',
    receiptId: 'R9',
    method: 'NEFT',
    transactionReference: 'UTR9',
    amountPaise: 1000_00n,
    valueOn: '2026-11-27',
    wordsSealed: Buffer.alloc(1),
    receivedAt: at,
  }
  await db`insert into bank_receipt ${db(receipt)}`
  const first = await payment('UTR9', 1000_00n, { status: 'TAKEN_BACK', collectionId: null, method: 'NEFT' })
  const taken = { ...reversal, caseRef: first.caseRef, reversalOfPaymentId: first.paymentId }
  await payment('UTR9', 1000_00n, { ...taken, collectionId: null, receiptId: 'R9', valueOn: '2026-11-28' })
  await payment('UTR9', 1000_00n, { caseRef: 'CASE-other', collectionId: null, receiptId: 'R9', method: 'NEFT' })
}

test('an accountant uploads a statement once, and sees the mismatches; spelling does not part references', async () => {
  const partner = await startTestPartner({}, () => now)
  const { db } = partner
  await putPayments(db)
  const csv = `date,reference,description,debit,credit
2026-11-27,nach-1,,,4790
2026-11-27,NACH2,,,4799
2026-11-27,NACH3,,,4790
2026-11-28,NACH3,return,4790,
2026-11-28,utr 9,,,1000
2026-11-28,UTR5,NEFT from somebody,,250
`
  const meera = await deskPerson(partner, 'Meera', 'accounts')
  const ravi = await deskPerson(partner, 'Ravi', 'credit')
  const uploadAs = async (person: typeof meera, text: string) => {
    const body = new FormData()
    body.set('file', new File([text], 'november.csv', { type: 'text/csv' }))
    return person.upload('/desk/books/bank', body)
  }
  assert.equal((await uploadAs(ravi, csv)).status, 403)
  const broken = await uploadAs(meera, 'no statement')
  assert.equal(broken.status, 400)
  assert.match(broken.text, /must contain the columns/)
  const empty = await uploadAs(meera, '')
  assert.equal(empty.status, 400)
  assert.match(empty.text, /Choose a file that is not empty/)
  const large = await uploadAs(meera, 'a,b\n'.repeat(2 << 20))
  assert.equal(large.status, 400)
  assert.match(large.text, /must contain the columns/)
  const tooLarge = await uploadAs(meera, 'x'.repeat((8 << 20) + 1))
  assert.equal(tooLarge.status, 413)
  assert.match(tooLarge.text, /A statement has at most 8 MB/)
  const muchTooLarge = await uploadAs(meera, 'x'.repeat(17 << 20))
  assert.equal(muchTooLarge.status, 413)
  assert.match(muchTooLarge.text, /The body has more than 16 MiB/)
  const { status, location } = await uploadAs(meera, csv)
  assert.equal(status, 303)
  const { text } = await meera.view(location)
  assert.match(text, /2 references matched: ₹5,790\.00 came in, ₹0\.00 went out/)
  assert.match(text, /Amounts differ\s*27 Nov 2026\s*NACH2\s*₹4,799\.00\s*₹4,790\.00/)
  assert.match(text, /Only in the statement\s*28 Nov 2026\s*UTR5\s*₹250\.00\s*NEFT from somebody/)
  assert.match(text, /Matched\s*Download CSV\s*Day\s*Reference\s*Amount\s*Loan[\s\S]*27 Nov 2026\s*NACH1\s*₹4,790\.00/)
  assert.ok(!text.includes('NACH3'))
  const views = async () =>
    db<{ staffId: string }>`select person_id as staff_id from audit_entry where act = 'STATEMENT_VIEWED'`
  assert.deepEqual(await views(), [{ staffId: meera.staffId }], 'the view of unmasked narrations is audited')
  const other = await ravi.view(location)
  assert.match(other.text, /UTR5\s*₹250\.00\s*••••/)
  assert.ok(!other.text.includes('somebody'))
  const csvOfOther = await ravi.view(`${location}?csv=unmatched`)
  assert.equal(csvOfOther.status, 200)
  assert.equal(csvOfOther.text.includes('somebody'), false)
  assert.equal((await views()).length, 1, 'the view of masked narrations is not audited')
  const repeated = await uploadAs(meera, csv)
  assert.equal(repeated.status, 409)
  assert.match(repeated.text, /already uploaded/)
  const plain = hash('sha256', csv, 'buffer')
  assert.deepEqual(await tablesWith(db, plain.toString('hex')), [], 'a guessed file is not confirmed without the keys')
  await db`update bank_statement set digest = ${plain}, content_mac = null`
  assert.equal((await uploadAs(meera, csv)).status, 409, 'a file of the previous version is recognized')
  await rekeyDigests(db, partner.ctx.seal, digestsOfStatements)
  assert.deepEqual(await tablesWith(db, plain.toString('hex')), [])
  assert.equal((await uploadAs(meera, csv)).status, 409)
  const [sealed] = await db<{
    words: Buffer
  }>`select words_sealed as words from bank_statement_line where reference = 'UTR5'`
  assert.ok(!sealed!.words.toString('latin1').includes('somebody'), 'personal data is sealed')
})

test('DPDP §8(5): a statement that both versions stored during an upgrade loses its plain digest, and stays recognized', async () => {
  const partner = await startTestPartner({}, () => now)
  const { db } = partner
  const meera = await deskPerson(partner, 'Meera', 'accounts')
  const csv = 'date,reference,description,debit,credit\n2026-11-27,UTR1,,,100\n'
  const upload = async () => {
    const body = new FormData()
    body.set('file', new File([csv], 'november.csv', { type: 'text/csv' }))
    return (await meera.upload('/desk/books/bank', body)).status
  }
  assert.equal(await upload(), 303)
  const plain = hash('sha256', csv, 'buffer')
  await db`
    insert into bank_statement (statement_id, digest, file_name, from_on, to_on, lines, uploaded_by, uploaded_at)
    select gen_random_uuid(), ${plain}, file_name, from_on, to_on, lines, uploaded_by, uploaded_at from bank_statement`
  await rekeyDigests(db, partner.ctx.seal, digestsOfStatements)
  assert.deepEqual(await tablesWith(db, plain.toString('hex')), [])
  assert.equal((await db`select from bank_statement`).length, 2, 'matches of either stay')
  assert.equal(await upload(), 409)
})

test('D3 §2.5: a statement whose opening balance is not the last closing balance of its account has a warning', async () => {
  let time = now
  const partner = await startTestPartner({}, () => time)
  const meera = await deskPerson(partner, 'Meera', 'accounts')
  const statement = (day: string, opening: string, closing: string, paid: string) =>
    `:20:A\n:25:50200047110101\n:60F:C${day}INR${opening}\n:61:${day}C${paid},NTRFUTR${day}\n:62F:C${day}INR${closing}\n`
  const upload = async (file: string) => {
    const body = new FormData()
    body.set('file', new File([file], 'day.sta'))
    time = secondsAfter(time, 1)
    const { location } = await meera.upload('/desk/books/bank', body)
    return (await meera.view(location)).text
  }
  const warning = /opens with ₹[\d.]+, but the statement before, day\.sta up to [\s\S]+, closes with ₹[\d.]+\./
  assert.doesNotMatch(await upload(statement('261124', '1,', '2,', '1')), warning, 'the first')
  const newestFirst = statement('261126', '3,', '4,', '1') + statement('261125', '2,', '3,', '1')
  assert.doesNotMatch(await upload(newestFirst), warning)
  assert.doesNotMatch(await upload('date,reference,amount\n2026-11-26,CSV,5\n'), warning, 'without balances')
  const gap = await upload(statement('261128', '6,5', '7,5', '1'))
  assert.match(gap, /opens with ₹6\.50, but [\s\S]+ up to 26\sNov\s2026, closes with ₹4\.00\. A statement between/)
  assert.doesNotMatch(await upload(statement('261128', '7,5', '8,5', '1')), warning, 'the second of a day')
  assert.doesNotMatch(await upload(statement('261123', '0,5', '1,', '0,5')), warning, 'uploaded late')
})

test('an accountant can pair a line with a book entry, and undo the pair until the statement is closed', async () => {
  const partner = await startTestPartner({}, () => now)
  const { db } = partner
  const at = new Date()
  const payment = (reference: string, paise: bigint, status = 'POSTED') =>
    insertDebit(db, reference, paise, { createdAt: at, updatedAt: at, status })
  await payment('BOOK1', 500_00n)
  await payment('BOOK2', 400_00n)
  const meera = await deskPerson(partner, 'Meera', 'accounts')
  const ravi = await deskPerson(partner, 'Ravi', 'credit')
  const body = new FormData()
  body.set('file', new File(['date,reference,amount\n2026-11-27,BANK1,500\n2026-11-27,BANK2,300\n'], 'day.csv'))
  const { location: page } = await meera.upload('/desk/books/bank', body)
  const pairLine = (bank: string, books: string, reason = 'The bank cut the reference.') =>
    meera.send(`${page}/pair`, { bank, books, reason })
  const statusOf = async (sent: ReturnType<typeof pairLine>) => (await sent).status
  assert.match((await meera.view(page)).text, /Match manually[\s\S]*₹500\.00 BANK1/)
  assert.doesNotMatch((await ravi.view(page)).text, /Match manually/)
  assert.equal((await ravi.send(`${page}/pair`, { bank: 'BANK1', books: 'BOOK1', reason: 'x' })).status, 403)
  assert.equal(await statusOf(pairLine('BANK1', 'BOOK1', ' ')), 400, 'a reason is required')
  assert.equal(await statusOf(pairLine('BANK2', 'BOOK2')), 409, 'the amounts differ')
  assert.equal(await statusOf(pairLine('BANK1', 'BANK2')), 409, 'BANK2 is not a book entry')
  const both = await Promise.all([pairLine('BANK1', 'BOOK1'), pairLine('BANK1', 'BOOK1')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 409], 'concurrent requests create one pair')
  const { text } = await meera.view(page)
  assert.match(text, /1 reference matched: ₹500\.00 came in/)
  assert.match(text, /Matched manually[\s\S]*BANK1\s*BOOK1\s*₹500\.00\s*The bank cut the reference\.\s*Meera/)
  assert.doesNotMatch(text, /Only in the statement\s*27 Nov 2026\s*BANK1/)
  // A pair no longer matches after its entry is gone.
  await db`update payment set status = 'DROPPED' where bank_reference = 'BOOK1'`
  assert.match((await meera.view(page)).text, /Only in the statement\s*27 Nov 2026\s*BANK1/)
  await db`update payment set status = 'POSTED' where bank_reference = 'BOOK1'`
  assert.equal((await meera.send(`${page}/unpair`, { bank: 'BANK1' })).status, 303)
  assert.equal((await meera.send(`${page}/unpair`, { bank: 'BANK1' })).status, 404)
  assert.match((await meera.view(page)).text, /Only in the statement\s*27 Nov 2026\s*BANK1/)
  assert.equal(await statusOf(pairLine('BANK1', 'BOOK1')), 303)
  assert.match(
    (await meera.view(page)).text,
    /Close the statement\s*2 differences will stay[\s\S]*Propose to close with 2 differences/,
  )
  assert.match((await meera.view('/desk/books/bank')).text, /day\.csv[\s\S]*Open/)
  const shownOn = async () => /name="shown" value="(\w+)"/.exec((await meera.view(page)).html)?.[1] ?? ''
  const shown = await shownOn()
  const close = (reason = '') => meera.send(`${page}/close`, { reason, shown })
  await payment('BOOK3', 100_00n)
  for (const seen of [shown, '', 'x']) {
    const refused = await meera.send(`${page}/close`, { reason: 'A charge.', shown: seen })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /differences changed since the page was opened/)
    assert.ok(refused.html.includes(`href="${page}"`), 'links to the statement')
  }
  assert.notEqual(await shownOn(), shown)
  await db`delete from payment where bank_reference = 'BOOK3'`
  assert.deepEqual(await db`select 1 from bank_statement where closed_at is not null`, [], 'nothing was closed')
  for (const invalid of ['', ' ', '\u200b', '\u3164\u2800', 'x'.repeat(501)])
    assert.equal(await statusOf(close(invalid)), 400, 'two differences need a reason')
  assert.equal(await statusOf(close('BANK2 is a charge of <b>the bank</b>')), 303)
  const dev = await deskPerson(partner, 'Dev', 'operations')
  const [, confirm = ''] = /action="([^"]+\/confirm)"/.exec((await dev.view(page)).html) ?? []
  assert.equal((await dev.send(confirm)).status, 303)
  assert.match((await meera.view('/desk/books/bank')).text, /day\.csv[\s\S]*Closed/)
  for (const refused of [pairLine('BANK2', 'BOOK2'), meera.send(`${page}/unpair`, { bank: 'BANK1' }), close('again')])
    assert.equal(await statusOf(refused), 409, 'the statement is closed')
  assert.match(
    (await meera.view(page)).text,
    /Closed on [\s\S]*you can no longer match or undo\. Proposed by Meera, confirmed by Dev\.\s*Reason for the differences: BANK2 is a charge of <b>the bank<\/b>/,
  )
  const acts = await db<{ act: string; detail: string }>`
    select act, detail from audit_entry where act like 'STATEMENT_%PAIRED' or act like 'STATEMENT_CLOS%' order by sequence`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['STATEMENT_PAIRED', 'STATEMENT_UNPAIRED', 'STATEMENT_PAIRED', 'STATEMENT_CLOSING_PROPOSED', 'STATEMENT_CLOSED'],
  )
  assert.deepEqual(JSON.parse(acts.at(-1)!.detail), {
    differences: '2',
    reason: 'BANK2 is a charge of <b>the bank</b>',
  })
  const admin = await deskPerson(partner, 'Anil', 'admin')
  assert.match((await admin.view('/desk/acts?act=STATEMENT_CLOSED')).text, /reason: BANK2 is a charge of <b>the bank/)
})
