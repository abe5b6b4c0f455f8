// A client of the hosted API with new borrowers, and their recorded lifecycle updates; for tests without workers.

import { eventContext } from '@lendloom/platform/src/lending/journey/journey.ts'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { ask, type Reply, testPlatform } from './platform.ts'

/** Starts a platform without workers and returns the calls of an integrator's server. */
export async function startHostedClient(env: Record<string, string> = {}) {
  const platform = await testPlatform(env)
  let borrowerCount = 0
  return {
    platform,
    /** Returns the session body of a new borrower. */
    newBorrower() {
      borrowerCount++
      return {
        borrowerProviderID: `user-${borrowerCount}`,
        profile: { contactNumber: `98${String(borrowerCount).padStart(8, '0')}` },
      }
    },
    post: (body: unknown, headers: Record<string, string> = {}, key = platform.tenant.apiKey): Promise<Reply> =>
      ask(`${platform.url}/api/lab/sessions`, { method: 'POST', key, body, headers }),
    /** Returns the recorded lifecycle updates of a borrower. */
    async updatesOf(externalId: string): Promise<LifecycleUpdate[]> {
      const rows = await platform.ctx.db<{
        tenantId: string
        journeyId: string
        status: string
        payloadSealed: Buffer
      }>`
        select e.tenant_id, e.journey_id, e.status, e.payload_sealed from lifecycle_event e
        join journey j using (bucket, tenant_id, journey_id) join borrower b using (bucket, tenant_id, borrower_id)
        where b.external_id = ${externalId} order by e.sequence`
      return rows.map((row) =>
        platform.ctx.seal.openJson(row.payloadSealed, eventContext(row.tenantId, row.journeyId, row.status)),
      )
    },
  }
}
