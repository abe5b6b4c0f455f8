// Writes and reads the borrower's return from an account aggregator.
import { decryptFields, encryptFields, fieldsOf, fieldsText, unveil, veil } from './redirect-fields.ts'
import { isFresh, stampOf } from './redirect-stamp.ts'

/** The guideline's error codes: 0 approved, the others come with status F. */
const errorCodeList = [0, 1, 2, 3, 4, 5] as const
export type ReturnErrorCode = (typeof errorCodeList)[number]
export const errorCodes = {
  0: 'approved',
  1: 'rejected',
  2: 'consent not found',
  3: 'redirection invalid',
  4: 'authentication failed',
  5: 'still pending',
} as const satisfies Record<ReturnErrorCode, string>

/** The aggregator's report; it has no MAC, so all of it is a hint. */
export interface ReturnHint {
  txnId: string
  sessionId: string
  userId: string
  status: 'S' | 'F'
  errorCode: ReturnErrorCode
  /** The consent handles; some aggregators omit them. */
  handles: string[]
}

export interface ReturnQuery {
  ecres: string
  resdate: string
  fi: string
}

/** The returning aggregator; the secret is the requestor's. */
export interface Aggregator {
  aggregatorId: string
  secret: string
}

/** Builds the return address with the aggregator's answer (the aggregator's side). */
export async function returnTo(
  returnUrl: string,
  { aggregatorId, secret }: Aggregator,
  { txnId, sessionId, userId, status, errorCode, handles }: ReturnHint,
  at: Date,
): Promise<string> {
  const resdate = stampOf(at)
  const fields = fieldsText(
    [
      ['status', status],
      ['errorcode', String(errorCode)],
      ['sessionid', sessionId],
      ...handles.map((handle): [string, string] => ['srcref', handle]),
      ['txnid', txnId],
      ['userid', userId],
    ],
    false,
  )
  const url = new URL(returnUrl)
  url.searchParams.set('ecres', await encryptFields(fields, secret, resdate))
  url.searchParams.set('resdate', resdate)
  url.searchParams.set('fi', veil(aggregatorId, resdate))
  return url.href
}

/** Why a return is rejected. */
export type ReturnFault = 'stale' | 'wrong-aggregator' | 'unreadable' | 'incomplete'

/** Parses a return from `aggregatorId`. The caller matches it with a redirection. */
export async function readReturn(
  { ecres, resdate, fi }: ReturnQuery,
  { aggregatorId, secret }: Aggregator,
  now: Date,
): Promise<ReturnHint | { fault: ReturnFault }> {
  if (!isFresh(resdate, now)) return { fault: 'stale' }
  if (unveil(fi, resdate) !== aggregatorId) return { fault: 'wrong-aggregator' }
  const text = await decryptFields(ecres, secret, resdate)
  if (text === null) return { fault: 'unreadable' }
  const fields = fieldsOf(text)
  const first = (key: string): string | undefined => fields.get(key)?.[0]
  const txnId = first('txnid')
  const sessionId = first('sessionid')
  const status = first('status')
  const errorCode = errorCodeList.find((known) => String(known) === first('errorcode'))
  if (!txnId || !sessionId || (status !== 'S' && status !== 'F') || errorCode === undefined)
    return { fault: 'incomplete' }
  return {
    txnId,
    sessionId,
    userId: first('userid') ?? '',
    status,
    errorCode,
    handles: fields.get('srcref')?.filter(Boolean) ?? [],
  }
}
