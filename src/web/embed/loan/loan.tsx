// The loan after disbursal: next payment, payout, numbers, cooling-off exit, plan, documents, payments, complaints.

import type { EmbedView } from '#contract/hosted/embed.ts'
import { Actions, Button } from '../form/form.tsx'
import { StoredGold } from '../gold/on-gold.tsx'
import { Complain, ComplaintDue } from '../help/complain.tsx'
import { lenderOf, Officer } from '../offers/lender.tsx'
import { UnitsPledged } from '../offers/secured.tsx'
import { day, rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { Tick } from '../page/tick.tsx'
import { Title } from '../page/title.tsx'
import { t } from '../text.ts'
import { Leave } from './leave.tsx'
import { LineScreen } from './line.tsx'
import { LoanDocuments, LoanNumbers } from './loan-documents.tsx'
import { Payment, requestPayment } from './payments.tsx'
import { Plan, Reminders } from './plan.tsx'
import { Requests } from './request.tsx'
import { Exit } from './stop.tsx'

type LoanStage = 'closed' | 'late' | 'repaying' | 'fresh'

function stageOf({ screen, installments }: EmbedView): LoanStage {
  if (screen === 'CLOSED') return 'closed'
  if (installments.some(({ status }) => status === 'OVERDUE')) return 'late'
  return installments.some(({ status }) => status === 'PAID') ? 'repaying' : 'fresh'
}

/** The payout account. For a gold loan only the branch may know it. */
const payoutText = (lender: string, account: string | null): string =>
  account === null ? t('disbursed.lead.gold', { lender }) : t('disbursed.lead', { lender, account })

function Heading({ stage, lender, account }: { stage: LoanStage; lender: string; account: string | null }) {
  if (stage === 'closed') return <Title lead={t('loan.closed.lead', { lender })}>{t('loan.closed')}</Title>
  if (stage === 'late') return <Title lead={t('loan.late.lead', { lender })}>{t('loan.late.title')}</Title>
  return <Title lead={payoutText(lender, account)}>{t(stage === 'fresh' ? 'disbursed.title' : 'loan.title')}</Title>
}

export function LoanScreen() {
  const view = page.view.value
  const { selected, bankAccount, screen, payNow, servicing } = view
  if (view.creditLine) return <LineScreen />
  if (view.leave && page.inner.value === 'leave') return <Requests />
  const lender = selected?.lenderName || t('loan.lender')
  const stage = stageOf(view)
  const needsBorrower = payNow || servicing.some(({ redirectUrl, problem }) => redirectUrl ?? problem)
  return (
    // A new payment restarts the screen at its top, where the payment is.
    <section key={[screen, ...servicing.map(({ operationId }) => operationId)].join()}>
      {(stage === 'fresh' || stage === 'closed') && <Tick />}
      <Heading stage={stage} lender={lender} account={bankAccount} />
      <ComplaintDue lender={lender} />
      <Figures view={view} stage={stage} />
      {servicing.map((each) => (
        <Payment key={each.operationId} payment={each} lender={lender} />
      ))}
      {payNow && (
        <>
          <Actions>
            <Button onClick={() => void requestPayment('missed-emi-payment')}>
              {t('loan.pay.now', { amount: rupees(payNow) })}
            </Button>
          </Actions>
          <p class="hint">{t('loan.pay.why')}</p>
        </>
      )}
      <Exit text={t('disbursed.exit')} kind={needsBorrower ? 'quiet' : 'main'} />
      <LoanNumbers />
      <Leave lender={lenderOf(view)} name={lender} />
      <Plan />
      {selected && stage !== 'closed' && (
        <>
          <UnitsPledged after pledges={selected.pledges} />
          <StoredGold selected={selected} />
        </>
      )}
      <LoanDocuments />
      <Requests />
      <Complain lender={lender} />
      <Officer lender={lenderOf(view)} />
    </section>
  )
}

function Figures({ view: { selected, owed, installments, payNow }, stage }: { view: EmbedView; stage: LoanStage }) {
  if (!selected || stage === 'closed') return null
  const nextInstalment = installments.find(({ status }) => status !== 'PAID' && status !== 'CLOSED')
  const paid = installments.filter(({ status }) => status === 'PAID').length
  const payout = { name: t('disbursed.amount'), amount: selected.terms.netDisbursed, on: '' }
  const next = nextInstalment && {
    name: t(stage === 'late' ? 'loan.late' : 'loan.next'),
    amount: payNow ?? nextInstalment.amount,
    on: t('loan.on', { date: day(nextInstalment.dueOn) }),
  }
  const dues = (['outstanding', 'planned', 'overdue', 'penalCharges'] as const).flatMap((part) =>
    owed
      .filter((each) => each.part === part && !(part === 'overdue' && stage === 'late' && each.amount === next?.amount))
      .map(({ amount }) => ({ name: t(`loan.${part}`), amount, on: '' })),
  )
  const hasPayments = stage === 'late' || stage === 'repaying'
  const figures = next ? (hasPayments ? [next, ...dues, payout] : [payout, next, ...dues]) : [payout, ...dues]
  return (
    <div class="deal">
      <dl>
        {figures.map(({ name, amount, on }, i) => (
          <div key={name} class={i === 0 ? 'first' : undefined}>
            <dt>{name}</dt>
            <dd>
              {rupees(amount)}
              {on && <small class="per-month">{on}</small>}
            </dd>
          </div>
        ))}
      </dl>
      {nextInstalment && paid > 0 && <p>{t('loan.progress', { count: paid, of: installments.length })}</p>}
      <Reminders />
    </div>
  )
}
