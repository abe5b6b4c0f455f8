// A borrower's token pair at the headless API. The `st_` token is valid for half an hour; the `rt_` token refreshes the
// pair once (D2 §5).
import { randomBytes } from 'node:crypto'
import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import type { Tx } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { mintToken } from '@lendloom/seal/token'
import { insertSession, markRotated, type SessionRow } from './store.ts'

const sessionSeconds = 30 * 60
const refreshDays = 7

/** How long a rotation's response is replayed for its Idempotency-Key. */
export const replaySeconds = 60

export interface TokenPair {
  sessionToken: string
  refreshToken: string
  sessionExpiresAt: Date
  refreshExpiresAt: Date
}

export type PairOwner = Pick<SessionRow, 'tenantId' | 'applicationId' | 'keyId' | 'borrowerId' | 'apiVersion'>

/** Creates the first pair of a new family. */
export const beginFamily = (tx: Tx, owner: PairOwner, at: Date): Promise<TokenPair> =>
  mintPair(tx, owner, uuidv7(at.getTime(), bucketOf(owner.borrowerId)), at)

/** Replaces a pair; returns null if the pair was already rotated or revoked. */
export async function rotatePair(tx: Tx, pair: SessionRow, at: Date): Promise<TokenPair | null> {
  const isRotated = await markRotated(tx, pair, at)
  return isRotated ? mintPair(tx, pair, pair.familyId, at) : null
}

async function mintPair(
  tx: Tx,
  { tenantId, applicationId, keyId, borrowerId, apiVersion }: PairOwner,
  familyId: string,
  at: Date,
): Promise<TokenPair> {
  const owner = { tenantId, bucket: bucketOf(borrowerId) }
  const session = mintToken('st', owner, randomBytes)
  const refresh = mintToken('rt', owner, randomBytes)
  const sessionExpiresAt = secondsAfter(at, sessionSeconds)
  const refreshExpiresAt = daysAfter(at, refreshDays)
  await insertSession(tx, {
    tenantId,
    applicationId,
    keyId,
    borrowerId,
    apiVersion,
    familyId,
    sessionId: session.tokenId,
    sessionDigest: session.digest,
    refreshId: refresh.tokenId,
    refreshDigest: refresh.digest,
    createdAt: at,
    sessionExpiresAt,
    refreshExpiresAt,
  })
  return { sessionToken: session.token, refreshToken: refresh.token, sessionExpiresAt, refreshExpiresAt }
}
