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
      <Title lead={isClosed ? t('loan.closed.lead', { lender }) : leadOf(lender, bankAccount)}>
        {t(isClosed ? 'loan.closed' : 'disbursed.title')}
      </Title>
      {selected && (
        <dl class="figures">
          <div class="lead-figure">
            <dt>{t('disbursed.amount')}</dt>
            <dd>{rupees(selected.terms.netDisbursed)}</dd>
          </div>
          {view.owed.map(({ part, amount }) => (
            <div key={part}>
              <dt>{t(`loan.${part}`)}</dt>
              <dd>{rupees(amount)}</dd>
            </div>
          ))}
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
