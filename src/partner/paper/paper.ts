// The papers of a loan as PDF, from the same verified account: which are available now, and their content.

import { type Block, type PdfDocument, pdfOf } from '#kit/files/pdf.ts'
import { businessDate, dayText } from '#kit/money/calendar.ts'
import { grouped, type Paise } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import type { Context } from '#partner/context.ts'
import type { LedgerEntry } from '#partner/ledger/store.ts'
import type { AccountView } from '#partner/loan/account.ts'
import { scheduleOf } from '#partner/loan/terms.ts'
import type { Offer } from '#partner/review/offer.ts'
import { closedOnOf, financialYearOf, statementOf, yearOf } from './statement.ts'
import { paperTexts as texts } from './text-en.ts'

export const paperNames = ['sanction', 'schedule', 'statement', 'interest', 'no-dues', 'closure'] as const
export type PaperName = (typeof paperNames)[number]

export interface PaperCase {
  borrower: string
  loanId: string
  offer: Pick<Offer, 'terms' | 'decision' | 'decidedAt'> | undefined
  account: AccountView | null
  entries: LedgerEntry[]
}

/**
 * The papers that can be made now. A no-dues certificate and a closure letter only of a closed loan that owes nothing.
 */
export function papersOf({ offer, account }: PaperCase): PaperName[] {
  const isClosed = account?.loanStatus === 'CLOSED' && account.soa.totalPaise === 0n
  return [
    ...(offer?.decision === 'ACCEPT' ? (['sanction'] as const) : []),
    ...(account ? (['schedule', 'statement', 'interest'] as const) : []),
    ...(isClosed ? (['no-dues', 'closure'] as const) : []),
  ]
}

/** The financial years in which something happened, the newest first. */
export const yearsOf = ({ entries }: Pick<PaperCase, 'entries'>, today: string): number[] => {
  const first = entries[0] ? financialYearOf(entries[0].businessOn) : financialYearOf(today)
  const last = financialYearOf(today)
  return Array.from({ length: last - first + 1 }, (_, i) => last - i)
}

const inr = (paise: Paise): string => `₹${grouped(paise)}`

const pairsOf = (rows: [string, string | null][]): Block => ({
  ...{ kind: 'table', head: [], widths: [2, 3], isLight: true },
  rows: rows.flatMap(([label, value]) => (value === null ? [] : [[label, value]])),
})
const amountsOf = (rows: [string, Paise][], totals: number[] = []): Block => ({
  ...{ kind: 'table', head: [], widths: [3, 2], right: [1], isLight: true, strong: totals },
  rows: rows.map(([label, paise]) => [label, inr(paise)]),
})
const text = (words: string): Block => ({ kind: 'text', text: words })
const heading = (words: string): Block => ({ kind: 'heading', text: words })

interface PaperRequest {
  of: PaperCase
  today: string
  year: number
}

