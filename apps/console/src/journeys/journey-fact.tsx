// A named value of a card; nothing without a value.

import type { ComponentChildren } from 'preact'

export const Fact = ({ name, value }: { name: string; value: ComponentChildren }) =>
  value === null || value === undefined || value === false || value === '' ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
