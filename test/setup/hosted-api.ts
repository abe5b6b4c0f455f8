// The hosted API with borrowers nobody has seen, and what was recorded of them; for tests without workers.
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import { eventContext } from '#platform/journey/journey.ts'
import { ask, type Reply, testPlatform } from './platform.ts'

/** Starts a platform without workers, and gives what a server in front of it does. */
export async function startHostedClient(env: Record<string, string> = {}) {
  const platform = await testPlatform(env)
  let people = 0
  return {
    platform,
    /** A borrower nobody has seen yet. */
    newBorrower() {
      people++
      return {
        borrowerProviderID: `user-${people}`,
        profile: { contactNumber: `98${String(people).padStart(8, '0')}` },
      }
    },
    post: (body: unknown, headers: Record<string, string> = {}, key = platform.tenant.apiKey): Promise<Reply> =>
      ask(`${platform.url}/api/lab/sessions`, { method: 'POST', key, body, headers }),
    /** The lifecycle updates of a borrower, as they were recorded. */
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
