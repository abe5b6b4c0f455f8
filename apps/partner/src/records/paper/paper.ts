// Creates a loan’s papers as PDF files: sanction letter, schedule, statement, certificates and closure letter.

import { type Block, tableBlock } from '@lendloom/documents/pdf'
import { isOneOf } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import { businessDate, dayText, financialYearOf } from '@lendloom/lending/calendar'
import { type Language, localeOf } from '@lendloom/lending/language'
import { grouped, type Paise } from '@lendloom/lending/money'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import type { Offer } from '#partner/origination/review/offer.ts'
import { scheduleOf } from '#partner/origination/terms/terms.ts'
import type { AccountView } from '#partner/servicing/loan/account-view.ts'
import { isPayoutReturned } from '#partner/servicing/loan/return-payout.ts'
import { type AccountLine, closingDay, statementOf, yearTotals } from './account-statement.ts'
import { amountsOf, inr, type LenderConfig, pairsOf, paperOf, paragraph } from './paper-parts.ts'
import { type LoanPaperText, paperTexts } from './text.ts'

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

export const financialYearText = (year: number): string => `${year}-${String((year + 1) % 100).padStart(2, '0')}`

const heading = (text: string): Block => ({ kind: 'heading', text })

function refundPart({ unappliedPaise, refundingPaise }: AccountView, t: LoanPaperText): Block[] {
  const paise = unappliedPaise + refundingPaise
  return paise > 0n ? [paragraph(t('refund', { amount: inr(paise) }))] : []
}

interface PaperInput {
  paperCase: PaperCase
  today: string
  year: number
  t: LoanPaperText
  day: (date: string) => string
}

const groupedUnlessZero = (paise: Paise): string => (paise === 0n ? '' : grouped(paise))

const lineKinds = [
  'DISBURSEMENT',
  'FEE_DEDUCTED',
  'DUE',
  'PENALTY',
  'RECEIPT',
  'REVERSAL',
  'AMENDMENT',
  'SET_OFF',
  'FEE_RETURN',
  'REFUND',
  'WAIVER',
  'SETTLEMENT',
] as const

/** To the borrower, a returned payout takes earlier entries back, and a round-off waives what is left. */
const borrowersKinds: Partial<Record<AccountLine['kind'], (typeof lineKinds)[number]>> = {
  PAYOUT_RETURN: 'REVERSAL',
  ROUND_OFF: 'WAIVER',
}

function particularsOf({ kind, installment }: AccountLine, t: LoanPaperText): string {
  const shown = borrowersKinds[kind] ?? kind
  const text = isOneOf(lineKinds, shown) ? t(`statement.kinds.${shown}`) : shown
  return installment === null ? text : t('statement.ofInstalment', { text, number: installment })
}

