// The screen of the loan after disbursal: its stage, the next payment, what is owed, and complaints; the chunk of
// requests adds the rest.

import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { Actions, Button, TroubleNotice } from '../form/form.tsx'
import { UnitsPledged } from '../funds/funds-on-demand.tsx'
import { StoredGold } from '../gold/gold-on-demand.tsx'
import { Complain, ComplaintDue } from '../help/complaint-section.tsx'
import { ExternalLink, lenderOf, Officer } from '../offers/lender.tsx'
import { Tick } from '../page/checkmark.tsx'
import { day, endOfDay, rupees } from '../page/format.ts'
import { Fetched } from '../page/load-chunk.tsx'
import { page } from '../page/page-state.ts'
import { translate } from '../page/server-texts.ts'
import { Title } from '../page/title.tsx'
import { language, t } from '../text.ts'
import { type Figure, FigureList, Sums } from './amounts-with-total.tsx'
import {
  amountOwed,
  duesOf,
  isInstalmentOpen,
  isMissing,
  isOverdueDenied,
  isPaymentInTheWay,
  isUnpaid,
  isVerifying,
  keptCount,
  overdueSince,
  overdueSplitOf,
  overdueText,
  principalOwed,
  receivedSum,
  requestPayment,
  sumOf,
} from './payment-requests.tsx'
import { Requests, requests } from './requests-on-demand.tsx'
import { Exit } from './stopped-page.tsx'

/** What is most important to the borrower now; the screen begins with it. */
type LoanStage = 'returned' | 'closed' | 'current' | 'paying' | 'missing' | 'late' | 'failed' | 'repaying' | 'fresh'

function stageOf({ screen, endReason, installments, debitFailed, servicing, justPaidOut }: EmbedView): LoanStage {
  if (screen === 'CLOSED') return endReason?.code === 'PAYOUT_RETURNED' ? 'returned' : 'closed'
  if (servicing.some(isOverdueDenied)) return 'current'
  if (servicing.some(isVerifying)) return 'paying'
  if (servicing.some(isMissing)) return 'missing'
  if (installments.some(({ status }) => status === 'OVERDUE')) return 'late'
  if (debitFailed) return 'failed'
  return justPaidOut && installments.every(({ status }) => status === 'NOT-DUE') ? 'fresh' : 'repaying'
}

/** What the screen says first about cancelling the loan; null if there is nothing to say. */
function exitLeadOf(view: EmbedView, lender: string): string | null {
  const { leave, cancellation, exitRequest, exitHeld: held, exitBooked: booked } = view
  if (cancellation !== 'OPEN')
    return held
      ? t(leave ? 'leave.checking' : 'leave.late', { lender, amount: rupees(held) })
      : requestLeadOf(view, lender)
  if (held) return t('leave.held', { lender, amount: rupees(held) })
  if (booked) return t('leave.booked', { lender, amount: rupees(booked) })
  if (!exitRequest || !leave?.cost || !leave.account || !leave.payBy) return t('leave.open', { lender })
  const amount = rupees(leave.cost.total)
  return leave.payBy === leave.today
    ? t('leave.pay.last', { lender, amount, time: endOfDay() })
    : t('leave.pay', { lender, amount, date: day(leave.payBy) })
}

/** A request that no payment ends any more still has an answer to come. */
function requestLeadOf({ exitRequest, screen }: EmbedView, lender: string): string | null {
  if (!exitRequest) return null
  const { answered, missedOn, paidLate } = exitRequest
  if (answered) return t('leave.answered')
  if (!missedOn) return screen === 'CLOSED' ? t('leave.repaid', { lender }) : null
  const received = paidLate
    ? t('leave.missed.paid', { lender, amount: rupees(paidLate.amount), date: day(paidLate.on) })
    : t('leave.missed.next', { lender })
  return `${t('leave.missed', { date: day(missedOn) })} ${received}`
}

/** The payment that the borrower reported; empty texts without one. */
function claimedPayment({ servicing }: EmbedView) {
  const { amount, claim } = servicing.find((each) => isVerifying(each) || isMissing(each)) ?? {}
  return claim
    ? {
        sum: amount ?? '',
        amount: rupees(amount ?? 0),
        reference: claim.reference,
        date: day(claim.paidOn),
        by: day(claim.resultBy),
      }
    : { sum: '', amount: '', reference: '', date: '', by: '' }
}

/** Names the payout account, which for a gold loan only the branch may know. */
function stageLeadOf(view: EmbedView, stage: Exclude<LoanStage, 'returned'>, lender: string): string {
  const { bankAccount: account, installments } = view
  if (stage === 'fresh')
    return account === null ? t('disbursed.lead.gold', { lender }) : t('disbursed.lead', { lender, account })
  if (stage === 'repaying') return ''
  if (stage !== 'current') return t(`loan.${stage}.lead`, { lender, ...claimedPayment(view) })
  const next = installments.find(isUnpaid)
  return next?.status === 'OVERDUE' ? t('loan.current.unpaid', { date: day(next.dueOn) }) : ''
}

