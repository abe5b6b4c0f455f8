// GET and POST /repay/{token}: the form in which a borrower reports a payment to the lending partner (D3 §6 rule 4).

import { warning } from '@lendloom/design/icons'
import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { type Html, html, icon } from '@lendloom/http/markup'
import { type Answer, pathToken } from '@lendloom/http/server'
import { businessDate, dayText, plusDays } from '@lendloom/lending/calendar'
import { localeOf } from '@lendloom/lending/language'
import { inr, moneyOf } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { documentTypes } from '@lendloom/wire/exchange/document'
import { splitAccount } from '@lendloom/wire/hosted/repayment-account-text'
import { loanOf } from '#platform/complaints/complaint/lender-store.ts'
import { type Context, route, type TxContext } from '#platform/context.ts'
import { partnersOf, repaymentAccountIn } from '#platform/lenders/partner/partner-look-ups.ts'
import { type PaymentProof, receiveClaim } from '#platform/lenders/partner/reactions/claim-with-proof.ts'
import { type ClaimKey, openClaimLink } from '#platform/lenders/partner/servicing/claim-link.ts'
import {
  claimFaults,
  claimMethods,
  maxAgeDays,
  type PaymentClaim,
  resultDay,
  withoutRepeats,
} from '#platform/lenders/partner/servicing/payment-claim.ts'
import { findMainCase } from '#platform/lenders/partner/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findJourney, lockJourney } from '#platform/lending/journey/store.ts'
import type { PageText, Reader } from '#platform/lending/page-text/page-text.ts'
import { isClaimed, isOpen, type ServicingRow } from '#platform/lending/servicing/operation.ts'
import { type PaymentRequest, requestServicing, requirePayable } from '#platform/lending/servicing/request-servicing.ts'
import { listServicing, type ServicingKind } from '#platform/lending/servicing/store.ts'
import { borrowerPage, journeyReader } from './borrower-page.ts'
import { type SubmittedForm, submittedForm } from './submitted-form.ts'

const proofRule = documentTypes.PAYMENT_SCREENSHOT

/** Maximum size of the submitted form: the file, and 64 KiB for the other fields. */
const maxFormBytes = proofRule.maxBytes + 64 * 1024
const proofTypes: readonly string[] = proofRule.contentTypes

type Entries = Record<'amount' | 'method' | 'transactionReference' | 'paidOn', string>

/** An unreadable amount becomes zero, which `receiveClaim` refuses. Apps copy a reference in groups, with invisible marks. */
const claimFrom = (entries: Entries): PaymentClaim => ({
  amount: moneyOf(entries.amount) ?? 0n,
  method: claimMethods.find((method) => method === entries.method) ?? 'UPI',
  transactionReference: entries.transactionReference.replace(/[\s\p{Cf}]/gu, ''),
  paidOn: entries.paidOn,
})

const entriesOf = ({ text }: SubmittedForm): Entries => ({
  amount: text('amount'),
  method: text('method'),
  transactionReference: text('transactionReference'),
  paidOn: text('paidOn'),
})

const commonRoute = {
  path: '/repay/{token}',
  section: 'D3 §6',
  auth: pathToken((token, ctx: Context) => openClaimLink(ctx, token)),
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
  query: Type.Object({ lang: Type.Optional(Type.String({ maxLength: 10 })) }),
} as const

export const showClaimPage = route({
  ...commonRoute,
  method: 'GET',
  summary: 'Show the form for reporting a payment',
  async handle({ who: link, query, headers, at }, ctx) {
    const reader = await journeyReader(ctx, link, headers, query.lang)
    const { reported, newest: operation } = await requireOperation(ctx.db, link)
    const loan = await loanAndAccount(ctx, link)
    if (!(await mayReport(ctx, operation, at))) return statusPage(reader, operation, loan)
    const { amountPaise, transactionId, claimedOn } = isClaimed(operation) ? operation : reported
    const amount = amountPaise === null ? '' : inr(amountPaise).slice(1)
    const paidOn = claimedOn ?? businessDate(at)
    const entries = { amount, method: '', transactionReference: transactionId ?? '', paidOn }
    return formPage(reader, { operation, loan, entries }, at, new Set())
  },
})

