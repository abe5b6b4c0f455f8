// The repayment plan with each instalment's date, amount and state, the calendar link, and tables that open on demand.

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { Button } from '../form/form.tsx'
import { ExternalLink } from '../offers/lender.tsx'
import { day, rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { language, t, textOf } from '../text.ts'

const initialCount = 5

const isPaid = (status: string): boolean => status === 'PAID' || status === 'CLOSED'

export function Reminders() {
  const { reminders } = page.view.value
  if (!reminders) return null
  return (
    <p>
      <ExternalLink href={`${reminders}?lang=${language.value}`}>{t('loan.remind')}</ExternalLink>
    </p>
  )
}

interface ShortTableProps {
  caption: string
  head: string[]
  rows: VNode[]
  first?: number
}

export function ShortTable({ caption, head, rows, first = 0 }: ShortTableProps) {
  const showsAll = useSignal(false)
  const isWhole = showsAll.value || rows.length <= initialCount + 2
  return (
    <div>
      <table class="plan">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{isWhole ? rows : rows.slice(first, first + initialCount)}</tbody>
      </table>
      {!isWhole && (
        <Button
          kind="quiet"
          onClick={() => {
            showsAll.value = true
          }}
        >
          {t('disbursed.all', { count: rows.length })}
        </Button>
      )}
    </div>
  )
}

export function Plan() {
  const { installments } = page.view.value
  if (installments.length === 0) return null
  const firstUnpaid = installments.findIndex(({ status }) => !isPaid(status))
  return (
    <ShortTable
      caption={t('disbursed.plan')}
      head={[t('disbursed.number'), t('disbursed.due'), t('disbursed.pay')]}
      first={Math.max(0, firstUnpaid)}
      rows={installments.map(({ serialNumber, amount, dueOn, status }) => (
        <tr key={serialNumber}>
          <td>{serialNumber}</td>
          <td>
            {day(dueOn)} {status !== 'NOT-DUE' && <small>{textOf(`loan.${status}`)}</small>}
          </td>
          <td>{rupees(amount)}</td>
        </tr>
      ))}
    />
  )
}
