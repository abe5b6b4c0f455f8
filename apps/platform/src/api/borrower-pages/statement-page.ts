// GET and POST /statement/{token}: the borrower shares a bank statement on the analyser's page, uploads a statement, or
// continues without a statement (D3 §2.3 banking).

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Closed, Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { redirect } from '@lendloom/http/page-frame'
import { type Answer, pathToken } from '@lendloom/http/server'
import { pageLanguage } from '@lendloom/lending/language'
import { documentTypes } from '@lendloom/wire/exchange/document'
import { currentConsentTexts, currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { type Context, route } from '#platform/context.ts'
import { partnerOf } from '#platform/lenders/partner/call-partner.ts'
import type { Partner } from '#platform/lenders/partner/directory/lending-partner.ts'
import type { PartnerStatement } from '#platform/lenders/partner/partner-statement.ts'
import { type CaseAndJourney, withLockedCase } from '#platform/lenders/partner/reactions/lock-case.ts'
import { applyStatementReport } from '#platform/lenders/partner/reactions/statement/apply-statement-report.ts'
import { fetchStatementReport } from '#platform/lenders/partner/reactions/statement/poll-statement.ts'
import {
  analyserPageUrl,
  beginStatement,
  declineStatement,
  requireDueStep,
  type StatementChoice,
} from '#platform/lenders/partner/reactions/statement/request-statement.ts'
import { type CaseKey, openStatementLink } from '#platform/lenders/partner/reactions/statement/statement-link.ts'
import { requiresStatement } from '#platform/lenders/partner/statement-evidence.ts'
import { newestStatement } from '#platform/lenders/partner/store.ts'
import type { Reader } from '#platform/lending/page-text/page-text.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'
import { borrowerPage, journeyReader } from './borrower-page.ts'
import { type SubmittedForm, submittedForm } from './submitted-form.ts'

const statementRule = documentTypes.BANK_STATEMENT

const commonRoute = {
  path: '/statement/{token}',
  section: 'D3 §2.3',
  auth: pathToken((token, ctx: Context) => openStatementLink(ctx, token)),
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
} as const

export const showStatementPage = route({
  ...commonRoute,
  method: 'GET',
  summary: 'Share a bank statement with the lender',
  // The return URL has `back`. `Type.Object` allows the parameters that the analyser's site may add.
  query: Type.Object({ back: Type.Optional(Type.String()), again: Type.Optional(Type.String()) }),
  async handle({ who, query, headers }, ctx) {
    const caseAndJourney = await findCaseOfLink(ctx, who)
    const reader = await journeyReader(ctx, caseAndJourney.journey, headers)
    const newest = await newestStatement(ctx.db, caseAndJourney.loanCase)
    if (newest?.status === 'PENDING' && query.back !== undefined)
      return pollAnalyser(ctx, reader, caseAndJourney, newest)
    return currentPage(ctx, reader, caseAndJourney, null)
  },
})

export const shareStatement = route({
  ...commonRoute,
  method: 'POST',
  summary: "Store the borrower's choice, or the uploaded statement",
  accepts: 'form',
  files: { field: 'statement', max: 1 },
  maxBytes: statementRule.maxBytes + 64 * 1024,
  async handle({ who, form: sent, headers, ip }, ctx) {
    const caseAndJourney = await findCaseOfLink(ctx, who)
    const reader = await journeyReader(ctx, caseAndJourney.journey, headers)
    try {
      const form = submittedForm(sent)
      if (form.text('act') === 'without') {
        await declineStatement(ctx, caseAndJourney)
        return borrowerPage(reader, reader.t('statement.without'), reader.t('statement.withoutLead'), {
          closesWindow: true,
        })
      }
      return await shareOrUpload(ctx, caseAndJourney, form, ip)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.kind === 'invalid')
        return currentPage(ctx, reader, caseAndJourney, { text: reader.t('statement.wrongFile'), status: 422 })
      if (error.kind === 'upstream')
        return currentPage(ctx, reader, caseAndJourney, { text: reader.t('statement.away'), status: 503 })
      throw error
    }
  },
})

const findCaseOfLink = (ctx: Context, link: CaseKey): Promise<CaseAndJourney> =>
  withLockedCase(ctx, link, async (_, found) => found)

