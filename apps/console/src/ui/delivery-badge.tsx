// Badge with a delivery's state and what it waits for.

import { ago, Badge } from './components.tsx'
import { type DeliveryNow, stateOf } from './delivery-state-texts.ts'

/** What a delivery waits for; empty if nothing. */
export function waitWords(delivery: DeliveryNow): string {
  const { note, nextAt } = stateOf(delivery)
  return nextAt === null ? note : `next try ${ago(nextAt)}`
}

export function DeliveryBadge({ delivery }: { delivery: DeliveryNow }) {
  const { tone, word } = stateOf(delivery)
  const note = waitWords(delivery)
  return (
    <span class="standing">
      <Badge tone={tone}>{word}</Badge> {note && <span class="quiet small">{note}</span>}
    </span>
  )
}
