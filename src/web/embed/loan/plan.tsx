// The repayment plan: each instalment with its day, amount and state; and the calendar link.

import { useSignal } from '@preact/signals'
import { Button } from '../form/form.tsx'
import { Away } from '../offers/lender.tsx'
import { day, rupees } from '../page/format.ts'
import { here } from '../page/here.ts'
import { language, t, textOf } from '../text.ts'

/** Longer plans are folded, so that the papers below stay visible. */
const shownAtFirst = 4

const isOver = (status: string): boolean => status === 'PAID' || status === 'CLOSED'

/** The address of the calendar file, in the page's language. */
export function Reminders() {
  const { reminders } = here.view.value
  if (!reminders) return null
  return (
    <p>
      <Away href={`${reminders}?lang=${language.value}`}>{t('loan.remind')}</Away>
    </p>
  )
}

export function Plan() {
  const { installments } = here.view.value
  const all = useSignal(installments.length <= shownAtFirst + 2)
  if (installments.length === 0) return null
  // Unpaid instalments come first; a repaid loan starts at the beginning.
  const next = Math.max(
    0,
    installments.findIndex(({ status }) => !isOver(status)),
  )
  const shown = all.value ? installments : installments.slice(next, next + shownAtFirst)
  return (
    <div>
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
    </div>
  )
}
