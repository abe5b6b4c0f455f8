// A journey's status. An expired journey also shows the status at which it expired, and a credit line has its own states.
import type { ListedJourney } from '@lendloom/wire/console/journeys'
import { labelOf } from '../ui/code-labels.ts'
import { Badge } from '../ui/components.tsx'
import { toneOf } from './journey-texts.ts'

interface JourneyStatusProps {
  journey: Pick<ListedJourney, 'status' | 'expired'> & Partial<Pick<ListedJourney, 'isCancelled' | 'line'>>
  isShort?: boolean
}

export const JourneyStatus = ({
  journey: { status, expired, isCancelled, line = null },
  isShort = false,
}: JourneyStatusProps) =>
  expired ? (
    <span title={`Expired after ${labelOf(status)}`}>
      <Badge tone="bad">Expired</Badge> {!isShort && <span class="quiet small">after {labelOf(status)}</span>}
    </span>
  ) : line === 'CLOSED' ? (
    <Badge tone="plain">Closed</Badge>
  ) : line === 'OPEN' && status !== 'DISBURSED' ? (
    <Badge tone="good">Line open</Badge>
  ) : isCancelled ? (
    <Badge tone="plain">Cancelled</Badge>
  ) : (
    <Badge tone={toneOf(status)}>{labelOf(status)}</Badge>
  )
