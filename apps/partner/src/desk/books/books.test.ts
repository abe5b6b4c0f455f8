// The books of all loans: the trial balance, the journal and their downloads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { accountsOn, disbursedOn } from '@lendloom/tests/setup/account'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { accountNumbers, chart } from '#partner/books/ledger/chart.ts'
import { posting } from '#partner/books/ledger/entry.ts'
import { addColumns, financialsOf, totalOf } from '#partner/books/ledger/financials.ts'
import { journalCsv, journalJson, readJournal } from '#partner/books/ledger/journal.ts'
import { insertEntries } from '#partner/books/ledger/store.ts'
import { isBalanced, trialBalance } from '#partner/books/ledger/trial-balance.ts'
import { rederiveBooks } from '#partner/records/report/rederive-books.ts'

const on = (day: number): string => plusDays(disbursedOn, day)

/** The books of a lender with two loans. */
async function startBooks() {
  // The partner's clock is fixed at the disbursement day, so its day-end worker closes only earlier days.
  const partner = await startTestPartner(
    { PARTNER_GENERAL_LEDGER: '{"1000": "110201"}' },
    () => new Date('2026-11-20T06:00:00.000Z'),
  )
  const accounts = accountsOn(partner.db)
  const loan = await accounts.open()
  await accounts.open()
  await accounts.receive(loan, 4790_00n, on(7))
  await accounts.endDay(on(14))
  return { ...partner, accounts, loan }
}
const partner = await startBooks()

test('D3 §2.5: the trial balance sums to zero, and opens with the closing balances of the period before', async () => {
  const firstWeek = await trialBalance(partner.db, { from: on(0), to: on(7) })
  const secondWeek = await trialBalance(partner.db, { from: on(8), to: on(14) })
  assert.ok(isBalanced(firstWeek) && isBalanced(secondWeek))
  const amountsOf = (balance: typeof firstWeek, account: string) => {
    const { opening, debit, credit, closing } = balance.rows.find((row) => row.account === account)!
    return [opening, debit, credit, closing].map(rupees)
  }
  // Two loans of ₹1,00,000 are paid out less fee and tax. One instalment is received, of which ₹460 is interest.
  assert.deepEqual(amountsOf(firstWeek, 'BANK'), ['0.00', '4790.00', '195280.00', '-190490.00'])
  assert.deepEqual(amountsOf(firstWeek, 'PRINCIPAL'), ['0.00', '200000.00', '4330.00', '195670.00'])
  assert.deepEqual(amountsOf(firstWeek, 'INTEREST_INCOME'), ['0.00', '0.00', '920.00', '-920.00'])
  assert.deepEqual(amountsOf(secondWeek, 'BANK'), ['-190490.00', '0.00', '0.00', '-190490.00'])
  const closings = new Map(firstWeek.rows.map(({ account, closing }) => [account, closing]))
  for (const { account, opening } of secondWeek.rows) assert.equal(opening, closings.get(account), account)
  assert.equal(new Set(Object.values(accountNumbers)).size, chart.length, 'account numbers are unique')
})

test('D3 §2.5: the journal contains each posting once, and its sum is that of the trial balance', async () => {
  const period = { from: on(0), to: on(14) }
  const pages: string[][] = [[], []]
  let sum = 0n
  for await (const page of readJournal(partner.db, period)) {
    for (const { paise } of page) sum += paise
    pages[0]!.push(journalCsv({})(page, pages[0]!.length === 0))
    pages[1]!.push(journalJson({})(page, false))
  }
  assert.equal(sum, (await trialBalance(partner.db, period)).total.debit)
  const lines = pages[0]!.join('').trim().split('\r\n')
  const objects = pages[1]!
    .join('')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))
  assert.equal(lines.length, objects.length + 1)
  assert.equal(new Set(lines).size, lines.length)
  const { debit_account, credit_account, amount, business_on } = objects.find(({ kind }) => kind === 'RECEIPT')!
  assert.equal(debit_account, 'BANK')
  assert.equal(credit_account, 'INTEREST')
  assert.equal(amount, '460.00')
  assert.equal(business_on, on(7))
})

