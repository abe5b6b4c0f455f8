// GET /bank and /bank/statement.csv: the days of each lender's account, and the statement of a period as CSV.

import { type CsvColumn, csvOf } from '@lendloom/documents/csv'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { countText } from '@lendloom/foundation/text'
import { type Html, html } from '@lendloom/http/markup'
import { answer } from '@lendloom/http/server'
import { businessDate, dayText } from '@lendloom/lending/calendar'
import { inr, type Paise, rupees } from '@lendloom/lending/money'
import { Day } from '@lendloom/wire/basic-schemas'
import { calendarDate } from '@lendloom/wire/identifier'
import { type BankLender, lendersAt, openRoute } from './bank-route.ts'
import { bankAnswer } from './payment-page.ts'
import { type AccountDay, accountDays, accountMovements, balanceBefore } from './store.ts'

const path = '/bank/statement.csv'
const capitalPaise = 10_00_00_000_00n

export const showAccounts = openRoute({
  method: 'GET',
  path: '/bank',
  summary: 'The accounts of the lenders, with the statement of each day',
  async handle({ at }, { db, bank }) {
    const lenders = await Promise.all(
      lendersAt(bank).map(async (lender) => ({ lender, days: await accountDays(db, lender.holder) })),
    )
    return bankAnswer({
      title: 'Accounts and statements',
      body: html`<p>The bank of the lending partners. Pay a lender as a borrower, or download a statement for the bank reconciliation of a lender’s desk.</p>
<p><a class="primary" href="/bank/pay">Pay a lender</a></p>
${lenders.map(({ lender, days }) => accountPart(lender, days, businessDate(at)))}`,
    })
  },
})

const addressOf = (account: string, from: string, to = from): string =>
  `${path}?${new URLSearchParams({ account, from, to })}`

const accountPart = ({ name, holder }: BankLender, days: AccountDay[], today: string): Html =>
  html`<h2>${name}</h2>${
    days.length === 0
      ? html`<p class="hint">No money has moved in this account yet.</p>`
      : html`<ul class="papers statements">${days.map(({ valueOn, movements, inPaise, outPaise }) =>
          statementRow(
            html`${dayText(valueOn)}${valueOn === today && ', so far'}`,
            `${countText(movements, 'movement')}: ${[inPaise > 0n && `${inr(inPaise)} in`, outPaise > 0n && `${inr(outPaise)} out`].filter(Boolean).join(', ')}`,
            addressOf(holder, valueOn),
          ),
        )}${wholePeriod(holder, days)}</ul>`
  }`

const statementRow = (period: Html | string, content: string, address: string): Html =>
  html`<li><span><strong>${period}</strong><small>${content}</small></span><a href="${address}">Download CSV<span class="unseen"> ${period}</span></a></li>`

function wholePeriod(holder: string, days: AccountDay[]): Html | false {
  const to = days[0]?.valueOn
  const from = days.at(-1)?.valueOn
  if (!from || !to || from === to) return false
  return statementRow('All days above', `${dayText(from)} to ${dayText(to)}`, addressOf(holder, from, to))
}

interface StatementLine {
  valueOn: string
  reference: string
  description: string
  /** Null for the line of a balance. */
  paise: Paise | null
  balance: Paise
}

const statementColumns: CsvColumn<StatementLine>[] = [
  { head: 'Date', of: (line) => line.valueOn },
  { head: 'Reference', of: (line) => line.reference },
  { head: 'Description', of: (line) => line.description },
  { head: 'Amount', of: ({ paise }) => (paise === null ? null : rupees(paise)) },
  { head: 'Balance', of: (line) => rupees(line.balance) },
]

export const downloadStatement = openRoute({
  method: 'GET',
  path,
  summary: 'A statement of a lender’s account as CSV',
  query: Type.Object({ account: Type.Optional(Type.String()), from: Day, to: Day }),
  async handle({ query: { account = '', ...period } }, { db, bank }) {
    const from = calendarDate(period.from)
    const to = calendarDate(period.to)
    if (from === null || to === null) throw new Refusal('invalid', 'from and to must be days of the calendar')
    if (from > to) throw new Refusal('invalid', 'the period ends before it begins')
    const lender = lendersAt(bank).find(({ holder }) => holder === account)
    if (!lender) throw new Refusal('absent', 'the bank has no such account')
    const [before, movements] = await Promise.all([
      balanceBefore(db, account, from),
      accountMovements(db, account, from, to),
    ])
    let balance = capitalPaise + before
    const balanceLine = (description: string): StatementLine => ({
      valueOn: '',
      reference: '',
      description,
      paise: null,
      balance,
    })
    const opening = balanceLine('Opening balance')
    const lines = movements.map(({ valueOn, reference, description, paise }): StatementLine => {
      balance += paise
      return { valueOn, reference, description, paise, balance }
    })
    return answer(200, csvOf(statementColumns, [opening, ...lines, balanceLine('Closing balance')]), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${lender.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${from === to ? from : `${from}-to-${to}`}.csv"`,
      'cache-control': 'no-store',
    })
  },
})
