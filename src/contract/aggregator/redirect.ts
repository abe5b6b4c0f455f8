// The way to an account aggregator: the address that sends a borrower to its consent page, and how the aggregator reads it.
import { secondsAfter } from '#kit/runtime/clock.ts'
import { decrypted, encrypted, unveiled, veiled } from './cipher.ts'
import { fieldsOf, fieldsText } from './fields.ts'
import { freshMs, isFresh, stampOf } from './stamp.ts'

/** Who sends the borrower: a lender itself, or a service provider on behalf of lenders. */
type RequestorType = 'FIU' | 'LSP'

/** What one redirection is about. */
export interface Redirection {
  /** Names this redirection alone; the aggregator repeats it. */
  txnId: string
  /** Ours, repeated unchanged: it leads back to the session. */
  sessionId: string
  /** The borrower at the aggregator: `9999988888@aa`, or a name of their own. */
  userId: string
  /** Where the borrower is sent afterwards. */
  returnUrl: string
  /** The consent handles that are to be decided on. */
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

/** Makes the address, good for three minutes from `at`. `escaped` as `fieldsText` has it. */
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
  url.searchParams.set('fi', veiled(id, reqdate))
  url.searchParams.set('requestorType', veiled(type, reqdate))
  url.searchParams.set('reqdate', reqdate)
  url.searchParams.set('ecreq', await encrypted(fields, secret, reqdate))
  return { url: url.href, reqdate, expiresAt: secondsAfter(at, freshMs / 1000) }
}

/** As it arrives at the aggregator. */
export interface RedirectQuery {
  fi: string
  reqdate: string
  ecreq: string
  requestorType?: string | undefined
}

/** Who claims to have sent the borrower, before anything is proven: whose secret to look up. */
export const requestorIn = ({ fi, reqdate }: RedirectQuery): string => unveiled(fi, reqdate)

/** Why an aggregator turns a redirection away. */
export type RedirectFault = 'stale' | 'unreadable' | 'incomplete'

/** What the redirection asks for, under the secret of the requestor it names. */
export async function readRedirect(
  query: RedirectQuery,
  secret: string,
  now: Date,
): Promise<Redirection | { fault: RedirectFault }> {
  if (!isFresh(query.reqdate, now)) return { fault: 'stale' }
  const text = await decrypted(query.ecreq, secret, query.reqdate)
  if (text === null) return { fault: 'unreadable' }
  const fields = fieldsOf(text)
  const [txnId, sessionId, userId, returnUrl] = ['txnid', 'sessionid', 'userid', 'redirect'].map(
    (key) => fields.get(key)?.[0],
  )
  const handles = fields.get('srcref')?.filter(Boolean) ?? []
  if (!txnId || !sessionId || !userId || !returnUrl || handles.length === 0) return { fault: 'incomplete' }
  return { txnId, sessionId, userId, returnUrl, handles }
}