test('D3 §2.5: a posting with an earlier value date does not change reported books', async () => {
  const { loan, accounts, db } = await startBooks()
  const { setClock, receive, endDay } = accounts
  const reported = { from: on(0), to: on(14) }
  const journal = async (period: typeof reported) => {
    let text = ''
    for await (const page of readJournal(db, period)) text += journalCsv({})(page, false)
    return text
  }
  const books = async () => ({ balance: await trialBalance(db, reported), journal: await journal(reported) })
  const before = await books()
  // On day 16 the bank reports a receipt with the value date of day 3. The receipt is reversed later.
  setClock(new Date(`${on(16)}T06:00:00.000Z`))
  await receive(loan, 1000_00n, on(3), 'late')
  assert.deepEqual(await books(), before)
  const lateLine = (await journal({ from: on(16), to: on(16) }))
    .split('\r\n')
    .find((each) => each.includes('receipt-late'))
  assert.ok(lateLine?.startsWith(`${on(3)},${loan},`) && lateLine.endsWith(`,${on(16)},,`), lateLine)
  await endDay(on(17))
  const booksAfterEnd = await trialBalance(db, { from: on(0), to: on(17) })
  // The clock still shows day 16, but day 17 is closed, so the reversal is posted to day 18.
  await accounts.reverse(loan, 'late', on(16))
  assert.deepEqual(await books(), before)
  assert.deepEqual(await trialBalance(db, { from: on(0), to: on(17) }), booksAfterEnd)
  const { rows } = await trialBalance(db, { from: on(18), to: on(18) })
  assert.ok(rows.some(({ account, credit }) => account === 'BANK' && credit === 1000_00n))
})

