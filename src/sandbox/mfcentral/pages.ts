// The pages of MF Central: the investor proves the mobile number, chooses fund houses, and is sent back.

import { type CasReturn, CasStart, decryptedFromAddress } from '#contract/registrar/envelope.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { redirect } from '#kit/http/page-frame.ts'
import { fits, Type } from '#kit/http/schema.ts'
import type { Answer } from '#kit/http/server.ts'
import { framed, htmlAnswer, masked, notice } from '#sandbox/core/page.ts'
import { sandboxOtp } from '#sandbox/core/secret-link.ts'
import { isLapsed, route } from './api.ts'
import type { MfCentralContext } from './context.ts'
import { companiesOf } from './holdings.ts'
import { decideRequest, findRequest, type StatementRequest, type StatementStatus } from './store.ts'

const brand = 'MF Central'

/** From page to page in a sealed ticket: which request it is, and whether the number is proven. */
interface Ticket {
  reqId: string
  otpRef: string
  isProven: boolean
}
const ticketPlace = 'mf visit'
const ticketOf = ({ seal }: MfCentralContext, ticket: Ticket): string =>
  seal.json(ticket, ticketPlace).toString('base64url')

function ticketIn({ seal }: MfCentralContext, form: URLSearchParams): Ticket | null {
  try {
    return seal.openJson<Ticket>(Buffer.from(form.get('ticket') ?? '', 'base64url'), ticketPlace)
  } catch {
    return null
  }
}

export const startPage = route({
  method: 'GET',
  path: '/mfcentral/api/auth/start',
  summary: 'Takes an investor whom a client has sent',
  query: Type.Object({ data: Type.Optional(Type.String({ maxLength: 8000 })) }),
  async handle({ query, at }, ctx) {
    const start = decryptedFromAddress(query.data ?? '', ctx.mfCentral.urlKey)
    if (!fits(CasStart, start)) return closed('This link cannot be read.')
    const { otpRef } = start
    const found = await findRequest(ctx.db, ctx.seal, { reqId: String(start.reqId), otpRef })
    if (!found || isLapsed(found, at)) return closed('This link is no longer valid.')
    if (found.status !== 'PENDING') return goBack(found)
    return confirmPage(ctx, found, null)
  },
})

export const provePage = route({
  method: 'POST',
  path: '/mfcentral/web/otp',
  summary: 'The investor proves the mobile number',
  accepts: 'raw',
  async handle({ raw, at }, ctx) {
    const form = new URLSearchParams(raw.toString('utf8'))
    const found = await openRequest(ctx, form, at)
    if (!found) return closed('This page was open for too long.')
    if (form.get('outcome') === 'decline') return decided(ctx, found, 'DECLINED')
    if (form.get('otp')?.trim() !== sandboxOtp)
      return confirmPage(ctx, found, 'Entered OTP appears to be incorrect. Please try again.')
    return choosePage(ctx, found, null)
  },
})

export const sharePage = route({
  method: 'POST',
  path: '/mfcentral/web/share',
  summary: "Takes the investor's decision: share, decline, or in the sandbox to hold nothing",
  accepts: 'raw',
  async handle({ raw, at }, ctx) {
    const form = new URLSearchParams(raw.toString('utf8'))
    const found = await openRequest(ctx, form, at)
    if (!found || !ticketIn(ctx, form)?.isProven) return closed('This page was open for too long.')
    const outcome = form.get('outcome')
    if (outcome === 'decline') return decided(ctx, found, 'DECLINED')
    if (outcome === 'nothing') return decided(ctx, found, 'EMPTY')
    const chosen = form.getAll('amc')
    if (chosen.length === 0) return choosePage(ctx, found, 'Please choose at least one fund house.')
    return decided(ctx, found, 'SHARED', chosen)
  },
})

async function openRequest(ctx: MfCentralContext, form: URLSearchParams, at: Date): Promise<StatementRequest | null> {
  const ticket = ticketIn(ctx, form)
  const found = ticket && (await findRequest(ctx.db, ctx.seal, ticket))
  return found && !isLapsed(found, at) ? found : null
}

async function decided(
  ctx: MfCentralContext,
  found: StatementRequest,
  status: StatementStatus,
  companies: string[] = [],
): Promise<Answer> {
  if (found.status !== 'PENDING') return goBack(found)
  await decideRequest(ctx.db, { requestId: found.requestId, status, companies })
  return goBack({ ...found, status })
}

function goBack({ requestId: reqId, status, request: { redirectUrl } }: StatementRequest): Answer {
  const back: CasReturn = { status: status === 'SHARED' ? 'success' : 'failure', reqId, type: 'SUMMARY' }
  const location = new URL(redirectUrl)
  for (const [name, value] of Object.entries(back)) location.searchParams.set(name, value)
  return redirect(location.href)
}

function confirmPage(ctx: MfCentralContext, found: StatementRequest, fault: string | null): Answer {
  const { requestId: reqId, otpRef, request } = found
  const body = html`${notice(fault)}
<p>Your mutual fund statement was requested for a loan. Please confirm with the one-time password that we sent to ${masked(request.mobile)}.</p>
<form method="POST" action="/mfcentral/web/otp">
<input type="hidden" name="ticket" value="${ticketOf(ctx, { reqId, otpRef, isProven: false })}">
<label>One-time password <small>The sandbox has filled it in</small><input name="otp" value="${sandboxOtp}" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required></label>
<div class="actions"><button class="primary" name="outcome" value="prove">Authenticate</button><button class="secondary" name="outcome" value="decline" formnovalidate>Go back without sharing</button></div>
</form>`
  return pageAnswer('Confirm that it is you', body, { status: fault === null ? 200 : 400, back: request.redirectUrl })
}

function choosePage(ctx: MfCentralContext, found: StatementRequest, fault: string | null): Answer {
  const { requestId: reqId, otpRef, request } = found
  const body = html`${notice(fault)}
<p>Choose the fund houses whose holdings you share. You share folios, schemes, units and their value, but no transactions.</p>
<form method="POST" action="/mfcentral/web/share">
<input type="hidden" name="ticket" value="${ticketOf(ctx, { reqId, otpRef, isProven: true })}">
<fieldset><legend>Fund houses with your PAN ${masked(request.pan)}</legend>
${companiesOf(ctx.seal, found).map((amc) => html`<label class="check"><input type="checkbox" name="amc" value="${amc}" checked> ${amc}</label>`)}
</fieldset>
<div class="actions"><button class="primary" name="outcome" value="share">Continue to portfolio import</button><button class="secondary" name="outcome" value="decline">Do not share</button></div>
<div class="actions"><button class="secondary" name="outcome" value="nothing">Hold no funds</button></div>
</form>
<p class="hint">The last one is for the sandbox: an investor unknown to all fund houses. No fund house has a mobile number that ends in 0000.</p>`
  return pageAnswer('Choose what to share', body, { status: fault === null ? 200 : 400, back: request.redirectUrl })
}

const closed = (why: string): Answer =>
  pageAnswer('Nothing to do here', html`<p>${why} Please go back to where you came from and open it again.</p>`, {
    status: 400,
    back: null,
  })

const footer = html`<p>The sandbox simulates MF Central, and its funds are fictional.</p>`

const pageAnswer = (title: string, body: Html, { status, back }: { status: number; back: string | null }): Answer =>
  htmlAnswer(framed({ title: `${title} · ${brand}`, heading: title, brand, body, footer }), status, { back })
