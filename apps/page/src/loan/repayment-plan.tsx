// The repayment plan with each instalment's date, amount and state, and lists that open on demand.

import { Icon } from '@lendloom/design/icon'
import { warning } from '@lendloom/design/icons'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
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
      <PlanTable caption={caption} head={head} rows={shown} />
      {button}
    </div>
  )
}

interface PlanTableProps extends Pick<ShortTableProps, 'caption' | 'head' | 'rows'> {
  /** Whether the text above the table says its name already. */
  isCaptionHidden?: boolean
}

const PlanTable = ({ caption, head, rows, isCaptionHidden = false }: PlanTableProps) => (
  <table class="plan">
    <caption class={isCaptionHidden ? 'sr' : undefined}>{caption}</caption>
    <thead>
      <tr>
        {head.map((name) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{rows}</tbody>
  </table>
)

type Instalment = EmbedView['installments'][number]

/** Starts at the first unpaid instalment, and shows every overdue one. What a part payment made needless is apart. */
export function Plan() {
  const { installments } = page.view.value
  if (installments.length === 0) return null
  const firstUnpaid = installments.findIndex(isUnpaid)
  // All are settled once the loan is closed.
  const kept = keptCount(installments) || installments.length
  const dropped = installments.slice(kept)
  return (
    <>
      <ShortTable
        caption={t('disbursed.plan')}
        head={planHead()}
        first={Math.max(0, firstUnpaid)}
        count={Math.max(initialCount, installments.filter(({ status }) => status === 'OVERDUE').length)}
        rows={installments.slice(0, kept).map((each) => <InstalmentRow key={each.serialNumber} instalment={each} />)}
      />
      {dropped.length > 0 && <DroppedInstalments dropped={dropped} />}
    </>
  )
}

const planHead = (): string[] => [t('disbursed.number'), t('disbursed.due'), t('disbursed.pay')]

const InstalmentRow = ({ instalment: { serialNumber, amount, dueOn, status } }: { instalment: Instalment }) => (
  <tr>
    <td>{serialNumber}</td>
    <td>
      {day(dueOn)}{' '}
      {status !== 'NOT-DUE' && (
        <small class={status === 'OVERDUE' ? 'overdue' : undefined}>
          {status === 'OVERDUE' && <Icon path={warning} />} {textOf(`loan.${status}`)}
        </small>
      )}
    </td>
    <td>{rupees(amount)}</td>
  </tr>
)

function DroppedInstalments({ dropped }: { dropped: Instalment[] }) {
  const name = t('loan.dropped.count', { count: dropped.length })
  return (
    <details>
      <summary>{name}</summary>
      <PlanTable
        caption={name}
        isCaptionHidden
        head={planHead()}
        rows={dropped.map(({ serialNumber, amount, dueOn }) => (
          <tr key={serialNumber} class="dropped">
            <td>{serialNumber}</td>
            <td>{day(dueOn)}</td>
            <td>
              <s>{rupees(amount)}</s>
            </td>
          </tr>
        ))}
      />
    </details>
  )
}
