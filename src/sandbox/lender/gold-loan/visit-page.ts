// GET and POST of the page of the branch: the borrower books a visit, sees it, and the sandbox plays how it ends (FIS12 §9.1).

import { type Html, html } from '#kit/http/markup.ts'
import { redirect } from '#kit/http/page-frame.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import type { Answer } from '#kit/http/server.ts'
import { businessDate, longDayText, plusDays } from '#kit/money/calendar.ts'
import { inr } from '#kit/money/money.ts'
import { isOneOf, ownValue, required } from '#kit/runtime/record.ts'
import { type Context, route } from '#sandbox/core/context.ts'
import { facts, htmlAnswer } from '#sandbox/core/page.ts'
import { type Conversation, requirePledge } from '#sandbox/lender/core/conversation.ts'
import { conversationOfLink } from '#sandbox/lender/core/link.ts'
import { requireLoan } from '#sandbox/lender/core/order.ts'
import { policyOf } from '#sandbox/lender/core/policy.ts'
import { policyUnder } from '#sandbox/lender/core/product.ts'
import { conversationOf, submissionOf } from '#sandbox/lender/core/store.ts'
import { closedPage, endedPage, framed, safeReturn } from '#sandbox/lender/pages/layout.ts'
import { branchOf } from './branches.ts'
import { goldLoan } from './gold-loan.ts'
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
  summary: 'The visit to the branch: booking it, and how it stands',
  params,
  query,
  async handle({ params: { lender, token }, query, at }, ctx) {
    const conversation = await opened(ctx, lender, token)
    if (!conversation) return closedPage(policyOf(lender))
    return show(ctx, conversation, { fault: null, back: safeReturn(query.return, conversation), at })
  },
})

export const submitVisit = route({
  method: 'POST',
  path,
  section: 'FIS12 §9.1',
  summary: 'Books with day and hour; once booked, outcome approve or decline says how the visit ended',
  params,
  query,
  accepts: 'raw',
  async handle({ params: { lender, token }, query, raw, at }, ctx) {
    const conversation = await opened(ctx, lender, token)
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
      if (error instanceof Refusal) return closedPage(policyUnder(goldLoan, conversation), 409)
      throw error
    }
    // Redirects to the page by GET: it shows the visit's state and can be reloaded safely.
    const search = back === null ? '' : `?return=${encodeURIComponent(back)}`
    return redirect(`/lenders/${lender}/visits/${token}${search}`)
  },
})

async function opened({ db, seal }: Context, lender: string, token: string): Promise<Conversation | null> {
  const conversationId = conversationOfLink(seal, 'visit', token)
  const conversation = conversationId === null ? undefined : await conversationOf(db, conversationId)
  return conversation?.lender === lender ? conversation : null
}

const hours = ['10:00', '12:00', '15:00', '17:00'] as const
const daysAhead = 6

/** The branch is open on weekdays and Saturdays, from tomorrow on. */
const daysFrom = (at: Date): string[] =>
  Array.from({ length: daysAhead }, (_, i) => plusDays(businessDate(at), i + 1)).filter(
    (day) => new Date(day).getUTCDay() !== 0,
  )

const instantOf = ({ day, hour }: VisitSlot): Date => new Date(`${day}T${hour}:00+05:30`)

type VisitForm = Partial<Record<string, string>>

interface VisitSlot {
  day: string
  hour: string
}

/** Identified by its day, so that a second click on the booking does not end the visit. */
const bookingIn = ({ outcome, day, hour = '' }: VisitForm): VisitSlot | null =>
  outcome === 'approve' && day !== undefined ? { day, hour } : null

/** What is wrong with what was posted; null when nothing is. */
function faultOf({ status }: Conversation, posted: VisitForm, at: Date): string | null {
  const { outcome } = posted
  const booking = bookingIn(posted)
  if (booking)
    return daysFrom(at).includes(booking.day) && isOneOf(hours, booking.hour) ? null : 'Please choose a day and a time.'
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
  const policy = policyUnder(goldLoan, conversation)
  const code = fault === null ? 200 : 400
  const notice = fault !== null && html`<p class="notice bad" role="alert">${fault}</p>`
  if (status === 'QUOTED' || status === 'BOOKED') {
    const body = status === 'QUOTED' ? booking(conversation, back, at) : booked(conversation, back)
    return htmlAnswer(framed({ title, policy, body: html`${notice}${body}` }), code)
  }
  const ended = await submissionOf(ctx.db, conversation.conversationId, 'JOURNEY_OFFLINE')
  if (!ended) return closedPage(policy, 409)
  const isDone = ended.outcome === 'COMPLETED'
  const text = ownValue(texts, ended.outcome) ?? texts.REJECTED
  return htmlAnswer(endedPage({ title, policy, text, isDone, back }), code)
}

const texts: Record<string, string> = {
  COMPLETED: 'Your gold was appraised and the agreement is signed.',
  REJECTED: 'The application ends here. The branch returns your gold at once.',
  EXPIRED: 'The offer has expired, so the application ends here.',
}

function place(conversation: Conversation): [label: string, value: string][] {
  const branch = required(branchOf(conversation), 'branch that was chosen')
  const pledge = requirePledge(conversation)
  const loan = requireLoan({ policy: policyUnder(goldLoan, conversation), conversation })
  return [
    ['Branch', branch.name],
    ['Address', `${branch.address} ${branch.pincode}`],
    ['You meet', `${branch.agent.name}, ${branch.agent.phone}`],
    ['Gold', `${gramsText(pledge.milligrams)} g of ${pledge.purity}`],
    ['Loan amount', inr(loan.principal)],
  ]
}

const returning = (back: string | null): Html | false =>
  back !== null && html`<input type="hidden" name="return" value="${back}">`

const booking = (conversation: Conversation, back: string | null, at: Date): Html =>
  html`<p>Your gold is weighed and tested while you watch. You sign the agreement there, and the money follows to your own account.</p>
${facts(place(conversation))}
<form method="POST">
${returning(back)}
<label>Day<select name="day" required>${daysFrom(at).map((day, i) => html`<option value="${day}"${i === 0 && html` selected`}>${longDayText(day)}</option>`)}</select></label>
<label>Hour<select name="hour" required>${hours.map((hour, i) => html`<option value="${hour}"${i === 0 && html` selected`}>${hour}</option>`)}</select></label>
<div class="actions"><button class="primary" name="outcome" value="approve">Book the visit</button><button class="secondary" name="outcome" value="decline" formnovalidate>I will not come</button></div>
</form>`

function booked(conversation: Conversation, back: string | null): Html {
  const visitAt = required(conversation.visitAt, 'time of the visit')
  const hour = new Date(visitAt.getTime() + 5.5 * 3_600_000).toISOString().slice(11, 16)
  return html`<p class="notice" role="status">Your visit is booked for ${longDayText(businessDate(visitAt))} at ${hour}.</p>
${facts([['When', `${longDayText(businessDate(visitAt))}, ${hour}`], ...place(conversation)])}
<h2>What to bring</h2>
<ul><li>the gold you told us about, without stones</li><li>your PAN card and proof of your address</li><li>the passbook or a cancelled cheque of the account for the payout</li></ul>
${back !== null && html`<p><a href="${back}">Return to the application</a></p>`}
<h2>The sandbox plays the branch</h2>
<p class="hint">There is no real branch: choose the outcome of the visit.</p>
<form method="POST">
${returning(back)}
<div class="actions"><button class="primary" name="outcome" value="approve">The visit went well</button><button class="secondary" name="outcome" value="decline">The branch declined the gold</button></div>
</form>`
}
