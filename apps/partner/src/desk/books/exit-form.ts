// The forms for a cooling-off cancellation, also beside a payment that may be its payment.

import { type Html, html } from '@lendloom/http/markup'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import type { Context } from '#partner/context.ts'
import { isLateExitRequest, soleRecordingDays } from '#partner/desk/approval/checked-acts.ts'
import { withVersion } from '#partner/desk/approval/seen-version.ts'
import { caseAddress, withPlace } from '#partner/desk/arrears/worklist.ts'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { fieldRenderer, type RefusedForm } from '#partner/desk/parts/form-parts.ts'
import { formatDay, inr } from '#partner/desk/parts/format.ts'
import { referencePattern } from '#partner/desk/parts/read-fields.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import { isHeldPayment } from '#partner/servicing/collection/held-payment.ts'
import { exitDecisionUntil } from '#partner/servicing/loan/await-exit-request.ts'
import { recordableDays } from '#partner/servicing/loan/exit.ts'
import { isRunning } from '#partner/servicing/loan/loan.ts'
import { exitRequestText } from './payment-parts.ts'

type Address = (name: string) => string

/** The form to cancel in the cooling-off period. An open loan is paid off without the fee; a closed one refunds it. */
export function exitForm(
  { account, exitPayoff }: Pick<CaseView, 'account' | 'exitPayoff'>,
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  { quoteAddress, action }: { quoteAddress: string; action: string },
  refusedForm: RefusedForm | null,
): Html | null {
  if (!account) return null
  const { coolingOffUntil, exitUntil, retainedFeePaise, loanStatus } = account
  const today = businessDate(clock())
  const isActive = isRunning(loanStatus)
  if (!isActive && (loanStatus !== 'CLOSED' || retainedFeePaise === 0n)) return null
  if (exitPayoff)
    return html`<p>The borrower is cancelling${account.exitRequestedOn !== null && html`, as requested on ${exitRequestText(account)}`}. <strong>${inr(exitPayoff.total)}</strong> cancels the loan if it arrives today; the fee and the tax on it are deducted. The last day to pay is ${exitUntil && formatDay(exitUntil)}.</p>
<p><a class="secondary" href="${quoteAddress}">Amount for another day</a></p>`
  const days = recordableDays(account, today)
  if (!days) return null
  return html`${isActive && exitUntil !== null && html`<p>The borrower asked on ${exitRequestText(account)}, but had not paid the amount by ${formatDay(exitUntil)}.</p>`}
<p>${today > coolingOffUntil ? html`The cooling-off period ended on ${formatDay(coolingOffUntil)}. A borrower who asked by then can still cancel` : html`Until ${formatDay(coolingOffUntil)} the borrower can cancel`}: the borrower repays principal and interest until the money arrives, the fee and the tax on it are refunded, and the mandate is cancelled. Money beyond that becomes refundable.${!isActive && ' The loan is already closed: recording this makes the fee refundable to the borrower.'}</p>
<p class="quiet small">${requestSource(config)}</p>
${recordForm({ days, today, action, refusedForm })}`
}

export const exitTitle = 'Cooling-off cancellation'

const requestSource = ({ PARTNER_GRIEVANCE_OFFICER: officer }: Context['config']): string =>
  `A request from the borrower’s loan page comes by email, with a number such as GR-2611-7K3Q9, to the grievance officer: ${officer}.`

const exitTexts = {
  askedToday: 'Asked on: today.',
  askedOn: 'Asked on',
  earlierDay: 'Today. For an earlier day, enter the request number.',
  number: 'Request number',
  numberIfAny: 'Request number, if there is one',
}

interface RecordForm {
  /** The days of a request that can be recorded. */
  days: NonNullable<ReturnType<typeof recordableDays>>
  today: string
  action: string
  refusedForm: RefusedForm | null
  /** The value date of the held payment, the likely day of the request. */
  paidOn?: string
}

