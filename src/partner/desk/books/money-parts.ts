// The money of a case: the transfer, the statement, the schedule, every payment, and the ledger.
import { type Html, html } from '#kit/http/markup.ts'
import type { Refund } from '#partner/collection/transfer/store.ts'
import type { CaseView } from '#partner/desk/cases/read-case.ts'
import { factList, tableOf } from '#partner/desk/frame.ts'
import { badge, day, inr, plain, when } from '#partner/desk/parts/format.ts'

export const moneyParts = (seen: CaseView): Html => html`
${seen.account && html`<div class="columns">${statement(seen.account, seen.refunds)}${seen.disbursement && transfer(seen.disbursement)}</div>`}
${!seen.account && seen.disbursement && transfer(seen.disbursement)}
${seen.refunds.length > 0 && html`<section><h2>Refunds</h2>${refundsTable(seen.refunds)}</section>`}
${seen.payments.length > 0 && html`<section><h2>Payments</h2>${payments(seen)}</section>`}
${seen.account && schedule(seen.account)}
${seen.entries.length > 0 && html`<details class="part"><summary>Ledger</summary>${ledger(seen)}</details>`}`

const transfer = (done: NonNullable<CaseView['disbursement']>) =>
  html`<section class="card"><h2>Transfer to the borrower</h2>${factList([
    ['State', badge(done.status)],
    ['Amount', inr(done.amountPaise)],
    ['Bank reference', done.bankReference],
    ['Reason', done.reasonCode && plain(done.reasonCode)],
    ['Changed', when(done.updatedAt)],
  ])}</section>`

type LoanAccount = NonNullable<CaseView['account']>

/** When the borrower asked to leave within the cooling-off period, and in which complaint or message. */
export const exitRequest = ({ exitRequestedOn, exitReference }: LoanAccount): Html | null =>
  exitRequestedOn === null ? null : html`${day(exitRequestedOn)}${exitReference !== null && html`, ${exitReference}`}`

const statement = (account: LoanAccount, refunds: Refund[]) => {
  const { soa, unappliedPaise, refundingPaise, writtenOffOn, recoveredPaise } = account
  const returned = refunds.reduce((sum, { status, amountPaise }) => (status === 'PAID' ? sum + amountPaise : sum), 0n)
  return html`<section class="card"><h2>Statement</h2>${factList([
    ['Disbursed', inr(soa.disbursedPaise)],
    ['Principal outstanding', inr(soa.principalPaise)],
    ['Interest outstanding', inr(soa.interestPaise)],
    ['Penal charges outstanding', inr(soa.penaltyPaise)],
    ['Other charges outstanding', inr(soa.chargesPaise)],
    ['Total outstanding', html`<strong>${inr(soa.totalPaise)}</strong>`],
    ['Overdue', inr(soa.overduePaise)],
    ['Overpaid, refundable', unappliedPaise > 0n ? inr(unappliedPaise) : null],
    ['Written off on', writtenOffOn && day(writtenOffOn)],
    ['Cooling-off cancellation requested', exitRequest(account)],
    ['Recovered since', writtenOffOn && inr(recoveredPaise)],
    ['Refund in progress', refundingPaise > 0n ? inr(refundingPaise) : null],
    ['Refunded to the borrower', returned > 0n ? inr(returned) : null],
    ['Refunded in excess, owed by the borrower', unappliedPaise < 0n ? inr(-unappliedPaise) : null],
  ])}</section>`
}

const refundsTable = (refunds: Refund[]) =>
  tableOf(
    'Refunds',
    ['Ordered', 'State', { number: 'Amount' }, 'Bank reference', 'Reason', 'Changed'],
    refunds.map((each) => [
      when(each.createdAt),
      badge(each.status),
      inr(each.amountPaise),
      each.bankReference,
      each.reasonCode && plain(each.reasonCode),
      when(each.updatedAt),
    ]),
    { empty: 'No refunds.' },
  )

const schedule = ({ schedule: { scheduleVersion, installments } }: LoanAccount) =>
  html`<details class="part" open><summary>Schedule${scheduleVersion > 1 && `, version ${scheduleVersion}`}</summary>${tableOf(
    'Schedule',
    [
      { number: '#' },
      'Due',
      'State',
      { number: 'Amount' },
      { number: 'Paid' },
      { number: 'Principal' },
      { number: 'Interest' },
      { number: 'Charges' },
      { number: 'Penal charges' },
      { number: 'Of which unpaid' },
    ],
    installments.map((row) => [
      row.number,
      day(row.dueOn),
      badge(row.status),
      inr(row.amountPaise),
      inr(row.paidPaise),
      inr(row.principalPaise),
      inr(row.interestPaise),
      inr(row.chargesPaise),
      row.penaltyPaise > 0n ? inr(row.penaltyPaise) : '–',
      row.penaltyPaise > 0n ? inr(row.penaltyUnpaidPaise) : '–',
    ]),
    { empty: 'No schedule.' },
  )}</details>`

const payments = ({ payments: all }: CaseView) =>
  tableOf(
    'Payments',
    ['Value date', 'Method', 'State', { number: 'Amount' }, 'Why', 'Bank reference', 'Changed'],
    all.map((payment) => [
      payment.valueOn && day(payment.valueOn),
      payment.collectionId ? `${plain(payment.method)}, try ${payment.attemptNumber}` : plain(payment.method),
      badge(payment.status),
      inr(payment.amountPaise),
      payment.reasonCode && reasonText(payment.reasonCode),
      payment.bankReference ?? payment.claimedReference,
      when(payment.updatedAt),
    ]),
    { empty: 'No payments yet.' },
  )

/** Banks return debits with two digits; our own reasons are words. */
const reasonText = (code: string): string => (/^\d/.test(code) ? `Return code ${code}` : plain(code))

const ledger = ({ entries }: CaseView) =>
  tableOf(
    'Ledger',
    ['Day', 'Debit', 'Credit', { number: 'Row' }, { number: 'Amount' }, 'Entry'],
    entries.flatMap((entry) =>
      entry.postings.map((line, i) => [
        i === 0 ? day(entry.businessOn) : null,
        plain(line.debit),
        plain(line.credit),
        line.installment || null,
        inr(line.paise),
        i === 0 ? entry.entryId : null,
      ]),
    ),
    { empty: 'No postings.' },
  )
