// What a lender's answer makes of a grievance: its lists are cumulative, so what is known is passed over; pure (FIS12 §20).

import type { RespondentAction, RespondentAnswer } from '#contract/network/igm/read.ts'
import type { RespondentActionName } from '#contract/network/igm/schema.ts'
import { next } from '#kit/runtime/machine.ts'
import { type Grievance, type GrievanceMove, grievanceMachine, type RespondentEntry } from './grievance.ts'

const moves: Record<RespondentActionName, GrievanceMove> = {
  PROCESSING: 'taken',
  CASCADED: 'taken',
  'NEED-MORE-INFO': 'questioned',
  RESOLVED: 'resolved',
}

/** `changed` tells whether anything came that was not known. */
export interface Merged {
  grievance: Grievance
  changed: boolean
}

/**
 * Merges the answer. Only an action that is new and the newest of all moves the grievance, so an answer that comes twice or
 * late changes nothing. Who resolves it, and how, are kept as they were told last.
 */
export function answered(grievance: Grievance, answer: RespondentAnswer, at: Date): Merged {
  const { detail } = grievance
  const fresh = answer.actions.filter((each) => !detail.theirs.some((known) => isSame(known, each)))
  const theirs = [...detail.theirs, ...fresh.map(entryOf)].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const newest = theirs.at(-1)
  const isNews = newest !== undefined && fresh.some((each) => isSame(newest, each))
  const to = isNews ? next(grievanceMachine, grievance.status, moves[newest.action]) : undefined
  const isStale = answer.actions.length < detail.theirs.length
  const { resolution, provider } = isStale ? { resolution: null, provider: null } : answer
  const now: Grievance = {
    ...grievance,
    status: to ?? grievance.status,
    refusedCode: isNews ? null : grievance.refusedCode,
    ...(resolution && { resolutionAction: resolution.action, refundPaise: resolution.refund }),
    detail: {
      ...detail,
      theirs,
      provider: provider ?? detail.provider,
      resolution: resolution ? { text: resolution.text, detail: resolution.detail } : detail.resolution,
    },
    updatedAt: at,
  }
  return { grievance: now, changed: fresh.length > 0 || resolution !== null }
}

/** One action told again: by its instant, since the text beside it may be spelled anew. */
const isSame = (known: RespondentEntry, action: RespondentAction): boolean =>
  known.action === action.action && Date.parse(known.at) === action.at.getTime()

const entryOf = ({ at, ...entry }: RespondentAction): RespondentEntry => ({ ...entry, at: at.toISOString() })
