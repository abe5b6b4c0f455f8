// Checks the transcript of every journey of a test file against the rules of the network (FIS12 §12).

import { conventionFaults } from '@lendloom/conformance/network/conventions'
import type { IsOurs } from '@lendloom/conformance/network/invariants'
import { transcriptFaults } from '@lendloom/conformance/network/judge-transcript'
import { type PublicKeyOf, readTranscript, signatureFaults, timeFaults } from '@lendloom/conformance/network/transcript'
import { outgoingFaultsIn as rulesIn } from '@lendloom/conformance/network/v203/rules'
import { outgoingFaults as rules230 } from '@lendloom/conformance/network/v230/rules'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import type { Db } from '@lendloom/postgres/sql'
import { findParticipants } from '@lendloom/sandbox/src/registry/store.ts'
import type { Seal } from '@lendloom/seal/seal'
import { type Fault, faultText } from '@lendloom/wire/network/context'
import { igmMessageFaults } from '@lendloom/wire/network/igm/codec'
import { variantIn } from '@lendloom/wire/network/variants'

/**
 * Returns the violations in one journey, as `lendloom network transcript --check` reports them. `isOurs` selects the messages
 * that must contain what official ones always do; by default those that the platform sent.
 */
export async function faultsOfJourney(
  on: { db: Db; seal: Seal },
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  keyOf: PublicKeyOf,
  isOurs?: IsOurs,
): Promise<string[]> {
  return transcriptFaults(await transcriptOf(on, tenantId, journeyId), keyOf, isOurs).map(faultText)
}

/**
 * Checks each message of the platform by itself: rules, context, signature, time and what official messages always contain.
 * For journeys whose lender sends invalid messages, so that the sequence cannot be checked.
 */
export async function faultsOfSentMessages(
  on: { db: Db; seal: Seal },
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  keyOf: PublicKeyOf,
): Promise<string[]> {
  const sent = (await transcriptOf(on, tenantId, journeyId)).filter(({ direction }) => direction === 'sent')
  if (sent.length === 0) return []
  const { messages, grievances, faults } = readTranscript(sent)
  return [
    ...faults,
    ...messages.flatMap(({ action, context: { version }, message, path }) => [
      ...at(path, (version === '2.3.0' ? rules230 : rulesIn(variantIn(version)))(action, message)),
      ...at(path, conventionFaults(version, message)),
    ]),
    ...grievances.flatMap(({ action, message, path }) => at(path, igmMessageFaults(action, message))),
    // The searches of several versions and domains leave together, in any order.
    ...[...Map.groupBy(messages, ({ context: { version, domain } }) => `${version} ${domain}`).values()].flatMap(
      timeFaults,
    ),
    ...timeFaults(grievances),
    ...signatureFaults([...messages, ...grievances], keyOf),
  ].map(faultText)
}

const at = (path: string, faults: Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, path: fault.path.replace('$', path) }))

/**
 * Runs `faultsOfJourney` on every journey in a platform's database, without the expected exceptions. Keys come from the
 * sandbox's registry, and the sandbox's lenders count as ours.
 */
export async function faultsOfAllJourneys(
  on: { db: Db; seal: Seal },
  sandboxDb: Db,
  exceptions: readonly { fault: RegExp }[],
): Promise<string[]> {
  const participants = await findParticipants(sandboxDb, {})
  const keyOf: PublicKeyOf = ({ subscriberId, uniqueKeyId }) =>
    participants.find((each) => each.subscriberId === subscriberId && each.uniqueKeyId === uniqueKeyId)
      ?.signingPublicKey ?? null
  const journeys = await on.db<{ tenantId: string; journeyId: string }>`
    select tenant_id, journey_id from journey order by created_at`
  const faults: string[] = []
  for (const journey of journeys)
    for (const fault of await faultsOfJourney(on, journey, keyOf, () => true))
      if (!exceptions.some((exception) => exception.fault.test(fault))) faults.push(`${journey.journeyId}: ${fault}`)
  return faults
}

/** Fails the test file at exit instead of in a hook, because a failed hook would skip the cleanup of later ones. */
export function failAtExit(faults: readonly string[]): void {
  if (faults.length === 0) return
  process.once('exit', () => {
    console.error(['violated rules of the network or of buckets:', ...faults].join('\n'))
    process.exitCode = 1
  })
}
