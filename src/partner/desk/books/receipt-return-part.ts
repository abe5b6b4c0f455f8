// The return of a receipt on its page: the form that proposes it, the forms that decide it, or how far it is.

import type { PayeeAccount } from '#contract/bank/bank.ts'
import { storedIfscPattern } from '#contract/identifier.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { compareNames } from '#partner/bank/name-match.ts'
import { accountOfReturn } from '#partner/collection/receipt-return/order-return.ts'
import type { ReceiptReturn } from '#partner/collection/receipt-return/store.ts'
import { receiptTexts } from '#partner/collection/receive-receipt.ts'
import type { BankReceipt, ReceiptKey } from '#partner/collection/store.ts'
import { proposalForms } from '#partner/desk/approval/proposal-forms.ts'
import { type ApprovalLimit, approvalLimit } from '#partner/desk/approval/request.ts'
import { type FactLine, factList, tableOf } from '#partner/desk/frame.ts'
import { fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { ageOf, badge, formatTime, inr, labelOf } from '#partner/desk/parts/format.ts'
import type { SignedIn } from '#partner/desk/staff/staff.ts'
import { accountOfProposal } from './receipt-return.ts'
import type { ReturnProposalLine } from './receipt-return-store.ts'

export const receiptAddress = ({ provider, receiptId }: ReceiptKey): string =>
  `/desk/money/receipts/${encodeURIComponent(provider)}/${encodeURIComponent(receiptId)}`

export interface ReturnView {
  receipt: BankReceipt
  newest: ReceiptReturn | undefined
  waiting: ReturnProposalLine | undefined
  limits: ApprovalLimit[]
  now: Date
  refusedForm: RefusedForm | null
}

const accountFacts = ({ holder_name, account_number, ifsc }: PayeeAccount): FactLine[] => [
  ['Account holder', holder_name],
  ['Account', account_number],
  ['IFSC', ifsc],
]

const title = 'Send back to the payer'

function waitingCard(proposal: ReturnProposalLine, view: ReturnView, who: SignedIn, seal: Seal): Html {
  const { receipt, limits, now } = view
  const account = accountOfProposal(seal, proposal)
  const payer = receiptTexts(seal, receipt).payer?.trim() ?? ''
  const isSame = payer !== '' && compareNames(payer, account.holder_name) === 'SAME'
  const limit = approvalLimit(limits, who, 'REFUND')
  const forms = {
    action: `${receiptAddress(receipt)}/returns/${proposal.proposalId}`,
    confirm: `Send ${inr(receipt.amountPaise)} back`,
    ownProposal: 'You proposed this, so another person must decide.',
    obstacle: receipt.amountPaise > limit ? `You can approve up to ${inr(limit)}.` : null,
  }
  return html`<section class="card todo" id="return"><h2>${title}: waiting for a second person</h2>
<p>Proposed by ${proposal.maker} ${ageOf(proposal.madeAt, now)} ago. It expires on ${formatTime(proposal.expiresAt)}. ${proposal.reason}</p>
${factList([['Payer', payer || 'unknown'], ...accountFacts(account)])}
${!isSame && html`<p class="notice bad">The holder may not be the payer. Compare the account with the payer’s letter or with the bank.</p>`}
${proposalForms(proposal, who, forms)}</section>`
}

function returnForm({ receipt, refusedForm }: ReturnView): Html {
  const field = fieldRenderer('return', refusedForm)
  return html`<details class="card todo" id="return"${refusedForm?.action === 'return' && html` open`}><summary>${title}</summary>
<p>For money that belongs to none of our borrowers. The bank does not name the payer’s account: enter it from the payer’s letter or the bank’s answer. A second person confirms it, and the bank verifies the holder before the money goes.</p>
<form method="post" action="${receiptAddress(receipt)}/return"><div class="fields">
${field({ name: 'holder', label: 'Account holder', attributes: html`maxlength="100" autocomplete="off" required` })}
${field({ name: 'number', label: 'Account number', attributes: html`pattern="[0-9A-Za-z]{5,35}" autocomplete="off" required` })}
${field({ name: 'ifsc', label: 'IFSC', attributes: html`pattern="${storedIfscPattern}" autocomplete="off" required` })}
${field({ name: 'reason', label: 'Reason, for the second person', attributes: reasonAttributes, isWide: true })}
</div><button class="danger">Propose the return</button></form></details>`
}

export function returnPart(view: ReturnView, who: SignedIn, seal: Seal): Html | false {
  const { receipt, newest, waiting } = view
  if (receipt.paymentId !== null || receipt.returnedTransfer !== null) return false
  const state =
    newest &&
    html`<section class="card"><h2>${title}</h2>${factList([
      ['State', badge(newest.status)],
      ['Amount', inr(newest.amountPaise)],
      ...accountFacts(accountOfReturn(seal, newest)),
      ['Bank reference', newest.bankReference],
      ['Reason', newest.reasonCode && labelOf(newest.reasonCode)],
    ])}</section>`
  if (receipt.returnId !== null) return html`${state}`
  return html`${state}${waiting ? waitingCard(waiting, view, who, seal) : returnForm(view)}`
}

/** The card of the page of approvals, without the forms: the approver compares the account on the receipt's page. */
export const returnCard = (proposal: ReturnProposalLine, now: Date): Html =>
  html`<section class="card todo" aria-label="${title}"><h2>${title}</h2>
<p><strong>${inr(proposal.amountPaise)}</strong>, proposed by ${proposal.maker} ${ageOf(proposal.madeAt, now)} ago. ${proposal.reason}</p>
<p><a class="secondary" href="${receiptAddress(proposal)}?number=">See the account and decide</a></p></section>`

export const returnsTable = (name: string, returns: ReceiptReturn[], maySee: boolean): Html =>
  tableOf(
    name,
    ['Receipt', 'State', { number: 'Amount' }, 'Ordered'],
    returns.map((each) => [
      maySee ? html`<a href="${receiptAddress(each)}?number=">${each.receiptId}</a>` : each.receiptId,
      badge(each.status),
      inr(each.amountPaise),
      formatTime(each.createdAt),
    ]),
    { empty: 'No returns under way.' },
  )
