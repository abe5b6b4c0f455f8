// The steps of a month-end, each with its state as computed from the data of the month.

import { allOf } from '@lendloom/foundation/all-of'
import { type Html, html } from '@lendloom/http/markup'
import { dayText } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import type { Period } from '#partner/books/ledger/store.ts'
import { isBalanced, trialBalance } from '#partner/books/ledger/trial-balance.ts'
import { countText, formatDay, formatTime, inr } from '#partner/desk/parts/format.ts'
import { demandByMonth } from '#partner/records/report/portfolio/store.ts'
import { reviewDays } from '#partner/servicing/collection/statement/store.ts'
import { closingOf, filesOf, type MonthFile, statementsOf, type WaitingPayments, waitingPayments } from './store.ts'
import { monthEndTexts as texts } from './text-en.ts'

/** So many days or references are named; the rest is counted. */
const maxNamed = 5

export interface Step {
  name: keyof typeof texts.steps
  href: string
  isDone: boolean
  figure: string | Html
}

/** Reads what the steps of a month depend on. */
export async function readMonth(db: Run, period: Period) {
  const { closing, statements } = await allOf({ closing: closingOf(db, period), statements: statementsOf(db, period) })
  const closed = statements.filter(({ isClosed }) => isClosed)
  return {
    closing,
    closed,
    open: statements.length - closed.length,
    ...(await allOf({
      waiting: waitingPayments(db, period),
      days: reviewDays(db, period, closed),
      balance: trialBalance(db, period),
      demand: demandByMonth(db, period.from, period.to),
      files: closing ? filesOf(db, period, closing.endedAt) : Promise.resolve([]),
    })),
  }
}
export type Month = Awaited<ReturnType<typeof readMonth>>

const searchOf = (period: Period): string => new URLSearchParams({ ...period }).toString()

/** The day-ends, up to the last day of the month. */
function closingStep({ closing }: Month, { from, to }: Period): Step {
  const step = { name: 'days', href: `/desk/reports?${searchOf({ from, to })}#book` } as const
  if (!closing) return { ...step, isDone: false, figure: html`${formatDay(to)} ${texts.notClosed}` }
  if (closing.failed > 0) return { ...step, isDone: false, figure: texts.failed(countText(closing.failed, 'loan')) }
  return { ...step, isDone: true, figure: html`${texts.closedOn} ${formatTime(closing.endedAt)}.` }
}

/** Payments that wait to be posted or decided. */
function waitingStep({ waiting }: Month, name: WaitingPayments['name']): Step {
  const payments = waiting.find((each) => each.name === name)
  const figure = payments
    ? texts.waits(countText(payments.count, name.slice(0, -1)), payments.count, inr(payments.paise))
    : texts.nothingWaits[name]
  return { name, href: '/desk/money', isDone: !payments, figure }
}

/** Statements of the bank that cover all days with movements, and are closed. */
function statementStep({ days, closed, open }: Month): Step {
  const step = { name: 'statements', href: '/desk/books/bank' } as const
  if (days.length + closed.length + open === 0) return { ...step, isDone: true, figure: texts.noMovements }
  const booked = days.filter(({ isBooked }) => isBooked).map(({ valueOn }) => valueOn)
  const missing = booked.filter((day) => !closed.some(({ fromOn, toOn }) => fromOn <= day && day <= toOn))
  const late = days.flatMap((day) => day.late.map((reference) => `${reference} (${dayText(day.valueOn)})`))
  const covered = texts.daysCovered(booked.length - missing.length, countText(booked.length, 'day'))
  const missingDays = missing.map((day) => dayText(day))
  return {
    ...step,
    isDone: open + missing.length + late.length === 0,
    figure: `${covered}${open > 0 ? `; ${countText(open, 'statement')} open` : ''}.${listText(missingDays, texts.missing)}${listText(late, texts.late)}`,
  }
}

function listText(all: string[], label: string): string {
  if (all.length === 0) return ''
  const more = all.length > maxNamed ? ` ${texts.more(all.length - maxNamed)}` : ''
  return ` ${label}: ${all.slice(0, maxNamed).join(', ')}${more}.`
}

/** A file that someone has downloaded since the month ended. */
function fileStep({ files, closing }: Month, name: 'journal' | 'returns' | 'bureau', href: string): Step {
  const last = files.filter(({ what }) => what.startsWith(name)).reduce<MonthFile | undefined>(laterFile, undefined)
  const noFile = closing ? texts.notDownloaded : texts.notDownloadable
  return {
    name,
    href,
    isDone: last !== undefined,
    figure: last
      ? html`${texts.downloadedOn} ${formatTime(last.at)} by ${last.name}${last.reportedOn && html`, ${texts.asOf} ${formatDay(last.reportedOn)}`}.`
      : noFile,
  }
}

const laterFile = (last: MonthFile | undefined, each: MonthFile) => (last && last.at >= each.at ? last : each)

/** Returns the names of the steps that are not done. */
export const openStepsOf = (month: Month, period: Period): Step['name'][] =>
  stepsOf(month, period).flatMap(({ name, isDone }) => (isDone ? [] : [name]))

/** Returns all steps, in the order in which they are done. */
export function stepsOf(month: Month, period: Period): Step[] {
  const { balance } = month
  const search = searchOf(period)
  const books = `/desk/books?${search}`
  const reports = `/desk/reports?${search}`
  return [
    closingStep(month, period),
    waitingStep(month, 'receipts'),
    waitingStep(month, 'claims'),
    waitingStep(month, 'debits'),
    statementStep(month),
    {
      name: 'books',
      href: books,
      isDone: isBalanced(balance),
      figure: isBalanced(balance) ? texts.balanced(inr(balance.total.debit)) : texts.notBalanced,
    },
    fileStep(month, 'journal', books),
    fileStep(month, 'returns', reports),
    fileStep(month, 'bureau', `${reports}#bureau`),
  ]
}
