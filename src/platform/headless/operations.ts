// GET operations/{operationID}: how what was accepted is going, read off what it set in motion (D2 §6).

import { OperationParams } from '#contract/headless/fields.ts'
import { Operation } from '#contract/headless/journey.ts'
import { englishOf } from '#contract/reason/reason.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { isOpen, listServicing, type ServicingRow } from '#platform/servicing/store.ts'
import { statusIn } from './journey-wire.ts'
import { pollAfterSeconds } from './profile.ts'
import { reading } from './route.ts'
import { type AcceptedOperation, findJourneyRow, type HeadlessJourneyRow, listOperations } from './store.ts'

const servicingPollSeconds = 5

const get = reading({
  path: '/journeys/{journeyID}/operations/{operationID}',
  section: 'D2 §6',
  summary: 'How an operation is going',
  params: OperationParams,
  data: Operation,
  async read({ who, params }, { db }) {
    const journey = await findJourneyRow(db, who, params.journeyID)
    if (!journey) throw new Refusal('absent', 'there is no such journey')
    const of = { tenantId: who.tenantId, journeyId: journey.journeyId }
    const [accepted, requested] = await Promise.all([listOperations(db, of), listServicing(db, of)])
    const found = accepted.find(({ operationId }) => sameId(operationId, params.operationID))
    if (found) return submission(journey, found, found === accepted[0])
    const servicing = requested.find(({ operationId }) => sameId(operationId, params.operationID))
    if (!servicing) throw new Refusal('absent', 'there is no such operation')
    return afterDisbursal(servicing)
  },
})

const sameId = (ours: string, given: string): boolean => ours === given.toLowerCase()

/** Only the newest can be in progress: a profile is sent again when no lender was reached. */
function submission(
  journey: HeadlessJourneyRow,
  { operationId, kind, startedAt }: AcceptedOperation,
  isNewest: boolean,
): Operation {
  const isPending = isNewest && statusIn(journey).pendingOperations.includes('PROFILE_SUBMISSION')
  const failed = !isNewest || journey.status === 'STARTED'
  return wireOperation({
    ...{ operationID: operationId, journeyID: journey.journeyId, kind, startedAt },
    status: isPending ? 'PENDING' : failed ? 'FAILED' : 'SUCCEEDED',
    reason: englishOf(!isPending && failed ? 'NOBODY_REACHED' : null),
    seconds: pollAfterSeconds,
  })
}

const afterDisbursal = (servicing: ServicingRow): Operation => {
  const { operationId, journeyId, kind, status, reason, requestedAt } = servicing
  const succeeded = status === 'PAID' || status === 'DONE'
  return wireOperation({
    ...{ operationID: operationId, journeyID: journeyId, kind, startedAt: requestedAt },
    status: isOpen(servicing) ? 'PENDING' : succeeded ? 'SUCCEEDED' : 'FAILED',
    reason: englishOf(reason),
    seconds: servicingPollSeconds,
  })
}

interface OperationFacts extends Omit<Operation, 'startedAt' | 'pollAfterSeconds'> {
  startedAt: Date
  /** When it is worth asking again while it is under way. */
  seconds: number
}

const wireOperation = ({ startedAt, seconds, ...operation }: OperationFacts): Operation => ({
  ...operation,
  pollAfterSeconds: operation.status === 'PENDING' ? seconds : null,
  startedAt: startedAt.toISOString(),
})

export const operationRoutes = [get]
