// Makes the look-ups of profiles that were kept before there were any, a page at a time.
import { type BorrowerDetails, detailsContext, digestsOf } from '#platform/borrower/borrower.ts'
import type { Context } from '#platform/context.ts'
import { addDigests, profilesWithoutDigests } from './store.ts'

const pageRows = 200

/** Until none is left; several processes may do so at once, and it may be stopped and begun again at any time. */
export async function fillDigests({ db, seal }: Pick<Context, 'db' | 'seal'>): Promise<void> {
  for (;;) {
    const rows = await profilesWithoutDigests(db, pageRows)
    for (const row of rows) {
      const person = seal.openJson<BorrowerDetails>(row.profileSealed, detailsContext(row.tenantId, row.journeyId))
      await addDigests(db, { ...row, digests: digestsOf({ seal }, person) })
    }
    if (rows.length < pageRows) return
  }
}
