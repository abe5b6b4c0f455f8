// A complaint's notice and its deadlines.

import { Icon } from '@lendloom/design/icon'
import { check, cross } from '@lendloom/design/icons'
import type { ComplaintDetail, ListedComplaint } from '@lendloom/wire/console/complaints'
import type { ComponentChildren } from 'preact'
import { to } from '../router.ts'
import { now } from '../ui/clock.ts'
import { Badge, Day, Failed, Time } from '../ui/components.tsx'
import { outcomeText, stateWords } from './complaint-texts.ts'
import { type ClockLine, clockOf, dueText } from './deadlines.ts'

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) =>
  children === null || children === undefined || children === false || children === '' ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )

interface NoticesProps {
  complaint: ComplaintDetail
  onMatch: (() => void) | null
}

export function StateBadge({ complaint }: { complaint: Pick<ListedComplaint, 'status' | 'overdue'> }) {
  const [tone, words] = stateWords(complaint)
  return <Badge tone={tone}>{words}</Badge>
}

/** The state of a complaint in one notice, coloured by the most severe part. */
export function Notices({ complaint, onMatch }: NoticesProps) {
  const { overdue, escalatedAt, ombudsmanAt, mergedInto, outcome, satisfied, status, officers } = complaint
  const isEnded = status === 'CLOSED' || status === 'RESOLVED'
  const isEscalated = escalatedAt !== null && !isEnded
  const isSettled = outcome !== null && isEnded
  if (!(onMatch || mergedInto || overdue || isEscalated || ombudsmanAt || isSettled)) return null
  const endTone = outcome === 'NOT_UPHELD' ? 'plain' : 'good'
  const tone = overdue ? 'bad' : onMatch || isEscalated || (ombudsmanAt && !isEnded) ? 'warn' : isSettled ? endTone : ''
  return (
    <p class={`notice ${tone}`}>
      {overdue && (
        <>
          <Failed>{dueText(complaint, new Date(now()))}.</Failed>{' '}
          {complaint.firstAnsweredAt === null ? 'The borrower has no answer yet. ' : 'It must be resolved. '}
        </>
      )}
      {isEscalated && (
        <>
          <strong>Escalated</strong> to {officers.platform.nodal.name}, <Time at={escalatedAt} />.{' '}
        </>
      )}
      {isSettled && (
        <>
          <strong>{outcomeText(complaint.category, outcome)}.</strong>{' '}
          {satisfied !== null && `The borrower is ${satisfied ? '' : 'not '}satisfied. `}
        </>
      )}
      {ombudsmanAt && (
        <>
          We informed the borrower about the Reserve Bank’s ombudsman, <Time at={ombudsmanAt} />.{' '}
        </>
      )}
      {mergedInto && (
        <>
          It continues in <a href={to('complaints', mergedInto.complaintId)}>{mergedInto.number}</a>.{' '}
        </>
      )}
      {onMatch && (
        <>
          <strong>Not matched:</strong> the sender’s address belongs to no borrower, or to several.{' '}
          <button type="button" class="secondary small" onClick={onMatch}>
            Choose the borrower
          </button>
        </>
      )}
    </p>
  )
}

export const Deadlines = ({ complaint }: { complaint: ComplaintDetail }) => (
  <section class="card deadlines">
    <h2>Deadlines</h2>
    <dl class="facts">
      {clockOf(complaint, new Date(now()).toISOString()).map((line) => (
        <Fact key={line.name} name={line.name}>
          <DeadlineState {...line} />
        </Fact>
      ))}
    </dl>
  </section>
)

const DeadlineState = ({ state, at }: ClockLine): ComponentChildren =>
  state === 'met' ? (
    <span class="good-words">
      <Icon path={check} /> <span class="unseen">Met:</span> <Time at={at} />
    </span>
  ) : state === 'missed' || state === 'late' ? (
    <span class="missed">
      <Icon path={cross} /> {state === 'late' ? 'Late' : 'Missed'}: <Time at={at} />
    </span>
  ) : state === 'next' ? (
    <>
      <strong>
        <Day on={at} />
      </strong>{' '}
      <Badge tone="info">Next</Badge>
    </>
  ) : (
    <Day on={at} />
  )
