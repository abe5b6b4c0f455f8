// The borrower's pages at the aggregator, log-in and consent, and the sealed ticket of a visit.

import { required } from '@lendloom/foundation/required'
import { type Html, html } from '@lendloom/http/markup'
import { redirect } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { businessDate, dayText } from '@lendloom/lending/calendar'
import type { ConsentAccount, ConsentDetail } from '@lendloom/wire/aggregator/consent-api'
import type { Redirection } from '@lendloom/wire/aggregator/redirect'
import { type ReturnErrorCode, returnTo } from '@lendloom/wire/aggregator/redirect-back'
import type { Context } from '#sandbox/core/context.ts'
import { notice } from '#sandbox/core/page-frame.ts'
import { sandboxOtp } from '#sandbox/core/sandbox-otp.ts'
import { mutualFunds } from './consent.ts'
import { aggregatorId, secretContext } from './directory.ts'
import { findEntity } from './store.ts'

/** The page on which the customer confirms the mobile number. */
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

/** What the pages call the shared data. */
export const sharedDataName = ({ fiTypes }: Pick<ConsentDetail, 'fiTypes'>): string =>
  fiTypes.includes(mutualFunds) ? 'mutual fund holdings' : 'bank data'

/** The page on which the customer decides on the consent and the accounts. */
export const consentPage = (
  { requestor, detail, accounts }: ConsentPageView,
  ticket: string,
  fault: string | null,
): Html => html`${notice(fault)}
<p><b>${detail.DataConsumer.id}</b> asks through ${requestor} to read your ${sharedDataName(detail)}. You decide, and may revoke it at any time.</p>
<dl class="facts">
${row('Purpose', detail.Purpose.text)}
${row('Data', detail.consentTypes.map((type) => consentTypeNames[type]).join(', '))}
${row('Period', `${day(detail.FIDataRange.from)} to ${day(detail.FIDataRange.to)}`)}
${row('How often', detail.fetchType === 'ONETIME' ? 'once' : `up to ${detail.Frequency.value} times a ${detail.Frequency.unit.toLowerCase()}`)}
${row('Stored for', `${detail.DataLife.value} ${detail.DataLife.unit.toLowerCase()}`)}
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
<p class="hint">The last two buttons are for the sandbox: they leave the request pending, or expire it without a decision.</p>`

const consentTypeNames = { PROFILE: 'account holder', SUMMARY: 'balances', TRANSACTIONS: 'transactions' }

const row = (label: string, value: string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

const day = (instant: string): string => dayText(businessDate(new Date(instant)))

const masked = (userId: string): string => userId.replace(/^\d{6}(?=\d{4}@)/, '••••••')

/** A borrower's visit at the aggregator. Pages pass it on in a sealed ticket; the server stores nothing. */
export interface Visit extends Redirection {
  requestorId: string
  /** Whether the borrower has proven the mobile number. */
  isLoggedIn: boolean
  /** When the ticket expires, in milliseconds. */
  until: number
}

/** The context under which the ticket of a visit is sealed. */
const ticketContext = 'aa visit'
/** How long a customer can take to decide. */
const visitMinutes = 30

/** The visit of a customer who has just arrived. */
export const newVisit = (redirection: Redirection, requestorId: string, at: Date): Visit => ({
  ...redirection,
  requestorId,
  isLoggedIn: false,
  until: at.getTime() + visitMinutes * 60_000,
})

/** Seals a visit into the ticket that the next page sends back. */
export const ticketOf = ({ seal }: Context, visit: Visit): string =>
  seal.json(visit, ticketContext).toString('base64url')

/** The visit of a ticket; null when the ticket is forged or expired. */
export function visitOf({ seal }: Context, ticket: string | undefined, at: Date): Visit | null {
  try {
    const visit = seal.openJson<Visit>(Buffer.from(ticket ?? '', 'base64url'), ticketContext)
    return visit.until > at.getTime() ? visit : null
  } catch {
    return null
  }
}

/** The secret that encrypts a requestor's redirections; null for an unknown requestor. */
export async function secretOf({ db, seal }: Context, requestorId: string): Promise<string | null> {
  const entity = await findEntity(db, requestorId)
  return entity?.secretSealed ? seal.open(entity.secretSealed, secretContext(requestorId)).toString() : null
}

/** Redirects the borrower to the requestor with the aggregator's answer. */
export async function goBack(ctx: Context, visit: Visit, errorCode: ReturnErrorCode, at: Date): Promise<Answer> {
  const { txnId, sessionId, userId, handles, returnUrl } = visit
  const secret = required(await secretOf(ctx, visit.requestorId), 'secret of the requestor')
  const result = { txnId, sessionId, userId, handles: errorCode === 0 ? handles : [], errorCode }
  const status = errorCode === 0 ? 'S' : 'F'
  return redirect(await returnTo(returnUrl, { aggregatorId, secret }, { ...result, status }, at))
}
