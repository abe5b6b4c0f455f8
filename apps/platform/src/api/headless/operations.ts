// GET operations/{operationID}: the progress of a submission or of a request after disbursal (D2 §6).

import { Refusal } from '@lendloom/foundation/refusal'
import { englishOf } from '@lendloom/lending/reason/reason'
import { Operation } from '@lendloom/wire/headless/operation'
import { OperationParams } from '@lendloom/wire/headless/path-parameters'
import { isOpen, type ServicingRow } from '#platform/lending/servicing/operation.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { readRoute } from './headless-route.ts'
import { overviewOf } from './journey-wire.ts'
import { pollAfterSeconds } from './profile.ts'
import { type AcceptedOperation, findJourneyRow, type HeadlessJourneyRow, listOperations } from './store.ts'

const servicingPollSeconds = 5

const getOperation = readRoute({
  path: '/journeys/{journeyID}/operations/{operationID}',
  section: 'D2 §6',
  operationId: 'getOperation',
  summary: 'Get the progress of an operation',
  params: OperationParams,
  data: Operation,
  async read({ who, params }, { db }) {
    const journey = await findJourneyRow(db, who, params.journeyID)
    if (!journey) throw new Refusal('absent', 'there is no such journey')
    const key = { tenantId: who.tenantId, journeyId: journey.journeyId }
    const [submissions, servicings] = await Promise.all([listOperations(db, key), listServicing(db, key)])
    const submission = submissions.find(({ operationId }) => isSameId(operationId, params.operationID))
    if (submission) return submissionOperation(journey, submission, submission === submissions[0])
    const servicing = servicings.find(({ operationId }) => isSameId(operationId, params.operationID))
    if (!servicing) throw new Refusal('absent', 'there is no such operation')
    return servicingOperation(servicing)
  },
})

const isSameId = (id: string, requestedId: string): boolean => id === requestedId.toLowerCase()

/** An older submission has failed, because a profile is resubmitted only after its submission reached no lender. */
function submissionOperation(
  journey: HeadlessJourneyRow,
  { operationId, kind, startedAt }: AcceptedOperation,
  isNewest: boolean,
): Operation {
  const isPending = isNewest && overviewOf(journey).pendingOperations.includes('PROFILE_SUBMISSION')
  const hasFailed = !isNewest || journey.status === 'STARTED'
  const endStatus = hasFailed ? 'FAILED' : 'SUCCEEDED'
  return toWireOperation({
    operationID: operationId,
    journeyID: journey.journeyId,
    kind,
    startedAt,
    status: isPending ? 'PENDING' : endStatus,
    reason: englishOf(!isPending && hasFailed ? 'NOBODY_REACHED' : null),
    pollSeconds: pollAfterSeconds,
  })
}

const servicingOperation = (servicing: ServicingRow): Operation => {
  const { operationId, journeyId, kind, status, reason, requestedAt } = servicing
  const endStatus = status === 'PAID' || status === 'DONE' ? 'SUCCEEDED' : 'FAILED'
  return toWireOperation({
    operationID: operationId,
    journeyID: journeyId,
    kind,
    startedAt: requestedAt,
    status: isOpen(servicing) ? 'PENDING' : endStatus,
    reason: englishOf(reason),
    pollSeconds: servicingPollSeconds,
  })
}

interface OperationFields extends Omit<Operation, 'startedAt' | 'pollAfterSeconds'> {
  startedAt: Date
  /** Seconds until the next poll of a pending operation. */
  pollSeconds: number
}

const toWireOperation = ({ startedAt, pollSeconds, ...operation }: OperationFields): Operation => ({
  ...operation,
  pollAfterSeconds: operation.status === 'PENDING' ? pollSeconds : null,
  startedAt: startedAt.toISOString(),
})

export const operationRoutes = [getOperation]
