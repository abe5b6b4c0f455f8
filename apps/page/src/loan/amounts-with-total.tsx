// Lists of amounts: rows with their total, and the main figures of a loan.

import { Icon } from '@lendloom/design/icon'
import { warning } from '@lendloom/design/icons'
import { rupees } from '../page/format.ts'

interface SumsProps {
  rows: [label: string, amount: string | undefined, more?: string][]
  total?: [label: string, amount: string]
}

/** Rows of amounts with a total. */
export const Sums = ({ rows, total }: SumsProps) => (
  <dl class="sums">
    {(total ? [...rows, total] : rows).map(
      ([label, amount], i) =>
        amount && (
          <SumRow key={label} label={label} text={rupees(amount).replace('-', '−')} isTotal={i === rows.length} />
        ),
    )}
  </dl>
)

interface SumRowProps {
  label: string
  text: string
  isTotal?: boolean
}

export const SumRow = ({ label, text, isTotal = false }: SumRowProps) => (
  <div class={isTotal ? 'sum' : undefined}>
    <dt>{label}</dt>
    <dd>{text}</dd>
  </div>
)

/** A name, an amount in rupees, and what is said below it. */
export type Figure = [name: string, amount: string, more?: string]

interface FigureListProps {
  figures: Figure[]
  /** Whether the first figure is overdue. */
  isLate?: boolean
}

/** The main figures, the first of which is largest. */
export const FigureList = ({ figures, isLate = false }: FigureListProps) => (
  <dl>
    {figures.map(([name, amount, more], i) => (
      <div key={name} class={i === 0 ? 'first' : undefined}>
        <dt class={isLate && i === 0 ? 'overdue' : undefined}>
          {isLate && i === 0 && <Icon path={warning} />}
          {name}
        </dt>
        <dd>
          {rupees(amount)}
          {more && <small class="per-month">{more}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