function headingOf(view: EmbedView, stage: LoanStage, lender: string) {
  if (stage === 'returned') return <Title lead={translate(view.endReason)}>{t('leave.done')}</Title>
  const { cancellation, exitRequest, debitFailed, installments, servicing, requested } = view
  const values = { lender, count: installments.filter(({ status }) => status === 'OVERDUE').length }
  const closedOn = stage === 'closed' && view.closedOn && t('loan.closed.on', { date: day(view.closedOn) })
  const next = [closedOn, stageLeadOf(view, stage, lender)].filter(Boolean).join(' ')
  const stageLead = [stage === 'missing' ? '' : translate(debitFailed), next].join(' ').trim()
  const exitLead = exitLeadOf(view, lender)
  const isTransfer = stage === 'late' && servicing.some(({ status, payTo }) => status === 'LINK_READY' && payTo)
  const lead = exitRequest && !cancellation && stage === 'late' ? `${stageLead} ${exitLead ?? ''}` : exitLead
  // A request or a payment is more recent than the payout.
  const isOldNews = stage === 'fresh' && (exitRequest !== null || servicing.length > 0 || requested.length > 0)
  const title = { DONE: 'leave.done', OPEN: exitRequest ? 'loan.COOLING_OFF' : 'leave.requested' } as const
  return (
    <Title lead={lead ?? (isTransfer ? null : stageLead)}>
      {t(cancellation ? title[cancellation] : `loan.${isOldNews ? 'repaying' : stage}.title`, values)}
    </Title>
  )
}

export function LoanScreen() {
  const view = page.view.value
  const { selected, screen, payNow, servicing, cancellation, requested } = view
  if (view.creditLine) return <Fetched chunk={requests} render={() => page.line && <page.line />} />
  if (view.leave && page.inner.value === 'leave') return <Requests />
  const lender = selected?.lenderName || t('loan.lender')
  const stage = stageOf(view)
  const isClosing = isPaymentInTheWay('FORECLOSURE')
  const isPending = isClosing || cancellation === 'OPEN' || view.exitHeld !== null || view.exitRequest !== null
  const isNews =
    (stage === 'closed' || (stage === 'fresh' && servicing.length === 0 && requested.length === 0)) && !isPending
  const isOver = screen === 'CLOSED' && !isPending
  const needsBorrower = payNow || servicing.some(({ redirectUrl, problem }) => redirectUrl ?? problem)
  const isEnd = (isNews || isOver) && !needsBorrower
  return (
    // A new payment restarts the screen at its top, where the payment is.
    <section key={[screen, ...servicing.map(({ operationId }) => operationId)].join()}>
      {isNews && <Tick />}
      {headingOf(view, stage, lender)}
      <TroubleNotice of={/^$/} />
      <ComplaintDue lender={lender} />
      {servicing.map((each) => (
        <Fetched
          key={each.operationId}
          chunk={requests}
          render={() => page.payment && <page.payment payment={each} lender={lender} />}
        />
      ))}
      {!isClosing && cancellation !== 'OPEN' && <Figures view={view} stage={stage} />}
      {payNow && <PayNow amount={payNow} missing={claimedPayment(view).amount} lender={lender} />}
      {isEnd && <Exit text={t('disbursed.exit')} />}
      {selected && (
        <Fetched
          chunk={requests}
          render={() =>
            page.loan && (
              <page.loan selected={selected}>
                {screen !== 'CLOSED' && (
                  <>
                    <UnitsPledged after pledges={selected.pledges} />
                    <StoredGold selected={selected} />
                  </>
                )}
              </page.loan>
            )
          }
        />
      )}
      <Complain lender={lender} />
      <Officer lender={lenderOf(view)} />
      <Fetched optional chunk={requests} render={() => page.rating && <page.rating lender={lender} />} />
      {!isEnd && <Exit text={t('disbursed.exit')} kind="quiet" />}
    </section>
  )
}

function Reminders() {
  const { reminders } = page.view.value
  if (!reminders) return null
  return (
    <p>
      <ExternalLink href={`${reminders}?lang=${language.value}`}>{t('loan.remind')}</ExternalLink>
    </p>
  )
}

const PayNow = ({ amount, missing, lender }: { amount: string; missing: string; lender: string }) => (
  <>
    <Actions of={/\/missed-emi-payment$/}>
      <Button kind={missing ? 'plain' : undefined} onClick={() => void requestPayment('missed-emi-payment')}>
        {t('loan.pay.now', { amount: rupees(amount) })}
      </Button>
    </Actions>
    <p class="hint">{missing ? t('loan.missing.why', { amount: missing }) : t('loan.pay.why', { lender })}</p>
  </>
)

