// Badge with a delivery's state and what it waits for.

import { Badge } from './components.tsx'
import { type DeliveryNow, stateOf, waitWords } from './delivery-state-texts.ts'

export function DeliveryBadge({ delivery }: { delivery: DeliveryNow }) {
  const { tone, word } = stateOf(delivery)
  const note = waitWords(delivery)
  return (
    <span class="standing">
      <Badge tone={tone}>{word}</Badge> {note && <span class="quiet small">{note}</span>}
    </span>
  )
}
