// What was drawn from a credit line and repaid to it, in one list.

import { businessDate } from '@lendloom/lending/calendar'
import { day, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'
import { paymentName } from './payment-requests.tsx'
import { ShortTable } from './repayment-plan.tsx'

interface Entry {
  id: string
  /** The day in India. */
  on: string
  name: string
  details: (string | null)[]
  amount: string
}

/** Newest first: drawings add to what is owed, repayments take from it. On one day, what is repaid was drawn before. */
export function LineHistory() {
  const entries = [...repayments(), ...drawings()].sort((a, b) => b.on.localeCompare(a.on))
  if (entries.length === 0) return null
  return (
    <ShortTable
      caption={t('draw.before')}
      head={[t('receipts.what'), t('disbursed.pay')]}
      rows={entries.map(({ id, name, details, amount }) => (
        <tr key={id}>
          <td>
            {name}
            {details.map(
              (line) =>
                line && (
                  <small key={line} class="per-month">
                    {line}
                  </small>
                ),
            )}
          </td>
          <td>{amount}</td>
        </tr>
      ))}
    />
  )
}

const drawings = (): Entry[] =>
  page.view.value.drawdowns.flatMap(({ drawdownId, paid }) =>
    paid
      ? [
          {
            id: drawdownId,
            on: businessDate(new Date(paid.at)),
            name: t('draw.done'),
            details: [
              paid.accountEnding ? t('draw.account', { digits: paid.accountEnding }) : t('draw.own'),
              day(paid.at),
              paid.reference,
            ],
            amount: rupees(paid.amount),
          },
        ]
      : [],
  )

/** Closing a line with nothing owed is no payment. */
const repayments = (): Entry[] =>
  page.view.value.receipts
    .filter(({ status, amount }) => status === 'PAID' && Number(amount) > 0)
    .toReversed()
    .map(({ id, kind, paidOn, reference, amount }) => ({
      id,
      on: paidOn ?? '',
      name: paymentName(kind, true),
      details: [paidOn && day(paidOn), reference],
      amount: rupees(amount),
    }))
