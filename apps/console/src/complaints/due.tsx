// When a complaint is due: the date may begin a line of its own, and neither part breaks.

import type { ListedComplaint } from '@lendloom/wire/console/complaints'
import { Fragment } from 'preact'
import { now } from '../ui/clock.ts'
import { Day } from '../ui/parts.tsx'
import { dueText } from './clock.ts'

export const Due = ({ complaint }: { complaint: ListedComplaint }) => (
  <span class={complaint.overdue ? 'due overdue' : 'due'} title={complaint.dueAt ?? undefined}>
    {complaint.exitPayBy && complaint.exitEndsAt && !complaint.overdue && (
      <>
        <span>
          Pay by <Day on={complaint.exitPayBy} />.
        </span>{' '}
        <span>{complaint.dueAt === complaint.exitEndsAt ? 'If unpaid, closes' : 'Answer is due'}</span>{' '}
      </>
    )}
    {dueText(complaint, new Date(now()))
      .split(/(?<=,) /)
      .map((part) => (
        <Fragment key={part}>
          <span>{part}</span>{' '}
        </Fragment>
      ))}
  </span>
)