function Figures({ view, stage }: { view: EmbedView; stage: LoanStage }) {
  const { selected, screen, installments, servicing, exitRequest } = view
  if (!selected || screen === 'CLOSED') return null
  const nextInstalment = installments.find(isUnpaid)
  const payout: Figure = [t('disbursed.amount'), selected.terms.netDisbursed]
  const overdue = amountOwed('overdue')
  const openPayment = servicing.find(isInstalmentOpen)
  const toPay = view.payNow ?? openPayment?.amount
  const withToday = stage !== 'paying' && overdue && Number(toPay) > Number(overdue)
  const isLate = stage === 'late' || stage === 'missing'
  const date = nextInstalment ? day(nextInstalment.dueOn) : ''
  const { sum, ...report } = claimedPayment(view)
  const next: Figure | undefined =
    stage === 'paying'
      ? [t('loan.verifying'), sum, t('loan.claim', report)]
      : nextInstalment && [
          isLate
            ? t(withToday ? 'loan.due' : 'loan.overdue')
            : t(overdue && stage !== 'current' ? 'loan.overdue' : 'loan.next'),
          (!withToday && overdue) || toPay || nextInstalment.amount,
          isLate ? overdueSince(nextInstalment.dueOn) : dueText(view, date),
        ]
  const isMore = withToday || (stage === 'paying' && Number(overdue) > Number(sum))
  const split = isLate ? overdueSplitOf(toPay) : []
  const dues = split[0]
    ? []
    : duesOf([...(isMore ? (['overdue'] as const) : []), 'outstanding', 'planned', 'penalCharges'])
  if (isLate && openPayment?.amount && openPayment.payTo !== null) return null
  if (isLate && openPayment?.amount)
    return (
      <p class="hint">
        {[
          ...(nextInstalment ? [overdueText(nextInstalment.dueOn)] : []),
          ...duesOf(['outstanding', 'planned']).map(([name, amount]) => `${name} ${rupees(amount)}`),
        ].join(' · ')}
      </p>
    )
  const open = next ? [next, ...dues] : dues
  const figures = open[0] && (stage !== 'fresh' || exitRequest) ? open : [payout, ...open]
  return (
    <div class={isLate ? 'deal late' : 'deal'}>
      <FigureList figures={figures} isLate={isLate} />
      {split[0] && <Sums rows={split} />}
      {nextInstalment && <Progress />}
      {next && !isLate && <Reminders />}
    </div>
  )
}

/** When the next instalment is due, and how it is paid. A lender with one page sets up autopay there, or its people do. */
function dueText({ steps, selected }: EmbedView, date: string): string {
  const { isOnline = false, stops = [] } = selected?.lenderPage ?? {}
  const isSetUpThere = isOnline && stops.some(({ step, state }) => step === 'eMandate' && state === 'done')
  if (steps.eMandate.status === 'SUCCESS' || isSetUpThere) return t('loan.on.autopay', { date })
  return t('loan.on.agreed', { date, lender: selected?.lenderName ?? '' })
}

/** How far the loan is repaid: its instalments and the principal, which is what the borrower still owes. */
function Progress() {
  const { installments, selected, receipts } = page.view.value
  const planned = installments.slice(0, keptCount(installments))
  const settled = planned.filter(({ status }) => status === 'PAID' || status === 'CLOSED')
  const owed = principalOwed()
  const borrowed = Number(selected?.terms.amountPrincipal ?? 0)
  const repaid = owed ? borrowed - Number(owed.amount) : 0
  if (settled.length === 0 && repaid <= 0) return null
  // Payments outside the plan are in no instalment, so that the interest cannot be told from the principal.
  const isByPlan =
    settled.every(({ status }) => status === 'PAID') &&
    receipts.every(({ kind, status }) => kind === 'INSTALLMENT' || status !== 'PAID')
  const paid = sumOf(settled)
  // A payment outside the plan is known to the paisa, but not the principal that a plan in whole rupees implies.
  const isPrincipalKnown = owed?.isExact && repaid > 0
  const received = receivedSum()
  const share = repaid > 0 ? repaid / borrowed : settled.length / planned.length
  const values = { principal: rupees(repaid), amount: rupees(paid), interest: rupees(Math.max(0, paid - repaid)) }
  return (
    <div class="progress">
      <div class="bar" aria-hidden="true">
        <div style={{ width: `${Math.round(share * 100)}%` }} />
      </div>
      {settled.length > 0 && <p>{t('loan.progress', { count: settled.length, of: planned.length })}</p>}
      {isByPlan ? (
        <small>
          {t(
            repaid > 0 ? (owed?.isExact ? 'loan.progress.parts' : 'loan.progress.about') : 'loan.progress.sum',
            values,
          )}
        </small>
      ) : (
        <small>
          {isPrincipalKnown
            ? t('loan.progress.principal', { ...values, borrowed: rupees(borrowed) })
            : received !== null && t('loan.progress.sum', { amount: rupees(received) })}
        </small>
      )}
    </div>
  )
}
