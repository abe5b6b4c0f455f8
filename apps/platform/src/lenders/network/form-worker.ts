// The worker that submits lenders' forms: fetches the page, fills the known fields, posts the form and records the outcome.

import { secondsAfter } from '@lendloom/foundation/clock'
import { jsonIn } from '@lendloom/foundation/json'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { pauseSeconds } from '@lendloom/foundation/schedule'
import { call, type HttpAnswer, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf, whyUnreachable } from '@lendloom/http/egress-policy'
import { runRefusingParser } from '@lendloom/http/refusing-parser'
import { plainOrSealed } from '@lendloom/postgres/seal-plain'
import { finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { dynamicFormUrl, fillForm, formParser, type HtmlForm } from '@lendloom/wire/network/html-form'
import type { Context } from '#platform/context.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { encodeForm } from './encode-form.ts'
import type { InternalEvent } from './inbound/inbound-message.ts'
import { recordInternalEvent } from './inbound/store.ts'
import { archiveForm, recordOutcome } from './messages/store.ts'
import { formCounter } from './metrics.ts'
import { endpointOf } from './own-identity.ts'
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

const maxWhyLength = 200

function eventOf(result: SubmissionResult, { purpose }: FormJob): InternalEvent {
  if (result.outcome === 'accepted') return { type: 'form_accepted', purpose, submissionId: result.submissionId }
  if (result.outcome === 'refused') return { type: 'form_refused', purpose, fields: result.fields }
  if (result.outcome === 'unfilled')
    return { type: 'form_refused', purpose, fields: result.fields, unfilled: result.why.slice(0, maxWhyLength) }
  return { type: 'unanswered', action: 'form', purpose }
}

/** A form of several pages: more are no form for a profile. */
const maxPages = 5

/** For all pages together: well below the time after which another worker takes over a job that seems to hang. */
const maxSeconds = 45

/** Returns null if the conversation ended before a form was posted. */
async function attemptSubmission(ctx: Context, job: Job<FormJob>): Promise<SubmissionResult | null> {
  const { answers, formKey } = job.payload
  const until = secondsAfter(ctx.clock(), maxSeconds)
  const sealed = Buffer.from(answers, 'base64')
  const knownAnswers = ctx.seal.openJson<Record<string, string>>(sealed, answersContext(job.tenantId, formKey))
  try {
    let form = await fetchForm(ctx, formUrlIn(ctx, job))
    for (let page = 1; page <= maxPages; page++) {
      if (ctx.clock() > until) throw new UnreachableError('the form takes too long')
      if ('outcome' in form) return form
      if (!(await isLendersForm(ctx, job, form))) return unfilled('the form posts to another host than the lender’s')
      const { entries, missing } = fillForm(form, knownAnswers)
      if (missing.length > 0)
        return {
          ...unfilled(`no answer to ${missing.join(', ')}`),
          fields: missing.map((path) => ({ path, message: 'is required' })),
        }
      const answer = await postForm(ctx, job, { form, entries, page })
      if (answer === null) return null
      const next = await nextPageOf(ctx, form, answer)
      if (next === null) return submissionResultOf(answer.status, textOf(answer))
      form = next
    }
    return unfilled(`the form has more than ${maxPages} pages`)
  } catch (error) {
    if (error instanceof UnreachableError) return { outcome: 'unreached', why: error.message }
    // The form cannot be parsed or filled. A retry would fetch the same page.
    if (error instanceof Refusal && error.kind !== 'upstream') return unfilled(error.message)
    throw error
  }
}

const unfilled = (why: string) => ({ outcome: 'unfilled' as const, fields: [], why })

function formUrlIn({ seal }: Context, { tenantId, payload: { url, form, formKey } }: Job<FormJob>): string {
  const sealed = form === undefined ? null : Buffer.from(form, 'base64')
  return required(
    plainOrSealed(seal, url ?? null, sealed, answersContext(tenantId, formKey)),
    'the address of the form',
  )
}

const unreadable = (why: string) => new Refusal('malformed', `the page ${why}`)

const maxRedirects = 5

/** The page at an address, and its own address, to which redirects may have led. */
async function fetchPage({ config }: Context, url: string): Promise<{ page: HttpAnswer; pageUrl: string }> {
  let pageUrl = url
  for (let redirects = 0; ; redirects++) {
    const page = await call({
      method: 'GET',
      url: pageUrl,
      headers: { accept: 'text/html' },
      egress: egressPolicyOf(config),
    })
    const target = redirectOf(page, pageUrl)
    if (target === null) return { page, pageUrl }
    if (redirects === maxRedirects) throw unreadable(`redirects more than ${maxRedirects} times`)
    pageUrl = target
  }
}

/** Where an answer redirects to; null for any other answer. */
function redirectOf({ status, headers: { location } }: HttpAnswer, url: string): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || typeof location !== 'string') return null
  const target = URL.parse(location, url)
  if (!target || !/^https?:$/.test(target.protocol)) throw unreadable('redirects to no http address')
  return target.href
}