const blocksFor: Record<PaperName, (input: PaperInput) => Block[]> = {
  statement: ({ paperCase, t, day }) => {
    const { account, entries } = requireAccount(paperCase)
    const { soa, unappliedPaise } = account
    return [
      heading(t('statement.summary')),
      amountsOf(
        [
          [t('parts.principal'), soa.principalPaise],
          [t('statement.interestDue'), soa.interestPaise],
          [t('parts.penal'), soa.penaltyPaise],
          [t('parts.charges'), soa.chargesPaise],
          [t('statement.total'), soa.totalPaise],
          [t('statement.overdue'), soa.overduePaise],
          ...(unappliedPaise > 0n ? [[t('statement.unapplied'), unappliedPaise] satisfies [string, Paise]] : []),
        ],
        [4],
      ),
      heading(t('statement.lines')),
      tableBlock(
        [
          { head: t('statement.head.date'), of: (line) => day(line.on), width: 1.4 },
          { head: t('statement.head.particulars'), of: (line) => particularsOf(line, t), width: 4.2 },
          { head: t('statement.head.added'), of: ({ added }) => groupedUnlessZero(added), width: 1.7, isRight: true },
          {
            head: t('statement.head.deducted'),
            of: ({ deducted }) => groupedUnlessZero(deducted),
            width: 1.7,
            isRight: true,
          },
          { head: t('statement.head.balance'), of: (line) => grouped(line.balance), width: 1.8, isRight: true },
        ],
        statementOf(entries),
        { isLight: true },
      ),
      paragraph(t('statement.accrual')),
      paragraph(t('statement.objection')),
    ]
  },
  schedule: ({ paperCase, t, day }) => {
    const { installments } = requireAccount(paperCase).account.schedule
    const sum = (part: 'principalPaise' | 'interestPaise' | 'chargesPaise' | 'amountPaise' | 'paidPaise'): Paise =>
      installments.reduce((total, row) => total + row[part], 0n)
    const lines = installments.map((row) => ({
      ...row,
      number: String(row.number),
      due: day(row.dueOn),
      state: t(`schedule.states.${row.status}`),
    }))
    const total = {
      number: '',
      due: t('schedule.total'),
      principalPaise: sum('principalPaise'),
      interestPaise: sum('interestPaise'),
      chargesPaise: sum('chargesPaise'),
      amountPaise: sum('amountPaise'),
      paidPaise: sum('paidPaise'),
      state: '',
    }
    return [
      tableBlock<typeof total>(
        [
          { head: t('schedule.head.number'), of: (line) => line.number, width: 0.75, isRight: true },
          { head: t('schedule.head.due'), of: (line) => line.due, width: 1.5 },
          { head: t('parts.principal'), of: (line) => grouped(line.principalPaise), width: 1.7, isRight: true },
          { head: t('parts.interest'), of: (line) => grouped(line.interestPaise), width: 1.45, isRight: true },
          { head: t('schedule.head.charges'), of: (line) => grouped(line.chargesPaise), width: 1.3, isRight: true },
          { head: t('parts.instalment'), of: (line) => grouped(line.amountPaise), width: 1.7, isRight: true },
          { head: t('schedule.head.paid'), of: (line) => grouped(line.paidPaise), width: 1.7, isRight: true },
          { head: t('schedule.head.state'), of: (line) => line.state, width: 1.6 },
        ],
        [...lines, total],
        { isLight: true, strong: [lines.length] },
      ),
      paragraph(t('schedule.note')),
    ]
  },
  sanction: ({ paperCase, t, day }) => {
    const { terms, decidedAt } = required(paperCase.offer, 'the offer of the case')
    const last = inr(required(scheduleOf(terms).at(-1), 'the last row of a schedule').amount)
    const instalments = { count: terms.numberOfInstallments, amount: inr(terms.installmentPaise) }
    return [
      paragraph(t('greeting', { name: paperCase.borrower })),
      paragraph(t('sanction.opening')),
      heading(t('sanction.terms')),
      pairsOf([
        [t('sanction.rows.amount'), inr(terms.amountPaise)],
        [t('sanction.rows.rate'), `${terms.annualRatePercent}%`],
        [t('sanction.rows.apr'), `${terms.aprPercent}%`],
        [t('sanction.rows.term'), t('sanction.weeks', { count: terms.tenureWeeks })],
        [
          t('parts.instalment'),
          last === instalments.amount
            ? t('sanction.instalments', instalments)
            : t('sanction.instalmentsWithLast', { ...instalments, last }),
        ],
        [t('sanction.rows.fee'), inr(terms.feePaise)],
        [t('sanction.rows.tax'), inr(terms.taxPaise)],
        [t('parts.charges'), inr(terms.otherChargesPaise)],
        [t('sanction.rows.net'), inr(terms.netPaise)],
        [t('sanction.rows.interest'), inr(terms.totalInterestPaise)],
        [t('sanction.rows.total'), inr(terms.totalPayablePaise)],
        [t('sanction.rows.coolOff'), t('sanction.days', { days: terms.coolOffDays })],
        [t('sanction.rows.accepted'), decidedAt && day(businessDate(decidedAt))],
      ]),
      heading(t('sanction.conditions')),
      ...(['payout', 'keyFacts', 'early', 'closing'] as const).map((name) => paragraph(t(`sanction.${name}`))),
    ]
  },
  'no-dues': ({ paperCase, t, day }) => {
    const { account } = requireAccount(paperCase)
    const settled = settledFacts(account, day)
    return [
      paragraph(t('noDues.opening', { account: account.loanAccountId })),
      ...(settled ? [paragraph(t('noDues.settled', settled))] : []),
      paragraph(t('noDues.body')),
      ...refundPart(account, t),
    ]
  },
  closure: ({ paperCase, today, t, day }) => {
    const { account, entries } = requireAccount(paperCase)
    const years = financialYears(paperCase, today).map((year) => yearTotals(entries, year))
    const sum = (part: 'interestPaid' | 'principalPaid' | 'penaltyPaid'): Paise =>
      years.reduce((total, year) => total + year[part], 0n)
    const repaid = sum('principalPaid') + sum('interestPaid') + sum('penaltyPaid')
    const settled = settledFacts(account, day)
    return [
      paragraph(t('greeting', { name: paperCase.borrower })),
      paragraph(settled ? t('closure.settled', settled) : t('closure.body', { on: day(closingDay(entries)) })),
      amountsOf(
        [
          [t('parts.principal'), sum('principalPaid')],
          [t('parts.interest'), sum('interestPaid')],
          [t('parts.penal'), sum('penaltyPaid')],
          [t('closure.repaid'), repaid],
        ],
        [3],
      ),
      heading(t('closure.next')),
      ...(['debits', 'bureaus', 'keep'] as const).map((name) => paragraph(t(`closure.${name}`))),
      ...refundPart(account, t),
    ]
  },
  interest: ({ paperCase, year, t, day }) => {
    const totals = yearTotals(paperCase.entries, year)
    return [
      paragraph(t('interest.body', { from: day(totals.from), until: day(totals.until) })),
      amountsOf([
        [t('interest.charged'), totals.interestCharged],
        [t('interest.paid'), totals.interestPaid],
        [t('interest.principal'), totals.principalPaid],
        [t('interest.penal'), totals.penaltyPaid],
      ]),
      ...(isPayoutReturned(paperCase.entries) ? [paragraph(t('interest.payoutReturned'))] : []),
      paragraph(t('interest.note')),
    ]
  },
}

