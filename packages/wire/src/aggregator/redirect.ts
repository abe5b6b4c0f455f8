// Writes and reads the redirect to an account aggregator: its consent page's address with encrypted, timestamped fields.

import { secondsAfter } from '@lendloom/foundation/clock'
import { decryptFields, encryptFields, fieldsOf, fieldsText, unveil, veil } from './redirect-fields.ts'
import { freshMs, isFresh, stampOf } from './redirect-stamp.ts'

/** The requestor: a lender itself, or a service provider on behalf of lenders. */
type RequestorType = 'FIU' | 'LSP'

export interface Redirection {
  /** Unique to this redirection; the aggregator returns it. */
  txnId: string
  /** Our session; the aggregator returns it unchanged. */
  sessionId: string
  /** The borrower's handle at the aggregator: `9999988888@aa`, or a chosen name. */
  userId: string
  returnUrl: string
  /** The consent handles to decide on. */
  handles: string[]
}

export interface Requestor {
  id: string
  type: RequestorType
  secret: string
}

export interface Redirect {
  url: string
  reqdate: string
  expiresAt: Date
}

/** Builds the address, valid for three minutes from `at`. `fieldsText` explains `escaped`. */
export async function redirectTo(
  webViewUrl: string,
  { id, type, secret }: Requestor,
  { txnId, sessionId, userId, returnUrl, handles }: Redirection,
  { at, escaped }: { at: Date; escaped: boolean },
): Promise<Redirect> {
  const reqdate = stampOf(at)
  const fields = fieldsText(
    [
      ['txnid', txnId],
      ['sessionid', sessionId],
      ['userid', userId],
      ['redirect', returnUrl],
      ...handles.map((handle): [string, string] => ['srcref', handle]),
    ],
    escaped,
  )
  const url = new URL(webViewUrl)
  url.searchParams.set('fi', veil(id, reqdate))
  url.searchParams.set('requestorType', veil(type, reqdate))
  url.searchParams.set('reqdate', reqdate)
  url.searchParams.set('ecreq', await encryptFields(fields, secret, reqdate))
  return { url: url.href, reqdate, expiresAt: secondsAfter(at, freshMs / 1000) }
}

export interface RedirectQuery {
  fi: string
  reqdate: string
  ecreq: string
  requestorType?: string | undefined
}

/** The claimed requestor, unverified: selects the secret. */
export const requestorIn = ({ fi, reqdate }: RedirectQuery): string => unveil(fi, reqdate)

/** Why an aggregator rejects a redirection. */
export type RedirectFault = 'stale' | 'unreadable' | 'incomplete'

/** Decrypts and parses a redirection with its requestor's secret. */
export async function readRedirect(
  query: RedirectQuery,
  secret: string,
  now: Date,
): Promise<Redirection | { fault: RedirectFault }> {
  if (!isFresh(query.reqdate, now)) return { fault: 'stale' }
  const text = await decryptFields(query.ecreq, secret, query.reqdate)
  if (text === null) return { fault: 'unreadable' }
  const fields = fieldsOf(text)
  const first = (key: string): string | undefined => fields.get(key)?.[0]
  const txnId = first('txnid')
  const sessionId = first('sessionid')
  const userId = first('userid')
  const returnUrl = first('redirect')
  const handles = fields.get('srcref')?.filter(Boolean) ?? []
  if (!txnId || !sessionId || !userId || !returnUrl || handles.length === 0) return { fault: 'incomplete' }
  return { txnId, sessionId, userId, returnUrl, handles }
}
