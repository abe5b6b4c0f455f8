// The pages of MF Central: the investor verifies the mobile number and chooses fund houses.

import { fits, Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { redirect } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { type CasReturn, CasStart, decryptFromAddress } from '@lendloom/wire/registrar/encrypted-envelope'
import { framed, htmlAnswer, masked, notice } from '#sandbox/core/page-frame.ts'
import { sandboxOtp } from '#sandbox/core/sandbox-otp.ts'
import { hasExpired, mfCentralRoute } from './client-api.ts'
import type { MfCentralContext } from './context.ts'
import { companiesOf } from './holdings.ts'
import { decideRequest, type FundStatementRequest, findRequest, type StatementStatus } from './store.ts'

const brand = 'MF Central'

/** The sealed ticket in the forms: the request, and whether the mobile number is verified. */
interface Ticket {
  reqId: string
  otpRef: string
  isVerified: boolean
}
const ticketContext = 'mf visit'
const ticketOf = ({ seal }: MfCentralContext, ticket: Ticket): string =>
  seal.json(ticket, ticketContext).toString('base64url')

function ticketIn({ seal }: MfCentralContext, form: URLSearchParams): Ticket | null {
  try {
    return seal.openJson<Ticket>(Buffer.from(form.get('ticket') ?? '', 'base64url'), ticketContext)
  } catch {
    return null
  }
}

export const startPage = mfCentralRoute({
  method: 'GET',
  path: '/mfcentral/api/auth/start',
  summary: 'Receives an investor from a client',
  query: Type.Object({ data: Type.Optional(Type.String({ maxLength: 8000 })) }),
  async handle({ query, at }, ctx) {
    const start = decryptFromAddress(query.data ?? '', ctx.mfCentral.urlKey)
    if (!fits(CasStart, start)) return closedAnswer('This link cannot be read.')
    const { otpRef } = start
    const statement = await findRequest(ctx.db, ctx.seal, { reqId: String(start.reqId), otpRef })
    if (!statement || hasExpired(statement, at)) return closedAnswer('This link has expired.')
    if (statement.status !== 'PENDING') return redirectToClient(statement)
    return confirmPage(ctx, statement, null)
  },
})

export const otpPage = mfCentralRoute({
  method: 'POST',
  path: '/mfcentral/web/otp',
  summary: 'Verifies the mobile number of the investor',
  accepts: 'raw',
  async handle({ raw, at }, ctx) {
    const form = new URLSearchParams(raw.toString('utf8'))
    const statement = await openRequest(ctx, form, at)
    if (!statement) return closedAnswer('This page has expired.')
    if (form.get('outcome') === 'decline') return recordDecision(ctx, statement, 'DECLINED')
    if (form.get('otp')?.trim() !== sandboxOtp)
      return confirmPage(ctx, statement, 'Entered OTP appears to be incorrect. Please try again.')
    return choosePage(ctx, statement, null)
  },
})

export const sharePage = mfCentralRoute({
  method: 'POST',
  path: '/mfcentral/web/share',
  summary: "Records the investor's decision: share, decline, or in the sandbox hold no funds",
  accepts: 'raw',
  async handle({ raw, at }, ctx) {
    const form = new URLSearchParams(raw.toString('utf8'))
    const statement = await openRequest(ctx, form, at)
    if (!statement || !ticketIn(ctx, form)?.isVerified) return closedAnswer('This page has expired.')
    const outcome = form.get('outcome')
    if (outcome === 'decline') return recordDecision(ctx, statement, 'DECLINED')
    if (outcome === 'nothing') return recordDecision(ctx, statement, 'EMPTY')
    const chosen = form.getAll('amc')
    if (chosen.length === 0) return choosePage(ctx, statement, 'Please choose at least one fund house.')
    return recordDecision(ctx, statement, 'SHARED', chosen)
  },
})

async function openRequest(
  ctx: MfCentralContext,
  form: URLSearchParams,
  at: Date,
): Promise<FundStatementRequest | null> {
  const ticket = ticketIn(ctx, form)
  const statement = ticket && (await findRequest(ctx.db, ctx.seal, ticket))
  return statement && !hasExpired(statement, at) ? statement : null
}

async function recordDecision(
  ctx: MfCentralContext,
  statement: FundStatementRequest,
  status: StatementStatus,
  companies: string[] = [],
): Promise<Answer> {
  if (statement.status !== 'PENDING') return redirectToClient(statement)
  await decideRequest(ctx.db, { requestId: statement.requestId, status, companies })
  return redirectToClient({ ...statement, status })
}

function redirectToClient({ requestId: reqId, status, request: { redirectUrl } }: FundStatementRequest): Answer {
  const returnFields: CasReturn = { status: status === 'SHARED' ? 'success' : 'failure', reqId, type: 'SUMMARY' }
  const location = new URL(redirectUrl)
  for (const [name, value] of Object.entries(returnFields)) location.searchParams.set(name, value)
  return redirect(location.href)
}

function confirmPage(ctx: MfCentralContext, statement: FundStatementRequest, fault: string | null): Answer {
  const { requestId: reqId, otpRef, request } = statement
  const body = html`${notice(fault)}
<p>A lender requests your statement of mutual funds for a loan. Please confirm with the one-time password that we sent to ${masked(request.mobile)}.</p>
<form method="POST" action="/mfcentral/web/otp">
<input type="hidden" name="ticket" value="${ticketOf(ctx, { reqId, otpRef, isVerified: false })}">
<label>One-time password <small>The sandbox has filled it in</small><input name="otp" value="${sandboxOtp}" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required></label>
<div class="actions"><button class="primary" name="outcome" value="prove">Authenticate</button><button class="secondary" name="outcome" value="decline" formnovalidate>Go back without sharing</button></div>
</form>`
  return pageAnswer('Confirm that it is you', body, { status: fault === null ? 200 : 400, back: request.redirectUrl })
}

function choosePage(ctx: MfCentralContext, statement: FundStatementRequest, fault: string | null): Answer {
  const { requestId: reqId, otpRef, request } = statement
  const body = html`${notice(fault)}
<p>Choose the fund houses whose holdings you share. You share folios, schemes, units and their value, but no transactions.</p>
<form method="POST" action="/mfcentral/web/share">
<input type="hidden" name="ticket" value="${ticketOf(ctx, { reqId, otpRef, isVerified: true })}">
<fieldset><legend>Fund houses with your PAN ${masked(request.pan)}</legend>
${companiesOf(ctx.seal, statement).map((amc) => html`<label class="check"><input type="checkbox" name="amc" value="${amc}" checked> ${amc}</label>`)}
</fieldset>
<div class="actions"><button class="primary" name="outcome" value="share">Continue to portfolio import</button><button class="secondary" name="outcome" value="decline">Do not share</button></div>
<div class="actions"><button class="secondary" name="outcome" value="nothing">Hold no funds</button></div>
</form>
<p class="hint">The last button is for the sandbox: an investor without funds. No fund house knows a mobile number that ends in 0000.</p>`
  return pageAnswer('Choose what to share', body, { status: fault === null ? 200 : 400, back: request.redirectUrl })
}

const closedAnswer = (reason: string): Answer =>
  pageAnswer('Nothing to do here', html`<p>${reason} Please go back to where you came from and open it again.</p>`, {
    status: 400,
    back: null,
  })

const footer = html`<p>The sandbox simulates MF Central, and its funds are fictional.</p>`

const pageAnswer = (title: string, body: Html, { status, back }: { status: number; back: string | null }): Answer =>
  htmlAnswer(framed({ title: `${title} · ${brand}`, heading: title, brand, body, footer }), status, { back })
