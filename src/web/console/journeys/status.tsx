// A journey's status. An expired journey also shows the status at which it expired.
import type { ListedJourney } from '#contract/console/journeys.ts'
import { Badge } from '../ui/parts.tsx'
import { labelOf } from '../ui/words.ts'
import { toneOf } from './words.ts'

export const JourneyStatus = ({
  journey: { status, expired },
}: {
  journey: Pick<ListedJourney, 'status' | 'expired'>
}) =>
  expired ? (
    <>
      <Badge tone="bad">Expired</Badge> <span class="quiet small">after {labelOf(status)}</span>
    </>
  ) : (
    <Badge tone={toneOf(status)}>{labelOf(status)}</Badge>
  )
