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
          <div key={label} class={i === rows.length ? 'sum' : undefined}>
            <dt>{label}</dt>
            <dd>{rupees(amount).replace('-', '−')}</dd>
          </div>
        ),
    )}
  </dl>
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
