// The borrower's loan papers as PDF, with the data of the partner's newest status (D3 §2.5, §4.4).

import { type Block, pdfOf, tableBlock } from '@lendloom/documents/pdf'
import type { Translate } from '@lendloom/foundation/message'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate, dayText } from '@lendloom/lending/calendar'
import { type Language, localeOf } from '@lendloom/lending/language'
import { checkedPaise, grouped, paiseFrom } from '@lendloom/lending/money'
import { reversalsIn } from '@lendloom/wire/exchange/account'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { translatorsOf } from '@lendloom/wire/text-catalogue'
import type { PaperKey, PaperName } from './paper-link.ts'
import bn from './paper-text/bn.json' with { type: 'json' }
import en from './paper-text/en.json' with { type: 'json' }
import hi from './paper-text/hi.json' with { type: 'json' }
import mr from './paper-text/mr.json' with { type: 'json' }
import type { PaperPlaceholders } from './paper-text/places.ts'
import ta from './paper-text/ta.json' with { type: 'json' }
import te from './paper-text/te.json' with { type: 'json' }

export interface PaperContent {
  lender: string
  borrower: string
  status: SnapshotStatus
  language: Language
}

/** Formats an exchange amount for a column. */
const money = (amount: string): string => grouped(checkedPaise(amount))

/** Formats a date, or the Indian date of a timestamp. */
const dayIn =
  (language: Language) =>
  (at: string): string =>
    dayText(businessDate(new Date(at)), localeOf(language))

const isZero = (amount: string): boolean => paiseFrom(amount) === 0n

interface PaperFormat {
  t: PaperText
  day: (at: string) => string
}

/** A line of the list of payments: the disbursement, or a payment of the borrower. */
interface PaymentLine {
  on: string
  method: string
  state: string
  reference: string | null
  amount: string
}

function statementBlocks({ soa, disbursement, payments }: SnapshotStatus, { t, day }: PaperFormat): Block[] {
  if (!soa) throw new Error('the snapshot has no statement')
  return [
    { kind: 'heading', text: t('statement.outstanding') },
    {
      kind: 'table',
      head: [],
      widths: [3, 2],
      right: [1],
      isLight: true,
      strong: [4],
      rows: [
        [t('statement.parts.principal'), money(soa.principal_outstanding)],
        [t('statement.parts.interest'), money(soa.interest_outstanding)],
        [t('statement.parts.penal'), money(soa.penalty_outstanding)],
        [t('statement.parts.charges'), money(soa.charges_outstanding)],
        [t('statement.parts.total'), money(soa.total_outstanding)],
        [t('statement.parts.overdue'), money(soa.total_overdue)],
      ],
    },
    { kind: 'heading', text: t('statement.payments') },
    tableBlock<PaymentLine>(
      [
        { head: t('statement.head.date'), of: (line) => day(line.on), width: 1.6 },
        { head: t('statement.head.method'), of: (line) => line.method, width: 1.4 },
        { head: t('statement.head.state'), of: (line) => line.state, width: 1.6 },
        { head: t('statement.head.reference'), of: (line) => line.reference ?? '', width: 3.2 },
        { head: t('statement.head.amount'), of: (line) => money(line.amount), width: 1.8, isRight: true },
      ],
      [
        ...(disbursement?.status === 'DISBURSED'
          ? [
              {
                on: disbursement.updated_at,
                method: '',
                state: t('statement.paidOut'),
                reference: disbursement.bank_reference,
                amount: disbursement.amount,
              },
            ]
          : []),
        ...payments.map(({ value_date, updated_at, method, status, bank_reference, amount }) => ({
          on: value_date ?? updated_at,
          method,
          state: t(`statement.states.${status}`),
          reference: bank_reference,
          amount,
        })),
      ],
      { isLight: true },
    ),
  ]
}

function scheduleBlocks({ amortization_schedule }: SnapshotStatus, { t, day }: PaperFormat): Block[] {
  if (!amortization_schedule) throw new Error('the snapshot has no schedule')
  return [
    tableBlock(
      [
        { head: t('schedule.head.number'), of: (row) => String(row.installment_number), width: 0.75, isRight: true },
        { head: t('schedule.head.due'), of: (row) => day(row.due_date), width: 1.5 },
        { head: t('schedule.head.principal'), of: (row) => money(row.principal), width: 1.7, isRight: true },
        { head: t('schedule.head.interest'), of: (row) => money(row.interest), width: 1.45, isRight: true },
        {
          head: t('schedule.head.charges'),
          of: ({ charges }) => (isZero(charges) ? '' : money(charges)),
          width: 1.3,
          isRight: true,
        },
        { head: t('schedule.head.instalment'), of: (row) => money(row.amount), width: 1.7, isRight: true },
        { head: t('schedule.head.paid'), of: (row) => money(row.paid_amount), width: 1.7, isRight: true },
        { head: t('schedule.head.state'), of: (row) => t(`schedule.states.${row.status}`), width: 1.6 },
      ],
      amortization_schedule.installments,
      { isLight: true },
    ),
    { kind: 'text', text: t('schedule.note') },
  ]
}

/** Throws `absent` unless the lender has received and kept the payment. */
function receiptBlocks({ payments }: SnapshotStatus, { t, day }: PaperFormat, paymentId: string): Block[] {
  const payment = payments.find(({ payment_id, status }) => payment_id === paymentId && status === 'POSTED')
  if (!payment || reversalsIn(payments).has(paymentId)) throw new Refusal('absent', 'there is no such payment')
  const { value_date, updated_at, method, bank_reference, amount } = payment
  return [
    {
      kind: 'table',
      head: [],
      widths: [2, 3],
      isLight: true,
      rows: [
        [t('statement.head.date'), day(value_date ?? updated_at)],
        [t('statement.head.state'), t('statement.states.POSTED')],
        [t('statement.head.method'), method],
        [t('statement.head.reference'), bank_reference ?? ''],
        [t('statement.head.amount'), money(amount)],
      ],
    },
  ]
}

/** Makes the part of each paper that differs from the others; only a receipt is about one payment. */
const blockMakers: Record<PaperName, (status: SnapshotStatus, format: PaperFormat, paymentId: string) => Block[]> = {
  statement: statementBlocks,
  schedule: scheduleBlocks,
  receipt: receiptBlocks,
}

/** Returns the PDF of a paper, which names the lender as source and the date of the data. */
export async function paperOf(
  { name, paymentId = '' }: Pick<PaperKey, 'name' | 'paymentId'>,
  { lender, borrower, status, language }: PaperContent,
): Promise<Buffer> {
  const t = paperTexts[language]
  const day = dayIn(language)
  return pdfOf({
    title: t(`titles.${name}`),
    author: lender,
    language: localeOf(language),
    createdAt: new Date(status.snapshot_at),
    blocks: [
      {
        kind: 'table',
        head: [],
        widths: [2, 3],
        isLight: true,
        rows: [
          [t('facts.borrower'), borrower],
          [t('facts.loan'), status.celestium_loan_id ?? ''],
          [t('facts.account'), status.loan_account_id ?? ''],
          [t('facts.asOf'), t('asOf', { day: day(status.snapshot_at) })],
        ],
      },
      ...blockMakers[name](status, { t, day }, paymentId),
      { kind: 'text', text: t('source', { lender }) },
    ],
  })
}

export const paperCatalogues: Record<Language, typeof en> = { en, hi, ta, te, mr, bn }
export type PaperText = Translate<keyof typeof en, PaperPlaceholders>

export const paperTexts: Record<Language, PaperText> = translatorsOf(paperCatalogues)
