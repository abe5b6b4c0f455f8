// Creates a loan’s papers as PDF files: sanction letter, schedule, statement, certificates and closure letter.

import type { Block } from '#kit/files/pdf.ts'
import { businessDate, dayText, financialYearOf } from '#kit/money/calendar.ts'
import { grouped, type Paise } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import type { LedgerEntry } from '#partner/ledger/store.ts'
import type { AccountView } from '#partner/loan/account.ts'
import { scheduleOf } from '#partner/loan/terms.ts'
import type { Offer } from '#partner/review/offer.ts'
import { amountsOf, inr, type LenderConfig, pairsOf, paperOf, paragraph } from './blocks.ts'
import { closingDay, statementOf, yearTotals } from './statement.ts'
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
 * Returns the papers that can be issued now. Only a closed loan with nothing outstanding has a no-dues certificate and
 * a closure letter.
 */
export function availablePapers({ offer, account }: PaperCase): PaperName[] {
  const isClosed = account?.loanStatus === 'CLOSED' && account.soa.totalPaise === 0n && account.unappliedPaise >= 0n
  return [
    ...(offer?.decision === 'ACCEPT' ? (['sanction'] as const) : []),
    ...(account ? (['schedule', 'statement', 'interest'] as const) : []),
    ...(isClosed ? (['no-dues', 'closure'] as const) : []),
  ]
}

export const financialYears = ({ entries }: Pick<PaperCase, 'entries'>, today: string): number[] => {
  const firstYear = entries[0] ? financialYearOf(entries[0].businessOn) : financialYearOf(today)
  const lastYear = financialYearOf(today)
  return Array.from({ length: lastYear - firstYear + 1 }, (_, i) => lastYear - i)
}

const heading = (text: string): Block => ({ kind: 'heading', text })

function refundPart({ unappliedPaise, refundingPaise }: AccountView): Block[] {
  const paise = unappliedPaise + refundingPaise
  return paise > 0n ? [paragraph(texts.closure.refund(inr(paise)))] : []
}

interface PaperInput {
  paperCase: PaperCase
  today: string
  year: number
}

const blocksFor: Record<PaperName, (input: PaperInput) => Block[]> = {
  statement: ({ paperCase }) => {
    const { account, entries } = requireAccount(paperCase)
    const { statement } = texts
    const { soa, unappliedPaise } = account
    const lines = statementOf(entries)
    const refundable: [string, Paise][] = unappliedPaise > 0n ? [[statement.unapplied, unappliedPaise]] : []
    const amounts: Paise[] = [
      ...[soa.principalPaise, soa.interestPaise, soa.penaltyPaise, soa.chargesPaise],
      ...[soa.totalPaise, soa.overduePaise],
    ]
    return [
      heading(statement.summary),
      amountsOf([...statement.parts.map((label, i): [string, Paise] => [label, amounts[i] ?? 0n]), ...refundable], [4]),
      heading(statement.lines),
      {
        ...{ kind: 'table', head: statement.head, widths: [1.4, 4.2, 1.7, 1.7, 1.8], right: [2, 3, 4], isLight: true },
        rows: lines.map(({ on, kind, installment, added, deducted, balance }) => [
          dayText(on),
          (statement.particulars[kind] ?? kind) + (installment === null ? '' : statement.installment(installment)),
          added === 0n ? '' : grouped(added),
          deducted === 0n ? '' : grouped(deducted),
          grouped(balance),
        ]),
      },
      ...statement.notes.map(paragraph),
    ]
  },
  schedule: ({ paperCase }) => {
    const { account } = requireAccount(paperCase)
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
      paragraph(schedule.note),
    ]
  },
  sanction: ({ paperCase }) => {
    const { sanction } = texts
    const { rows } = sanction
    const offer = paperCase.offer
    if (!offer) throw new Error('this case has no offer')
    const { terms } = offer
    const last = required(scheduleOf(terms).at(-1), 'the last row of a schedule')
    return [
      paragraph(sanction.greeting(paperCase.borrower)),
      paragraph(sanction.opening),
      heading(sanction.terms),
      pairsOf([
        [rows.amount, inr(terms.amountPaise)],
        [rows.rate, `${terms.annualRatePercent}%`],
        [rows.apr, `${terms.aprPercent}%`],
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
      ...sanction.conditionList.map(paragraph),
      paragraph(sanction.closing),
    ]
  },
  'no-dues': ({ paperCase }) => {
    const { account } = requireAccount(paperCase)
    const { settlement } = account
    return [
      paragraph(texts.noDues.opening(account.loanAccountId)),
      ...(settlement?.settledOn
        ? [paragraph(texts.noDues.settled(dayText(settlement.settledOn), inr(settlement.paise)))]
        : []),
      paragraph(texts.noDues.body),
      ...refundPart(account),
    ]
  },
  closure: ({ paperCase, today }) => {
    const { account, entries } = requireAccount(paperCase)
    const { closure } = texts
    const years = financialYears(paperCase, today).map((year) => yearTotals(entries, year))
    const sum = (part: 'interestPaid' | 'principalPaid' | 'penaltyPaid'): Paise =>
      years.reduce((total, year) => total + year[part], 0n)
    const repaid = sum('principalPaid') + sum('interestPaid') + sum('penaltyPaid')
    return [
      paragraph(closure.opening(paperCase.borrower)),
      paragraph(
        account.settlement?.settledOn
          ? closure.settled(dayText(account.settlement.settledOn), inr(account.settlement.paise))
          : closure.body(dayText(closingDay(entries))),
      ),
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
      ...closure.steps.map(paragraph),
      ...refundPart(account),
    ]
  },
  interest: ({ paperCase, year }) => {
    const { interest } = texts
    const totals = yearTotals(paperCase.entries, year)
    return [
      paragraph(interest.body(dayText(totals.from), dayText(totals.until))),
      amountsOf([
        [interest.rows.charged, totals.interestCharged],
        [interest.rows.paid, totals.interestPaid],
        [interest.rows.principal, totals.principalPaid],
        [interest.rows.penalty, totals.penaltyPaid],
      ]),
      paragraph(interest.note),
    ]
  },
}

function requireAccount(paperCase: PaperCase) {
  if (!paperCase.account) throw new Error('this case has no loan account')
  return { account: paperCase.account, entries: paperCase.entries }
}

interface PaperRequest {
  name: PaperName
  paperCase: PaperCase
  /** The financial year of an interest certificate. */
  year: number
  at: Date
}

export function paperPdf(config: LenderConfig, { name, paperCase, year, at }: PaperRequest): Promise<Buffer> {
  const today = businessDate(at)
  const { facts } = texts
  const isAboutDues = name === 'statement' || name === 'schedule'
  return paperOf(config, texts.titles[name], at, [
    pairsOf([
      [facts.borrower, paperCase.borrower],
      [facts.loan, paperCase.loanId],
      [facts.account, paperCase.account?.loanAccountId ?? null],
      [facts.issuedOn, dayText(today)],
      [facts.year, name === 'interest' ? texts.interest.year(year) : null],
      [
        facts.version,
        name === 'schedule' && paperCase.account ? String(paperCase.account.schedule.scheduleVersion) : null,
      ],
      [
        facts.payTo,
        isAboutDues && paperCase.account?.loanStatus !== 'CLOSED' ? config.PARTNER_REPAYMENT_ACCOUNT : null,
      ],
    ]),
    ...blocksFor[name]({ paperCase, today, year }),
    ...(name === 'sanction' ? [paragraph(config.PARTNER_LENDER_NAME)] : []),
    paragraph(isAboutDues ? texts.inRupees : texts.signature),
  ])
}
