// What the borrower sees at the aggregator: logging in, and then who asks for what, why, and for how long.

import type { ConsentAccount, ConsentDetail } from '#contract/aggregator/consent.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { businessDate, dayText } from '#kit/money/calendar.ts'
import { sandboxOtp } from '#sandbox/core/one-time-password.ts'
import { notice } from '#sandbox/core/page.ts'
import { mutualFunds } from './consent.ts'

export const loginPage = (userId: string, ticket: string, fault: string | null): Html => html`${notice(fault)}
<p>You were sent here to decide on a consent. Please confirm first that you are ${masked(userId)}.</p>
<form method="POST" action="/aggregator/web/login">
<input type="hidden" name="ticket" value="${ticket}">
<label>One-time password <small>The sandbox has filled it in</small><input name="otp" value="${sandboxOtp}" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required></label>
<div class="actions"><button class="primary" name="outcome" value="approve">Log in</button><button class="secondary" name="outcome" value="leave" formnovalidate>Go back without logging in</button></div>
</form>`

export interface Shown {
  requestor: string
  detail: ConsentDetail
  accounts: ConsentAccount[]
}

/** What a consent shares, as the page calls it. */
export const sharedBy = ({ fiTypes }: Pick<ConsentDetail, 'fiTypes'>): string =>
  fiTypes.includes(mutualFunds) ? 'mutual fund holdings' : 'bank data'

export const consentPage = (
  { requestor, detail, accounts }: Shown,
  ticket: string,
  fault: string | null,
): Html => html`${notice(fault)}
<p><b>${detail.DataConsumer.id}</b> asks, through ${requestor}, to read your ${sharedBy(detail)}. You decide, and may revoke it at any time.</p>
<dl class="facts">
${row('Why', detail.Purpose.text)}
${row('What', detail.consentTypes.map((type) => words[type]).join(', '))}
${row('From which months', `${day(detail.FIDataRange.from)} to ${day(detail.FIDataRange.to)}`)}
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
<p class="hint">The last two are for the sandbox: a request that waits, and one that nobody decided on in time.</p>`

const words = { PROFILE: 'who holds the account', SUMMARY: 'balances', TRANSACTIONS: 'transactions' }

const row = (label: string, value: string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

const day = (instant: string): string => dayText(businessDate(new Date(instant)))

const masked = (userId: string): string => userId.replace(/^\d{6}(?=\d{4}@)/, '••••••')
