// A bank statement and its analysis as PDF.
import type { StatementAccount } from '#contract/provider/statement.ts'
import { type Block, pdfOf } from '#kit/files/pdf.ts'
import { inr } from '#kit/money/money.ts'
import { dayText } from '#sandbox/core/format.ts'
import { figuresOf, type Month } from './statement-figures.ts'

export async function statementPaper(account: StatementAccount, at: Date): Promise<Buffer> {
  const { months } = figuresOf(account.account_number, at)
  const rows = months.map((month) => [month.month, inr(month.credits), inr(month.debits), inr(month.closing)])
  const head = ['Month', 'Credits', 'Debits', 'Closing balance']
  return paper('Account statement', account, at, [
    { kind: 'table', head, rows, widths: [1, 1, 1, 1], right: [1, 2, 3] },
  ])
}

export async function analysisPaper(account: StatementAccount, at: Date): Promise<Buffer> {
  const { months } = figuresOf(account.account_number, at)
  const mean = (of: (month: Month) => bigint): string =>
    inr(months.reduce((sum, each) => sum + of(each), 0n) / BigInt(months.length))
  return paper('Bank statement analysis', account, at, [
    tableOf([
      ['Average credits a month', mean(({ credits }) => credits)],
      ['Average debits a month', mean(({ debits }) => debits)],
      ['Average closing balance', mean(({ closing }) => closing)],
      ['Returned debits', String(months.reduce((sum, { returnedDebits }) => sum + returnedDebits, 0))],
    ]),
  ])
}

function paper(title: string, account: StatementAccount, createdAt: Date, blocks: Block[]): Promise<Buffer> {
  const { periodFrom, periodTo } = figuresOf(account.account_number, createdAt)
  const facts = tableOf([
    ['Account holder', account.holder_name],
    ['Account number', account.account_number],
    ['Bank', `${account.bank_name}, ${account.ifsc}`],
    ['Period', `${dayText(periodFrom)} to ${dayText(periodTo)}`],
  ])
  const notice: Block = { kind: 'text', text: 'This is a paper of the sandbox: no bank keeps this account.' }
  return pdfOf({ title, author: 'Sandbox Statements', blocks: [facts, ...blocks, notice], createdAt })
}

const tableOf = (rows: string[][]): Block => ({ kind: 'table', head: [], rows, widths: [2, 3] })