function recordForm(options: RecordForm): Html {
  const { days, today, action, refusedForm, paidOn } = options
  const { first, last } = days
  const isPeriodOver = today > last
  const needsApproval = isLateExitRequest({ requestedOn: last, today })
  const mayNeedApproval = isLateExitRequest({ requestedOn: first, today })
  // A loan of today whose borrower has paid nothing.
  const isOnlyToday = first === today && paidOn === undefined
  const field = fieldRenderer('exit', refusedForm)
  return html`<form method="post" action="${action}">${isOnlyToday && html`<p>${exitTexts.askedToday}<input type="hidden" name="requestedOn" value="${today}"></p>`}<div class="fields">
${!isOnlyToday && field({ name: 'requestedOn', ...dayOfRequest(options) })}
${field({ name: 'reference', label: isPeriodOver ? exitTexts.number : exitTexts.numberIfAny, attributes: html`maxlength="60" pattern="${referencePattern.source.slice(1, -1)}" autocomplete="off"${isPeriodOver && html` required`}` })}
${mayNeedApproval && field({ name: 'reason', label: html`Reason, for the approver${!needsApproval && html`, needed for a day before ${formatDay(plusDays(today, -soleRecordingDays))}`}`, attributes: html`maxlength="500"${needsApproval && html` required`}`, isWide: true })}
</div>${paidOn !== undefined && paidOn <= last && html`<p class="quiet">The day of the payment is filled in. If the borrower asked on another day, change it.</p>`}<button class="primary">${needsApproval ? 'Ask for approval' : 'Record the cancellation'}</button></form>`
}

/**
 * The field of the day on which the borrower asked: the day of a payment within the period, today without a payment,
 * and empty if no day is likely.
 */
function dayOfRequest({ days: { first, last }, today, paidOn }: RecordForm) {
  const label = exitTexts.askedOn
  if (paidOn !== undefined) return { label, value: paidOn <= last ? paidOn : '', limits: { min: first, max: last } }
  if (today > last) return { label, value: '', limits: { min: first, max: last } }
  const attributes = html`type="date" min="${first}" max="${last}" required`
  return { label, value: today, attributes, hint: exitTexts.earlierDay }
}

const noRole = html`<p class="quiet">Your roles cannot do this.</p>`

export const heldPaymentTitle = 'Payment or cancellation?'

/** The card of held payments: what to decide, and the acts that the user's roles allow. */
export function heldPaymentCard(
  { account, payments, loanCase, worklist }: CaseView,
  who: Staff,
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  refusedForm: RefusedForm | null,
): Html | false {
  const held = payments.filter(isHeldPayment)
  if (!account || !held[0]) return false
  const action: Address = (name) =>
    withPlace(withVersion(caseAddress(loanCase.caseRef, undefined, `/${name}`), loanCase, clock()), worklist?.place)
  const today = businessDate(clock())
  const until = exitDecisionUntil(account)
  const days = recordableDays(account, today)
  const lastRequestDay = formatDay(account.coolingOffUntil)
  const postedPaise = payments.reduce(
    (sum, { status, amountPaise }) => sum + (status === 'POSTED' ? amountPaise : 0n),
    0n,
  )
  return html`<section class="card todo"><h2>${heldPaymentTitle}</h2>
${held.map(({ amountPaise, valueOn, bankReference }) => html`<p><strong>${inr(amountPaise)}</strong> arrived on ${formatDay(valueOn)}, reference ${bankReference}. ${postedPaise > 0n ? html`With ${inr(postedPaise)} posted before, it is enough` : 'It is enough'} to cancel the loan in the cooling-off period, but no cancellation is recorded, so it is not posted yet.</p>`)}
<p><strong>Decide by ${formatDay(until)}.</strong> Without a decision, it is posted as a payment on ${formatDay(plusDays(until, 1))}.</p>
<p>Did the borrower ask to cancel by ${lastRequestDay}? ${requestSource(config)}</p>
<div class="columns"><div><h3>The borrower asked</h3>
<p>The money closes the loan, and the fee is refunded.</p>
${can(who, 'COOLING_OFF_EXIT') ? days && recordForm({ days, today, action: action('exit'), refusedForm, paidOn: held[0].valueOn }) : noRole}
</div><div><h3>The borrower did not ask</h3>
<p>The money pays instalments, the fee stays, and the loan continues.${today <= account.coolingOffUntil && html` The borrower can still ask until ${lastRequestDay}.`}</p>
${
  can(who, 'RECEIPT_POSTED')
    ? held.map(
        ({ paymentId, amountPaise }) =>
          html`<form method="post" action="${action('post-held')}"><input type="hidden" name="payment" value="${paymentId}"><label><input type="checkbox" name="noRequest" value="yes" required> I looked for a request to cancel, and there is none</label><button class="danger">Post ${inr(amountPaise)} as a payment</button></form>`,
      )
    : noRole
}</div></div></section>`
}
