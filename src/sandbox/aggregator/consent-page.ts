// What the borrower sees at the aggregator, logging in and then who asks for what, why and for how long; and the ticket of a visit.
import type { ConsentAccount, ConsentDetail } from '#contract/aggregator/consent.ts'
import type { Redirection } from '#contract/aggregator/redirect.ts'
import { type ReturnErrorCode, returnTo } from '#contract/aggregator/return.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { redirect } from '#kit/http/page-frame.ts'
import type { Answer } from '#kit/http/server.ts'
import { businessDate, dayText } from '#kit/money/calendar.ts'
import { required } from '#kit/runtime/record.ts'
import type { Context } from '#sandbox/core/context.ts'
import { notice } from '#sandbox/core/page.ts'
import { sandboxOtp } from '#sandbox/core/secret-link.ts'
import { mutualFunds } from './consent.ts'
import { aggregatorId, secretPlace } from './parties.ts'
import { findEntity } from './store.ts'

export const loginPage = (userId: string, ticket: string, fault: string | null): Html => html`${notice(fault)}
<p>You are here to decide on a consent. Please first confirm that you are ${masked(userId)}.</p>
<form method="POST" action="/aggregator/web/login">
<input type="hidden" name="ticket" value="${ticket}">
<label>One-time password <small>The sandbox has filled it in</small><input name="otp" value="${sandboxOtp}" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required></label>
<div class="actions"><button class="primary" name="outcome" value="approve">Log in</button><button class="secondary" name="outcome" value="leave" formnovalidate>Go back without logging in</button></div>
</form>`

interface ConsentPageView {
  requestor: string
  detail: ConsentDetail
  accounts: ConsentAccount[]
}

/** What a consent shares, as the page calls it. */
export const sharedBy = ({ fiTypes }: Pick<ConsentDetail, 'fiTypes'>): string =>
  fiTypes.includes(mutualFunds) ? 'mutual fund holdings' : 'bank data'

export const consentPage = (
  { requestor, detail, accounts }: ConsentPageView,
  ticket: string,
  fault: string | null,
): Html => html`${notice(fault)}
<p><b>${detail.DataConsumer.id}</b> asks, through ${requestor}, to read your ${sharedBy(detail)}. You decide, and can revoke your consent at any time.</p>
<dl class="facts">
${row('Why', detail.Purpose.text)}
${row('What', detail.consentTypes.map((type) => words[type]).join(', '))}
${row('Period', `${day(detail.FIDataRange.from)} to ${day(detail.FIDataRange.to)}`)}
${row('How often', detail.fetchType === 'ONETIME' ? 'once' : `up to ${detail.Frequency.value} times a ${detail.Frequency.unit.toLowerCase()}`)}
${row('Kept for', `${detail.DataLife.value} ${detail.DataLife.unit.toLowerCase()}`)}
${row('Consent ends on', day(detail.consentExpiry))}
</dl>
<form method="POST" action="/aggregator/web/decide">
<input type="hidden" name="ticket" value="${ticket}">
<fieldset><legend>Accounts to share</legend>
${accounts.map(({ linkRefNumber, maskedAccNumber, fipId }) => html`<label class="check"><input type="checkbox" name="account" value="${linkRefNumber}" checked> ${maskedAccNumber} at ${fipId}</label>`)}
</fieldset>
<div class="actions"><button class="primary" name="outcome" value="approve">Approve</button><button class="secondary" name="outcome" value="decline">Reject</button></div>
<div class="actions"><button class="secondary" name="outcome" value="later">Decide later</button><button class="secondary" name="outcome" value="lapse">Let it expire</button></div>
</form>
<p class="hint">The last two are for the sandbox: a request that waits, and one that expires undecided.</p>`

const words = { PROFILE: 'who holds the account', SUMMARY: 'balances', TRANSACTIONS: 'transactions' }

const row = (label: string, value: string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

const day = (instant: string): string => dayText(businessDate(new Date(instant)))

const masked = (userId: string): string => userId.replace(/^\d{6}(?=\d{4}@)/, '••••••')

/** A borrower's visit at the aggregator, carried from page to page in a sealed ticket: nothing is kept of it. */
export interface Visit extends Redirection {
  requestorId: string
  /** Whether the borrower has proven the mobile number. */
  loggedIn: boolean
  /** When the ticket stops to work. */
  until: number
}

const place = 'aa visit'
const minutes = 30

export const newVisit = (redirection: Redirection, requestorId: string, at: Date): Visit => ({
  ...redirection,
  requestorId,
  loggedIn: false,
  until: at.getTime() + minutes * 60_000,
})

export const ticketOf = ({ seal }: Context, visit: Visit): string => seal.json(visit, place).toString('base64url')

/** The visit behind a ticket; null for any text we did not make, and for one that is too old. */
export function visitOf({ seal }: Context, ticket: string | undefined, at: Date): Visit | null {
  try {
    const visit = seal.openJson<Visit>(Buffer.from(ticket ?? '', 'base64url'), place)
    return visit.until > at.getTime() ? visit : null
  } catch {
    return null
  }
}

/** The secret that a requestor's redirections are encrypted with; null for an unknown requestor. */
export async function secretOf({ db, seal }: Context, requestorId: string): Promise<string | null> {
  const entity = await findEntity(db, requestorId)
  return entity?.secretSealed ? seal.open(entity.secretSealed, secretPlace(requestorId)).toString() : null
}

/** Sends the borrower back with the aggregator's answer. */
export async function goBack(ctx: Context, visit: Visit, errorCode: ReturnErrorCode, at: Date): Promise<Answer> {
  const { txnId, sessionId, userId, handles, returnUrl } = visit
  const secret = required(await secretOf(ctx, visit.requestorId), 'secret of the requestor')
  const result = { txnId, sessionId, userId, handles: errorCode === 0 ? handles : [], errorCode }
  const status = errorCode === 0 ? 'S' : 'F'
  return redirect(await returnTo(returnUrl, { aggregatorId, secret }, { ...result, status }, at))
}