const settledFacts = ({ settlement }: AccountView, day: PaperInput['day']) =>
  settlement?.settledOn && { on: day(settlement.settledOn), amount: inr(settlement.paise) }

function requireAccount(paperCase: PaperCase) {
  if (!paperCase.account) throw new Error('this case has no loan account')
  return { account: paperCase.account, entries: paperCase.entries }
}

interface PaperRequest {
  name: PaperName
  language: Language
  paperCase: PaperCase
  /** The financial year of an interest certificate. */
  year: number
  at: Date
}

export function paperPdf(config: LenderConfig, { name, language, paperCase, year, at }: PaperRequest): Promise<Buffer> {
  const { account } = paperCase
  const today = businessDate(at)
  const t = paperTexts[language]
  const day = (date: string) => dayText(date, localeOf(language))
  const isAboutDues = name === 'statement' || name === 'schedule'
  const version = name === 'schedule' && account ? String(account.schedule.scheduleVersion) : null
  const blocks = [
    pairsOf([
      [t('facts.borrower'), paperCase.borrower],
      [t('facts.loan'), paperCase.loanId],
      [t('facts.account'), account?.loanAccountId ?? null],
      [t('facts.issuedOn'), day(today)],
      [t('facts.year'), name === 'interest' ? financialYearText(year) : null],
      [t('facts.version'), version],
      [t('facts.payTo'), isAboutDues && account?.loanStatus !== 'CLOSED' ? config.PARTNER_REPAYMENT_ACCOUNT : null],
    ]),
    ...blocksFor[name]({ paperCase, today, year, t, day }),
    ...(name === 'sanction' ? [paragraph(config.PARTNER_LENDER_NAME)] : []),
    paragraph(t(isAboutDues ? 'inRupees' : 'signature')),
  ]
  return paperOf(config, { title: t(`titles.${name}`), language, at, blocks })
}
