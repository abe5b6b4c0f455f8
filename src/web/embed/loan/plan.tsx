// The repayment plan with each instalment's date, amount and state, and the calendar link.

import { useSignal } from '@preact/signals'
import { Button } from '../form/form.tsx'
import { ExternalLink } from '../offers/lender.tsx'
import { day, rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { language, t, textOf } from '../text.ts'

/** Instalments shown before the borrower opens the whole plan, so that the documents below stay visible. */
const initialCount = 4

const isPaid = (status: string): boolean => status === 'PAID' || status === 'CLOSED'

/** Link to the calendar file, in the page's language. */
export function Reminders() {
  const { reminders } = page.view.value
  if (!reminders) return null
  return (
    <p>
      <ExternalLink href={`${reminders}?lang=${language.value}`}>{t('loan.remind')}</ExternalLink>
    </p>
  )
}

export function Plan() {
  const { installments } = page.view.value
  const showsAll = useSignal(installments.length <= initialCount + 2)
  if (installments.length === 0) return null
  // The list starts at the first unpaid instalment, or at the beginning if all are paid.
  const firstUnpaid = Math.max(
    0,
    installments.findIndex(({ status }) => !isPaid(status)),
  )
  const visible = showsAll.value ? installments : installments.slice(firstUnpaid, firstUnpaid + initialCount)
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
          {visible.map(({ serialNumber, amount, dueOn, status }) => (
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
      {!showsAll.value && (
        <Button
          kind="quiet"
          onClick={() => {
            showsAll.value = true
          }}
        >
          {t('disbursed.all', { count: installments.length })}
        </Button>
      )}
    </div>
  )
}