/** Returns the address that a page's address answers with; null for a page, and without an answer that we may use. */
export async function addressBehind(ctx: Context, url: string): Promise<string | null> {
  try {
    const { page, pageUrl } = await fetchPage(ctx, url)
    const address = page.status === 200 ? dynamicFormUrl(textOf(page), pageUrl) : null
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
  const { page, pageUrl } = await fetchPage(ctx, url)
  if (page.status !== 200) return resultOfPage(page)
  const dynamicUrl = isFollowed ? null : dynamicFormUrl(textOf(page), pageUrl)
  if (dynamicUrl !== null) return fetchForm(ctx, dynamicUrl, true)
  return formOf(page, pageUrl)
}

/** Of a page that does not show its form: it may do so later, or never. */
function resultOfPage(page: HttpAnswer): SubmissionResult {
  const result = submissionResultOf(page.status, '')
  return result.outcome === 'unreached' ? result : unfilled(`the page answered ${page.status}`)
}

const formOf = async (page: HttpAnswer, pageUrl: string): Promise<LoadedForm> => ({
  ...(await runRefusingParser<HtmlForm>(formParser, unreadable, textOf(page), pageUrl)),
  pageUrl,
})

/**
 * The next page of a form that has several: a page with a form in place of an answer, or behind a redirect. Null for an
 * answer about the submission.
 */
async function nextPageOf(
  ctx: Context,
  { action }: HtmlForm,
  answer: HttpAnswer,
): Promise<LoadedForm | SubmissionResult | null> {
  const target = redirectOf(answer, action)
  if (target === null) return isPage(answer) ? formOf(answer, action) : null
  // A browser would send the data again, and does so only if it is told to: the lender must ask us for it.
  if (answer.status === 307 || answer.status === 308) return unfilled('the form is redirected with its data')
  const { page, pageUrl } = await fetchPage(ctx, target)
  if (isPage(page)) return formOf(page, pageUrl)
  return submissionResultOf(page.status, textOf(page))
}

/** Some servers label every answer as HTML, also JSON about the submission. */
const isPage = (answer: HttpAnswer): boolean =>
  answer.status === 200 &&
  /^text\/html\b/i.test(String(answer.headers['content-type'] ?? '')) &&
  jsonIn(textOf(answer)) === null

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

interface FilledPage {
  form: HtmlForm
  entries: [string, string][]
  /** The number of the page, from 1. */
  page: number
}

/** Returns the answer; null if the conversation ended before the form was posted. */
async function postForm(
  ctx: Context,
  job: Job<FormJob>,
  { form, entries, page }: FilledPage,
): Promise<HttpAnswer | null> {
  const { db, seal, clock, config } = ctx
  const { journeyId, conversationId, formKey, party } = job.payload
  const { contentType, body } = encodeForm(form, entries)
  const headers = { 'content-type': contentType, accept: 'application/json' }
  const at = clock()
  const messageKey = page === 1 ? formKey : uuidv7(at.getTime(), bucketOf(journeyId))
  const key = { tenantId: job.tenantId, journeyId, messageKey }
  const message = {
    ...key,
    conversationId,
    party,
    action: 'form',
    messageId: messageKey,
    url: form.action,
    headers,
    body,
  }
  // The borrower may have withdrawn while the page was fetched.
  if (await hasEnded(ctx, job)) return null
  await archiveForm(db, seal, { ...message, at })
  const answer = await call({ method: 'POST', url: form.action, headers, body, egress: egressPolicyOf(config) })
  const reply = { status: answer.status, body: textOf(answer) }
  const { outcome } = submissionResultOf(reply.status, reply.body)
  const isStep = redirectOf(answer, form.action) !== null || isPage(answer)
  await recordOutcome(db, seal, key, { outcome: isStep ? 'NEXT_PAGE' : outcome.toUpperCase(), answer: reply })
  return answer
}

const textOf = ({ body }: HttpAnswer): string => body.toString('utf8')
