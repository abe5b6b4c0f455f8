// Checks recorded messages by the rules of the network, with the keys that the registry lists.

import { findParticipants, signingPublicKey, type TranscriptMessage } from '@lendloom/platform/operations/network'
import { faultText } from '@lendloom/wire/network/context'
import { claimedKeyOf } from '@lendloom/wire/network/signing'
import { networkContextOf } from './network-context.ts'

export interface FoundFaults {
  faults: string[]
  /** What the messages of lenders state against the rules; it is shown, and does not count as ours. */
  deviations: string[]
}

export async function findFaults(messages: TranscriptMessage[], env: NodeJS.ProcessEnv): Promise<FoundFaults> {
  const ctx = networkContextOf(env)
  const keyName = (id: string, key: string) => `${id}|${key}`
  const { NETWORK_SUBSCRIBER_ID: id, NETWORK_KEY_ID: key } = ctx.config
  const keys = new Map<string, string | null>([[keyName(id, key), signingPublicKey(ctx.config)]])
  for (const { headers } of messages) {
    const claimed = claimedKeyOf(headers.authorization)
    const name = claimed && keyName(claimed.subscriberId, claimed.uniqueKeyId)
    if (!claimed || !name || keys.has(name)) continue
    const [found] = await findParticipants(ctx, claimed)
    keys.set(name, found?.signing_public_key ?? null)
  }
  const { isLenders, transcriptFaults } = await import('@lendloom/conformance/network/judge-transcript')
  const found = transcriptFaults(
    messages.map((each) => ({ ...each, skewSeconds: ctx.config.NETWORK_CLOCK_SKEW_SECONDS })),
    ({ subscriberId, uniqueKeyId }) => keys.get(keyName(subscriberId, uniqueKeyId)) ?? null,
  )
  return {
    faults: found.filter((fault) => !isLenders(fault)).map(faultText),
    deviations: found.filter(isLenders).map((fault) => `the lender's message deviates: ${faultText(fault)}`),
  }
}
