// The return of a receipt on its page: the form that proposes it, the forms that decide it, or how far it is.

import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import type { Seal } from '@lendloom/seal/seal'
import type { PayeeAccount } from '@lendloom/wire/bank/bank'
import { storedIfscPattern } from '@lendloom/wire/identifier'
import { compareNames } from '#partner/bank/name-match.ts'
import { type ApprovalLimit, approvalLimit } from '#partner/desk/approval/approval-rules.ts'
import { proposalForms } from '#partner/desk/approval/proposal-forms.ts'
import { type TurnCard, turnOf } from '#partner/desk/approval/turns.ts'
import { reasonChoice } from '#partner/desk/cases/personal-data.ts'
import { type FactLine, factList, figureList } from '#partner/desk/parts/facts.ts'
import { fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { ageOf, badge, formatDay, formatTime, inr, labelOf, toSentence } from '#partner/desk/parts/format.ts'
import { maskedNumber } from '#partner/desk/parts/mask.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import type { SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { onePersonMessage } from '#partner/people/one-person.ts'
import { receiptTexts } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { accountOfReturn } from '#partner/servicing/collection/receipt/return/order-return.ts'
import type { BankDebit, ReceiptReturn, TakenBack } from '#partner/servicing/collection/receipt/return/store.ts'
import type { BankReceipt, ReceiptKey } from '#partner/servicing/collection/receipt/store.ts'
import { accountOfProposal, debitOfProposal } from './receipt-return.ts'
import type { ReturnProposalLine } from './receipt-return-store.ts'

/** The address of the page of a receipt. */
export const receiptAddress = ({ provider, receiptId }: ReceiptKey): string =>
  `/desk/money/receipts/${encodeURIComponent(provider)}/${encodeURIComponent(receiptId)}`

export interface ReturnView {
  receipt: BankReceipt
  newest: ReceiptReturn | TakenBack | undefined
  waiting: ReturnProposalLine | undefined
  /** The proposal that the newest return follows. */
  confirmed: ReturnProposalLine | undefined
  limits: ApprovalLimit[]
  now: Date
  /** The number of the loan beside the receipt. */
  number: string
  /** Whether the person has just revealed the account of the payer. */
  isRevealed: boolean
  refusedForm: RefusedForm | null
}

const accountFacts = ({ holder_name, account_number, ifsc }: PayeeAccount, { isRevealed }: ReturnView): FactLine[] => [
  ['Account holder', holder_name],
  ['Account', isRevealed ? account_number : maskedNumber(account_number)],
  ['IFSC', ifsc],
]

const debitFacts = ({ takenBackOn, bankReference }: BankDebit): FactLine[] => [
  ['Value date', formatDay(takenBackOn)],
  ['Bank reference', bankReference],
]

const returnTitle = 'Send back to the payer'
const takenBackTitle = 'The bank took this money back'

const titleOf = (proposal: ReturnProposalLine): string => (debitOfProposal(proposal) ? takenBackTitle : returnTitle)

const ownProposalText = 'You proposed this, so another person must decide.'

/** Why this person may not decide the proposal of another; null if they may. */
function obstacleFor({ amountPaise }: ReturnProposalLine, who: SignedIn, limits: ApprovalLimit[]): string | null {
  const limit = approvalLimit(limits, who, 'REFUND')
  return amountPaise > limit ? `You can approve up to ${inr(limit)}.` : null
}

function waitingCard(proposal: ReturnProposalLine, view: ReturnView, who: SignedIn, seal: Seal): Html {
  const { receipt, limits, now } = view
  const payer = receiptTexts(seal, receipt).payer?.trim() ?? ''
  const debit = debitOfProposal(proposal)
  const forms = {
    action: `${receiptAddress(receipt)}/returns/${proposal.proposalId}`,
    confirm: debit ? `Record that ${inr(receipt.amountPaise)} was taken back` : `Send ${inr(receipt.amountPaise)} back`,
    ownProposal: ownProposalText,
    obstacle: obstacleFor(proposal, who, limits),
  }
  return html`<section class="card todo" id="return"><h2>${titleOf(proposal)}: waiting for a second person</h2>
<p>Proposed by ${proposal.maker} ${ageOf(proposal.madeAt, now)} ago. It expires on ${formatTime(proposal.expiresAt)}. ${proposal.reason}</p>
${debit ? factList([['Payer', payer || 'unknown'], ...debitFacts(debit)]) : payeeFacts(accountOfProposal(seal, proposal), payer, view)}
${proposalForms(proposal, who, forms)}</section>`
}

/** The account to which the money would go, with a warning if its holder may not be the payer. */
function payeeFacts(account: PayeeAccount, payer: string, view: ReturnView): Html {
  const isSame = payer !== '' && compareNames(payer, account.holder_name) === 'SAME'
  return html`${factList([['Payer', payer || 'unknown'], ...accountFacts(account, view)])}
${accountReveal(view)}
${!isSame && html`<p class="notice bad">The holder may not be the payer. Compare the account with the payer’s letter or with the bank.</p>`}`
}

/** The form that reveals the account number of the payer, which the second person compares with a letter. */
const accountReveal = ({ receipt, number, isRevealed, refusedForm }: ReturnView): Html | false =>
  !isRevealed &&
  html`<details${refusedForm?.action === 'reveal' && html` open`}><summary>Reveal the account number</summary>
<p>The audit log keeps that you revealed it, and why. Leaving the page masks it again.</p>
<form class="search" method="post" action="${receiptAddress(receipt)}/reveal"><input type="hidden" name="number" value="${number}">${reasonChoice(refusedForm?.action === 'reveal' ? refusedForm.form.get('reason') : null)}<button class="secondary">Reveal</button></form></details>`

function returnForm({ receipt, refusedForm }: ReturnView): Html {
  const field = fieldRenderer('return', refusedForm)
  return html`<details class="card todo" id="return"${refusedForm?.action === 'return' && html` open`}><summary>${returnTitle}</summary>
<p>For money that belongs to none of our borrowers. The bank does not name the payer’s account: enter it from the payer’s letter or the bank’s answer. A second person confirms it, and the bank verifies the holder before the money goes.</p>
<form method="post" action="${receiptAddress(receipt)}/return"><div class="fields">
${field({ name: 'holder', label: 'Account holder', attributes: html`maxlength="100" autocomplete="off" required` })}
${field({ name: 'number', label: 'Account number', attributes: html`pattern="[0-9A-Za-z]{5,35}" autocomplete="off" required` })}
${field({ name: 'ifsc', label: 'IFSC', attributes: html`pattern="${storedIfscPattern}" autocomplete="off" required` })}
${field({ name: 'reason', label: 'Reason, for the second person', attributes: reasonAttributes, isWide: true })}
</div><button class="danger">Propose the return</button></form></details>`
}

function takenBackForm({ receipt, now, refusedForm }: ReturnView): Html {
  const field = fieldRenderer('taken-back', refusedForm)
  const limits = { min: receipt.valueOn, max: businessDate(now) }
  return html`<details class="card todo"${refusedForm?.action === 'taken-back' && html` open`}><summary>${takenBackTitle}</summary>
<p>For money that the bank’s statement shows as debited again without an order of ours. Nobody is paid: the receipt leaves the books, and can never be posted or sent back. A second person confirms it.</p>
<form method="post" action="${receiptAddress(receipt)}/taken-back"><div class="fields">
${field({ name: 'day', label: 'Value date of the debit', limits })}
${field({ name: 'reference', label: 'Reference of the debit on the statement', attributes: html`maxlength="200" autocomplete="off" required` })}
${field({ name: 'reason', label: 'Reason, for the second person', attributes: reasonAttributes, isWide: true })}
</div><button class="danger">Propose to record it</button></form></details>`
}

const returnFacts = (newest: ReceiptReturn, seal: Seal, view: ReturnView): FactLine[] => [
  ['State', badge(newest.status)],
  ['Amount', inr(newest.amountPaise)],
  ...accountFacts(accountOfReturn(seal, newest), view),
  ['Bank reference', newest.bankReference],
  ['Reason', newest.reasonCode && labelOf(newest.reasonCode)],
]

const takenBackFacts = (newest: TakenBack, confirmed: ReturnProposalLine | undefined): FactLine[] => [
  ['Amount', inr(newest.amountPaise)],
  ...debitFacts(newest),
  ['Reason', confirmed?.reason],
  ['Proposed by', confirmed?.maker],
  ['Confirmed by', confirmed?.decider],
  ['Recorded', formatTime(newest.createdAt)],
]

function stateCard(view: ReturnView, seal: Seal): Html | false {
  const { newest, confirmed } = view
  if (!newest) return false
  return newest.status === 'TAKEN_BACK'
    ? html`<section class="card"><h2>${takenBackTitle}</h2>${factList(takenBackFacts(newest, confirmed))}</section>`
    : html`<section class="card"><h2>${returnTitle}</h2>${factList(returnFacts(newest, seal, view))}${accountReveal(view)}</section>`
}

/** The section on the page of a receipt; false if the receipt is posted or undid a transfer. */
export function returnPart(view: ReturnView, who: SignedIn, seal: Seal): Html | false {
  const { receipt, waiting } = view
  if (receipt.paymentId !== null || receipt.returnedTransfer !== null) return false
  const state = stateCard(view, seal)
  if (receipt.returnId !== null) return state
  if (waiting) return html`${state}${waitingCard(waiting, view, who, seal)}`
  return html`${state}${returnForm(view)}${takenBackForm(view)}`
}

/** The card of the page of approvals, without the forms: the approver compares the account on the receipt's page. */
export function returnCard(
  proposal: ReturnProposalLine,
  who: SignedIn,
  { limits, now }: Pick<ReturnView, 'limits' | 'now'>,
): TurnCard {
  const obstacle = obstacleFor(proposal, who, limits)
  const turn = turnOf(proposal, who, obstacle === null)
  const subject = debitOfProposal(proposal) ? 'debit' : 'account'
  const card = html`<section class="card todo" aria-label="${titleOf(proposal)}"><h3>${titleOf(proposal)}</h3>
${figureList([['Receipt', inr(proposal.amountPaise)]])}${factList([
  ['Requested by', proposal.maker],
  ['Waiting', ageOf(proposal.madeAt, now)],
  ['Reason', proposal.reason],
])}
${turn !== 'YOURS' && html`<p>${turn === 'ASKED' ? ownProposalText : (obstacle ?? toSentence(onePersonMessage))}</p>`}
<p><a class="${turn === 'YOURS' ? 'primary' : 'secondary'}" href="${receiptAddress(proposal)}?number=">See the ${subject}${turn === 'YOURS' && ' and decide'}</a></p></section>`
  return { turn, since: proposal.madeAt, card }
}

/** The table of returns that the bank has not confirmed. */
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
