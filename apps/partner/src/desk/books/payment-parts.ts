// Parts of a case page about money: the transfer, the statement, refunds, payments, the schedule and the ledger.
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import { returnCodeText } from '#partner/desk/arrears/debit-text-en.ts'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { type FactLine, factList } from '#partner/desk/parts/facts.ts'
import { amountFormat, badge, exactInr, formatDay, formatTime, inr, labelOf } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import type { Payment } from '#partner/servicing/collection/payment.ts'
import type { Refund } from '#partner/servicing/collection/transfer/refund.ts'

/** The sections of refunds and payments. */
export const paymentsPart = (view: CaseView): Html => html`
${view.refunds.length > 0 && html`<section><h2>Refunds</h2>${refundsTable(view.refunds)}</section>`}
${view.payments.length > 0 && html`<section><h2>Payments</h2>${paymentsTable(view)}</section>`}`

/** The entries of the loan in the books. */
export const ledgerPart = (view: CaseView): Html | false =>
  view.entries.length > 0 && html`<section><h2>Ledger</h2>${ledgerTable(view)}</section>`

/** The state of the disbursement. */
export const transferCard = (disbursement: NonNullable<CaseView['disbursement']>) =>
  html`<section class="card"><h2>Transfer to the borrower</h2>${factList([
    ['State', badge(disbursement.status)],
    ['Amount', inr(disbursement.amountPaise)],
    ['Bank reference', disbursement.bankReference],
    ['Reason', disbursement.reasonCode && labelOf(disbursement.reasonCode)],
    ['Changed', formatTime(disbursement.updatedAt)],
  ])}</section>`

type LoanAccount = NonNullable<CaseView['account']>

/** Formats the day of the cooling-off request, and the number of the complaint or message that contains the request. */
export const exitRequestText = ({ exitRequestedOn, exitReference }: LoanAccount): Html | null =>
  exitRequestedOn === null
    ? null
    : html`${formatDay(exitRequestedOn)}${exitReference !== null && html`, ${exitReference}`}`

/** What the borrower owes, and what became of overpayments. */
export const statementCard = (account: LoanAccount, refunds: Refund[]) => {
  const { soa, unappliedPaise, refundingPaise, writtenOffOn, recoveredPaise, settlement } = account
  const refundedPaise = refunds.reduce(
    (sum, { status, amountPaise }) => (status === 'PAID' ? sum + amountPaise : sum),
    0n,
  )
  const { principalPaise, interestPaise, penaltyPaise, chargesPaise } = soa
  const shown = amountFormat([principalPaise, interestPaise, penaltyPaise, chargesPaise])
  const owesPrincipalAlone = interestPaise + penaltyPaise + chargesPaise === 0n
  const costFacts: FactLine[] = owesPrincipalAlone
    ? [['Interest and charges outstanding', shown(0n)]]
    : [
        ['Interest outstanding', shown(interestPaise)],
        ['Penal charges outstanding', shown(penaltyPaise)],
        ['Other charges outstanding', shown(chargesPaise)],
      ]
  return html`<section class="card"><h2>Statement</h2>${factList([
    ['Principal outstanding', shown(soa.principalPaise)],
    ...costFacts,
    ['Total outstanding', html`<strong>${shown(soa.totalPaise)}</strong>`],
    ['Overpaid, refundable', unappliedPaise > 0n ? shown(unappliedPaise) : null],
    ['Written off on', writtenOffOn && formatDay(writtenOffOn)],
    ['Settled for', settlement?.settledOn && html`${shown(settlement.paise)}, ${formatDay(settlement.settledOn)}`],
    ['Loss by the settlement', settlement?.settledOn && shown(settlement.lossPaise)],
    ['Cooling-off cancellation requested', exitRequestText(account)],
    ['Recovered since', writtenOffOn && shown(recoveredPaise)],
    ['Refund in progress', refundingPaise > 0n ? shown(refundingPaise) : null],
    ['Refunded to the borrower', refundedPaise > 0n ? shown(refundedPaise) : null],
    ['Refunded in excess, owed by the borrower', unappliedPaise < 0n ? shown(-unappliedPaise) : null],
  ])}</section>`
}

const refundsTable = (refunds: Refund[]) =>
  tableOf(
    'Refunds',
    ['Ordered', 'State', { number: 'Amount' }, 'Bank reference', 'Reason', 'Changed'],
    refunds.map((each) => [
      formatTime(each.createdAt),
      badge(each.status),
      inr(each.amountPaise),
      each.bankReference,
      each.reasonCode && labelOf(each.reasonCode),
      formatTime(each.updatedAt),
    ]),
    { empty: 'No refunds.' },
  )

/** A value that small screens leave out. */
const notOnPhones = (value: string | number | Html): Html => html`<span class="wide">${value}</span>`

