// A client of the headless API: the integrator's server that opens sessions, and the borrower's app.
import { uuidv4 } from '@lendloom/seal/id'
import { ask, type Reply, type TestPlatform } from './platform.ts'

export const headlessBase = '/api/v1/headless'

interface CallOptions {
  method?: string
  token?: string
  body?: unknown
  /** By default a new key for each request except GET; null for none. */
  idempotencyKey?: string | null
  headers?: Record<string, string>
}

/** Calls the headless API of a platform. */
export function startHeadlessClient({ url, tenant }: Pick<TestPlatform, 'url' | 'tenant'>) {
  let borrowerCount = 0

  function call(
    path: string,
    { method = 'GET', token, body, idempotencyKey, headers }: CallOptions = {},
  ): Promise<Reply> {
    const key = method === 'GET' || idempotencyKey === null ? undefined : (idempotencyKey ?? uuidv4())
    return ask(`${url}${headlessBase}${path}`, {
      method,
      ...(token !== undefined && { key: token }),
      ...(body !== undefined && { body }),
      headers: { ...(key !== undefined && { 'idempotency-key': key }), ...headers },
    })
  }

  /** Returns the session body of a new borrower. */
  function newBorrower() {
    borrowerCount++
    return {
      borrowerExternalID: `headless-${borrowerCount}`,
      profile: { contactNumber: `97${String(borrowerCount).padStart(8, '0')}` },
    }
  }

  return {
    call,
    newBorrower,
    /** Opens a session as the integrator's server. */
    bootstrap: (body: unknown = newBorrower(), more: CallOptions = {}): Promise<Reply> =>
      call('/sessions', { method: 'POST', token: tenant.apiKey, body, ...more }),
    /** Opens a session and returns the borrower's calls with its token. */
    async borrower(body: unknown = newBorrower()) {
      const { status, body: reply } = await call('/sessions', { method: 'POST', token: tenant.apiKey, body })
      if (status !== 201) throw new Error(`no session: ${JSON.stringify(reply)}`)
      const token = reply.data.sessionToken as string
      return {
        session: reply.data,
        token,
        get: (path: string, more: CallOptions = {}) => call(path, { token, ...more }),
        post: (path: string, sent?: unknown, more: CallOptions = {}) =>
          call(path, { method: 'POST', token, body: sent, ...more }),
        put: (path: string, sent: unknown, more: CallOptions = {}) =>
          call(path, { method: 'PUT', token, body: sent, ...more }),
        patch: (path: string, sent: unknown, more: CallOptions = {}) =>
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
