// The headless API as a client of it sees it: a server that opens sessions, and the runtime of a borrower.
import { uuidv4 } from '#kit/crypto/id.ts'
import { ask, type Reply, type TestPlatform } from './platform.ts'

export const headlessBase = '/api/v1/headless'

interface Asking {
  method?: string
  token?: string
  body?: unknown
  /** A fresh one for whatever is not a GET; null for none. */
  idempotencyKey?: string | null
  headers?: Record<string, string>
}

/** Calls the headless API of a platform. */
export function startHeadlessClient({ url, tenant }: Pick<TestPlatform, 'url' | 'tenant'>) {
  let people = 0

  function call(path: string, { method = 'GET', token, body, idempotencyKey, headers }: Asking = {}): Promise<Reply> {
    const key = method === 'GET' || idempotencyKey === null ? undefined : (idempotencyKey ?? uuidv4())
    return ask(`${url}${headlessBase}${path}`, {
      method,
      ...(token !== undefined && { key: token }),
      ...(body !== undefined && { body }),
      headers: { ...(key !== undefined && { 'idempotency-key': key }), ...headers },
    })
  }

  /** A borrower nobody has seen yet. */
  function otherParty() {
    people++
    return {
      borrowerExternalID: `headless-${people}`,
      profile: { contactNumber: `97${String(people).padStart(8, '0')}` },
    }
  }

  return {
    call,
    newBorrower: otherParty,
    /** Opens a session as the integrator's server does. */
    bootstrap: (body: unknown = otherParty(), more: Asking = {}): Promise<Reply> =>
      call('/sessions', { method: 'POST', token: tenant.apiKey, body, ...more }),
    /** The runtime of a borrower: every call with the session token. */
    async borrower(body: unknown = otherParty()) {
      const { status, body: reply } = await call('/sessions', { method: 'POST', token: tenant.apiKey, body })
      if (status !== 201) throw new Error(`no session: ${JSON.stringify(reply)}`)
      const token = reply.data.sessionToken as string
      return {
        session: reply.data,
        token,
        get: (path: string, more: Asking = {}) => call(path, { token, ...more }),
        post: (path: string, sent?: unknown, more: Asking = {}) =>
          call(path, { method: 'POST', token, body: sent, ...more }),
        put: (path: string, sent: unknown, more: Asking = {}) =>
          call(path, { method: 'PUT', token, body: sent, ...more }),
        patch: (path: string, sent: unknown, more: Asking = {}) =>
          call(path, { method: 'PATCH', token, body: sent, ...more }),
      }
    },
  }
}

/** A profile that is complete for a personal loan, in D2's spelling. */
export const completeProfile = {
  profile: {
    panName: 'Asha Verma',
    pan: 'ABCPE1234F',
    dob: '1992-02-29',
    gender: 'female',
    personalemail: 'asha@mail.example',
  },
  workProfile: { employmentType: 'salaried', income: '85000', companyName: 'Example Works' },
  address: { addressL1: '12 Park Street', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
}