export const submitClaimForm = route({
  ...commonRoute,
  method: 'POST',
  summary: 'Report a payment to the lender, who verifies it',
  accepts: 'form',
  files: { field: 'proof', max: 1 },
  maxBytes: maxFormBytes,
  async handle({ who: link, query, form: sent, headers, at }, ctx) {
    const reader = await journeyReader(ctx, link, headers, query.lang)
    const form = submittedForm(sent)
    const entries = entriesOf(form)
    const claim = claimFrom(entries)
    const { newest: operation } = await requireOperation(ctx.db, link)
    const loan = await loanAndAccount(ctx, link)
    if (!(await mayReport(ctx, operation, at))) return statusPage(reader, operation, loan)
    const { proof, invalidProof } = await readProof(form)
    const faults = new Set([...claimFaults(claim, at).map(({ path }) => path), ...invalidProof])
    if (faults.size > 0) {
      // Browsers do not keep a chosen file.
      if (proof) faults.add('proofAgain')
      return formPage(reader, { operation, loan, entries }, at, faults)
    }
    await ctx.db.tx(async (tx) => {
      const journey = await lockJourney(tx, link.tenantId, link.journeyId)
      const loanCase = journey && (await findMainCase(tx, journey))
      if (!journey || !loanCase) throw new Refusal('absent', 'there is no such loan')
      const { operationId } = await claimable({ ...ctx, tx, at }, journey, link)
      await receiveClaim({ ...ctx, tx, at }, { loanCase, journey }, operationId, { claim, proof })
    })
    return statusPage(reader, (await requireOperation(ctx.db, link)).newest, loan)
  },
})

async function readProof(form: SubmittedForm): Promise<{ proof: PaymentProof | null; invalidProof: string[] }> {
  try {
    const proof = await form.file('proof', proofRule, 'must be a PNG, a JPEG or a PDF of at most 5 MiB')
    return { proof, invalidProof: [] }
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    return { proof: null, invalidProof: ['proof'] }
  }
}

/** Returns the link's operation, and as `newest` the same if it is paid, else the last of its kind. */
async function requireOperation(db: Run, link: ClaimKey): Promise<Record<'reported' | 'newest', ServicingRow>> {
  const operations = await listServicing(db, link)
  const reported = operations.find(({ operationId }) => operationId === link.operationId)
  if (!reported) throw new Refusal('absent', 'there is nothing at this address')
  if (reported.status === 'PAID') return { reported, newest: reported }
  const newest = withoutRepeats(operations).findLast(({ kind }) => kind === reported.kind)
  return { reported, newest: newest ?? reported }
}

/** Whether the lender has not found the payment, or the link has expired: a new operation then reports it again. */
const isReopened = ({ status }: ServicingRow): boolean => status === 'FAILED' || status === 'EXPIRED'

/** Whether the form is shown: the operation waits for a report, or a new operation could report the payment again. */
async function mayReport(ctx: Context, operation: ServicingRow, at: Date): Promise<boolean> {
  if (!isReopened(operation)) return isOpen(operation) && !isClaimed(operation)
  try {
    await ctx.db.tx(async (tx) => {
      const journey = await findJourney(tx, operation.tenantId, operation.journeyId)
      if (!journey) throw new Refusal('absent', 'there is no such loan')
      await requirePayable({ ...ctx, tx, at }, journey, ...paymentOf(operation))
    })
    return true
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'wrong-state') return false
    throw error
  }
}

/** Returns the operation that the report belongs to. After a failure, this is a new one. */
async function claimable(ctx: TxContext, journey: Journey, link: ClaimKey): Promise<ServicingRow> {
  const { newest } = await requireOperation(ctx.tx, link)
  return isReopened(newest) ? requestServicing(ctx, journey, ...paymentOf(newest)) : newest
}

function paymentOf({ kind, requestedPaise }: ServicingRow): [Exclude<ServicingKind, 'STATUS_REFRESH'>, PaymentRequest] {
  if (kind === 'STATUS_REFRESH') throw new Error('a request for the status is no payment')
  return [kind, requestedPaise === null ? {} : { amount: requestedPaise }]
}

function statusPage(reader: Reader, operation: ServicingRow, { lender, loanId }: ClaimView['loan']): Answer {
  const { language, t } = reader
  const { status, amountPaise, claimedOn, transactionId, updatedAt } = operation
  const isReported = isClaimed(operation)
  const rows: Row[] = [
    ...(amountPaise === null || !isReported ? [] : [[t('claim.reported'), inr(amountPaise)] satisfies Row]),
    ...(claimedOn === null ? [] : [[t('claim.paidOn'), dayText(claimedOn, localeOf(language))] satisfies Row]),
    ...(transactionId === null ? [] : [['UTR', transactionId] satisfies Row]),
    [t('claim.lender'), lender],
    [t('claim.loan'), loanId],
  ]
  const result = isOpen(operation) && t('claim.result', { date: dayText(resultDay(updatedAt), localeOf(language)) })
  const body = html`<p>${t(`claim.status.${status}`)}${result && html` ${result}`}</p>${rowList(rows)}<p>${t('claim.close')}</p>`
  const title = t(isReported ? 'claim.yours' : 'claim.title')
  return borrowerPage(reader, title, body, { isDone: isReported && status !== 'FAILED' })
}

