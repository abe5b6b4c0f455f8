// A journey's status; an expired one shows that first, with the status beside it.
import type { ListedJourney } from '#contract/console/journeys.ts'
import { Badge } from '../ui/parts.tsx'
import { worded } from '../ui/words.ts'
import { toneOf } from './words.ts'

export const JourneyStatus = ({
  journey: { status, expired },
}: {
  journey: Pick<ListedJourney, 'status' | 'expired'>
}) =>
  expired ? (
    <>
      <Badge tone="bad">Expired</Badge> <span class="quiet small">after {worded(status)}</span>
    </>
  ) : (
    <Badge tone={toneOf(status)}>{worded(status)}</Badge>
  )
