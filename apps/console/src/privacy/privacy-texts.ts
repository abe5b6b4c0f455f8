// Texts of personal data: what may be erased, and the states of requests for erasure.
import type { BorrowerPrivacy, ErasureObstacle, ErasureState } from '@lendloom/wire/console/privacy'
import { inIndiaAs } from '../ui/clock.ts'
import type { Tone } from '../ui/components.tsx'
import { countText } from '../ui/format-figures.ts'

export const stateWords: Record<ErasureState, readonly [Tone, string]> = {
  WAITING: ['warn', 'Waiting'],
  APPROVED: ['info', 'Approved'],
  REFUSED: ['plain', 'Refused'],
  DONE: ['good', 'Erased'],
}

const obstacleTexts: Record<ErasureObstacle, string> = {
  RUNNING: 'the application or loan has not ended',
  HELD: 'a legal hold is in force',
  COMPLAINT: 'a complaint is open',
  UNDELIVERED: 'updates are still to be delivered',
  PERIOD: 'the law requires us to keep it longer',
}

type JourneyData = BorrowerPrivacy['journeys'][number]

export const erasedText = (erasedAt: string): string => `Erased on ${inIndiaAs('date', erasedAt)}`

/** Why the data of an application is still stored, or when it was erased. */
export const dataText = ({ erasedAt, obstacle }: Pick<JourneyData, 'erasedAt' | 'obstacle'>): string => {
  if (erasedAt !== null) return erasedText(erasedAt)
  return obstacle === null ? 'Can be erased' : `Not yet: ${obstacleTexts[obstacle]}`
}

/** What an approval of a request erases now, and what follows later. Newer applications are not part of the request. */
export function approvalText(journeys: JourneyData[], requestedAt: string): string {
  const stored = journeys.filter(({ erasedAt, createdAt }) => erasedAt === null && createdAt <= requestedAt)
  if (journeys.length === 0) return 'We erase the identity of this borrower, who has no application, now.'
  const erasable = stored.filter(({ obstacle }) => obstacle === null).length
  const kept = stored.length - erasable
  const first = erasable === 0 ? 'Nothing can be erased yet.' : `We erase ${countText(erasable, 'application')} now.`
  if (kept === 0) return first
  return `${first} We erase ${countText(kept, erasable === 0 ? 'application' : 'other')} as soon as we may, without another approval.`
}
