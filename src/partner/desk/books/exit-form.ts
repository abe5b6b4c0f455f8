// The forms for a cooling-off cancellation, also beside a payment that may be its payment.

import { type Html, html } from '#kit/http/markup.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { isHeldPayment } from '#partner/collection/held-payment.ts'
import type { Context } from '#partner/context.ts'
import type { CaseView } from '#partner/desk/cases/read-case.ts'
import { referencePattern } from '#partner/desk/parts/form-fields.ts'
import { fieldRenderer, type RefusedForm } from '#partner/desk/parts/form-parts.ts'
import { formatDay, inr } from '#partner/desk/parts/format.ts'
import { can } from '#partner/desk/staff/staff-act.ts'
import type { Staff } from '#partner/desk-person.ts'
import type { AccountView } from '#partner/loan/account.ts'
import { exitDecisionUntil } from '#partner/loan/possible-exit.ts'
import { exitRequestText } from './money-parts.ts'

type Address = (name: string) => string

/** The form to cancel in the cooling-off period. An open loan is paid off without the fee; a closed one refunds it. */
export function exitForm(
  account: AccountView,
  { clock }: Pick<Context, 'clock'>,
  action: Address,
  refusedForm: RefusedForm | null,
): Html | null {
  const { coolingOffUntil, exitUntil, exitRecordableUntil, retainedFeePaise, loanStatus } = account
  const today = businessDate(clock())
  const isActive = loanStatus === 'ACTIVE' || loanStatus === 'OVERDUE'
  if (!isActive && (loanStatus !== 'CLOSED' || retainedFeePaise === 0n)) return null
  if (isActive && exitUntil !== null && exitUntil >= today)
    return html`<section class="card todo"><h2>Cooling-off cancellation</h2>
<p>The borrower is cancelling${account.exitRequestedOn !== null && html`, as requested on ${exitRequestText(account)}`}. Money that closes the loan until ${formatDay(exitUntil)} does so without the fee. <a href="${action('payoff')}">Get a quote</a></p></section>`
  if (today > exitRecordableUntil) return null
  return html`<section class="card todo"><h2>Cooling-off cancellation</h2>
${isActive && exitUntil !== null && html`<p>The borrower asked on ${exitRequestText(account)}, but had not paid the amount by ${formatDay(exitUntil)}.</p>`}
<p>${today > coolingOffUntil ? html`The cooling-off period ended on ${formatDay(coolingOffUntil)}. A borrower who asked by then can still cancel` : html`Until ${formatDay(coolingOffUntil)} the borrower can cancel`}: the borrower repays principal and interest until the money arrives, the fee and the tax on it are refunded, and the mandate is cancelled.${!isActive && ' The loan is already closed: recording this makes the fee refundable to the borrower.'}</p>
${recordForm(account, today, action('exit'), refusedForm)}</section>`
}

function recordForm(
  { coolingOffUntil }: AccountView,
  today: string,
  action: string,
  refusedForm: RefusedForm | null,
): Html {
  const isPeriodOver = today > coolingOffUntil
  const maxDay = isPeriodOver ? coolingOffUntil : today
  const field = fieldRenderer('exit', refusedForm)
  return html`<form method="post" action="${action}"><div class="fields">
${field({ name: 'requestedOn', label: 'Requested on', value: maxDay, limits: { max: maxDay } })}
${field({ name: 'reference', label: `Complaint or message number${isPeriodOver ? '' : ', if requested on an earlier day'}`, attributes: html`maxlength="60" pattern="${referencePattern.source.slice(1, -1)}" autocomplete="off"${isPeriodOver && html` required`}` })}
</div><button class="primary">Record the cancellation</button></form>`
}

/** The card of held payments: what to decide, and the acts that the user's roles allow. */
export function heldCard(
  { account, payments, loanCase }: CaseView,
  who: Staff,
  { clock }: Pick<Context, 'clock'>,
  refusedForm: RefusedForm | null,
): Html | false {
  const held = payments.filter(isHeldPayment)
  if (!account || held.length === 0) return false
  const action: Address = (name) => `/desk/cases/${encodeURIComponent(loanCase.caseRef)}/${name}`
  const postedOn = formatDay(plusDays(exitDecisionUntil(account), 1))
  return html`<section class="card todo"><h2>Payment or cancellation?</h2>
${held.map(({ amountPaise, valueOn, bankReference }) => html`<p><strong>${inr(amountPaise)}</strong> arrived on ${formatDay(valueOn)}, reference ${bankReference}. It is enough to cancel the loan in the cooling-off period, but no cancellation is recorded, so it is not posted yet.</p>`)}
<p>If the borrower asked to cancel by ${formatDay(account.coolingOffUntil)}, record the cancellation: the money then closes the loan, and the fee is refunded. Otherwise, post it as a payment. Without a decision, it is posted on ${postedOn}.</p>
${can(who, 'COOLING_OFF_EXIT') && recordForm(account, businessDate(clock()), action('exit'), refusedForm)}
${
  can(who, 'RECEIPT_POSTED') &&
  held.map(
    ({ paymentId, amountPaise }) =>
      html`<form method="post" action="${action('post-held')}"><input type="hidden" name="payment" value="${paymentId}"><button class="secondary">Post ${inr(amountPaise)} as a payment</button></form>`,
  )
}</section>`
}
