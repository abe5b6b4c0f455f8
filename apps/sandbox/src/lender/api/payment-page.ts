// GET and POST of the payment page, which works without scripts (FIS12 §11.1).

import { Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { type PageFrame, redirect } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { inr } from '@lendloom/lending/money'
import { type Context, route } from '#sandbox/core/context.ts'
import { facts, htmlAnswer, masked } from '#sandbox/core/page-frame.ts'
import type { BorrowerAccount, Conversation } from '#sandbox/lender/core/conversation.ts'
import { type LenderPolicy, policyOf } from '#sandbox/lender/core/lender-policies.ts'
import { idOfLink } from '#sandbox/lender/core/link-token.ts'
import { accountOf, conversationOf } from '#sandbox/lender/core/store.ts'
import { closedPage, type Ending, endedPage, framed, safeReturn } from '#sandbox/lender/pages/page-frame.ts'
import { type PaymentStatus, pay, paymentStatusOf } from '#sandbox/lender/process/pay.ts'
import { amountOf } from '#sandbox/lender/servicing/loan-account.ts'
import { paymentOf, type ServicePayment } from '#sandbox/lender/servicing/store.ts'

const params = Type.Object({ lender: Type.String(), token: Type.String() })
const query = Type.Object({ return: Type.Optional(Type.String({ maxLength: 2000 })) })
const path = '/lenders/{lender}/pay/{token}'

export const showPayment = route({
  method: 'GET',
  path,
  section: 'FIS12 §11.1',
  summary: 'A payment that the borrower requested',
  params,
  query,
  async handle({ params: { lender, token }, query, at }, ctx) {
    const context = await openPayment(ctx, lender, token)
    if (!context) return closedPage(policyOf(lender))
    return htmlAnswer(
      await pageOf(ctx, context, { fault: null, back: safeReturn(query.return, context.conversation) }, at),
    )
  },
})

export const submitPayment = route({
  method: 'POST',
  path,
  section: 'FIS12 §11.1',
  summary: "Records the borrower's decision: outcome is approve or decline",
  params,
  query,
  accepts: 'raw',
  async handle({ params: { lender, token }, query, raw, at }, ctx): Promise<Answer> {
    const context = await openPayment(ctx, lender, token)
    if (!context) return closedPage(policyOf(lender))
    const posted = Object.fromEntries(new URLSearchParams(raw.toString('utf8')))
    const { outcome } = posted
    const back = safeReturn(query.return ?? posted.return, context.conversation)
    if (outcome !== 'approve' && outcome !== 'decline')
      return htmlAnswer(await pageOf(ctx, context, { fault: 'Please choose one of the two buttons.', back }, at), 400)
    await pay(ctx, context.payment.paymentId, outcome, at)
    // Redirects to the page by GET, so that a reload does not pay again.
    const isLeaving = outcome === 'decline' && back !== null
    const search = back === null ? '' : `?return=${encodeURIComponent(back)}`
    return redirect(isLeaving ? back : `/lenders/${lender}/pay/${token}${search}`)
  },
})

interface PaymentContext {
  policy: LenderPolicy
  conversation: Conversation
  payment: ServicePayment
}

async function openPayment({ db, seal }: Context, lender: string, token: string): Promise<PaymentContext | null> {
  const policy = policyOf(lender)
  const paymentId = idOfLink(seal, 'payment', token)
  const payment = paymentId === null ? undefined : await paymentOf(db, paymentId)
  if (!policy || !payment) return null
  const conversation = await conversationOf(db, payment.conversationId)
  return conversation?.lender === lender ? { policy, conversation, payment } : null
}

const titles = {
  FORECLOSURE: 'Repay all and close',
  PRE_PART_PAYMENT: 'Repay part early',
  MISSED_EMI_PAYMENT: 'Pay an overdue EMI',
} as const

/** A closing that costs nothing is confirmed, not paid. */
const closing = { title: 'Close the line', text: 'Nothing is owed, and closing costs nothing.' } as const
const closed: Ending = { title: 'Your line is closed', text: 'Nothing was owed, so nothing was paid.' }

const againText = 'The payment failed this time. Please try again.'
const endings: Record<Exclude<PaymentStatus, 'open' | 'again'>, Ending> = {
  paid: { title: 'Your payment has arrived', text: 'The lender has applied the payment to what you owe.' },
  dropped: {
    title: 'This payment page is no longer valid',
    text: 'It has expired, or the amount you owe has changed. Please request it again.',
  },
}

async function pageOf(
  ctx: Context,
  { policy, conversation, payment }: PaymentContext,
  { fault, back }: { fault: string | null; back: string | null },
  at: Date,
): Promise<PageFrame> {
  const status = paymentStatusOf(payment, at)
  const isFree = amountOf(payment) === 0n
  const title = isFree ? closing.title : titles[payment.label]
  if (status === 'paid' || status === 'dropped') {
    const ending = status === 'paid' && isFree ? closed : endings[status]
    return endedPage({ ...ending, policy, isDone: status === 'paid', back })
  }
  const notice = fault ?? (status === 'again' ? againText : null)
  const account = await accountOf(ctx.db, ctx.seal, conversation.conversationId)
  const body = html`${notice && html`<p class="notice bad" role="alert">${notice}</p>`}
${isFree ? html`<p>${closing.text}</p>` : partsOf(payment, policy, account)}
<p class="hint">In the sandbox no money moves: choose the outcome.</p>
<form method="POST">
${back !== null && html`<input type="hidden" name="return" value="${back}">`}
<div class="actions"><button class="primary" name="outcome" value="approve">${isFree ? 'Close the line' : `Pay ${inr(amountOf(payment))}`}</button><button class="secondary" name="outcome" value="decline">${isFree ? 'Keep it' : 'Do not pay'}</button></div>
</form>`
  return framed({ title, policy, body })
}

const partsOf = (payment: ServicePayment, { legalName }: LenderPolicy, account: BorrowerAccount | null): Html =>
  html`<p>You pay ${legalName} from your own account. The money does not pass through anyone else.</p>
${facts([
  ['Principal', inr(payment.principal)],
  ['Interest', inr(payment.interest)],
  ['Late fee and penal charges', inr(payment.lateFee)],
  ['Charge for repaying early', inr(payment.charge)],
  ['To pay now', inr(amountOf(payment))],
  ['From account', account ? masked(account.number) : 'the account that you gave at the branch'],
])}`
