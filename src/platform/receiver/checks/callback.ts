// POST /api/provider/{kyc|mandate|esign}/callback: a provider's signed word on one of our sessions (D3 §6 rule 1).
import { type Arrival, answer } from '#kit/http-server.ts'
import { Refusal } from '#kit/refusal.ts'
import type { CheckKind } from '#platform/exchange/check.ts'
import { checkByReference } from '#platform/exchange/store.ts'
import { verifyEsignCallback } from '#platform/provider/esign.ts'
import { verifyKycCallback } from '#platform/provider/kyc.ts'
import { verifyMandateCallback } from '#platform/provider/mandate.ts'
import { underLock } from '#platform/receiver/case-job.ts'
import { route, type World } from '#platform/world.ts'
import type { CheckStanding } from './standing.ts'
import { takeStanding } from './take.ts'

/** The signature is looked at by whoever reads the callback, with the provider's own secret, before anything is parsed. */
const byItsSignature = { scheme: null, check: () => null }

interface Word {
  standing: CheckStanding
  providerEventId: string
}

const readers: Record<CheckKind, (world: World, arrival: Arrival) => Word> = {
  kyc(world, { raw, headers, at }) {
    const { standing, providerEventId } = verifyKycCallback(world, raw, headers, at)
    return { providerEventId, standing: { kind: 'kyc', ...standing } }
  },
  mandate(world, { raw, headers, at }) {
    const { standing, providerEventId } = verifyMandateCallback(world, raw, headers, at)
    return { providerEventId, standing: { kind: 'mandate', ...standing } }
  },
  esign(world, { raw, headers, at }) {
    const { standing, providerEventId } = verifyEsignCallback(world, raw, headers, at)
    return { providerEventId, standing: { kind: 'esign', ...standing } }
  },
}

export const callbacks = (Object.keys(readers) as CheckKind[]).map((kind) =>
  route({
    method: 'POST',
    path: `/api/provider/${kind}/callback`,
    section: 'D3 §6',
    summary: `Take the signed word of the ${kind} provider`,
    auth: byItsSignature,
    accepts: 'raw',
    maxBytes: 256 * 1024,
    hidden: true,
    handle: (arrival, world) => heard(world, kind, arrival),
  }),
)

async function heard(world: World, kind: CheckKind, arrival: Arrival) {
  const { standing, providerEventId } = readers[kind](world, arrival)
  const check = await checkByReference(world.db, kind, standing.reference)
  if (!check) throw new Refusal('absent', 'there is no such session')
  await underLock(world, check, async (tx, concerned, at) => {
    const now = (await checkByReference(tx, kind, standing.reference))!
    await takeStanding(tx, world, concerned, now, standing, providerEventId, at)
  })
  return answer(200, { received: true })
}
