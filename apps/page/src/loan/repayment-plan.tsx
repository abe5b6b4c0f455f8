// The repayment plan with each instalment's date, amount and state, and lists that open on demand.

import { Icon } from '@lendloom/design/icon'
import { warning } from '@lendloom/design/icons'
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../form/form.tsx'
import { day, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t, textOf } from '../text.ts'
import { isUnpaid, keptCount } from './payment-requests.tsx'

const initialCount = 3

interface ShortTableProps {
  caption: string
  head: string[]
  rows: VNode[]
  first?: number
  count?: number
}

/** `count` of the rows from `first`, with a button for all and back; a button for one hidden row would save nothing. */
export function useShort<Row>(rows: Row[], first = 0, count = initialCount): [rows: Row[], button: VNode | null] {
  const showsAll = useSignal(false)
  const isAll = showsAll.value
  // The button moves up by the hidden rows, and the list must not leave the screen.
  const wasAll = useRef(false)
  useEffect(() => {
    if (wasAll.current && !isAll) document.activeElement?.closest('div')?.scrollIntoView({ block: 'nearest' })
    wasAll.current = isAll
  }, [isAll])
  if (rows.length <= count + 1) return [rows, null]
  const toggle = () => {
    showsAll.value = !isAll
  }
  return [
    isAll ? rows : rows.slice(first, first + count),
    <Button key="all" kind="quiet" onClick={toggle}>
      {isAll ? t('disbursed.fewer') : t('disbursed.all', { count: rows.length })}
    </Button>,
  ]
}

export function ShortTable({ caption, head, rows, first, count }: ShortTableProps) {
  const [shown, button] = useShort(rows, first, count)
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
        <tbody>{shown}</tbody>
      </table>
      {button}
    </div>
  )
}

/** Starts at the first unpaid instalment, and shows every overdue one. */
export function Plan() {
  const { installments } = page.view.value
  if (installments.length === 0) return null
  const firstUnpaid = installments.findIndex(isUnpaid)
  const kept = keptCount(installments)
  /** After a part payment the last instalments may be no longer due. */
  const isDropped = (index: number): boolean => kept > 0 && index >= kept && installments[index]?.status !== 'NOT-DUE'
  return (
    <ShortTable
      caption={t('disbursed.plan')}
      head={[t('disbursed.number'), t('disbursed.due'), t('disbursed.pay')]}
      first={Math.max(0, firstUnpaid)}
      count={Math.max(initialCount, installments.filter(({ status }) => status === 'OVERDUE').length)}
      rows={installments.map(({ serialNumber, amount, dueOn, status }, i) => (
        <tr key={serialNumber} class={isDropped(i) ? 'dropped' : undefined}>
          <td>{serialNumber}</td>
          <td>
            {day(dueOn)}{' '}
            {status !== 'NOT-DUE' && (
              <small class={status === 'OVERDUE' ? 'overdue' : undefined}>
                {status === 'OVERDUE' && <Icon path={warning} />}{' '}
                {isDropped(i) ? t('loan.dropped') : textOf(`loan.${status}`)}
              </small>
            )}
          </td>
          <td>{isDropped(i) ? <s>{rupees(amount)}</s> : rupees(amount)}</td>
        </tr>
      ))}
    />
  )
}
