// Forms of a case page that ask for a refund, a waiver, a write-off, a settlement, a loss or a new payout account,
// which a second person approves; and the round-off, which one person does.

import { type Html, html } from '@lendloom/http/markup'
import { plusDays } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import { storedIfscPattern } from '@lendloom/wire/identifier'
import { amountAttributes, fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { formatDay, inr } from '#partner/desk/parts/format.ts'
import type { AccountView } from '#partner/servicing/loan/account-view.ts'
import { isNonPerforming } from '#partner/servicing/loan/class/asset-class.ts'
import { isRunning } from '#partner/servicing/loan/loan.ts'
import { maxSettlementDays } from '#partner/servicing/loan/settlement/agree-settlement.ts'

/** The form that refunds an overpayment; false without one. */
export function refundForm(
  { unappliedPaise }: Pick<AccountView, 'unappliedPaise'>,
  action: string,
  refusedForm: RefusedForm | null,
): Html | false {
  const field = fieldRenderer('refund', refusedForm)
  return (
    unappliedPaise > 0n &&
    html`<p><strong>${inr(unappliedPaise)}</strong> belongs to the borrower. It goes to the account that the loan was paid to, once a second person has approved it.</p>
<form method="post" action="${action}"><div class="fields">
${field({ name: 'amount', label: 'Amount, ₹', value: rupees(unappliedPaise), attributes: amountAttributes })}
${field({ name: 'reason', label: 'Reason, for the approver', attributes: reasonAttributes, isWide: true })}
</div><button class="primary">Ask for approval</button></form>`
  )
}

/** The form that changes the account to which the borrower is paid. */
export function accountForm(action: string, refusedForm: RefusedForm | null): Html {
  const field = fieldRenderer('account', refusedForm)
  return html`<p>For money to the borrower, once a second person has approved it. The bank verifies the account holder before we send anything there. Debits continue from the mandate’s account.</p>
<form method="post" action="${action}"><div class="fields">
${field({ name: 'holder', label: 'Account holder', attributes: html`maxlength="100" autocomplete="off" required` })}
${field({ name: 'number', label: 'Account number', attributes: html`pattern="[0-9A-Za-z]{5,35}" autocomplete="off" required` })}
${field({ name: 'ifsc', label: 'IFSC', attributes: html`pattern="${storedIfscPattern}" autocomplete="off" required` })}
${field({ name: 'reason', label: 'Reason, for the approver', attributes: reasonAttributes, isWide: true })}
</div><button class="primary">Ask for approval</button></form>`
}

/** Offers to close a running loan whose rest is not worth collecting. One person decides, because so little is given up. */
export const roundOffForm = (
  { loanStatus, soa }: Pick<AccountView, 'loanStatus' | 'soa'>,
  action: string,
  tolerance: Paise,
): Html | false =>
  isRunning(loanStatus) &&
  soa.totalPaise <= tolerance &&
  html`<p>The borrower owes ${inr(soa.totalPaise)}. Rounding it off closes the loan. If the bank returns a payment later, the borrower owes the rest again.</p>
<form method="post" action="${action}"><button class="primary">Round off and close the loan</button></form>`

/** The form that waives due charges or interest; false if none is due. Principal cannot be waived. */
export function waiverForm(
  { waivable }: Pick<AccountView, 'waivable'>,
  action: string,
  refusedForm: RefusedForm | null,
): Html | false {
  const field = fieldRenderer('waive', refusedForm)
  const { penalty, charges, interest } = waivable
  const amount = (name: keyof typeof waivable, label: string) =>
    field({
      name,
      label: `${label}, ₹`,
      hint: `${inr(waivable[name])} is due`,
      value: '0.00',
      attributes: amountAttributes,
    })
  return (
    penalty + charges + interest > 0n &&
    html`<p>Once a second person has approved, the borrower no longer owes it.</p>
<form method="post" action="${action}"><div class="fields">
${amount('penalty', 'Penal charges')}${amount('charges', 'Other charges')}${amount('interest', 'Interest')}
${field({ name: 'reason', label: 'Reason, for the approver', attributes: reasonAttributes, isWide: true })}
</div><button class="primary">Ask for approval</button></form>`
  )
}

/** The form that writes an overdue loan off; false for another or a written-off one. */
export function writeOffForm(
  { loanStatus, writtenOffOn, soa }: Pick<AccountView, 'loanStatus' | 'writtenOffOn' | 'soa'>,
  action: string,
  refusedForm: RefusedForm | null,
): Html | false {
  const field = fieldRenderer('write-off', refusedForm)
  return (
    loanStatus === 'OVERDUE' &&
    writtenOffOn === null &&
    html`<p><strong>${inr(soa.totalPaise)}</strong> and the interest not yet due become a loss in the books. The borrower still owes it, and it stays overdue.</p>
<form method="post" action="${action}">${field({ name: 'reason', label: 'Reason, for the approver', attributes: reasonAttributes })}
<button class="primary">Ask for approval</button></form>`
  )
}

interface SettlementFormOptions {
  refusedForm: RefusedForm | null
  today: string
}

/** Returns the settlement that is agreed and can still be paid; a false value without one. */
export const openAgreement = ({ loanStatus, settlement }: SettledAccount, today: string) =>
  loanStatus === 'OVERDUE' && settlement?.settledOn === null && settlement.until >= today && settlement

type SettledAccount = Pick<AccountView, 'loanStatus' | 'settlement'>

/** The form that agrees to a lower sum; false unless the loan is overdue. */
export function settlementForm(
  { loanStatus, soa }: Pick<AccountView, 'loanStatus' | 'soa'>,
  action: string,
  { refusedForm, today }: SettlementFormOptions,
): Html | false {
  const field = fieldRenderer('settle', refusedForm)
  return (
    loanStatus === 'OVERDUE' &&
    html`<p>The borrower owes ${inr(soa.totalPaise)} and the interest not yet due. When the agreed sum has arrived by the last day, we give up the rest and the loan is closed as settled. Debits go on and count. A returned payment undoes the settlement if the sum is then no longer paid; one from before the agreement ends the agreement.</p>
<form method="post" action="${action}"><div class="fields">
${field({ name: 'amount', label: 'Agreed sum, ₹', value: '', attributes: amountAttributes })}
${field({ name: 'until', label: 'Last day to pay', value: plusDays(today, 30), attributes: html`type="date" min="${today}" max="${plusDays(today, maxSettlementDays)}" required` })}
${field({ name: 'reason', label: 'Reason, for the approver', attributes: reasonAttributes, isWide: true })}
</div><button class="primary">Ask for approval</button></form>`
  )
}

/** What was given up on a loan, and the settlement that can still be paid. */
export function givenUpNotices(account: SettledAccount & Pick<AccountView, 'writtenOffOn'>, today: string): Html {
  const { writtenOffOn } = account
  const agreed = openAgreement(account, today)
  return html`${writtenOffOn !== null && html`<p class="notice">Written off on ${formatDay(writtenOffOn)}. The borrower still owes it; receipts are recovery income.</p>`}${agreed && html`<p class="notice">Settlement agreed: ${inr(agreed.paise)} received from ${formatDay(agreed.agreedOn)} to ${formatDay(agreed.until)} closes the loan.</p>`}`
}

/** The form that classifies a loan as a loss; false unless it is non-performing and not yet a loss. */
export const lossForm = (
  { assetClass }: Pick<AccountView, 'assetClass'>,
  action: string,
  refusedForm: RefusedForm | null,
): Html | false =>
  isNonPerforming(assetClass) &&
  assetClass !== 'LOSS' &&
  html`<p>Once a second person has approved, all loans of the borrower are classified as a loss from that day and fully provided for. They become standard again only when all arrears are paid. This does not write anything off.</p>
<form method="post" action="${action}">${fieldRenderer('loss', refusedForm)({ name: 'reason', label: 'Reason, for the approver', attributes: reasonAttributes })}
<button class="primary">Ask for approval</button></form>`
