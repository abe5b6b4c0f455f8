// The network messages of one journey from the archive, and the registry's keys for verifying them.

import assert from 'node:assert/strict'
import type { PublicKeyOf } from '@lendloom/conformance/network/transcript'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { type ArchivedMessage, readMessages } from '@lendloom/platform/src/lenders/network/messages/store.ts'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { findParticipants } from '@lendloom/sandbox/src/registry/store.ts'
import { faultText } from '@lendloom/wire/network/context'
import type { ClaimedKey } from '@lendloom/wire/network/signing'
import type { Programs } from './programs.ts'

/** All messages of a journey in wire order, including forms. */
export async function archiveOf({ db, seal, tenant }: Programs, journeyId: string): Promise<ArchivedMessage[]> {
  return readMessages(db, seal, tenant.tenantId, journeyId)
}

/** Looks up keys in the registry's table, which is read once. */
export async function registryKeys({ sandboxDb }: Programs): Promise<PublicKeyOf> {
  const participants = await findParticipants(sandboxDb, {})
  return ({ subscriberId, uniqueKeyId }: ClaimedKey) =>
    participants.find((each) => each.subscriberId === subscriberId && each.uniqueKeyId === uniqueKeyId)
      ?.signingPublicKey ?? null
}

/** Asserts that a journey's messages, without its forms, obey the rules of dialect 2.0.3 (FIS12 §12). */
export async function assertValidMessages(programs: Programs, journeyId: string): Promise<void> {
  const transcript = await transcriptOf(programs, programs.tenant.tenantId, journeyId)
  const messages = transcript.filter(({ action }) => action !== 'form')
  assert.ok(messages.length > 10)
  assert.deepEqual(invariantsOf(messages, await registryKeys(programs)).map(faultText), [])
}

// biome-ignore lint/suspicious/noExplicitAny: tests read the fields they expect
export const bodyOf = ({ body }: ArchivedMessage): any => JSON.parse(body.toString('utf8'))
