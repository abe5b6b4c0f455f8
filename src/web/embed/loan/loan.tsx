// The loan after disbursal: payout, next payment, cooling-off exit, plan, documents, payments, complaints.

import type { EmbedView } from '#contract/hosted/embed.ts'
import { StoredGold } from '../gold/on-gold.tsx'
import { Complain, ComplaintDue } from '../help/complain.tsx'
import { lenderOf, Officer } from '../offers/lender.tsx'
import { UnitsPledged } from '../offers/secured.tsx'
import { day, rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { Tick } from '../page/tick.tsx'
import { Title } from '../page/title.tsx'
import { t } from '../text.ts'
import { Leave, LeaveQuestion } from './leave.tsx'
import { LineScreen } from './line.tsx'
import { LoanDocuments } from './loan-documents.tsx'
import { Payments } from './payments.tsx'
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
  const { selected, bankAccount, screen } = view
  if (view.creditLine) return <LineScreen />
  const lender = selected?.lenderName ?? ''
  if (view.leave && page.inner.value === 'leave')
    return <LeaveQuestion lender={lenderOf(view)} name={lender} leave={view.leave} />
  const stage = stageOf(view)
  const payments = <Payments lender={lender} />
  return (
    <section key={screen}>
      {(stage === 'fresh' || stage === 'closed') && <Tick />}
      <Heading stage={stage} lender={lender} account={bankAccount} />
      <ComplaintDue lender={lender} />
      <Figures view={view} stage={stage} />
      {/* Overdue amounts are paid first. */}
      {stage === 'late' && payments}
      <Exit text={t('disbursed.exit')} />
      <Leave lender={lenderOf(view)} name={lender} />
      <Plan />
      {selected && stage !== 'closed' && (
        <>
          <UnitsPledged after pledges={selected.pledges} />
          <StoredGold selected={selected} />
        </>
      )}
      <LoanDocuments />
      {stage !== 'late' && payments}
      <Requests />
      <Complain lender={lender} />
      <Officer lender={lenderOf(view)} />
    </section>
  )
}

/** The payout, the next payment and the outstanding amount, ordered by the loan's state; and the reminder link. */
function Figures({ view: { selected, owed, installments }, stage }: { view: EmbedView; stage: LoanStage }) {
  if (!selected) return null
  const nextInstalment = installments.find(({ status }) => status !== 'PAID' && status !== 'CLOSED')
  const paid = installments.filter(({ status }) => status === 'PAID').length
  const payout = { name: t('disbursed.amount'), amount: selected.terms.netDisbursed, on: '' }
  const next = nextInstalment && {
    name: t(stage === 'late' ? 'loan.late' : 'loan.next'),
    amount: nextInstalment.amount,
    on: t('loan.on', { date: day(nextInstalment.dueOn) }),
  }
  const outstanding = owed.map(({ part, amount }) => ({ name: t(`loan.${part}`), amount, on: '' }))
  const hasPayments = stage === 'late' || stage === 'repaying'
  const figures = next
    ? hasPayments
      ? [next, ...outstanding, payout]
      : [payout, next, ...outstanding]
    : [payout, ...outstanding]
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
