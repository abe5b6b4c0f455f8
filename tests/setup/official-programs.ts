// Starts a platform on its own network, where one lender plays the official flows. The sandbox provides only the account aggregator.
import { after } from 'node:test'
import type { PublicKeyOf } from '@lendloom/conformance/network/transcript'
import { quietLog } from '@lendloom/foundation/log'
import { openSigners } from '@lendloom/sandbox/src/aggregator/directory.ts'
import type { Context as SandboxContext } from '@lendloom/sandbox/src/core/context.ts'
import { fetchConsentStatus, requestConsent } from '@lendloom/sandbox/src/lender/consent/aggregator-client.ts'
import type { LenderPolicy } from '@lendloom/sandbox/src/lender/core/lender-policies.ts'
import { sandboxColumns } from '@lendloom/sandbox/src/sealed-columns.ts'
import { sealWith } from '@lendloom/seal/seal'
import { faultsOfSentMessages } from './judging.ts'
import { flowNamed } from './official-lender/flows.ts'
import { type LenderOptions, OfficialLender } from './official-lender/lender.ts'
import type { Consents, Talk } from './official-lender/talk.ts'
import { type Programs, startPrograms, until } from './programs.ts'

export interface OfficialPrograms extends Programs {
  lender: OfficialLender
  /** The lender's conversation of a journey. */
  talkOf(journeyId: string): Promise<Talk>
  /** Violations of our own rules in each message that the platform sent. */
  faultsOfSentMessages(journeyId: string): Promise<string[]>
}

/** The flow for a borrower is encoded in the identifier that the integrator gave them. */
export const borrowerOf = (flowId: string): string => `${flowId}--${++borrowers}`
let borrowers = 0

export async function startOfficialPrograms(
  env: Record<string, string> = {},
  injectFaults?: LenderOptions['injectFaults'],
): Promise<OfficialPrograms> {
  let ctx: Programs | undefined
  let consents: Consents | undefined
  const lender = new OfficialLender({
    async flowOf(transactionId) {
      const [row] = await ctx!.db<{ externalId: string }>`
        select b.external_id from journey j join borrower b using (bucket, tenant_id, borrower_id)
        where j.network_transaction_id = ${transactionId}`
      return flowNamed(row!.externalId.split('--')[0]!)
    },
    consents: {
      ask: (customer, purpose) => consents!.ask(customer, purpose),
      isGiven: (handle) => consents!.isGiven(handle),
    },
    ...(injectFaults && { injectFaults }),
  })
  await lender.start()
  after(() => lender.stop())
  ctx = await startPrograms({
    skipsJourneyCheck: true,
    env: {
      NETWORK_REGISTRY_URL: `${lender.url}/registry`,
      NETWORK_GATEWAY_URL: `${lender.url}/gateway`,
      NETWORK_SEARCH_TTL: 'PT8S',
      NETWORK_OLDER_VERSIONS: '2.0.1,2.0.2',
      STATUS_POLL_SECONDS: '1',
      ...env,
    },
  })
  consents = await consentsAt(ctx)
  const { db, tenant } = ctx
  const keyOf: PublicKeyOf = (claimed) => lender.directory.keyOf(claimed.subscriberId, claimed.uniqueKeyId) ?? null
  const journeyKeyOf = (journeyId: string) => ({ tenantId: tenant.tenantId, journeyId })
  return {
    ...ctx,
    lender,
    async talkOf(journeyId) {
      const [row] = await db<{ networkTransactionId: string }>`
        select network_transaction_id from journey where journey_id = ${journeyId}`
      return until('the lender to receive a request', () => lender.talks.get(row!.networkTransactionId))
    },
    faultsOfSentMessages: (journeyId) => faultsOfSentMessages(ctx!, journeyKeyOf(journeyId), keyOf),
  }
}

/** The sandbox's aggregator, called as the sandbox's lenders call it; only the network is under test here. */
async function consentsAt(ctx: Programs): Promise<Consents> {
  const seal = sealWith(ctx.keys.sandbox, '', sandboxColumns)
  const at = {
    url: ctx.sandboxUrl,
    clock: () => new Date(),
    log: quietLog,
    seal,
    signers: await openSigners(ctx.sandboxDb, seal, new Date()),
  } as Partial<SandboxContext> as SandboxContext
  const policy = { slug: 'official' } as LenderPolicy
  return {
    ask: (customer, purpose) =>
      requestConsent(at, { policy, customer, purpose, seconds: 86_400, requestedId: crypto.randomUUID() }),
    isGiven: async (handle) => (await fetchConsentStatus(at, handle)).state === 'active',
  }
}
