// The worker that submits lenders' forms: fetches the page, fills the known fields, posts the form and records the outcome.

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { pauseSeconds } from '@lendloom/foundation/schedule'
import { call, type HttpAnswer, UnreachableError } from '@lendloom/http/client'
import { whyUnreachable } from '@lendloom/http/egress-policy'
import { runRefusingParser } from '@lendloom/http/refusing-parser'
import { plainOrSealed } from '@lendloom/postgres/seal-plain'
import { finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { dynamicFormUrl, fillForm, formParser, type HtmlForm } from '@lendloom/wire/network/html-form'
import type { Context } from '#platform/context.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { encodeForm } from './encode-form.ts'
import type { InternalEvent } from './inbound/inbound-message.ts'
import { recordInternalEvent } from './inbound/store.ts'
import { archiveForm, recordOutcome } from './messages/store.ts'
import { formCounter } from './metrics.ts'
import { egressPolicyOf, endpointOf } from './own-identity.ts'
import { addressInRegistry } from './registry.ts'
import { requestSchedule } from './send-request.ts'
import { readConversation } from './store.ts'
import { answersContext, type FormJob, formKind, type SubmissionResult, submissionResultOf } from './submit-form.ts'

export const formSubmitWorker = (ctx: Context): Worker =>
  work<FormJob>({ kind: formKind, ...ctx, handle: (job) => submit(ctx, job) })

async function submit(ctx: Context, job: Job<FormJob>): Promise<void> {
  const { payload, tenantId } = job
  const { journeyId, conversationId, purpose, formKey, party } = payload
  if (await hasEnded(ctx, job)) return
  const result = await attemptSubmission(ctx, job)
  if (!result) return
  formCounter.inc({ purpose, outcome: result.outcome })
  const at = ctx.clock()
  if (result.outcome === 'unreached' && at < new Date(payload.until))
    throw new RetryLater(pauseSeconds(requestSchedule, job.attempt), result.why)
  if (result.outcome !== 'accepted')
    ctx.log.warn({ party, purpose, outcome: result.outcome }, 'a form was not accepted')
  await ctx.db.tx(async (tx) => {
    const key = { conversationId, key: `form:${formKey}` }
    await Promise.all([
      lockJourney(tx, tenantId, journeyId),
      recordInternalEvent({ ...ctx, tx, at }, { tenantId, journeyId }, eventOf(result, payload), key),
      finish(tx, job),
    ])
  })
}

/** Whether the conversation has ended, after which the lender must not get the borrower's data (FIS12 §13.2). */
const hasEnded = async ({ db }: Context, { tenantId, payload: { journeyId, conversationId } }: Job<FormJob>) =>
  (await readConversation(db, tenantId, journeyId, conversationId))?.stage === 'ENDED'

function eventOf(result: SubmissionResult, { purpose }: FormJob): InternalEvent {
  if (result.outcome === 'accepted') return { type: 'form_accepted', purpose, submissionId: result.submissionId }
  if (result.outcome === 'refused') return { type: 'form_refused', purpose, fields: result.fields }
  return { type: 'unanswered', action: 'form', purpose }
}

/** Returns null if the conversation ended before the form was posted. */
async function attemptSubmission(ctx: Context, job: Job<FormJob>): Promise<SubmissionResult | null> {
  const { answers, formKey } = job.payload
  const url = formUrlIn(ctx, job)
  try {
    const form = await fetchForm(ctx, url)
    if ('outcome' in form) return form
    if (!(await isLendersForm(ctx, job, form))) return { outcome: 'refused', fields: [] }
    const sealed = Buffer.from(answers, 'base64')
    const knownAnswers = ctx.seal.openJson<Record<string, string>>(sealed, answersContext(job.tenantId, formKey))
    const { entries, missing } = fillForm(form, knownAnswers)
    if (missing.length > 0)
      return { outcome: 'refused', fields: missing.map((path) => ({ path, message: 'is required' })) }
    return await postForm(ctx, job, form, entries)
  } catch (error) {
    if (error instanceof UnreachableError) return { outcome: 'unreached', why: error.message }
    // The form cannot be parsed or filled. A retry would fetch the same page.
    if (error instanceof Refusal && error.kind !== 'upstream') return { outcome: 'refused', fields: [] }
    throw error
  }
}

function formUrlIn({ seal }: Context, { tenantId, payload: { url, form, formKey } }: Job<FormJob>): string {
  const sealed = form === undefined ? null : Buffer.from(form, 'base64')
  return required(
    plainOrSealed(seal, url ?? null, sealed, answersContext(tenantId, formKey)),
    'the address of the form',
  )
}

const unreadable = (why: string) => new Refusal('malformed', `the page ${why}`)

const fetchPage = ({ config }: Context, url: string): Promise<HttpAnswer> =>
  call({ method: 'GET', url, headers: { accept: 'text/html' }, egress: egressPolicyOf(config) })

/** Returns the address that a page's address answers with; null for a page, and without an answer that we may use. */
export async function addressBehind(ctx: Context, url: string): Promise<string | null> {
  try {
    const page = await fetchPage(ctx, url)
    const address = page.status === 200 ? dynamicFormUrl(textOf(page), url) : null
    return address !== null && whyUnreachable(address, egressPolicyOf(ctx.config)) === null ? address : null
  } catch (error) {
    if (error instanceof UnreachableError || error instanceof Refusal) return null
    throw error
  }
}

interface LoadedForm extends HtmlForm {
  /** The address of the page with the form. */
  pageUrl: string
}

async function fetchForm(ctx: Context, url: string, isFollowed = false): Promise<LoadedForm | SubmissionResult> {
  const page = await fetchPage(ctx, url)
  if (page.status !== 200) return submissionResultOf(page.status, '')
  const dynamicUrl = isFollowed ? null : dynamicFormUrl(textOf(page), url)
  if (dynamicUrl !== null) return fetchForm(ctx, dynamicUrl, true)
  return { ...(await runRefusingParser<HtmlForm>(formParser, unreadable, textOf(page), url)), pageUrl: url }
}

/**
 * Whether the form posts to the host of the page that the lender's signed message names, or to the lender's address in
 * the registry. A page is not signed, so a changed one must not send the borrower's data elsewhere.
 */
async function isLendersForm(ctx: Context, job: Job<FormJob>, { action, pageUrl }: LoadedForm): Promise<boolean> {
  const { party, purpose } = job.payload
  const url = formUrlIn(ctx, job)
  const { origin } = new URL(action)
  if (origin === new URL(url).origin) return true
  // Pages of the network's test service are on other hosts than the addresses that answer with them.
  if (ctx.config.NETWORK === 'preprod' && origin === new URL(pageUrl).origin) return true
  const address = await addressInRegistry(ctx, party)
  if (address !== null && origin === new URL(endpointOf(ctx.config, address)).origin) return true
  ctx.log.error(
    { party, purpose, page: new URL(url).origin, origin },
    "a lender's form posts to a host that is not the lender's",
  )
  return false
}

async function postForm(
  ctx: Context,
  job: Job<FormJob>,
  form: HtmlForm,
  entries: [string, string][],
): Promise<SubmissionResult | null> {
  const { db, seal, clock, config } = ctx
  const { journeyId, conversationId, formKey, party } = job.payload
  const { contentType, body } = encodeForm(form, entries)
  const headers = { 'content-type': contentType, accept: 'application/json' }
  const key = { tenantId: job.tenantId, journeyId, messageKey: formKey }
  const message = { ...key, conversationId, party, action: 'form', messageId: formKey, url: form.action, headers, body }
  const at = clock()
  // The borrower may have withdrawn while the page was fetched.
  if (await hasEnded(ctx, job)) return null
  await archiveForm(db, seal, { ...message, at })
  const answer = await call({ method: 'POST', url: form.action, headers, body, egress: egressPolicyOf(config) })
  const reply = { status: answer.status, body: textOf(answer) }
  const result = submissionResultOf(reply.status, reply.body)
  await recordOutcome(db, seal, key, { outcome: result.outcome.toUpperCase(), answer: reply })
  return result
}

const textOf = ({ body }: HttpAnswer): string => body.toString('utf8')