const makers: Record<PaperName, (making: PaperRequest) => Block[]> = {
  statement: ({ of }) => {
    const { account, entries } = withAccount(of)
    const { statement } = texts
    const { soa, unappliedPaise } = account
    const lines = statementOf(entries)
    const toReturn: [string, Paise][] = unappliedPaise > 0n ? [[statement.unapplied, unappliedPaise]] : []
    const amounts: Paise[] = [
      ...[soa.principalPaise, soa.interestPaise, soa.penaltyPaise, soa.chargesPaise],
      ...[soa.totalPaise, soa.overduePaise],
    ]
    return [
      heading(statement.summary),
      amountsOf([...statement.parts.map((label, i): [string, Paise] => [label, amounts[i] ?? 0n]), ...toReturn], [4]),
      heading(statement.lines),
      {
        ...{ kind: 'table', head: statement.head, widths: [1.4, 4.2, 1.7, 1.7, 1.8], right: [2, 3, 4], isLight: true },
        rows: lines.map(({ on, kind, installment, added, takenOff, balance }) => [
          dayText(on),
          (statement.of[kind] ?? kind) + (installment === null ? '' : statement.installment(installment)),
          added === 0n ? '' : grouped(added),
          takenOff === 0n ? '' : grouped(takenOff),
          grouped(balance),
        ]),
      },
      ...statement.notes.map(text),
    ]
  },
  schedule: ({ of }) => {
    const { account } = withAccount(of)
    const { schedule } = texts
    const { installments } = account.schedule
    const sum = (part: 'principalPaise' | 'interestPaise' | 'chargesPaise' | 'amountPaise' | 'paidPaise'): string =>
      grouped(installments.reduce((total, row) => total + row[part], 0n))
    return [
      {
        ...{ kind: 'table', head: schedule.head, widths: [0.75, 1.5, 1.7, 1.45, 1.3, 1.7, 1.7, 1.6] },
        ...{ right: [0, 2, 3, 4, 5, 6], isLight: true, strong: [installments.length] },
        rows: [
          ...installments.map((row) => [
            ...[String(row.number), dayText(row.dueOn), grouped(row.principalPaise), grouped(row.interestPaise)],
            ...[
              grouped(row.chargesPaise),
              grouped(row.amountPaise),
              grouped(row.paidPaise),
              schedule.states[row.status],
            ],
          ]),
          [
            ...['', schedule.total, sum('principalPaise'), sum('interestPaise'), sum('chargesPaise')],
            ...[sum('amountPaise'), sum('paidPaise'), ''],
          ],
        ],
      },
      text(schedule.note),
    ]
  },
  sanction: ({ of }) => {
    const { sanction } = texts
    const { rows } = sanction
    const offer = of.offer
    if (!offer) throw new Error('this case has no offer')
    const { terms } = offer
    const last = required(scheduleOf(terms).at(-1), 'the last row of a schedule')
    return [
      text(sanction.greeting(of.borrower)),
      text(sanction.opening),
      heading(sanction.terms),
      pairsOf([
        [rows.amount, inr(terms.amountPaise)],
        [rows.rate, `${terms.annualRatePercent} %`],
        [rows.apr, `${terms.aprPercent} %`],
        [rows.term, sanction.weeks(terms.tenureWeeks)],
        [rows.instalment, sanction.weekly(terms.numberOfInstallments, inr(terms.installmentPaise), inr(last.amount))],
        [rows.fee, inr(terms.feePaise)],
        [rows.tax, inr(terms.taxPaise)],
        [rows.other, inr(terms.otherChargesPaise)],
        [rows.net, inr(terms.netPaise)],
        [rows.interest, inr(terms.totalInterestPaise)],
        [rows.total, inr(terms.totalPayablePaise)],
        [rows.coolOff, sanction.days(terms.coolOffDays)],
        [rows.accepted, offer.decidedAt && dayText(businessDate(offer.decidedAt))],
      ]),
      heading(sanction.conditions),
      ...sanction.conditionList.map(text),
      text(sanction.closing),
    ]
  },
  'no-dues': ({ of }) => [text(texts.noDues.opening(withAccount(of).account.loanAccountId)), text(texts.noDues.body)],
  closure: ({ of, today }) => {
    const { account, entries } = withAccount(of)
    const { closure } = texts
    const all = yearsOf(of, today).map((year) => yearOf(entries, year))
    const sum = (part: 'interestPaid' | 'principalPaid' | 'penaltyPaid'): Paise =>
      all.reduce((total, year) => total + year[part], 0n)
    const repaid = sum('principalPaid') + sum('interestPaid') + sum('penaltyPaid')
    return [
      text(closure.opening(of.borrower)),
      text(closure.body(dayText(closedOnOf(entries)))),
      amountsOf(
        [
          [closure.rows.principal, sum('principalPaid')],
          [closure.rows.interest, sum('interestPaid')],
          [closure.rows.penalty, sum('penaltyPaid')],
          [closure.rows.repaid, repaid],
        ],
        [3],
      ),
      heading(closure.next),
      ...closure.steps.map(text),
      ...(account.unappliedPaise > 0n ? [text(closure.refund(inr(account.unappliedPaise)))] : []),
    ]
  },
  interest: ({ of, year }) => {
    const { interest } = texts
    const paid = yearOf(of.entries, year)
    return [
      text(interest.body(dayText(paid.from), dayText(paid.until))),
      amountsOf([
        [interest.rows.charged, paid.interestCharged],
        [interest.rows.paid, paid.interestPaid],
        [interest.rows.principal, paid.principalPaid],
        [interest.rows.penalty, paid.penaltyPaid],
      ]),
      text(interest.note),
    ]
  },
}

function withAccount(of: PaperCase) {
  if (!of.account) throw new Error('this case has no loan account')
  return { account: of.account, entries: of.entries }
}

interface PaperHeader {
  name: PaperName
  of: PaperCase
  /** For an interest certificate. */
  year: number
  at: Date
}

/** The bytes of a paper that `papersOf` names. */
export function makePaper(config: Context['config'], { name, of, year, at }: PaperHeader): Promise<Buffer> {
  const today = businessDate(at)
  const { facts } = texts
  const paper: PdfDocument = {
    title: texts.titles[name],
    author: config.PARTNER_LENDER_NAME,
    createdAt: at,
    letterhead: [config.PARTNER_LENDER_ADDRESS, texts.grievance(config.PARTNER_GRIEVANCE_OFFICER)],
    blocks: [
      pairsOf([
        [facts.borrower, of.borrower],
        [facts.loan, of.loanId],
        [facts.account, of.account?.loanAccountId ?? null],
        [facts.madeOn, dayText(today)],
        [facts.year, name === 'interest' ? texts.interest.year(year) : null],
        [facts.version, name === 'schedule' && of.account ? String(of.account.schedule.scheduleVersion) : null],
      ]),
      ...makers[name]({ of, today, year }),
      ...(name === 'sanction' ? [text(config.PARTNER_LENDER_NAME)] : []),
      text(name === 'statement' || name === 'schedule' ? texts.inRupees : texts.signature),
    ],
  }
  return pdfOf(paper)
}