/** The instalments, folded. */
/** The schedule on the business day `today`. In a file every schedule has the same columns. */
export function scheduleTable(
  { schedule: { scheduleVersion, installments } }: LoanAccount,
  { today, isFile }: { today: string; isFile: boolean },
): Html {
  const hasCharges = isFile || installments.some(({ chargesPaise }) => chargesPaise > 0n)
  const hasPenalty = isFile || installments.some(({ penaltyPaise }) => penaltyPaise > 0n)
  const columns = [
    { number: '#' },
    { name: 'Due', phone: 'title' },
    { name: 'State', phone: 'main' },
    { number: 'Amount' },
    { number: 'Paid' },
    { number: 'Principal' },
    { number: 'Interest' },
    hasCharges && { number: 'Charges' },
    hasPenalty && { number: 'Penal charges' },
    hasPenalty && { number: 'Of which unpaid' },
  ] as const
  return html`<details class="part" id="instalments"><summary>Schedule${scheduleVersion > 1 && `, version ${scheduleVersion}`} <small>${installments.filter(({ status }) => status === 'PAID').length} of ${installments.length} paid</small></summary>${tableOf(
    'Schedule',
    columns.filter((column) => column !== false),
    installments.map((row) => [
      notOnPhones(row.number),
      formatDay(row.dueOn),
      row.status === 'DUE' && row.dueOn > today ? 'Upcoming' : badge(row.status),
      inr(row.amountPaise),
      row.paidPaise === 0n || row.status === 'PAID' ? notOnPhones(inr(row.paidPaise)) : inr(row.paidPaise),
      inr(row.principalPaise),
      inr(row.interestPaise),
      ...(hasCharges ? [row.chargesPaise > 0n && inr(row.chargesPaise)] : []),
      ...(hasPenalty
        ? [row.penaltyPaise > 0n && inr(row.penaltyPaise), row.penaltyPaise > 0n && inr(row.penaltyUnpaidPaise)]
        : []),
    ]),
    { empty: 'No schedule.' },
  )}</details>`
}

/** How a payment was made; of a debit also the instalments and the number of the try. */
function methodText(
  { collectionId, method, attemptNumber, installmentIds }: Payment,
  account: CaseView['account'],
): string {
  if (!collectionId) return labelOf(method)
  const numbers = account?.schedule.installments.flatMap((each) =>
    installmentIds.includes(each.installmentId) ? [each.number] : [],
  )
  const instalments = numbers?.[0] && `, ${numbers.length > 1 ? 'instalments' : 'instalment'} ${numbers.join(', ')}`
  return `${labelOf(method)}${instalments ?? ''}, try ${attemptNumber}`
}

const paymentsTable = ({ payments, account }: CaseView) =>
  tableOf(
    'Payments',
    ['Day', 'Method', 'State', { number: 'Amount' }, 'Reason', 'Bank reference', 'Changed'],
    payments
      .toReversed()
      .map((payment) => [
        formatDay(payment.valueOn ?? payment.collectionOn ?? payment.claimedOn ?? businessDate(payment.createdAt)),
        methodText(payment, account),
        badge(payment.status),
        inr(payment.amountPaise),
        payment.reasonCode && reasonText(payment.reasonCode),
        payment.bankReference ?? payment.claimedReference,
        payment.valueOn === businessDate(payment.updatedAt)
          ? notOnPhones(formatTime(payment.updatedAt))
          : formatTime(payment.updatedAt),
      ]),
    { empty: 'No payments yet.' },
  )

/** Formats a reason code. A code that starts with a digit is a return code of the bank. */
export const reasonText = (code: string): string => (/^\d/.test(code) ? returnCodeText(code) : labelOf(code))

/** One line per posting, each with its day and the principal that the borrower owes after it. */
function ledgerTable({ entries }: CaseView): Html {
  const hasInstallments = entries.some(({ postings }) => postings.some(({ installment }) => installment > 0))
  const hasNumbers = entries.some((entry) => hasNumber(entry) || entry.reverses !== null)
  let principalPaise = 0n
  return tableOf(
    'Ledger',
    [
      'Day',
      { name: 'Entry', phone: 'plain' },
      'Debit',
      'Credit',
      ...(hasInstallments ? [{ number: 'Instalment' }] : []),
      { number: 'Amount', phone: 'main' },
      { number: 'Principal after' },
      ...(hasNumbers ? ['Entry number'] : []),
    ],
    entries.flatMap((entry) =>
      entry.postings.map((line) => {
        principalPaise += principalChange(line)
        return [
          formatDay(entry.businessOn),
          labelOf(entry.kind),
          labelOf(line.debit),
          labelOf(line.credit),
          ...(hasInstallments ? [line.installment || null] : []),
          exactInr(line.paise),
          exactInr(principalPaise),
          ...(hasNumbers
            ? [
                html`${hasNumber(entry) && shortId(entry.entryId)}${entry.reverses !== null && html` reverses ${shortId(entry.reverses)}`}`,
              ]
            : []),
        ]
      }),
    ),
    { empty: 'No postings.' },
  )
}

/** Whether the id of an entry says more than its kind. An entry that happens once per loan is named by its kind. */
const hasNumber = ({ entryId, kind }: CaseView['entries'][number]): boolean => entryId.toUpperCase() !== kind

function principalChange({ debit, credit, paise }: CaseView['entries'][number]['postings'][number]): bigint {
  if (debit === 'PRINCIPAL') return paise
  return credit === 'PRINCIPAL' ? -paise : 0n
}

const maxShownId = 20

/** An id of which a long one shows its end; opened, it can be copied whole. */
const shortId = (id: string): Html =>
  id.length <= maxShownId
    ? html`<code>${id}</code>`
    : html`<details class="folded"><summary>…${id.slice(-8)}</summary><code>${id}</code></details>`
