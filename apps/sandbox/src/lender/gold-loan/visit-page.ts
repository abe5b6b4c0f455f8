// GET and POST of the branch page: the borrower books a visit, and chooses its outcome in the sandbox (FIS12 §9.1).

import { check } from '@lendloom/design/icons'
import { isOneOf, ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Type } from '@lendloom/foundation/schema'
import { type Html, html, icon } from '@lendloom/http/markup'
import { redirect } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { businessDate, businessMinute, longDayText, plusDays } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import { type Context, route } from '#sandbox/core/context.ts'
import { facts, htmlAnswer } from '#sandbox/core/page-frame.ts'
import { type Conversation, requirePledge } from '#sandbox/lender/core/conversation.ts'
import { stepOf } from '#sandbox/lender/core/find-step.ts'
import { policyOf } from '#sandbox/lender/core/lender-policies.ts'
import { idOfLink } from '#sandbox/lender/core/link-token.ts'
import { requireLoan } from '#sandbox/lender/core/message-parts.ts'
import { conversationOf, submissionOf } from '#sandbox/lender/core/store.ts'
import { closedPage, type Ending, framed, safeReturn, stepEndAnswer } from '#sandbox/lender/pages/page-frame.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'
import { branchOf } from './branches.ts'
import { gramsText } from './valuation.ts'
import { bookVisit, endVisit } from './visit.ts'

const params = Type.Object({ lender: Type.String(), token: Type.String() })
const query = Type.Object({ return: Type.Optional(Type.String({ maxLength: 2000 })) })
const path = '/lenders/{lender}/visits/{token}'
const title = 'Bring your gold to the branch'

export const showVisit = route({
  method: 'GET',
  path,
  section: 'FIS12 §9.1',
  summary: 'The page to book a branch visit and see its state',
  params,
  query,
  async handle({ params: { lender, token }, query, at }, ctx) {
    const conversation = await openVisit(ctx, lender, token)
    if (!conversation) return closedPage(policyOf(lender))
    return show(ctx, conversation, { fault: null, back: safeReturn(query.return, conversation), at })
  },
})

export const submitVisit = route({
  method: 'POST',
  path,
  section: 'FIS12 §9.1',
  summary: 'Books a visit by day and hour, then sets its outcome to approve or decline',
  params,
  query,
  accepts: 'raw',
  async handle({ params: { lender, token }, query, raw, at }, ctx) {
    const conversation = await openVisit(ctx, lender, token)
    if (!conversation) return closedPage(policyOf(lender))
    const posted = Object.fromEntries(new URLSearchParams(raw.toString('utf8')))
    const back = safeReturn(query.return ?? posted.return, conversation)
    const fault = faultOf(conversation, posted, at)
    if (fault) return show(ctx, conversation, { fault, back, at })
    try {
      const booking = bookingIn(posted)
      const outcome = posted.outcome === 'approve' ? 'approve' : 'decline'
      if (booking) await bookVisit(ctx, conversation.conversationId, instantOf(booking), at)
      else await endVisit(ctx, conversation.conversationId, outcome, at)
    } catch (error) {
      if (error instanceof Refusal) return closedPage(policyFor(conversation), 409)
      throw error
    }
    // Redirects to the page by GET, so that a reload does not post again.
    const search = back === null ? '' : `?return=${encodeURIComponent(back)}`
    return redirect(`/lenders/${lender}/visits/${token}${search}`)
  },
})

async function openVisit({ db, seal }: Context, lender: string, token: string): Promise<Conversation | null> {
  const conversationId = idOfLink(seal, 'visit', token)
  const conversation = conversationId === null ? undefined : await conversationOf(db, conversationId)
  return conversation?.lender === lender ? conversation : null
}

const hours = ['10:00', '12:00', '15:00', '17:00'] as const
const daysAhead = 6

/** Days for a visit: tomorrow and later, except Sundays. */
const daysFrom = (at: Date): string[] =>
  Array.from({ length: daysAhead }, (_, i) => plusDays(businessDate(at), i + 1)).filter(
    (day) => new Date(day).getUTCDay() !== 0,
  )

const weekdayText = (day: string): string =>
  `${new Date(day).toLocaleDateString('en-IN', { weekday: 'long', timeZone: 'UTC' })}, ${longDayText(day)}`

const hourText = (hour: string): string => {
  const count = Number.parseInt(hour, 10)
  return `${count % 12 || 12}${hour.slice(2)} ${count < 12 ? 'am' : 'pm'}`
}

const instantOf = ({ day, hour }: VisitSlot): Date => new Date(`${day}T${hour}:00+05:30`)

type VisitForm = Partial<Record<string, string>>

interface VisitSlot {
  day: string
  hour: string
}

/** The booking in a posted form. Both forms post `approve`; only the booking form posts a day. */
const bookingIn = ({ outcome, day, hour = '' }: VisitForm): VisitSlot | null =>
  outcome === 'approve' && day !== undefined ? { day, hour } : null

