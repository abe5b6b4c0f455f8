// The page of the balance sheet and the profit-and-loss account, and its download.

import { csvOf } from '@lendloom/documents/csv'
import { html } from '@lendloom/http/markup'
import { dayText } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import { accountNumbers } from '#partner/books/ledger/chart.ts'
import { accountNames } from '#partner/books/ledger/chart-text-en.ts'
import {
  addColumns,
  type FinancialLine,
  type Financials,
  financialsOf,
  totalOf,
} from '#partner/books/ledger/financials.ts'
import type { Period } from '#partner/books/ledger/store.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage } from '#partner/desk/frame.ts'
import { csvType, fileAnswer } from '#partner/desk/parts/file-answer.ts'
import { exactInr } from '#partner/desk/parts/format.ts'
import { type Column, tableOf } from '#partner/desk/parts/table.ts'
import { anyStaff, may } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { booksTabs } from './books-tabs.ts'
import { periodForm, periodOf, periodQuery } from './period-form.ts'

const path = '/desk/books/financials'
const common = { method: 'GET', section: 'operation', query: periodQuery, hidden: true } as const

interface Line {
  name: string
  number: string
  amounts: Paise[]
  isTotal?: true
}

const accountLine = ({ account, amounts }: FinancialLine): Line => ({
  name: accountNames[account],
  number: accountNumbers[account],
  amounts,
})
const total = (name: string, amounts: Paise[]): Line => ({ name, number: '', amounts, isTotal: true })
/** The lines of the balance sheet. Its two totals are equal in an intact ledger. */
function balanceSheet({ assets, liabilities, reserves, profit }: Financials): Line[] {
  const owed = totalOf(liabilities, [0n, 0n])
  return [
    ...assets.map(accountLine),
    total('Assets', totalOf(assets, [0n, 0n])),
    ...liabilities.map(accountLine),
    { name: 'Profit of earlier years', number: '', amounts: reserves },
    { name: 'Profit of the year', number: '', amounts: profit },
    total('Liabilities and profit', addColumns(owed, addColumns(reserves, profit))),
  ]
}

function profitAndLoss({ income, expenses }: Financials): Line[] {
  const zero = [0n, 0n, 0n]
  const earned = totalOf(income, zero)
  const spent = totalOf(expenses, zero)
  return [
    ...income.map(accountLine),
    total('Income', earned),
    ...expenses.map(accountLine),
    total('Expenses', spent),
    total(
      'Profit',
      addColumns(
        earned,
        spent.map((paise) => -paise),
      ),
    ),
  ]
}

const amountText = (paise: Paise): string => (paise < 0n ? `−${exactInr(-paise)}` : exactInr(paise))

const lineCells = ({ name, number, amounts, isTotal }: Line) => {
  const strong = (text: string) => (isTotal ? html`<strong>${text}</strong>` : text)
  return [strong(name), number, ...amounts.map((paise) => strong(amountText(paise)))]
}

const columnsOf = (names: string[]): Column[] => [
  'Account',
  { name: 'No.', phone: 'plain' },
  ...names.map((name, i) => ({ number: name, ...(i === 0 && { phone: 'main' as const }) })),
]

const periodName = ({ from, to }: Period): string => `${dayText(from)} to ${dayText(to)}`

const showFinancials = deskRoute({
  ...common,
  path,
  summary: 'The balance sheet and the profit-and-loss account',
  // The page shows only sums of all loans, so views of it are not recorded.
  viewAct: null,
  auth: anyStaff,
  async handle({ who, query, at }, ctx) {
    const period = periodOf(query, at)
    const financials = await ctx.db.snapshot((db) => financialsOf(db, period))
    const search = new URLSearchParams({ ...period }).toString()
    const download = can(who, 'BOOKS_EXPORTED') && html`<a href="${path}.csv?${search}">Download as CSV</a>`
    const body = html`${booksTabs(path)}<section>${periodForm({ path, period, at })}
<h2>Balance sheet</h2>
${tableOf('Balance sheet', columnsOf(financials.days.map((day) => dayText(day))), balanceSheet(financials).map(lineCells), { empty: '', csv: false })}
<p class="quiet">Of lending alone: the money that funds the loans, and taxes on profit, are in your general ledger. A financial year begins on 1 April.</p>
<h2>Profit and loss</h2>
${tableOf('Profit and loss', columnsOf(financials.periods.map(periodName)), profitAndLoss(financials).map(lineCells), { empty: '', csv: false })}
${download && html`<p>${download}</p>`}</section>`
    return deskPage(ctx, who, { title: 'Balance sheet and profit', area: '/desk/books', back: false, body })
  },
})

const downloadFinancials = deskRoute({
  ...common,
  path: `${path}.csv`,
  summary: 'The balance sheet and the profit-and-loss account, as CSV',
  viewAct: 'BOOKS_EXPORTED',
  auth: may('BOOKS_EXPORTED'),
  async handle({ query, at }, ctx) {
    const period = periodOf(query, at)
    const financials = await ctx.db.snapshot((db) => financialsOf(db, period))
    const rowsOf = (statement: string, lines: Line[], columns: string[]) =>
      lines.flatMap(({ name, number, amounts }) =>
        amounts.map((paise, i) => ({ statement, period: columns[i], number, name, paise })),
      )
    const rows = [
      ...rowsOf('balance sheet', balanceSheet(financials), financials.days),
      ...rowsOf(
        'profit and loss',
        profitAndLoss(financials),
        financials.periods.map(({ from, to }) => `${from} to ${to}`),
      ),
    ]
    const text = csvOf(
      [
        { head: 'statement', of: (row) => row.statement },
        { head: 'period', of: (row) => row.period },
        { head: 'number', of: (row) => row.number },
        { head: 'account', of: (row) => row.name },
        { head: 'amount', of: (row) => rupees(row.paise) },
      ],
      rows,
    )
    const file = fileAnswer(`financials-${period.from}-${period.to}.csv`, csvType, text)
    return new AuditedAnswer(file, { act: 'BOOKS_EXPORTED', about: { detail: { what: 'financials', ...period } } })
  },
})

export const financialsRoutes = [showFinancials, downloadFinancials]
