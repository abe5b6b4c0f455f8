// A bank statement and its analysis as PDF.

import type { StatementAccount } from '#contract/provider/statement.ts'
import { type Block, pdfOf } from '#kit/files/pdf.ts'
import { longDayText } from '#kit/money/calendar.ts'
import { inr } from '#kit/money/money.ts'
import { type Figures, type Month, meanOf, returnedIn } from './statement-figures.ts'

export function statementPaper(account: StatementAccount, figures: Figures, at: Date): Promise<Buffer> {
  const rows = figures.months.map((month) => [month.month, inr(month.credits), inr(month.debits), inr(month.closing)])
  const head = ['Month', 'Credits', 'Debits', 'Closing balance']
  const table: Block = { kind: 'table', head, rows, widths: [1, 1, 1, 1], right: [1, 2, 3] }
  return paper('Account statement', { account, figures }, at, [table])
}

export function analysisPaper(account: StatementAccount, figures: Figures, at: Date): Promise<Buffer> {
  const { months } = figures
  const mean = (of: (month: Month) => bigint): string => inr(meanOf(months, of))
  return paper('Bank statement analysis', { account, figures }, at, [
    tableOf([
      ['Average credits a month', mean(({ credits }) => credits)],
      ['Average debits a month', mean(({ debits }) => debits)],
      ['Average closing balance', mean(({ closing }) => closing)],
      ['Average instalments a month', mean(({ obligations }) => obligations)],
      ['Returned debits', String(returnedIn(months))],
    ]),
  ])
}

interface Analysed {
  account: StatementAccount
  figures: Figures
}

function paper(title: string, { account, figures }: Analysed, createdAt: Date, blocks: Block[]): Promise<Buffer> {
  const { periodFrom, periodTo } = figures
  const facts = tableOf([
    ['Account holder', account.holder_name],
    ['Account number', account.account_number],
    ['Bank', `${account.bank_name}, ${account.ifsc}`],
    ['Period', `${longDayText(periodFrom)} to ${longDayText(periodTo)}`],
  ])
  const notice: Block = { kind: 'text', text: 'This is a paper of the sandbox: no bank keeps this account.' }
  return pdfOf({ title, author: 'Sandbox Statements', blocks: [facts, ...blocks, notice], createdAt })
}

const tableOf = (rows: string[][]): Block => ({ kind: 'table', head: [], rows, widths: [2, 3] })
