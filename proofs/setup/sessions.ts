// Requests that open sessions, and what became of them.
import { jsonRequest } from '../../bench/setup/http-load.ts'
import { sampleBorrower } from '../../bench/setup/opening-sample.ts'
import type { Installation } from './installation.ts'
import type { Traffic } from './traffic.ts'

/** Requests for sessions of new borrowers, whose identifiers begin with `prefix`. */
export function sessions({ platformUrl, tenant }: Installation, prefix: string) {
  const { host } = new URL(platformUrl)
  const headers = { authorization: `Bearer ${tenant.apiKey}`, connection: 'close' }
  let people = 0
  return () => {
    const sample = sampleBorrower(`${prefix}-${++people}`)
    const body = { ...sample, profile: { ...sample.profile, contactNumber: `9${String(people).padStart(9, '0')}` } }
    return { id: sample.borrowerProviderID, bytes: jsonRequest('POST', '/api/lab/sessions', host, headers, body) }
  }
}

/** Number of transfers that the sandbox's bank made. */
export async function payouts({ sandboxDb }: Installation): Promise<number> {
  const [row] = await sandboxDb<{ count: number }>`
    select count(*)::int as count from bank_transfer where status = 'SUCCESS'`
  return row?.count ?? 0
}

/** Number of accepted sessions whose borrower is not stored. */
export async function missingOf({ db }: Installation, { accepted }: Traffic): Promise<number> {
  const rows = await db<{ externalId: string }>`
    select external_id from borrower join journey using (bucket, tenant_id, borrower_id)`
  const there = new Set(rows.map(({ externalId }) => externalId))
  return [...accepted].filter((id) => !there.has(id)).length
}
