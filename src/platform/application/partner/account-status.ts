// How the loan stands after disbursal, by the partner's newest snapshot alone: nothing is computed from events (D3 §6 rule 5).
import { isFresh, type Status } from '#contract/exchange/status.ts'
import type { TxContext } from '#platform/context.ts'
import { stageAfter } from '#platform/exchange/case.ts'
import { changeCase } from '#platform/exchange/store.ts'
import { lockActive, updateJourney } from '#platform/journey/store.ts'
import { closeServicing, receivePartnerPayments } from '#platform/servicing/partner.ts'
import { refreshAnswered } from '#platform/servicing/refresh.ts'
import { keepInstallments } from '#platform/step/outcome.ts'
import type { Concerned } from './case-job.ts'
import { installmentsFrom } from './installments-from.ts'

export async function takeAccount(
  { tx, at }: TxContext,
  { application, journey }: Concerned,
  status: Status,
): Promise<Concerned> {
  if (!isFresh(status, at) || !status.amortization_schedule) return { application, journey }
  await keepInstallments(tx, journey, installmentsFrom(status.amortization_schedule), at)
  await receivePartnerPayments(tx, journey, status.payments, at)
  await refreshAnswered(tx, journey, at)
  const isClosed = status.loan_status === 'CLOSED'
  if (isClosed && application.stage === 'DISBURSED') {
    await closeServicing(tx, journey, at)
    await updateJourney(tx, journey, { active: false, closedAt: at }, at)
    return { application: await changeCase(tx, application, { stage: stageAfter(application, 'closed') }, at), journey }
  }
  if (!isClosed && application.stage === 'CLOSED') {
    const { tenantId, applicationId, borrowerId, type } = journey
    // Where the borrower has begun another journey by now, this one stays over, and only the loan is shown as it stands.
    if (!(await lockActive(tx, { tenantId, applicationId, borrowerId, type })))
      await updateJourney(tx, journey, { active: true, closedAt: null }, at)
    return {
      application: await changeCase(tx, application, { stage: stageAfter(application, 'reopened') }, at),
      journey,
    }
  }
  return { application, journey }
}
