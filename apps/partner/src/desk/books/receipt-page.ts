// Shows an unmatched receipt beside a loan, and posts the receipt to that loan, by two people above a limit (D3 §6 rule 4).
// Two people may also record that it brought back a payout or refund of that loan.

import { allOf } from '@lendloom/foundation/all-of'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import type { Paise } from '@lendloom/lending/money'
import type { Context } from '#partner/context.ts'
import { actOrRequest } from '#partner/desk/approval/act-or-request.ts'
import { soleLimit } from '#partner/desk/approval/approval-rules.ts'
import { checkedActs } from '#partner/desk/approval/checked-acts.ts'
import { approve, refuse, withdraw } from '#partner/desk/approval/four-eyes.ts'
import { versionQuery, withVersion } from '#partner/desk/approval/seen-version.ts'
import { listLimits } from '#partner/desk/approval/store.ts'
import { caseAddress } from '#partner/desk/arrears/worklist.ts'
import { readRevealReason } from '#partner/desk/cases/personal-data.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage, goTo } from '#partner/desk/frame.ts'
import { factList } from '#partner/desk/parts/facts.ts'
import { fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { badge, formatDay, inr, labelOf, toSentence } from '#partner/desk/parts/format.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { may, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import type { Act } from '#partner/desk/staff/staff-acts.ts'
import { readCase } from '#partner/origination/case/store.ts'
import { receiptTexts } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { newestReturn } from '#partner/servicing/collection/receipt/return/store.ts'
import {
  type BankReceipt,
  caseOfLoan,
  findReceipt,
  type ReceiptKey,
} from '#partner/servicing/collection/receipt/store.ts'
import { confirmedTransfers } from '#partner/servicing/collection/transfer/store.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { comparePayer, type PayerComparison, payerWarnings } from './compare-payer.ts'
import { debitOfProposal, proposeReturn, proposeTakingBack, returnProposal } from './receipt-return.ts'
import { receiptAddress, returnPart } from './receipt-return-part.ts'
import { confirmedReturnOf, waitingReturnOf } from './receipt-return-store.ts'
import { transferReturnForm } from './transfer-return-part.ts'

const path = '/desk/money/receipts/{provider}/{receiptId}'
const common = { section: 'D3 §6', auth: may('RECEIPT_POSTED'), hidden: true, viewAct: 'RECEIPT_VIEWED' } as const
const params = Type.Object({
  provider: Type.String({ maxLength: 100 }),
  receiptId: Type.String({ maxLength: 200 }),
})

/** Finds the only loan with this number, and reads its account, its transfers and whether the payer is its borrower. */
async function findLoan({ db, seal }: Context, receipt: BankReceipt, number: string) {
  const caseRef = await caseOfLoan(db, [number])
  if (caseRef === undefined) return undefined
  // One snapshot, so that the version is that of the account shown.
  const { loanCase, account, ...others } = await db.snapshot((tx) =>
    allOf({
      loanCase: readCase(tx, caseRef),
      account: accountOf(tx, caseRef),
      comparison: comparePayer(tx, seal, receipt, caseRef),
      transfers: confirmedTransfers(tx, caseRef),
    }),
  )
  return account && loanCase && { loanCase, account, ...others }
}

type FoundLoan = NonNullable<Awaited<ReturnType<typeof findLoan>>>

interface ReceiptPageRequest {
  key: ReceiptKey
  number: string
  refusedForm: RefusedForm | null
  isRevealed?: boolean
  status?: number
}

interface PostFormOptions {
  receipt: BankReceipt
  number: string
  action: string
  limit: Paise
  comparison: PayerComparison
  refusedForm: RefusedForm | null
}

/** The form names the version of the case that it shows, so that the receipt is posted to the case as shown. */
function postForm({ receipt, number, action, limit, comparison, refusedForm }: PostFormOptions): Html {
  const { amountPaise } = receipt
  const { payer, remark, borrower, match } = comparison
  const warning = payerWarnings[match]
  const isSole = warning === null && amountPaise <= limit
  const field = fieldRenderer('receipt', refusedForm)
  const label = isSole ? 'Reason: why the money is this borrower’s' : 'Reason, for the approver'
  return html`${factList([
    ['Payer', payer || 'unknown'],
    ['Remark', remark],
    ['Borrower', borrower],
  ])}
${warning && html`<p class="notice bad">${warning} Post it only if you know that the money is for this loan. A second person decides, whatever the amount.</p>`}
${warning === null && !isSole && html`<p>You may post up to ${inr(limit)} alone, so a second person decides.</p>`}
<form method="post" action="${action}"><input type="hidden" name="number" value="${number}">
${field({ name: 'reason', label, attributes: reasonAttributes, isWide: true })}
<button class="primary">${isSole ? html`Post ${inr(amountPaise)} to this loan` : 'Ask for approval'}</button></form>`
}

/** The forms for a receipt that is neither posted, nor sent or taken back, nor the return of a transfer. */
function receiptForms(
  { loanCase, comparison, transfers }: FoundLoan,
  { receipt, number, refusedForm }: Pick<PostFormOptions, 'receipt' | 'number' | 'refusedForm'>,
  { limit, at }: { limit: Paise; at: Date },
): Html | false {
  if (receipt.caseRef !== null || receipt.returnId !== null || receipt.returnedTransfer !== null) return false
  const actionOf = (name: string) => withVersion(`${receiptAddress(receipt)}${name}`, loanCase, at)
  return html`${postForm({ receipt, number, action: actionOf(''), limit, comparison, refusedForm })}
${transferReturnForm({ receipt, number, transfers, action: actionOf('/transfer'), refusedForm })}`
}

async function receiptPage(
  ctx: Context,
  who: SignedIn,
  { key, number, refusedForm, isRevealed = false, status = 200 }: ReceiptPageRequest,
) {
  const receipt = await findReceipt(ctx.db, key.provider, key.receiptId)
  if (!receipt) throw new Refusal('absent', 'this receipt does not exist')
  const { payer, remark } = receiptTexts(ctx.seal, receipt)
  const now = ctx.clock()
  const [loan, limits, newest, waiting, confirmed] = await Promise.all([
    findLoan(ctx, receipt, number),
    listLimits(ctx.db),
    newestReturn(ctx.db, key),
    waitingReturnOf(ctx.db, key, now),
    confirmedReturnOf(ctx.db, key),
  ])
  const address = receiptAddress(key)
  const limit = soleLimit(limits, who, 'POSTING')
  const body = html`<div class="columns">
<section class="card"><h2>Receipt</h2>${factList([
    ['Amount', inr(receipt.amountPaise)],
    ['From', payer],
    ['Remark', remark],
    ['Value date', formatDay(receipt.valueOn)],
    ['Method', labelOf(receipt.method)],
    ['Reference', receipt.transactionReference],
    ['Posted to', receipt.caseRef && caseLink(receipt.caseRef, 'a case')],
    ['Return of a transfer of', receipt.returnedCaseRef && caseLink(receipt.returnedCaseRef, 'a case')],
  ])}</section>
<section class="card"><h2>Loan ${number}</h2>${
    loan
      ? html`${factList([
          ['Borrower', caseLink(loan.loanCase.caseRef, loan.comparison.borrower)],
          ['State', badge(loan.account.loanStatus)],
          ['Overdue', inr(loan.account.soa.overduePaise)],
          ['Total outstanding', inr(loan.account.soa.totalPaise)],
        ])}${receiptForms(loan, { receipt, number, refusedForm }, { limit, at: now })}`
      : number === ''
        ? html`<p class="quiet">Find the loan that the money is for.</p>`
        : html`<p class="empty">No loan, or several loans, have this number.</p>`
  }
<form class="search" method="get" action="${address}"><label><span>${number === '' ? 'Loan or account number' : 'Another loan or account number'}</span><input name="number" inputmode="numeric" required></label><button class="secondary">Find</button></form>
</section></div>
${returnPart({ receipt, newest, waiting, confirmed, limits, now, number, isRevealed, refusedForm }, who, ctx.seal)}`
  const problem = refusedForm?.message ?? null
  const done = isRevealed ? 'Revealed until you leave this page: account of the payer.' : undefined
  return deskPage(ctx, who, { title: 'Match a receipt', area: '/desk/money', problem, done, body }, status)
}

const show = deskRoute({
  ...common,
  method: 'GET',
  path,
  params,
  query: Type.Object({ number: Type.String({ maxLength: 100 }) }),
  summary: 'A receipt beside the loan that it may belong to',
  handle: ({ who, params: key, query }, ctx) =>
    receiptPage(ctx, who, { key, number: query.number.trim(), refusedForm: null }),
})

const numberIn = (form: URLSearchParams): string => form.get('number')?.trim() ?? ''

const refusedPageOf =
  (action: string) =>
  ({ who, params: { provider, receiptId }, raw }: RefusedRequest, refusal: Refusal, ctx: Context) => {
    const { message, details } = refusal
    const form = formFrom(raw)
    const refusedForm = { form, action, field: details.field ?? null, message: toSentence(message) }
    const key = { provider, receiptId }
    return receiptPage(ctx, who, { key, number: numberIn(form), refusedForm, status: statusOf(refusal) })
  }

/** Shows the page with the payer's account number, which the audit log notes with the reason and without the number. */
const reveal = deskRoute({
  ...common,
  method: 'POST',
  path: `${path}/reveal`,
  params,
  summary: 'Reveal the account to which a receipt goes back',
  accepts: 'raw',
  async handle({ who, params: key, raw, at }, ctx) {
    const form = formFrom(raw)
    const because = readRevealReason(form)
    const [newest, waiting] = await Promise.all([newestReturn(ctx.db, key), waitingReturnOf(ctx.db, key, at)])
    const hasAccount = (newest && newest.status !== 'TAKEN_BACK') || (waiting && !debitOfProposal(waiting))
    if (!hasAccount) throw new Refusal('wrong-state', 'this receipt does not go back to an account')
    const page = await receiptPage(ctx, who, { key, number: numberIn(form), refusedForm: null, isRevealed: true })
    const about = { subject: key.receiptId, detail: { fields: 'account', because } }
    return new AuditedAnswer(page, { act: 'PERSONAL_DATA_REVEALED', about })
  },
  onRefusal: refusedPageOf('reveal'),
})

interface RefusedRequest {
  who: SignedIn
  params: ReceiptKey
  raw: Buffer
}

interface ReceiptAct {
  /** The end of the path. */
  name: '' | '/transfer'
  summary: string
  checkedAct: 'POSTING' | 'TRANSFER_RETURN'
}

/** A route for an act on a receipt and the loan with the number in the form. It asks a second person if necessary. */
const receiptAct = ({ name, summary, checkedAct }: ReceiptAct) =>
  deskRoute({
    ...common,
    auth: may(checkedActs[checkedAct].act),
    method: 'POST',
    path: `${path}${name}`,
    params,
    query: versionQuery,
    summary,
    accepts: 'raw',
    async handle({ who, params: { provider, receiptId }, query: { version }, raw, at }, ctx) {
      const form = formFrom(raw)
      const caseRef = await caseOfLoan(ctx.db, [numberIn(form)])
      if (caseRef === undefined) throw new Refusal('wrong-state', 'no single loan has this number')
      form.set('provider', provider)
      form.set('receiptId', receiptId)
      const result = await actOrRequest(ctx, who, { caseRef, act: checkedAct, form, version, at })
      const done: Act = result === 'WAITING' ? 'REQUEST_MADE' : checkedActs[checkedAct].act
      return goTo(caseAddress(caseRef, undefined, `?done=${done}`))
    },
    onRefusal: refusedPageOf(name === '' ? 'receipt' : 'transfer'),
  })

const propose = (name: 'return' | 'taken-back', summary: string, act: Act, makeProposal: typeof proposeReturn) =>
  deskRoute({
    ...common,
    auth: may(act),
    method: 'POST',
    path: `${path}/${name}`,
    params,
    summary,
    accepts: 'raw',
    async handle({ who, params: key, raw, at }, ctx) {
      await makeProposal(ctx, who, { key, form: formFrom(raw), at })
      return goTo(`${receiptAddress(key)}?number=#return`)
    },
    onRefusal: refusedPageOf(name),
  })

const decide = (name: string, summary: string, act: Act, decideProposal: typeof approve) =>
  deskRoute({
    ...common,
    auth: may(act),
    method: 'POST',
    path: `${path}/returns/{proposalId}/${name}`,
    params: Type.Object({ ...params.properties, proposalId: Uuid }),
    summary,
    accepts: 'raw',
    async handle({ who, params: { proposalId, ...key }, raw, at }, ctx) {
      const reason = formFrom(raw).get('reason')?.trim().slice(0, 500) || null
      const decision = { key, proposalId, reason, at }
      await decideProposal(ctx, who, returnProposal(ctx, who, decision), decision)
      return goTo(`${receiptAddress(key)}?number=`)
    },
    onRefusal: refusedPageOf(name),
  })

export const receiptRoutes = [
  show,
  reveal,
  receiptAct({ name: '', summary: 'Post a receipt to a loan', checkedAct: 'POSTING' }),
  receiptAct({
    name: '/transfer',
    summary: 'Record that a receipt is the return of a payout or refund',
    checkedAct: 'TRANSFER_RETURN',
  }),
  propose('return', 'Propose to send a receipt back to its payer', 'RETURN_PROPOSED', proposeReturn),
  propose(
    'taken-back',
    'Propose to record that the bank took a receipt back',
    'TAKING_BACK_PROPOSED',
    proposeTakingBack,
  ),
  decide('confirm', 'Confirm the return of a receipt, or that the bank took it back', 'RECEIPT_RETURNED', approve),
  decide('refuse', 'Refuse the return of a receipt', 'RETURN_REFUSED', refuse),
  decide('withdraw', 'Withdraw your proposal of the return of a receipt', 'RETURN_WITHDRAWN', withdraw),
]
