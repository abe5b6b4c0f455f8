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

type Progress = Pick<JourneyHead, 'status' | 'offers'>

function reachedStep({ status, offers }: Progress): number {
  if (status === 'LENDER_REDIRECTED') return 4
  const position = steps.findIndex(([each]) => each === status)
  if (position !== -1) return position
  if (offers.some(({ accepted }) => accepted)) return 4
  if (offers.some(({ chosen }) => chosen)) return 3
  return offers.some(({ status: each }) => each === 'OFFER_RECEIVED') ? 2 : 1
}

export function Rail({ head }: { head: JourneyHead }) {
  const reached = reachedStep(head)
  const isFailed = head.expired !== null || head.status === 'REJECTED' || head.status === 'NOT_OFFERED'
  return (
    <ol class="rail" aria-label="Steps of the journey">
      {steps.map(([status, name], i) => (
        <li
          key={status}
          class={
            i < reached ? 'done' : i > reached ? '' : isFailed ? 'failed' : status === 'DISBURSED' ? 'done' : 'now'
          }
          aria-current={i === reached ? 'step' : undefined}
        >
          <span>{name}</span>
          {i === reached && isFailed && <span class="small">{head.expired ? 'Expired' : labelOf(head.status)}</span>}
        </li>
      ))}
    </ol>
  )
}
