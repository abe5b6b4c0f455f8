// The statement that stores a sample session, for the baseline of benchmarks.

import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { settings } from '@lendloom/platform/settings'
import { requestOf } from '@lendloom/platform/src/api/hosted/create-session.ts'
import type { Context } from '@lendloom/platform/src/context.ts'
import { mintEmbedToken } from '@lendloom/platform/src/integrators/access/embed-session.ts'
import { lenderChannels } from '@lendloom/platform/src/lenders/channels.ts'
import { newBorrowerOf } from '@lendloom/platform/src/lending/borrower/ensure-borrower.ts'
import { openingOf } from '@lendloom/platform/src/lending/journey/open-journey.ts'
import { openForNewBorrowers } from '@lendloom/platform/src/lending/profile/opening-store.ts'
import { processPartsOf } from '@lendloom/platform/src/process-parts.ts'
import type { Db, Run } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import { sealWith } from '@lendloom/seal/seal'
import { canonicalSession } from '@lendloom/wire/hosted/create-session'

/** This number occurs in the statement only as the bucket. */
const sampleBucket = 3577

/** Returns a session's body as an integrator sends it. */
export const sampleBorrower = (borrowerProviderID: string) => ({
  borrowerProviderID,
  profile: {
    contactNumber: '9876543210',
    pan: 'ABCPE1234F',
    panName: 'Asha Kulkarni',
    dob: '1992-02-29',
    gender: 'female',
    personalemail: 'asha@mail.example',
  },
  workProfile: { employmentType: 'salaried', income: 85000, companyName: 'Example Industries' },
  address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
})

/** `open` runs the statement; `generatedIds` names the values that must differ in each row. */
export function openingSample(env: Record<string, string>, tenant: { tenantId: string; applicationId: string }) {
  const at = new Date()
  const db = {} as Db
  const seal = sealWith(env.LENDLOOM_KEYS!)
  const config = configFrom(settings, env)
  const ctx: Context = {
    db,
    seal,
    clock: () => at,
    realClock: () => at,
    config,
    log: quietLog,
    channels: lenderChannels,
    ...processPartsOf({ db, seal, config }),
  }
  const request = requestOf(canonicalSession(sampleBorrower('bench-sample'), at))
  const { externalId, person } = request
  const { tenantId } = tenant
  const borrowerId = uuidv7(at.getTime(), sampleBucket)
  const borrower = { ...newBorrowerOf(ctx, { tenantId, externalId }, person, at), borrowerId }
  const opened = openingOf(ctx, { ...tenant, borrowerId }, request, at)
  const { journey, event } = opened
  const { row: token } = mintEmbedToken(ctx, journey, at)
  const opening = { ...opened, borrower, token }
  const generatedIds: Record<string, string> = {
    [borrowerId]: 'borrower',
    [externalId]: 'external_text',
    [journey.journeyId]: 'journey',
    [journey.networkTransactionId]: 'transaction_id',
    [event.eventId]: 'event',
    [token.tokenId]: 'token_text',
  }
  return { bucket: sampleBucket, open: (db: Run) => openForNewBorrowers(db, [opening]), generatedIds }
}
