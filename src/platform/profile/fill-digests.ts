// Makes the look-ups of profiles that were kept before there were any, a page at a time.
import { DamagedValue } from '#kit/crypto/seal.ts'
import { type BorrowerDetails, detailsContext, digestsOf, type ProfileDigests } from '#platform/borrower/borrower.ts'
import type { Context } from '#platform/context.ts'
import { addDigests, profilesWithoutDigests } from './store.ts'

type Means = Pick<Context, 'db' | 'seal' | 'log'>
type Undigested = Awaited<ReturnType<typeof profilesWithoutDigests>>[number]

const pageRows = 200

/** Until none is left; several processes may do so at once, and it may be stopped and begun again at any time. */
export async function fillDigests(means: Means): Promise<void> {
  for (;;) {
    const rows = await profilesWithoutDigests(means.db, pageRows)
    for (const row of rows) await addDigests(means.db, { ...row, digests: digestsIn(means, row) })
    if (rows.length < pageRows) return
  }
}

/** A profile that does not open is found by its borrower alone: the others do not wait for it. */
function digestsIn({ seal, log }: Means, { tenantId, journeyId, profileSealed }: Undigested): ProfileDigests {
  try {
    return digestsOf({ seal }, seal.openJson<BorrowerDetails>(profileSealed, detailsContext(tenantId, journeyId)))
  } catch (error) {
    if (!(error instanceof DamagedValue)) throw error
    log.error({ err: error, journeyId }, 'a profile does not open: it is not found by PAN or e-mail')
    return { pan: null, email: null, officialEmail: null }
  }
}
