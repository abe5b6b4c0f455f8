// GET and POST /repay/{token}: the borrower tells of a payment that was made to the partner (D3 §6 rule 4).

import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import { claim } from '#platform/application/partner/claiming.ts'
import { type Context, route } from '#platform/context.ts'
import { findCaseOf } from '#platform/exchange/store.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { claimMethods, isClaimed } from '#platform/servicing/claim.ts'
import { type ClaimPlace, openClaimLink } from '#platform/servicing/claim-link.ts'
import { isOpen, type Servicing } from '#platform/servicing/servicing.ts'
import { listServicing } from '#platform/servicing/store.ts'
import { mostFormBytes, proofTypes, readClaimForm } from './claim-form.ts'
import { page } from './page.ts'

const common = {
  path: '/repay/{token}',
  section: 'D3 §6',
  auth: { scheme: null, check: () => null },
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
} as const

export const showClaimPage = route({
  ...common,
  method: 'GET',
  summary: 'Tell of a payment to the lender',
  async handle({ params, at }, ctx) {
    const operation = await operationAt(ctx, openClaimLink(ctx, params.token))
    if (isClaimed(operation) || !isOpen(operation)) return report(operation)
    return page('Tell us about your payment', form(operation, businessDate(at), null))
  },
})

export const sendClaim = route({
  ...common,
  method: 'POST',
  summary: 'Send what was paid to the lender, who verifies it',
  accepts: 'raw',
  maxBytes: mostFormBytes,
  async handle({ params, raw, headers, at }, ctx) {
    const place = openClaimLink(ctx, params.token)
    try {
      const { claim: said, proof } = await readClaimForm(raw, String(headers['content-type']))
      await ctx.db.tx(async (tx) => {
        const journey = await lockJourney(tx, place.tenantId, place.journeyId)
        const application = journey && (await findCaseOf(tx, journey))
        if (!journey || !application) throw new Refusal('absent', 'there is no such loan')
        await claim(tx, ctx, { application, journey }, place.operationId, said, proof, at)
      })
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
      const operation = await operationAt(ctx, place)
      return page('Tell us about your payment', form(operation, businessDate(at), error.message), { status: 422 })
    }
    return report(await operationAt(ctx, place))
  },
})

async function operationAt({ db }: Context, place: ClaimPlace): Promise<Servicing> {
  const operation = (await listServicing(db, place)).find(({ operationId }) => operationId === place.operationId)
  if (!operation) throw new Refusal('absent', 'there is nothing at this address')
  return operation
}

const words: Record<Servicing['status'], string> = {
  REQUESTED: 'The lender is verifying your payment.',
  LINK_READY: 'The lender is verifying your payment.',
  PAID: 'The lender has received your payment.',
  FAILED: 'The lender could not find this payment.',
  EXPIRED: 'Nothing is left to pay here.',
  DONE: 'Nothing is left to do here.',
}

const report = ({ status }: Servicing) =>
  page('Your payment', `${words[status]} You can close this page and go back to your app.`)

const form = ({ amountPaise }: Servicing, today: string, wrong: string | null): Html =>
  html`<p>Pay by bank transfer or UPI to the account in your Key Facts Statement, then fill this in. Your balance changes when the lender has found the payment.</p>
${wrong !== null && html`<p class="wrong" role="alert">${wrong}</p>`}
<form method="post" enctype="multipart/form-data">
<label for="amount">Amount paid, in rupees</label><input id="amount" name="amount" inputmode="decimal" required value="${amountPaise === null ? '' : rupees(amountPaise)}">
<label for="method">How</label><select id="method" name="method">${claimMethods.map((method) => html`<option>${method}</option>`)}</select>
<label for="transactionReference">Reference that your bank shows (UTR)</label><input id="transactionReference" name="transactionReference" required>
<label for="paidOn">Day of the payment</label><input id="paidOn" name="paidOn" type="date" max="${today}" value="${today}" required>
<label for="proof">A picture or PDF of it, if you like</label><input id="proof" name="proof" type="file" accept="${proofTypes.join(',')}">
<button type="submit">Send</button></form>`
