// The books of all loans: the trial balance of a period, and the journal as a download for accounting software.

import { type CsvColumn, csvOf } from '@lendloom/documents/csv'
import { pairs } from '@lendloom/foundation/lists'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import type { Answer } from '@lendloom/http/server'
import { dayText } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { accountNumbers, accounts, type ChartAccount, chart } from '#partner/books/ledger/chart.ts'
import { accountNames, natureNames } from '#partner/books/ledger/chart-text-en.ts'
import { periodYearBefore } from '#partner/books/ledger/financials.ts'
import { type JournalFormat, journalCsv, journalJson, readJournal } from '#partner/books/ledger/journal.ts'
import type { AccountCodes } from '#partner/books/ledger/settings.ts'
import { countPostings, type Period } from '#partner/books/ledger/store.ts'
import { isBalanced, type TrialBalance, type TrialRow, trialBalance } from '#partner/books/ledger/trial-balance.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage } from '#partner/desk/frame.ts'
import { csvType, fileAnswer } from '#partner/desk/parts/file-answer.ts'
import { exactInr, toneBadge } from '#partner/desk/parts/format.ts'
import { type Column, tableOf } from '#partner/desk/parts/table.ts'
import { anyStaff, may } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { booksTabs } from './books-tabs.ts'
import { periodForm, periodOf, periodQuery } from './period-form.ts'

const path = '/desk/books'
const routeOptions = {
  method: 'GET',
  section: 'operation',
  query: periodQuery,
  hidden: true,
  viewAct: 'BOOKS_EXPORTED',
} as const

/** The maximum number of postings in one download. `lendloom desk journal` exports longer periods. */
const maxPostings = 50_000

const amountText = (paise: Paise): string => (paise === 0n ? '' : exactInr(paise))

/** Formats a balance as debit (`Dr`) or credit (`Cr`). */
const balanceText = (paise: Paise): string =>
  paise === 0n ? '' : `${exactInr(paise < 0n ? -paise : paise)} ${paise > 0n ? 'Dr' : 'Cr'}`

const hasAmounts = ({ opening, debit, credit, closing }: TrialRow): boolean =>
  [opening, debit, credit, closing].some((paise) => paise !== 0n)

type RowBefore = Pick<TrialRow, 'closing'> | undefined

const cellsOf = ({ number, account, nature, opening, debit, credit, closing }: TrialRow, before: RowBefore) => [
  accountNames[account],
  number,
  natureNames[nature],
  balanceText(opening),
  amountText(debit),
  amountText(credit),
  balanceText(closing),
  ...(before ? [balanceText(before.closing)] : []),
]

const amountColumn = (name: string) => ({ number: name })
const columns: Column[] = [
  'Account',
  { name: 'No.', phone: 'plain' },
  'Kind',
  ...['Opening', 'Debits', 'Credits'].map(amountColumn),
  { number: 'Closing', phone: 'main' },
]

interface ComparedBalances {
  balance: TrialBalance
  yearBefore: TrialBalance | null
}

/** Reads the trial balance of a period, and that of the same period a year before if it has amounts. */
async function comparedBalances(db: Run, period: Period): Promise<ComparedBalances> {
  const balance = await trialBalance(db, period)
  const yearBefore = await trialBalance(db, periodYearBefore(period))
  return { balance, yearBefore: yearBefore.rows.some(hasAmounts) ? yearBefore : null }
}

const balanceNotice = (balance: TrialBalance) =>
  isBalanced(balance)
    ? html`<p class="lead">${toneBadge('good', 'The books balance')}</p>`
    : html`<p class="notice bad" role="alert">The books do not balance. Do not close the period; inform the operator of this system.</p>`

const bankNote = (rows: TrialRow[]) =>
  rows.some(({ account, closing }) => account === 'BANK' && closing < 0n) &&
  html`<p class="quiet">Bank closes in credit because only lending is posted here. The money that funds the loans is in your general ledger.</p>`

const downloads = (search: string) => html`<section><h2>Download</h2>
<ul class="papers"><li><a href="${path}/trial-balance.csv?${search}">Trial balance as CSV</a></li>
<li><a href="${path}/journal.csv?${search}">Journal as CSV</a>, one line per posting</li>
<li><a href="${path}/journal.jsonl?${search}">Journal as JSON lines</a></li>
<li><a href="${path}/chart.csv">Chart of accounts as CSV</a></li></ul></section>`

