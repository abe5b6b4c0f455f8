// The loan is paid out: how much, where to, when it is paid back, and the papers.
import { useSignal } from '@preact/signals'
import { day, rupees } from './format.ts'
import { here } from './here.ts'
import { lenderOf, Officer } from './lender.tsx'
import { Exit } from './stop.tsx'
import { Documents } from './terms.tsx'
import { t } from './text.ts'
import { Title } from './title.tsx'

/** Longer plans are folded, or the papers below would be out of sight. */
const shownAtFirst = 4

export function DisbursedScreen() {
  const view = here.session.view.value!
  const { installments, selected, bankAccount } = view
  const [first] = installments
  return (
    <section>
      <svg class="tick" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="22" />
        <path d="m14 25 7 7 14-15" />
      </svg>
      <Title lead={t('disbursed.lead', { lender: selected?.lenderName ?? '', account: bankAccount ?? '' })}>
        {t('disbursed.title')}
      </Title>
      {selected && (
        <dl class="figures">
          <div class="lead-figure">
            <dt>{t('disbursed.amount')}</dt>
            <dd>{rupees(selected.terms.netDisbursed)}</dd>
          </div>
          {first && (
            <div>
              <dt>{t('disbursed.first')}</dt>
              <dd>{t('disbursed.first.on', { amount: rupees(first.amount), date: day(first.dueOn) })}</dd>
            </div>
          )}
        </dl>
      )}
      <Exit text={t('disbursed.exit')} />
      <Plan />
      {selected && (
        <>
          <h2>{t('disbursed.documents')}</h2>
          <Documents offer={selected.terms} />
        </>
      )}
      <Officer lender={lenderOf(view)} />
    </section>
  )
}

function Plan() {
  const { installments } = here.session.view.value!
  const all = useSignal(installments.length <= shownAtFirst + 2)
  if (installments.length === 0) return null
  const shown = all.value ? installments : installments.slice(0, shownAtFirst)
  return (
    <>
      <table class="plan">
        <caption>{t('disbursed.plan')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('disbursed.number')}</th>
            <th scope="col">{t('disbursed.due')}</th>
            <th scope="col">{t('disbursed.pay')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ serialNumber, amount, dueOn }) => (
            <tr key={serialNumber}>
              <td>{serialNumber}</td>
              <td>{day(dueOn)}</td>
              <td>{rupees(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!all.value && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            all.value = true
          }}
        >
          {t('disbursed.all', { count: installments.length })}
        </button>
      )}
    </>
  )
}