/** The error message for a posted form; null if the form is valid. */
function faultOf({ status }: Conversation, posted: VisitForm, at: Date): string | null {
  const { outcome } = posted
  const slot = bookingIn(posted)
  if (slot)
    return daysFrom(at).includes(slot.day) && isOneOf(hours, slot.hour) ? null : 'Please choose a day and an hour.'
  if (outcome !== 'approve' && outcome !== 'decline') return 'Please choose one of the buttons.'
  return status === 'QUOTED' && outcome === 'approve' ? 'Please book a visit first.' : null
}

interface VisitPageState {
  fault: string | null
  back: string | null
  at: Date
}

async function show(ctx: Context, conversation: Conversation, { fault, back, at }: VisitPageState): Promise<Answer> {
  const { status } = conversation
  const policy = policyFor(conversation)
  const code = fault === null ? 200 : 400
  const notice = fault !== null && html`<p class="notice bad" role="alert">${fault}</p>`
  if (status === 'QUOTED' || status === 'BOOKED') {
    const body = status === 'QUOTED' ? bookingForm(conversation, back, at) : bookedPage(conversation, back)
    return htmlAnswer(framed({ title, policy, body: html`${notice}${body}` }), code)
  }
  const result = await submissionOf(ctx.db, conversation.conversationId, 'JOURNEY_OFFLINE')
  if (!result) return closedPage(policy, 409)
  const isDone = result.outcome === 'COMPLETED'
  const ending = ownValue(endings, result.outcome) ?? endings.REJECTED
  const step = stepOf(policy.product, conversation, 'JOURNEY_OFFLINE')
  return stepEndAnswer({ ...ending, policy, conversation, step, isDone, back }, code)
}

const endings = {
  COMPLETED: {
    title: 'Your visit is complete',
    text: 'The branch has tested your gold, and the agreement is signed. The sandbox skips the real visit.',
  },
  REJECTED: {
    title: 'The branch did not accept the gold',
    text: 'The application ends here. Your gold stays yours: the branch returns it at once.',
  },
  EXPIRED: { title: 'The offer has expired', text: 'The application ends here.' },
} satisfies Record<string, Ending>

function visitRows(conversation: Conversation): [label: string, value: string][] {
  const branch = required(branchOf(conversation), 'chosen branch')
  const pledge = requirePledge(conversation)
  const loan = requireLoan({ policy: policyFor(conversation), conversation })
  return [
    ['Branch', branch.name],
    ['Address', `${branch.address} ${branch.pincode}`],
    ['You meet', `${branch.agent.name}, ${branch.agent.phone}`],
    ['Gold', `${gramsText(pledge.milligrams)} g of ${pledge.purity}`],
    ['Loan amount', inr(loan.principal)],
  ]
}

const returnField = (back: string | null): Html | false =>
  back !== null && html`<input type="hidden" name="return" value="${back}">`

const bookingForm = (conversation: Conversation, back: string | null, at: Date): Html =>
  html`<p>The branch weighs and tests your gold while you watch. You sign the agreement there, and the lender pays the loan to your account.</p>
${facts(visitRows(conversation))}
<form method="POST">
${returnField(back)}
<label>Day<select name="day" required>${daysFrom(at).map((day, i) => html`<option value="${day}"${i === 0 && html` selected`}>${weekdayText(day)}</option>`)}</select></label>
<label>Hour<select name="hour" required>${hours.map((hour, i) => html`<option value="${hour}"${i === 0 && html` selected`}>${hourText(hour)}</option>`)}</select></label>
<div class="actions"><button class="primary" name="outcome" value="approve">Book the visit</button><button class="secondary" name="outcome" value="decline" formnovalidate>I will not come</button></div>
</form>`

function bookedPage(conversation: Conversation, back: string | null): Html {
  const visitAt = required(conversation.visitAt, 'time of the visit')
  const day = weekdayText(businessDate(visitAt))
  const hour = hourText(businessMinute(visitAt).slice(11))
  return html`<p class="notice good" role="status">${icon(check)} Your visit is booked for ${day} at ${hour}.</p>
${facts([['When', `${day}, ${hour}`], ...visitRows(conversation)])}
<h2>What to bring</h2>
<ul><li>the gold that you declared, without stones</li><li>your PAN card and a proof of your address</li><li>the passbook or a cancelled cheque of the account for the loan</li></ul>
${back !== null && html`<p><a href="${back}">Return to the application</a></p>`}
<h2>The sandbox plays the branch</h2>
<p class="hint">There is no real branch: choose the outcome of the visit.</p>
<form method="POST">
${returnField(back)}
<div class="actions"><button class="primary" name="outcome" value="approve">The visit went well</button><button class="secondary" name="outcome" value="decline">The branch rejected the gold</button></div>
</form>`
}
