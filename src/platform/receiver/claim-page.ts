// GET and POST /repay/{token}: the form in which a borrower reports a payment to the lending partner (D3 §6 rule 4).

import { documentTypes } from '#contract/exchange/document.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { type Answer, anyone } from '#kit/http/server.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { paiseFrom, rupees } from '#kit/money/money.ts'
import { type PaymentProof, receiveClaim } from '#platform/application/partner/claiming.ts'
import { loanOf } from '#platform/complaint/officer/store.ts'
import { type Context, route } from '#platform/context.ts'
import { partnersOf, repaymentAccountIn } from '#platform/exchange/partners.ts'
import { findMainCase } from '#platform/exchange/store.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { type PageText, type Reader, readerOf } from '#platform/page-text/page-text.ts'
import { type ClaimKey, claimMethods, isClaimed, openClaimLink, type PaymentClaim } from '#platform/servicing/claim.ts'
import { isOpen, listServicing, type ServicingRow } from '#platform/servicing/store.ts'
import { readForm } from './form.ts'
import { page } from './page.ts'

const proofRule = documentTypes.PAYMENT_SCREENSHOT

/** Maximum size of the submitted form: the file, and 64 KiB for the other fields. */
const maxFormBytes = proofRule.maxBytes + 64 * 1024
const proofTypes: readonly string[] = proofRule.contentTypes

/**
 * Parses the submitted form. Throws `malformed` for a body that is not a form, and `invalid` for a file that D3 §4.3
 * does not allow. An unreadable amount or date becomes a value that `receiveClaim` refuses.
 */
async function readClaimForm(
  raw: Buffer,
  contentType: string,
): Promise<{ claim: PaymentClaim; proof: PaymentProof | null }> {
  const { text, file } = await readForm(raw, contentType)
  const claim: PaymentClaim = {
    amount: paiseFrom(text('amount')) ?? 0n,
    method: claimMethods.find((method) => method === text('method')) ?? 'UPI',
    transactionReference: text('transactionReference'),
    paidOn: /^\d{4}-\d{2}-\d{2}$/.test(text('paidOn')) ? text('paidOn') : '9999-12-31',
  }
  return { claim, proof: await file('proof', proofRule, 'must be a PNG, a JPEG or a PDF of at most 5 MiB') }
}

const commonRoute = {
  path: '/repay/{token}',
  section: 'D3 §6',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
} as const

export const showClaimPage = route({
  ...commonRoute,
  method: 'GET',
  summary: 'Show the form for reporting a payment',
  async handle({ params, headers, at }, ctx) {
    const reader = readerOf(headers)
    const link = openClaimLink(ctx, params.token)
    const operation = await requireOperation(ctx, link)
    if (isClaimed(operation) || !isOpen(operation)) return statusPage(reader, operation)
    return formPage(reader, { operation, payTo: await payToOf(ctx, link) }, at, null)
  },
})

export const submitClaimForm = route({
  ...commonRoute,
  method: 'POST',
  summary: 'Report a payment to the lender, who verifies it',
  accepts: 'raw',
  maxBytes: maxFormBytes,
  async handle({ params, raw, headers, at }, ctx) {
    const reader = readerOf(headers)
    const link = openClaimLink(ctx, params.token)
    try {
      const { claim, proof } = await readClaimForm(raw, String(headers['content-type']))
      await ctx.db.tx(async (tx) => {
        const journey = await lockJourney(tx, link.tenantId, link.journeyId)
        const application = journey && (await findMainCase(tx, journey))
        if (!journey || !application) throw new Refusal('absent', 'there is no such loan')
        await receiveClaim({ ...ctx, tx, at }, { application, journey }, link.operationId, {
          claim,
          proof,
        })
      })
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
      const view = { operation: await requireOperation(ctx, link), payTo: await payToOf(ctx, link) }
      return formPage(reader, view, at, error.details.fields?.[0]?.path ?? '')
    }
    return statusPage(reader, await requireOperation(ctx, link))
  },
})

async function requireOperation({ db }: Context, link: ClaimKey): Promise<ServicingRow> {
  const operation = (await listServicing(db, link)).find(({ operationId }) => operationId === link.operationId)
  if (!operation) throw new Refusal('absent', 'there is nothing at this address')
  return operation
}

function statusPage(reader: Reader, { status }: ServicingRow): Answer {
  const { t } = reader
  return page(reader, t('claim.yours'), `${t(`claim.status.${status}`)} ${t('claim.close')}`)
}

interface ClaimView {
  operation: ServicingRow
  payTo: PayTo | undefined
}

interface PayTo {
  account: string
  remark: string
}

async function payToOf(ctx: Context, link: ClaimKey): Promise<PayTo | undefined> {
  const loan = await loanOf(ctx.db, link)
  const account = repaymentAccountIn(await partnersOf(ctx).all(ctx.db), loan)
  return account === null ? undefined : { account, remark: loan?.loanId ?? '' }
}

/** `invalidField` is the field that made the last submission invalid; null before a submission. */
function formPage(reader: Reader, view: ClaimView, at: Date, invalidField: string | null): Answer {
  const body = claimForm(reader.t, view, businessDate(at), invalidField)
  return page(reader, reader.t('claim.title'), body, { status: invalidField === null ? 200 : 422 })
}

function faultText(t: PageText, field: string): string {
  const name = (['amount', 'transactionReference', 'paidOn', 'proof'] as const).find((each) => each === field)
  return t(name ? `claim.wrong.${name}` : 'claim.wrongSomewhere')
}

const claimForm = (t: PageText, view: ClaimView, today: string, invalidField: string | null): Html => {
  const { operation, payTo } = view
  const { amountPaise } = operation
  return html`<p>${t('claim.lead')}</p>
${payTo && html`<dl><div><dt>${t('claim.account')}</dt><dd><bdi>${payTo.account}</bdi></dd></div><div><dt>${t('claim.remark')}</dt><dd>${payTo.remark}</dd></div></dl>`}
${invalidField !== null && html`<p class="fault" role="alert">${faultText(t, invalidField)}</p>`}
<form method="post" enctype="multipart/form-data">
<label for="amount">${t('claim.amount')}</label><input id="amount" name="amount" inputmode="decimal" required value="${amountPaise === null ? '' : rupees(amountPaise)}">
<label for="method">${t('claim.method')}</label><select id="method" name="method">${claimMethods.map((method) => html`<option>${method}</option>`)}</select>
<label for="transactionReference">${t('claim.reference')}</label><input id="transactionReference" name="transactionReference" required>
<label for="paidOn">${t('claim.paidOn')}</label><input id="paidOn" name="paidOn" type="date" max="${today}" value="${today}" required>
<label for="proof">${t('claim.proof')}</label><input id="proof" name="proof" type="file" accept="${proofTypes.join(',')}">
<button class="primary" type="submit">${t('claim.send')}</button></form>`
}
