// The loan after disbursal: what was paid out, what is due, what can be paid, and the end.

import { ComplaintDue, Complaints } from './complain.tsx'
import { day, rupees } from './format.ts'
import { here } from './here.ts'
import { Leave } from './leave.tsx'
import { lenderOf, Officer } from './lender.tsx'
import { LineScreen } from './line.tsx'
import { Payments } from './payments.tsx'
import { Plan } from './plan.tsx'
import { Requests } from './request.tsx'
import { Exit } from './stop.tsx'
import { Documents } from './terms.tsx'
import { t } from './text.ts'
import { Tick } from './tick.tsx'
import { Title } from './title.tsx'

/** Where the money went: a gold loan's account may be known at the branch alone. */
const leadOf = (lender: string, account: string | null): string =>
  account === null ? t('disbursed.lead.gold', { lender }) : t('disbursed.lead', { lender, account })

/** What is owed, where its lender tells it; what is nothing is not written. */
function Owed() {
  const { account } = here.view.value
  return (
    account &&
    (['outstanding', 'overdue', 'penalCharges'] as const).map(
      (each) =>
        account[each] !== '0.00' && (
          <div key={each}>
            <dt>{t(`loan.${each}`)}</dt>
            <dd>{rupees(account[each])}</dd>
          </div>
        ),
    )
  )
}

export function LoanScreen() {
  const view = here.view.value
  const { installments, selected, bankAccount, screen } = view
  if (view.creditLine) return <LineScreen />
  const lender = selected?.lenderName ?? ''
  const isClosed = screen === 'CLOSED'
  const due = installments.find(({ status }) => status !== 'PAID' && status !== 'CLOSED')
  return (
    <section key={screen}>
      <Tick />
      {isClosed ? (
        <Title lead={t('loan.closed.lead', { lender })}>{t('loan.closed')}</Title>
      ) : (
        <Title lead={leadOf(lender, bankAccount)}>{t('disbursed.title')}</Title>
      )}
      {selected && (
        <dl class="figures">
          <div class="lead-figure">
            <dt>{t('disbursed.amount')}</dt>
            <dd>{rupees(selected.terms.netDisbursed)}</dd>
          </div>
          {!isClosed && <Owed />}
          {due && (
            <div>
              <dt>{t('loan.next')}</dt>
              <dd>{t('disbursed.first.on', { amount: rupees(due.amount), date: day(due.dueOn) })}</dd>
            </div>
          )}
        </dl>
      )}
      <ComplaintDue lender={lender} />
      <Exit text={t('disbursed.exit')} />
      <Leave lender={lenderOf(view)} name={lender} />
      <Payments lender={lender} />
      <Requests />
      <Plan />
      {selected && (
        <>
          <h2>{t('disbursed.documents')}</h2>
          <Documents offer={selected.terms} papers={view.papers} />
        </>
      )}
      <Complaints lender={lender} />
      <Officer lender={lenderOf(view)} />
    </section>
  )
}