test('the trial balance of the page hides accounts without amounts until they are requested', async () => {
  const reader = await deskPerson(partner, 'Reader', 'viewer')
  const period = `from=${on(0)}&to=${on(7)}`
  const short = await reader.view(`/desk/books?${period}`)
  const long = await reader.view(`/desk/books?${period}&all=yes`)
  assert.ok(!short.text.includes('Recoveries of written-off loans') && short.text.includes('Interest income'))
  assert.match(long.text, /Recoveries of written-off loans4900Income/)
  assert.match(short.text, /Bank closes in credit because only lending is posted here/)
  assert.match(short.html, /from=2026-10-01&amp;to=2026-10-31">Last month/)
  assert.ok(short.text.includes('Show accounts without') && long.text.includes('Hide accounts without'))
})

test('only the accounts role may download the books, and each download has an audit entry', async () => {
  const ravi = await deskPerson(partner, 'Ravi', 'viewer')
  const meera = await deskPerson(partner, 'Meera', 'accounts')
  const search = `from=${on(0)}&to=${on(14)}`
  assert.match((await ravi.view(`/desk/books?${search}`)).text, /The books balance/)
  assert.equal((await ravi.view(`/desk/books/journal.csv?${search}`)).status, 403)
  const { status, text } = await meera.view(`/desk/books/trial-balance.csv?${search}`)
  assert.equal(status, 200)
  assert.match(text, /1100,Loans: principal,PRINCIPAL,asset/)
  assert.match((await meera.view(`/desk/books/journal.jsonl?${search}`)).text, /"kind":"DISBURSEMENT"/)
  assert.match((await meera.view('/desk/books/chart.csv')).text, /1000,Bank,BANK,asset,110201/)
  assert.match((await meera.view(`/desk/books/journal.csv?${search}`)).text, /,,110201/)
  assert.equal((await meera.view('/desk/books?from=2026-13-01')).status, 400)
  assert.equal((await meera.view(`/desk/books?from=${on(2)}&to=${on(1)}`)).status, 400)
  const [downloads] = await partner.db<{ count: number }>`
    select count(*)::int as count from audit_entry where act = 'BOOKS_EXPORTED' and person_id = ${meera.staffId}`
  assert.equal(downloads!.count, 4)
})

/** Books with entries in three financial years, and the loans of the other tests. */
async function startYears() {
  const yearly = await startBooks()
  const entry = (
    entryId: string,
    day: string,
    paise: bigint,
    credit: 'INTEREST_INCOME' | 'UNAPPLIED' = 'INTEREST_INCOME',
  ) =>
    yearly.db.tx((tx) =>
      insertEntries(
        tx,
        [
          {
            caseRef: 'CASE-y',
            entryId,
            kind: 'RECEIPT',
            businessOn: day,
            reverses: null,
            postings: posting('BANK', credit, paise),
          },
        ],
        { at: new Date(`${day}T06:00:00.000Z`), on: day },
      ),
    )
  await entry('a', '2025-03-31', 5_00n)
  await entry('b', '2026-03-31', 70_00n)
  await entry('c', '2026-04-01', 300_00n)
  await entry('d', '2026-04-02', 1_00n, 'UNAPPLIED')
  return yearly
}

test('D3 §2.5: assets equal liabilities and profit on every day, and a profit moves to earlier years on 1 April', async () => {
  const yearly = await startYears()
  for (const period of [
    { from: '2026-03-31', to: '2026-04-01' },
    { from: on(0), to: on(14) },
    { from: '2024-02-01', to: '2028-02-29' },
  ]) {
    const { assets, liabilities, reserves, profit } = await financialsOf(yearly.db, period)
    const zero = [0n, 0n]
    assert.deepEqual(totalOf(assets, zero), addColumns(totalOf(liabilities, zero), addColumns(reserves, profit)))
  }
  const { days, reserves, profit, income } = await financialsOf(yearly.db, { from: '2026-04-01', to: '2026-04-01' })
  assert.deepEqual(days, ['2026-04-01', '2026-03-31'])
  assert.deepEqual(reserves, [75_00n, 5_00n])
  assert.deepEqual(profit, [300_00n, 70_00n])
  assert.deepEqual(income, [{ account: 'INTEREST_INCOME', amounts: [300_00n, 300_00n, 0n] }])
  const whole = await financialsOf(yearly.db, { from: '2026-04-01', to: '2027-03-31' })
  assert.equal(whole.income.find(({ account }) => account === 'INTEREST_INCOME')?.amounts[2], 70_00n, 'the year before')
  const yearBefore = async (to: string) => (await financialsOf(yearly.db, { from: to, to })).periods[2].to
  assert.deepEqual(
    await Promise.all(['2029-02-28', '2028-02-29', '2028-02-28', '2027-03-31'].map(yearBefore)),
    ['2028-02-29', '2027-02-28', '2027-02-28', '2026-03-31'],
    'the end of a month is compared with the end of the month',
  )
  const reader = await deskPerson(yearly, 'Teller', 'viewer')
  const { text } = await reader.view('/desk/books/financials?from=2026-04-01&to=2026-04-02')
  assert.match(text, /Assets₹376\.00₹75\.00.*Profit of earlier years₹75\.00₹5\.00Profit of the year₹300\.00₹70\.00/s)
  assert.equal((await reader.view('/desk/books/financials.csv')).status, 403)
  const csv = await (await deskPerson(yearly, 'Asha', 'accounts')).view(
    '/desk/books/financials.csv?from=2026-04-01&to=2026-04-02',
  )
  assert.match(csv.text, /profit and loss,2026-04-01 to 2026-04-02,4000,Interest income,300\.00/)
})

test('D3 §2.5: on 1 April the trial balance moves income and expenses to the profit of earlier years', async () => {
  const yearly = await startYears()
  const amounts = async (from: string, to: string) => {
    const balance = await trialBalance(yearly.db, { from, to })
    assert.ok(isBalanced(balance))
    return ['INTEREST_INCOME', 'RESERVES'].map((account) => {
      const { opening, debit, credit, closing } = balance.rows.find((row) => row.account === account)!
      return {
        account,
        opening: rupees(opening),
        debit: rupees(debit),
        credit: rupees(credit),
        closing: rupees(closing),
      }
    })
  }
  assert.deepEqual(await amounts('2026-03-01', '2026-03-31'), [
    { account: 'INTEREST_INCOME', opening: '0.00', debit: '0.00', credit: '70.00', closing: '-70.00' },
    { account: 'RESERVES', opening: '-5.00', debit: '0.00', credit: '0.00', closing: '-5.00' },
  ])
  assert.deepEqual(await amounts('2026-04-01', '2026-04-30'), [
    { account: 'INTEREST_INCOME', opening: '0.00', debit: '0.00', credit: '300.00', closing: '-300.00' },
    { account: 'RESERVES', opening: '-75.00', debit: '0.00', credit: '0.00', closing: '-75.00' },
  ])
  assert.deepEqual(
    await amounts('2026-03-15', '2026-04-15'),
    [
      { account: 'INTEREST_INCOME', opening: '0.00', debit: '70.00', credit: '370.00', closing: '-300.00' },
      { account: 'RESERVES', opening: '-5.00', debit: '0.00', credit: '70.00', closing: '-75.00' },
    ],
    'the year ends within the period',
  )
  assert.deepEqual(
    await amounts('2025-03-01', '2026-04-15'),
    [
      { account: 'INTEREST_INCOME', opening: '0.00', debit: '75.00', credit: '375.00', closing: '-300.00' },
      { account: 'RESERVES', opening: '0.00', debit: '0.00', credit: '75.00', closing: '-75.00' },
    ],
    'two years end within the period',
  )
  const { figures } = await yearly.db.snapshot(rederiveBooks)
  const balances = figures.filter(({ what }) => what.endsWith(' trial balance'))
  assert.ok(balances.some(({ what }) => what === '2026-04-30 trial balance'))
  for (const { what, derived, stored } of balances) assert.equal(derived, stored, what)
})

test('D3 §2.5: the trial balance shows the closing balances of the same day a year before', async () => {
  const yearly = await startYears()
  const accountant = await deskPerson(yearly, 'Leela', 'accounts')
  const shown = (month: string) => accountant.view(`/desk/books?from=${month}-01&to=${month}-31`)
  const { text } = await shown('2026-03')
  assert.match(text, /ClosingAt 31 Mar 2025/)
  assert.match(text, /Interest income4000Income₹70\.00₹70\.00 Cr₹5\.00 Cr/)
  assert.ok(!(await shown('2025-03')).text.includes('At 31 Mar 2024'), 'nothing was posted by then')
  const csv = await accountant.view('/desk/books/trial-balance.csv?from=2026-03-01&to=2026-03-31')
  assert.match(csv.text, /4000,Interest income,INTEREST_INCOME,income,,0\.00,0\.00,70\.00,-70\.00,-5\.00/)
})
