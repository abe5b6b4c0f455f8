// Erases the personal data of journeys and borrowers whose obstacles are gone.

import type { Write } from '@lendloom/postgres/write'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { loggedBorrower } from '#platform/integrators/request-log/request-log.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { lockBorrowerById } from '#platform/lending/borrower/store.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { listJourneysOf, lockJourneysOf } from './borrower-journeys.ts'
import { type BorrowerKey, type ErasedJourney, eraseBorrowerRows, eraseJourneyRows } from './erase/store.ts'
import { findIdentity } from './identity-store.ts'
import { erasureObstacle, identityObstacle } from './retention-period.ts'
import {
  erasureContext,
  holdContext,
  listErasuresOf,
  listHoldsOf,
  type RecentErasure,
  replaceErasureReason,
  replaceHoldReason,
} from './store.ts'

interface ErasureScope {
  /** Whether the borrower requested the erasure, so that shorter periods apply. */
  isRequested: boolean
  /** Only journeys that were opened until then. */
  openedUntil: Date
}

export interface ErasureResult {
  erased: number
  /** Journeys in the scope, or an identity without a journey, whose data must still be kept. */
  left: number
  /** Whether the borrower's identity was erased. */
  hasErasedIdentity: boolean
}

export const nothingErased: ErasureResult = { erased: 0, left: 0, hasErasedIdentity: false }

type EraseContext = Write & { seal: Seal }

/**
 * Erases the journeys of a borrower that have no obstacle, and the borrower's identity when no journey needs it. Locks the
 * borrower and the journeys first, so that no journey is opened or resumed and no complaint is opened meanwhile.
 */
export async function eraseBorrower(
  ctx: EraseContext,
  key: BorrowerKey,
  { isRequested, openedUntil }: ErasureScope,
): Promise<ErasureResult> {
  const { tx, at, seal } = ctx
  const borrower = await lockBorrowerById(tx, key.tenantId, key.borrowerId)
  await lockJourneysOf(tx, key)
  const stored = (await listJourneysOf(tx, key)).filter(({ erasedAt }) => erasedAt === null)
  const inScope = stored.filter(({ createdAt }) => createdAt <= openedUntil)
  let erased = 0
  for (const journey of inScope) {
    if (erasureObstacle(journey, at, isRequested) !== null) continue
    await eraseJourneyRows(tx, journey, replacementsOf(seal, journey, at))
    erased++
  }
  const journeysLeft = inScope.length - erased
  if (erased < stored.length) return { erased, left: journeysLeft, hasErasedIdentity: false }
  const identity = await findIdentity(tx, key)
  const obstacle = identity && identityObstacle(identity, at, isRequested)
  const hasErasedIdentity = obstacle === null
  if (hasErasedIdentity) await eraseIdentity(ctx, key, borrower?.externalId)
  return { erased, left: obstacle ? 1 : 0, hasErasedIdentity }
}

/**
 * Erases again what a transaction wrote that ran during the erasure, such as the message that a lender's callback had
 * already found the journey for.
 */
export async function repeatErasure({ tx, seal }: EraseContext, erasure: RecentErasure): Promise<void> {
  const { tenantId, borrowerId, journeyId, erasedAt } = erasure
  const borrower = await lockBorrowerById(tx, tenantId, borrowerId)
  await lockJourney(tx, tenantId, journeyId)
  await eraseJourneyRows(tx, erasure, replacementsOf(seal, erasure, erasedAt))
  if (!(await findIdentity(tx, erasure))) await eraseIdentity({ tx, seal }, erasure, borrower?.externalId)
}

/** Also empties the reasons of requests and legal holds, which stay as records. */
async function eraseIdentity(
  { tx, seal }: Pick<EraseContext, 'tx' | 'seal'>,
  key: BorrowerKey,
  externalId = '',
): Promise<void> {
  const digests = [externalId, key.borrowerId].map((id) => loggedBorrower(seal, key.tenantId, id))
  await eraseBorrowerRows(tx, key, digests)
  const reason = Buffer.from(erasedReason)
  for (const { erasureId } of await listErasuresOf(tx, key)) {
    const row = { tenantId: key.tenantId, erasureId }
    await replaceErasureReason(tx, row, seal.bytes(reason, erasureContext(row)))
  }
  for (const { holdId } of await listHoldsOf(tx, key)) {
    const row = { tenantId: key.tenantId, holdId }
    await replaceHoldReason(tx, row, seal.bytes(reason, holdContext(row)))
  }
}

const erasedReason = 'erased with the data of the borrower'

const replacementsOf = (seal: Seal, { tenantId, journeyId }: JourneyKey, erasedAt: Date): ErasedJourney => ({
  profileSealed: seal.json(emptyDetails, detailsContext(tenantId, journeyId)),
  networkTransactionId: uuidv4(bucketOf(journeyId)),
  erasedAt,
})

/** A profile without data, as it is stored of an erased journey. */
const emptyDetails: BorrowerDetails = { personal: { mobile: '' }, work: {}, address: {}, gold: null }