const showTrialBalance = deskRoute({
  ...routeOptions,
  path,
  query: Type.Object({ ...periodQuery.properties, all: Type.Optional(Type.String({ maxLength: 3 })) }),
  summary: 'The trial balance of a period',
  // The page shows only sums of all loans, so views of it are not recorded.
  viewAct: null,
  auth: anyStaff,
  async handle({ who, query, at }, ctx) {
    const period = periodOf(query, at)
    const { balance, yearBefore } = await ctx.db.snapshot((db) => comparedBalances(db, period))
    const { rows, total } = balance
    const search = new URLSearchParams({ ...period }).toString()
    const body = html`${booksTabs(path)}<section>
${balanceNotice(balance)}
${periodForm({ path, period, at })}
${tableOf(
  'Trial balance',
  yearBefore ? [...columns, amountColumn(`At ${dayText(yearBefore.to)}`)] : columns,
  [
    ...pairs(rows, yearBefore?.rows ?? rows.map(() => undefined))
      .filter(([row, rowBefore]) => query.all === 'yes' || hasAmounts(row) || (rowBefore?.closing ?? 0n) !== 0n)
      .map((each) => cellsOf(...each)),
    [
      html`<strong>Total</strong>`,
      '',
      '',
      balanceText(total.opening),
      exactInr(total.debit),
      exactInr(total.credit),
      balanceText(total.closing),
      ...(yearBefore ? [balanceText(yearBefore.total.closing)] : []),
    ],
  ],
  { empty: 'No accounts.', csv: false },
)}
${bankNote(rows)}<p><a href="${path}?${search}${query.all !== 'yes' && '&all=yes'}">${query.all === 'yes' ? 'Hide' : 'Show'} accounts without amounts</a></p></section>${can(who, 'BOOKS_EXPORTED') && downloads(search)}`
    return deskPage(ctx, who, { title: 'Books', area: path, body })
  },
})

const chartColumns = (codes: AccountCodes): CsvColumn<{ account: ChartAccount }>[] => [
  { head: 'number', of: ({ account }) => accountNumbers[account] },
  { head: 'account', of: ({ account }) => accountNames[account] },
  { head: 'code', of: ({ account }) => account },
  { head: 'kind', of: ({ account }) => accounts[account] },
  { head: 'general_ledger', of: ({ account }) => codes[account] },
]

const chartCsv = deskRoute({
  ...routeOptions,
  path: `${path}/chart.csv`,
  query: Type.Object({}),
  summary: 'The chart of accounts with the codes of the general ledger, as CSV',
  auth: may('BOOKS_EXPORTED'),
  async handle(_request, { config }) {
    const rows = chart.map((account) => ({ account }))
    const text = csvOf(chartColumns(config.PARTNER_GENERAL_LEDGER), rows)
    return exportAnswer(fileAnswer('chart-of-accounts.csv', csvType, text), { what: 'chart' })
  },
})

const trialBalanceCsv = deskRoute({
  ...routeOptions,
  path: `${path}/trial-balance.csv`,
  summary: 'The trial balance of a period, as CSV',
  auth: may('BOOKS_EXPORTED'),
  async handle({ query, at }, ctx) {
    const period = periodOf(query, at)
    const { balance, yearBefore } = await ctx.db.snapshot((db) => comparedBalances(db, period))
    const rows = balance.rows.map((row, i) => ({
      ...row,
      closingYearBefore: yearBefore ? rupees(yearBefore.rows[i]?.closing ?? 0n) : '',
    }))
    const text = csvOf<(typeof rows)[number]>(
      [
        ...chartColumns(ctx.config.PARTNER_GENERAL_LEDGER),
        { head: 'opening', of: (row) => rupees(row.opening) },
        { head: 'debit', of: (row) => rupees(row.debit) },
        { head: 'credit', of: (row) => rupees(row.credit) },
        { head: 'closing', of: (row) => rupees(row.closing) },
        { head: 'closing_year_before', of: (row) => row.closingYearBefore },
      ],
      rows,
    )
    const file = fileAnswer(`trial-balance-${period.from}-${period.to}.csv`, csvType, text)
    return exportAnswer(file, { what: 'trial-balance', ...period })
  },
})

/** Answers with a file of the books, and records who downloaded it. */
const exportAnswer = (file: Answer, detail: Record<string, string>): AuditedAnswer =>
  new AuditedAnswer(file, { act: 'BOOKS_EXPORTED', about: { detail } })

const journalRoute = (extension: 'csv' | 'jsonl', type: string, formatWith: (codes: AccountCodes) => JournalFormat) =>
  deskRoute({
    ...routeOptions,
    path: `${path}/journal.${extension}`,
    summary: `The journal of a period, as ${extension.toUpperCase()}`,
    auth: may('BOOKS_EXPORTED'),
    async handle({ query, at }, ctx) {
      const period = periodOf(query, at)
      if ((await countPostings(ctx.db, period, maxPostings)) > maxPostings)
        throw new Refusal(
          'invalid',
          `this period has more than ${maxPostings} postings: choose a shorter one, or use lendloom desk journal`,
          { field: 'from' },
        )
      const format = formatWith(ctx.config.PARTNER_GENERAL_LEDGER)
      const pages: string[] = []
      await ctx.db.snapshot(async (db) => {
        for await (const page of readJournal(db, period)) pages.push(format(page, pages.length === 0))
      })
      const name = `journal-${period.from}-${period.to}.${extension}`
      const file = fileAnswer(name, type, pages.join('') || format([], true))
      return exportAnswer(file, { what: `journal.${extension}`, ...period })
    },
  })

export const booksRoutes = [
  showTrialBalance,
  trialBalanceCsv,
  chartCsv,
  journalRoute('csv', csvType, journalCsv),
  journalRoute('jsonl', 'application/x-ndjson; charset=utf-8', journalJson),
]
