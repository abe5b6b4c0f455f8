// GET /verify/{token}: the borrower's link for KYC, the mandate or the signature. Redirects to the provider's page, or
// shows the status of the step.

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Closed, Type } from '@lendloom/foundation/schema'
import { redirect } from '@lendloom/http/page-frame'
import { type Answer, anyone } from '@lendloom/http/server'
import { type Context, route } from '#platform/context.ts'
import type { CheckKind, PartnerCheck } from '#platform/lenders/partner/partner-check.ts'
import { stepOfCheck } from '#platform/lenders/partner/reactions/checks/apply-check-report.ts'
import { beginCheck, providerPageUrl } from '#platform/lenders/partner/reactions/checks/begin-check.ts'
import { openCheckLink } from '#platform/lenders/partner/reactions/checks/check-link.ts'
import { checkResultOf } from '#platform/lenders/partner/reactions/checks/check-report.ts'
import { applyPolledReport, fetchCheckReport } from '#platform/lenders/partner/reactions/checks/poll-check.ts'
import { type CaseAndJourney, withLockedCase } from '#platform/lenders/partner/reactions/lock-case.ts'
import { newestCheck } from '#platform/lenders/partner/store.ts'
import type { Reader } from '#platform/lending/page-text/page-text.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { borrowerPage, journeyReader } from './borrower-page.ts'

export const verifyPage = route({
  method: 'GET',
  path: '/verify/{token}',
  section: 'D3 §1.1',
  summary: "Go to a step's provider",
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
  // The return URL has `back`. `Type.Object` allows the parameters that the provider's site may add.
  query: Type.Object({ back: Type.Optional(Type.String()) }),
  async handle({ params, query, headers }, ctx) {
    const { tenantId, caseRef, kind } = openCheckLink(ctx, params.token)
    const caseAndJourney = await withLockedCase(ctx, { tenantId, caseRef }, async (_, found) => found)
    const reader = await journeyReader(ctx, caseAndJourney.journey, headers)
    const hasReturned = query.back !== undefined
    try {
      return await (hasReturned
        ? pollProvider(ctx, reader, caseAndJourney, kind)
        : goToProvider(ctx, reader, caseAndJourney, kind))
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'upstream') return waitingPage(reader, 'providerAway')
      throw error
    }
  },
})

/** The step that must have succeeded before a check starts (D3 §1.1). */
const prerequisites: Record<CheckKind, 'kyc' | 'eMandate' | null> = { kyc: null, mandate: 'kyc', esign: 'eMandate' }

async function goToProvider(
  ctx: Context,
  reader: Reader,
  caseAndJourney: CaseAndJourney,
  kind: CheckKind,
): Promise<Answer> {
  const { loanCase, journey } = caseAndJourney
  if (!journey.active) throw new Refusal('wrong-state', 'this application has ended')
  if ((await findStep(ctx.db, journey, stepOfCheck[kind])).status === 'SUCCESS') return donePage(reader)
  // KYC starts only after the lender has recorded the acceptance (D3 §1.1 rule 4).
  if (loanCase.stage === 'DECIDED') return waitingPage(reader, 'recording')
  if (loanCase.stage !== 'ACCEPTED') throw new Refusal('wrong-state', 'this step is not due')
  const prerequisite = prerequisites[kind]
  if (prerequisite && (await findStep(ctx.db, journey, prerequisite)).status !== 'SUCCESS')
    throw new Refusal('wrong-state', 'another step must be done first')
  const newest = await newestCheck(ctx.db, loanCase, kind)
  const isDue = !newest || checkResultOf(kind, newest) === 'failed'
  const check = isDue ? await beginCheck(ctx, caseAndJourney, kind, newest) : newest
  // The provider may have finished a request whose start we lost.
  return check.status === 'REQUESTED' ? redirect(providerPageUrl(ctx, check), 302) : resultPage(reader, kind, check)
}

/** Queries the provider's server, because the borrower's return proves nothing (D3 §6 rule 1). */
async function pollProvider(
  ctx: Context,
  reader: Reader,
  caseAndJourney: CaseAndJourney,
  kind: CheckKind,
): Promise<Answer> {
  const check = await newestCheck(ctx.db, caseAndJourney.loanCase, kind)
  if (!check) return goToProvider(ctx, reader, caseAndJourney, kind)
  if (checkResultOf(kind, check) === null) {
    const report = await fetchCheckReport(ctx, check)
    await withLockedCase(ctx, caseAndJourney.loanCase, (tx, found, at) =>
      applyPolledReport({ ...ctx, tx, at }, found, check, report),
    )
  }
  const current = required(await newestCheck(ctx.db, caseAndJourney.loanCase, kind), 'the check that was polled')
  return resultPage(reader, kind, current)
}

function resultPage(reader: Reader, kind: CheckKind, check: PartnerCheck): Answer {
  const result = checkResultOf(kind, check)
  return result === null ? waitingPage(reader, 'checking') : result === 'passed' ? donePage(reader) : failedPage(reader)
}

const donePage = (reader: Reader): Answer =>
  borrowerPage(reader, reader.t('verify.done'), reader.t('verify.doneLead'), { closesWindow: true })
const failedPage = (reader: Reader): Answer =>
  borrowerPage(reader, reader.t('verify.notDone'), reader.t('verify.notDoneLead'))
function waitingPage(reader: Reader, reason: 'providerAway' | 'recording' | 'checking'): Answer {
  const { t } = reader
  return borrowerPage(reader, t('verify.waiting'), `${t(`verify.${reason}`)} ${t('verify.looksAgain')}`, {
    shouldReload: true,
  })
}
