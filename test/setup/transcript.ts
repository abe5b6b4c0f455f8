// What went over the network for one journey, as the archive keeps it, and the registry's keys to judge it by.

import type { PublicKeyOf } from '#conformance/network/transcript.ts'
import type { ClaimedKey } from '#contract/network/signing.ts'
import { type ArchivedMessage, readMessages } from '#platform/network/archive/store.ts'
import { findParticipants } from '#sandbox/registry/store.ts'
import type { Programs } from './programs.ts'

/** All messages of a journey in wire order, forms included. */
export async function archiveOf({ db, seal, tenant }: Programs, journeyId: string): Promise<ArchivedMessage[]> {
  return readMessages(db, seal, tenant.tenantId, journeyId)
}

/** Looks keys up in the registry's own table, read once. */
export async function registryKeys({ sandboxDb }: Programs): Promise<PublicKeyOf> {
  const participants = await findParticipants(sandboxDb, {})
  return ({ subscriberId, uniqueKeyId }: ClaimedKey) =>
    participants.find((each) => each.subscriberId === subscriberId && each.uniqueKeyId === uniqueKeyId)
      ?.signingPublicKey ?? null
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export const bodyOf = ({ body }: ArchivedMessage): any => JSON.parse(body.toString('utf8'))
