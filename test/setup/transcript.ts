// What went over the network for one journey, as the archive keeps it, and the registry's keys to judge it by.
import { dialectIn } from '#contract/network/context.ts'
import { faultText } from '#contract/network/fault.ts'
import type { ClaimedKey } from '#contract/network/signing.ts'
import type { PublicKeyOf } from '#contract/network/transcript.ts'
import { invariantsOf as invariants203 } from '#contract/network/v203/invariants.ts'
import { invariantsOf as invariants230 } from '#contract/network/v230/invariants.ts'
import type { Message } from '#platform/network/archive/message.ts'
import { readMessages } from '#platform/network/archive/store.ts'
import { transcriptOf } from '#platform/network/transcript.ts'
import { findParticipants } from '#sandbox/registry/store.ts'
import type { TestWorld } from './world.ts'

/** All messages of a journey in wire order, forms included. */
export async function archiveOf({ db, seal, tenant }: TestWorld, journeyId: string): Promise<Message[]> {
  return readMessages(db, seal, tenant.tenantId, journeyId)
}

/** Looks keys up in the registry's own table, read once. */
export async function registryKeys({ sandboxDb }: TestWorld): Promise<PublicKeyOf> {
  const participants = await findParticipants(sandboxDb, {})
  return ({ subscriberId, uniqueKeyId }: ClaimedKey) =>
    participants.find((each) => each.subscriberId === subscriberId && each.uniqueKeyId === uniqueKeyId)
      ?.signingPublicKey ?? null
}

/** What the rules and invariants of the network say against each journey of this world, by the journey's id; empty when all is well. */
export async function faultsOfAll(world: TestWorld): Promise<Record<string, string[]>> {
  const keyOf = await registryKeys(world)
  const { tenantId } = world.tenant
  const journeys = await world.db<{ journeyId: string }>`select journey_id from journey where tenant_id = ${tenantId}`
  const judged = await Promise.all(
    journeys.map(async ({ journeyId }) => {
      const said = await transcriptOf(world, tenantId, journeyId)
      const invariantsOf = dialectIn(JSON.parse(said[0]?.body ?? '{}')) === '2.3.0' ? invariants230 : invariants203
      // The lenders of the sandbox are ours too.
      return [journeyId, invariantsOf(said, keyOf, () => true).map(faultText)] as const
    }),
  )
  return Object.fromEntries(judged.filter(([, faults]) => faults.length > 0))
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export const bodyOf = ({ body }: Message): any => JSON.parse(body.toString('utf8'))
