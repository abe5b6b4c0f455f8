// The form on a receipt's page that asks a second person to record the receipt as the return of a payout or refund.

import { type Html, html } from '@lendloom/http/markup'
import { businessDate, dayText } from '@lendloom/lending/calendar'
import { fieldRenderer, type RefusedForm, reasonAttributes, selectField } from '#partner/desk/parts/form-parts.ts'
import { inr } from '#partner/desk/parts/format.ts'
import type { BankReceipt } from '#partner/servicing/collection/receipt/store.ts'
import type { ConfirmedTransfer } from '#partner/servicing/collection/transfer/store.ts'

export const transferNames: Record<ConfirmedTransfer['kind'], string> = { disbursement: 'Payout', refund: 'Refund' }

export const transferText = ({ kind, amountPaise, confirmedAt, bankReference }: ConfirmedTransfer): string =>
  `${transferNames[kind]} of ${inr(amountPaise)}, ${dayText(businessDate(confirmedAt))}, ${bankReference}`

/** What the return of a transfer does, for the people who decide it. */
export const effectTexts: Record<ConfirmedTransfer['kind'], string> = {
  disbursement:
    'A returned payout cancels the loan, which then owes nothing, and ends the case. What the borrower has paid can be refunded.',
  refund: 'A returned refund belongs to the borrower again, and first pays what is due.',
}

interface TransferReturnForm {
  receipt: BankReceipt
  number: string
  /** The confirmed transfers of the case that is shown. */
  transfers: ConfirmedTransfer[]
  action: string
  refusedForm: RefusedForm | null
}

/** The form for the transfers of the receipt's amount, because the bank gives back all of a transfer or nothing. */
export function transferReturnForm(form: TransferReturnForm): Html | false {
  const { receipt, number, transfers, action, refusedForm } = form
  const matching = transfers.filter(({ amountPaise }) => amountPaise === receipt.amountPaise)
  const [first] = matching
  if (!first) return false
  const submitted = refusedForm?.action === 'transfer' ? refusedForm : null
  const options = matching.map((each) => [each.transferId, transferText(each)] as const)
  const kinds = new Set(matching.map(({ kind }) => kind))
  return html`<details class="card todo" id="transfer"${submitted && html` open`}><summary>This is the return of our payout or refund</summary>
<p>For money of ours that the bank gives back without naming our transfer. ${[...kinds].map((kind) => html`${effectTexts[kind]} `)}A second person decides.</p>
<form method="post" action="${action}"><input type="hidden" name="number" value="${number}"><div class="fields">
${selectField({ name: 'transfer', label: 'Transfer', options, chosen: submitted?.form.get('transfer') ?? first.transferId, isWide: true })}
${fieldRenderer('transfer', refusedForm)({ name: 'reason', label: 'Reason, for the approver', attributes: reasonAttributes, isWide: true })}
</div><button class="primary">Ask for approval</button></form></details>`
}
