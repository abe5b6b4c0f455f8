// The steps of a journey, from start to disbursal, with the current one.
import type { JourneyHead } from '@lendloom/wire/console/journeys'
import { labelOf } from '../ui/code-labels.ts'

const steps = [
  ['STARTED', 'Started'],
  ['PROFILED', 'Profile'],
  ['OFFERED', 'Offers'],
  ['OFFER_SELECTED', 'Choice'],
  ['OFFER_ACCEPTED', 'Acceptance'],
  ['DISBURSED', 'Disbursal'],
] as const

type Progress = Pick<JourneyHead, 'status' | 'offers' | 'line'>

function reachedStep({ status, offers, line }: Progress): number {
  if (line !== null) return steps.length - 1
  if (status === 'LENDER_REDIRECTED') return 4
  const position = steps.findIndex(([each]) => each === status)
  if (position !== -1) return position
  if (offers.some(({ accepted }) => accepted)) return 4
  if (offers.some(({ chosen }) => chosen)) return 3
  return offers.some(({ status: each }) => each === 'OFFER_RECEIVED') ? 2 : 1
}

export function Rail({ head }: { head: JourneyHead }) {
  const reached = reachedStep(head)
  const isUndrawn = head.line !== null && head.status !== 'DISBURSED'
  const isFailed = head.expired !== null || head.status === 'REJECTED' || head.status === 'NOT_OFFERED'
  return (
    <ol class="rail" aria-label="Steps of the journey">
      {steps.map(([status, name], i) => (
        <li
          key={status}
          class={
            i < reached
              ? 'done'
              : i > reached || isUndrawn
                ? ''
                : isFailed
                  ? 'failed'
                  : status === 'DISBURSED'
                    ? 'done'
                    : 'now'
          }
          aria-current={i === reached && !isUndrawn ? 'step' : undefined}
        >
          <span>{status === 'DISBURSED' && head.line !== null ? 'First drawdown' : name}</span>
          {i === reached && isFailed && <span class="small">{head.expired ? 'Expired' : labelOf(head.status)}</span>}
        </li>
      ))}
    </ol>
  )
}
