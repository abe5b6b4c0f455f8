// The books of all loans: the trial balance of a period, and the journal to hand on to an accountant's program.

import { csvOf } from '#kit/files/csv.ts'
import { html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Answer } from '#kit/http/server.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { deskRoute, ViewedAnswer } from '#partner/desk/desk-route.ts'
import { deskPage, tableOf } from '#partner/desk/frame.ts'
import { csvType, fileAnswer } from '#partner/desk/parts/file-answer.ts'
import { inr } from '#partner/desk/parts/format.ts'
import { atDesk, may } from '#partner/desk/staff/staff.ts'
import { can } from '#partner/desk/staff/staff-act.ts'
import {
  isBalanced,
  journalCsv,
  journalJson,
  readJournal,
  type TrialBalance,
  type TrialRow,
  trialBalance,
} from '#partner/ledger/books.ts'
import { accountNames, natureNames } from '#partner/ledger/chart-text-en.ts'
import { countPostings } from '#partner/ledger/store.ts'
import { periodForm, periodOf, periodQuery } from './period.ts'

const path = '/desk/books'
const common = {
  method: 'GET',
  section: 'operation',
  query: periodQuery,
  hidden: true,
  shows: 'BOOKS_EXPORTED',
} as const

/** The limit of one download; for more, the command line reads page by page. */
const mostPostings = 50_000

const amountText = (paise: Paise): string => (paise === 0n ? '–' : inr(paise))

/** A balance as accountants read it: which side it is on. */
const sided = (paise: Paise): string =>
  paise === 0n ? '–' : `${inr(paise < 0n ? -paise : paise)} ${paise > 0n ? 'Dr' : 'Cr'}`

const cellsOf = ({ number, account, nature, opening, debit, credit, closing }: TrialRow) => [
  number,
  accountNames[account],
  natureNames[nature],
  sided(opening),
  amountText(debit),
  amountText(credit),
  sided(closing),
]

const amount = (name: string) => ({ number: name })
const columns = ['No.', 'Account', 'Kind', ...['Opening', 'Debits', 'Credits', 'Closing'].map(amount)]

const balanceNotice = (balance: TrialBalance) =>
  isBalanced(balance)
    ? html`<p class="notice good">The books balance: debits equal credits to the paisa.</p>`
    : html`<p class="notice bad" role="alert">The books do not balance. Do not close the period; inform the operator of this system.</p>`

const downloads = (search: string) => html`<section><h2>Download</h2>
<ul class="papers"><li><a href="${path}/trial-balance.csv?${search}">Trial balance as CSV</a></li>
<li><a href="${path}/journal.csv?${search}">Journal as CSV</a>, one line per posting</li>
<li><a href="${path}/journal.jsonl?${search}">Journal as JSON lines</a></li></ul></section>`

const show = deskRoute({
  ...common,
  path,
  summary: 'The trial balance of a period',
  // Sums of all loans.
  shows: null,
  auth: atDesk,
  async handle({ who, query: given, at }, ctx) {
    const period = periodOf(given, at)
    const balance = await trialBalance(ctx.db, period)
    const { rows, total } = balance
    const search = new URLSearchParams({ ...period }).toString()
    const body = html`<section>
${periodForm(path, period)}
${balanceNotice(balance)}
${tableOf(
  'Trial balance',
  columns,
  [
    ...rows.map(cellsOf),
    [
      '',
      html`<strong>Total</strong>`,
      '',
      sided(total.opening),
      inr(total.debit),
      inr(total.credit),
      sided(total.closing),
    ],
  ],
  { empty: 'No accounts.', csv: false },
)}
<p><a href="${path}/bank">Compare with a bank statement</a></p></section>${can(who, 'BOOKS_EXPORTED') && downloads(search)}`
    return deskPage(ctx, who, { title: 'Books', here: path, body })
  },
})

const trialBalanceCsv = deskRoute({
  ...common,
  path: `${path}/trial-balance.csv`,
  summary: 'The trial balance of a period, as CSV',
  auth: may('BOOKS_EXPORTED'),
  async handle({ query: given, at }, ctx) {
    const period = periodOf(given, at)
    const { rows } = await trialBalance(ctx.db, period)
    const head = ['number', 'account', 'kind', 'opening', 'debit', 'credit', 'closing']
    const cells = rows.map(({ number, account, nature, opening, debit, credit, closing }) => [
      ...[number, account, nature],
      ...[opening, debit, credit, closing].map(rupees),
    ])
    const file = fileAnswer(`trial-balance-${period.from}-${period.to}.csv`, csvType, csvOf(head, cells))
    return exported(file, { what: 'trial-balance', ...period })
  },
})

const exported = (file: Answer, detail: Record<string, string>): ViewedAnswer =>
  new ViewedAnswer(file, { act: 'BOOKS_EXPORTED', about: { detail } })

const journalAs = (extension: 'csv' | 'jsonl', type: string, lines: typeof journalCsv) =>
  deskRoute({
    ...common,
    path: `${path}/journal.${extension}`,
    summary: `The journal of a period, as ${extension.toUpperCase()}`,
    auth: may('BOOKS_EXPORTED'),
    async handle({ query: given, at }, ctx) {
      const period = periodOf(given, at)
      if ((await countPostings(ctx.db, period, mostPostings)) > mostPostings)
        throw new Refusal(
          'invalid',
          `this period has more than ${mostPostings} postings: choose a shorter one, or use lendloom desk journal`,
          { field: 'from' },
        )
      const pages: string[] = []
      await ctx.db.snapshot(async (db) => {
        for await (const page of readJournal(db, period)) pages.push(lines(page, pages.length === 0))
      })
      const name = `journal-${period.from}-${period.to}.${extension}`
      const file = fileAnswer(name, type, pages.join('') || lines([], true))
      return exported(file, { what: `journal.${extension}`, ...period })
    },
  })

export const booksRoutes = [
  show,
  trialBalanceCsv,
  journalAs('csv', csvType, journalCsv),
  journalAs('jsonl', 'application/x-ndjson; charset=utf-8', journalJson),
]