/** Redirects to the analyser's page, or submits the uploaded file. Throws `invalid` if the file is missing or wrong. */
async function shareOrUpload(
  ctx: Context,
  caseAndJourney: CaseAndJourney,
  form: SubmittedForm,
  ip: string,
): Promise<Answer> {
  const language = pageLanguage(form.text('language'), undefined)
  const consent: StatementChoice['consent'] = {
    purpose: 'bank_analysis',
    textVersion: form.text('textVersion'),
    language,
  }
  const choice: StatementChoice = { source: 'STATEMENT_UPLOAD', consent, ip }
  if (form.text('act') !== 'upload') {
    const statement = await beginStatement(ctx, caseAndJourney, choice)
    return redirect(analyserPageUrl(ctx, statement))
  }
  const message = 'must be a PDF of at most 20 MiB'
  const file = await form.file('statement', statementRule, message)
  if (file === null) throw invalid({ path: 'statement', message })
  const statement = await beginStatement(ctx, caseAndJourney, choice)
  const reference = required(statement.providerReference, 'the reference of a statement')
  const report = await adapterNamed('bank-statement', statement.adapter).submit(ctx, reference, file.bytes)
  await withLockedCase(ctx, statement, (tx, found, at) =>
    applyStatementReport({ ...ctx, tx, at }, found, statement, report),
  )
  return redirect('?back=1')
}

/** Queries the analyser's server, because the borrower's return proves nothing. */
async function pollAnalyser(
  ctx: Context,
  reader: Reader,
  caseAndJourney: CaseAndJourney,
  statement: PartnerStatement,
): Promise<Answer> {
  // The callback may have completed the step before the borrower returned.
  const step = await findStep(ctx.db, caseAndJourney.journey, 'bankMandate')
  if (step.status === 'SUCCESS') return donePage(reader)
  // Refuses an application that has ended.
  requireDueStep(step, caseAndJourney)
  const report = await fetchStatementReport(ctx, statement).catch((error) => {
    if (error instanceof Refusal && error.kind === 'upstream') return null
    throw error
  })
  if (report)
    await withLockedCase(ctx, statement, (tx, found, at) =>
      applyStatementReport({ ...ctx, tx, at }, found, statement, report),
    )
  const current = required(await newestStatement(ctx.db, caseAndJourney.loanCase), 'the statement that was polled')
  if (current.status !== 'PENDING') return currentPage(ctx, reader, caseAndJourney, null)
  const { t } = reader
  const text = t(report ? 'verify.checking' : 'verify.providerAway')
  return borrowerPage(reader, t('verify.waiting'), `${text} ${t('verify.looksAgain')}`, { shouldReload: true })
}

const donePage = (reader: Reader): Answer =>
  borrowerPage(reader, reader.t('verify.done'), reader.t('verify.doneLead'), { closesWindow: true })

/** Shows the form with the choices, or that the step is done. `fault` is the error of the submitted form, if any. */
async function currentPage(
  ctx: Context,
  reader: Reader,
  caseAndJourney: CaseAndJourney,
  fault: { text: string; status: number } | null,
): Promise<Answer> {
  const { loanCase, journey } = caseAndJourney
  const step = await findStep(ctx.db, journey, 'bankMandate')
  if (step.status === 'SUCCESS') return donePage(reader)
  requireDueStep(step, caseAndJourney)
  const newest = await newestStatement(ctx.db, loanCase)
  const notice = fault?.text ?? (newest?.status === 'FAILED' ? reader.t('statement.failed') : null)
  const body = choicesForm(reader, notice, await partnerOf(ctx, ctx.db, loanCase))
  return borrowerPage(reader, reader.t('statement.title'), body, {
    status: fault?.status ?? 200,
    formAction: 'anywhere',
  })
}

function choicesForm({ language, t }: Reader, notice: string | null, partner: Partner): Html {
  const consent = html`<input type="hidden" name="textVersion" value="${currentConsentVersion}"><input type="hidden" name="language" value="${language}">`
  return html`<p>${t('statement.lead', { lender: partner.name })}</p>
${notice !== null && html`<p class="fault" role="alert">${notice}</p>`}
<p><small>${currentConsentTexts[language].bank_analysis}</small></p>
<form method="post" enctype="multipart/form-data"><input type="hidden" name="act" value="share">${consent}
<button class="primary" type="submit">${t('statement.share')}</button></form>
<h2>${t('statement.uploadTitle')}</h2>
<form method="post" enctype="multipart/form-data"><input type="hidden" name="act" value="upload">${consent}
<label for="statement">${t('statement.file')}</label><input id="statement" name="statement" type="file" accept="application/pdf" required>
<button class="secondary" type="submit">${t('statement.upload')}</button></form>
${
  !requiresStatement(partner) &&
  html`<h2>${t('statement.withoutTitle')}</h2><p>${t('statement.withoutWhy')}</p>
<form method="post" enctype="multipart/form-data"><input type="hidden" name="act" value="without"><button class="secondary" type="submit">${t('statement.goWithout')}</button></form>`
}`
}
