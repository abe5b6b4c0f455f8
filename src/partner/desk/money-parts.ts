// Where the money of a case is: the transfer, the statement, the schedule, every payment, and the ledger they are read from.
import { type Html, html } from '#kit/markup.ts'
import { type Paise, rupees } from '#kit/money.ts'
import { badge, factList, tableOf, when } from './frame.ts'
import type { CaseSeen } from './read-case.ts'

const inr = (paise: Paise): string => `₹${rupees(paise)}`

export const moneyParts = (seen: CaseSeen): Html => html`
${seen.disbursement && html`<section><h2>Disbursement</h2>${disbursementFacts(seen.disbursement)}</section>`}
${seen.account && accountParts(seen.account)}
${seen.payments.length > 0 && html`<section><h2>Payments</h2>${payments(seen)}</section>`}
${seen.entries.length > 0 && html`<section><h2>Ledger</h2>${ledger(seen)}</section>`}`

const disbursementFacts = (transfer: NonNullable<CaseSeen['disbursement']>) =>
  factList([
    ['State', badge(transfer.status)],
    ['Amount', inr(transfer.amountPaise)],
    ['Bank reference', transfer.bankReference],
    ['Reason', transfer.reasonCode],
    ['Changed', when(transfer.updatedAt)],
  ])

const accountParts = ({
  soa,
  schedule,
}: NonNullable<CaseSeen['account']>) => html`<section><h2>Statement</h2>${factList([
  ['Disbursed', inr(soa.disbursedPaise)],
  ['Principal outstanding', inr(soa.principalPaise)],
  ['Interest outstanding', inr(soa.interestPaise)],
  ['Penal charges outstanding', inr(soa.penaltyPaise)],
  ['Other charges outstanding', inr(soa.chargesPaise)],
  ['Total outstanding', inr(soa.totalPaise)],
  ['Overdue', inr(soa.overduePaise)],
])}</section>
<section><h2>Schedule, version ${schedule.scheduleVersion}</h2>${tableOf(
  'Schedule',
  ['#', 'Due', 'Principal', 'Interest', 'Charges', 'Amount', 'Paid', 'State'],
  schedule.installments.map((row) => [
    row.number,
    row.dueOn,
    inr(row.principalPaise),
    inr(row.interestPaise),
    inr(row.chargesPaise),
    inr(row.amountPaise),
    inr(row.paidPaise),
    badge(row.status),
  ]),
  'There is no schedule.',
)}</section>`

const payments = ({ payments: all }: CaseSeen) =>
  tableOf(
    'Payments',
    ['Changed', 'Method', 'Amount', 'State', 'Reason', 'Value date', 'Bank reference', 'Collection or claim'],
    all.map((payment) => [
      when(payment.updatedAt),
      payment.method,
      inr(payment.amountPaise),
      badge(payment.status),
      payment.reasonCode,
      payment.valueOn,
      payment.bankReference,
      payment.collectionId ?? payment.claimReference,
    ]),
    'Nobody has paid yet.',
  )

const ledger = ({ entries }: CaseSeen) =>
  tableOf(
    'Ledger',
    ['Day', 'Entry', 'Debit', 'Credit', 'Row', 'Amount'],
    entries.flatMap((entry) =>
      entry.postings.map((line, i) => [
        i === 0 ? entry.businessOn : null,
        i === 0 ? entry.entryId : null,
        line.debit.toLowerCase().replaceAll('_', ' '),
        line.credit.toLowerCase().replaceAll('_', ' '),
        line.installment || null,
        inr(line.paise),
      ]),
    ),
    'Nothing was posted.',
  )
