// The deadlines of a complaint, of which the regulator's is thirty days, and of a requested exit.

import { daysAfter } from '@lendloom/foundation/clock'
import type { Config } from '@lendloom/foundation/config'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { type Complaint, isPending } from './complaint.ts'
import type { complaintSettings } from './settings.ts'

/** The regulator's limit: after this many days a borrower may complain to the ombudsman. */
export const limitDays = 30

/** The assignee is reminded this many days before the resolution is due. */
const reminderDays = 3

type DeadlineSettings = Pick<
  Config<typeof complaintSettings>,
  'COMPLAINT_FIRST_ANSWER_DAYS' | 'COMPLAINT_RESOLUTION_DAYS'
>

/** The deadlines of a complaint that is received or reopened at `at`. */
export const deadlinesFrom = (config: DeadlineSettings, at: Date) => ({
  sinceAt: at,
  firstAnswerDueAt: daysAfter(at, config.COMPLAINT_FIRST_ANSWER_DAYS),
  resolutionDueAt: daysAfter(at, config.COMPLAINT_RESOLUTION_DAYS),
  limitAt: daysAfter(at, limitDays),
})

export type ComplaintDeadline = 'FIRST_ANSWER' | 'REMINDER' | 'RESOLUTION' | 'LIMIT'

/** The deadlines for which a job is scheduled; leaves out those that another one makes pointless. */
export const dueTimes = (
  complaint: Pick<Complaint, 'sinceAt' | 'firstAnswerDueAt' | 'resolutionDueAt' | 'limitAt'>,
): [ComplaintDeadline, Date][] => {
  const reminderAt = daysAfter(complaint.resolutionDueAt, -reminderDays)
  const { firstAnswerDueAt, resolutionDueAt } = complaint
  return [
    ...(firstAnswerDueAt < resolutionDueAt
      ? [['FIRST_ANSWER', firstAnswerDueAt] satisfies [ComplaintDeadline, Date]]
      : []),
    ...(reminderAt > complaint.sinceAt ? [['REMINDER', reminderAt] satisfies [ComplaintDeadline, Date]] : []),
    ['RESOLUTION', complaint.resolutionDueAt],
    ['LIMIT', complaint.limitAt],
  ]
}

/** Transfers of the last day are reported within a weekend and a holiday. */
export const daysToReport = 3

/** When a cancellation that was not paid by its last day ends. */
export const exitEndsAt = (payBy: string): Date => startOf(plusDays(payBy, 1 + daysToReport))

type ExitTimes = Pick<Complaint, 'status' | 'exitPayBy' | 'reopened'>

/** When a pending cancellation ends unpaid; null for others, and once it was reopened. */
export const exitEndOf = ({ status, exitPayBy, reopened }: ExitTimes): Date | null =>
  exitPayBy && reopened === 0 && isPending({ status }) ? exitEndsAt(exitPayBy) : null

export type ComplaintTimes = ExitTimes & Pick<Complaint, 'firstAnsweredAt' | 'firstAnswerDueAt' | 'resolutionDueAt'>

/** The next deadline; null when the complaint is not pending. */
export const dueAtOf = (complaint: ComplaintTimes): Date | null => {
  if (!isPending(complaint)) return null
  const { firstAnsweredAt, firstAnswerDueAt, resolutionDueAt } = complaint
  return [
    resolutionDueAt,
    exitEndOf(complaint) ?? resolutionDueAt,
    ...(firstAnsweredAt ? [] : [firstAnswerDueAt]),
  ].reduce((a, b) => (b < a ? b : a))
}
