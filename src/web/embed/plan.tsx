// The repayment plan: each instalment with its day, its amount, and how it stands.

import { useSignal } from '@preact/signals'
import { Button } from './form.tsx'
import { day, rupees } from './format.ts'
import { here } from './here.ts'
import { t, textOf } from './text.ts'

/** Longer plans are folded, or the papers below would be out of sight. */
const shownAtFirst = 4

export function Plan() {
  const { installments } = here.view.value
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
          {shown.map(({ serialNumber, amount, dueOn, status }) => (
            <tr key={serialNumber}>
              <td>{serialNumber}</td>
              <td>
                {day(dueOn)} {status !== 'NOT-DUE' && <small>{textOf(`loan.${status}`)}</small>}
              </td>
              <td>{rupees(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!all.value && (
        <Button
          kind="quiet"
          onClick={() => {
            all.value = true
          }}
        >
          {t('disbursed.all', { count: installments.length })}
        </Button>
      )}
    </>
  )
}