type Row = [name: string, value: string]

const rowList = (rows: Row[]): Html =>
  html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>`

interface ClaimView {
  operation: ServicingRow
  /** The borrower writes `loanId` in the remark of the transfer, by which the lender finds the payment. */
  loan: { lender: string; loanId: string; account: string }
  entries: Entries
}

async function loanAndAccount(ctx: Context, link: ClaimKey): Promise<ClaimView['loan']> {
  const loan = await loanOf(ctx.db, link)
  const account = repaymentAccountIn(await partnersOf(ctx).all(ctx.db), loan) ?? ''
  return { lender: loan?.lenderName ?? '', loanId: loan?.loanId ?? '', account }
}

/** `faults` are the invalid fields of the last submission, and `proofAgain` if a valid file must be chosen again. */
function formPage(reader: Reader, view: ClaimView, at: Date, faults: ReadonlySet<string>): Answer {
  const { t } = reader
  const isAgain = view.operation.status === 'FAILED' && isClaimed(view.operation)
  const first = [...faults][0] ?? (isAgain ? 'transactionReference' : undefined)
  const body = html`<p>${t(isAgain ? 'claim.again.lead' : 'claim.lead', view.loan)}</p>
${claimForm(t, { entries: view.entries, first, isAgain }, businessDate(at), faults)}
${howToPay(t, view)}`
  return borrowerPage(reader, t(isAgain ? 'claim.again' : 'claim.title'), body, {
    status: faults.size === 0 ? 200 : 422,
  })
}

type ClaimField = 'amount' | 'transactionReference' | 'paidOn' | 'proof'

function claimForm(
  t: PageText,
  { entries, first, isAgain }: { entries: Entries; first: string | undefined; isAgain: boolean },
  today: string,
  faults: ReadonlySet<string>,
): Html {
  const input = (name: ClaimField, label: string, attributes: Html) => {
    const isInvalid = faults.has(name)
    const text = isInvalid
      ? t(`claim.wrong.${name}`)
      : name === 'proof' && faults.has('proofAgain') && t('claim.proofAgain')
    return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" ${attributes}${isInvalid && html` aria-invalid="true"`}${name === first && html` autofocus`}${text && html` aria-describedby="fault-${name}"`}>${text && html`<p class="fault" id="fault-${name}">${icon(warning)} ${text}</p>`}`
  }
  return html`<form method="post" enctype="multipart/form-data">
${input('amount', t('claim.amount'), html`inputmode="decimal" required value="${entries.amount}"`)}
<label for="method">${t('claim.method')}</label><select id="method" name="method" required>${isAgain && html`<option></option>`}${claimMethods.map((method) => html`<option${method === entries.method && html` selected`}>${method}</option>`)}</select>
${input('transactionReference', t('claim.reference'), html`required minlength="6" maxlength="40" value="${entries.transactionReference}"`)}
${input('paidOn', t('claim.paidOn'), html`type="date" min="${plusDays(today, -maxAgeDays)}" max="${today}" value="${entries.paidOn}" required`)}
${input('proof', t('claim.proof'), html`type="file" accept="${proofTypes.join(',')}"`)}
<button class="primary" type="submit">${t('claim.send')}</button></form>`
}

function howToPay(t: PageText, { operation, loan }: ClaimView): Html {
  const amountPaise = isClaimed(operation) ? operation.requestedPaise : operation.amountPaise
  const { payee, details } = splitAccount(loan.account)
  const rows: Row[] = [
    ...(amountPaise === null ? [] : [[t('claim.toPay'), inr(amountPaise)] satisfies Row]),
    ...(payee ? [[t('claim.account'), payee] satisfies Row] : []),
    ...details.map(([kind, text]): Row => [kind || t('claim.accountNumber'), text]),
    [t('claim.remark'), loan.loanId],
  ]
  return html`<details><summary>${t('claim.unpaid')}</summary>
${rowList(rows)}</details>
<p><small>${t('claim.back')}</small></p>`
}
