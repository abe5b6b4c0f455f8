// A platform on a network of its own, where one lender plays the official flows; the sandbox is there for its account aggregator alone.
import { after } from 'node:test'
import type { PublicKeyOf } from '#contract/network/transcript.ts'
import { quietLog } from '#kit/log.ts'
import { sealWith } from '#kit/seal.ts'
import { openSigners } from '#sandbox/aggregator/parties.ts'
import { consentStanding, wishConsent } from '#sandbox/lender/consent/aggregator.ts'
import type { Policy } from '#sandbox/lender/policy.ts'
import { sandboxColumns } from '#sandbox/sealed-columns.ts'
import type { World as SandboxWorld } from '#sandbox/world.ts'
import { faultsOfJourney, faultsOfOurs } from './judging.ts'
import { flowNamed } from './official-lender/flows.ts'
import { type LenderOptions, OfficialLender } from './official-lender/lender.ts'
import type { Consents, Talk } from './official-lender/talk.ts'
import { startWorld, type TestWorld, until } from './world.ts'

export interface OfficialWorld extends TestWorld {
  lender: OfficialLender
  /** The lender's side of a journey. */
  talkOf(journeyId: string): Promise<Talk>
  /** What our own rules and invariants say of all that was exchanged. */
  faultsOf(journeyId: string): Promise<string[]>
  /** What our own rules say of each message that the platform sent. */
  faultsOfOurs(journeyId: string): Promise<string[]>
}

/** The flow that a borrower is to meet stands in the identifier that the integrator gave them. */
export const borrowerOf = (flowId: string): string => `${flowId}--${++borrowers}`
let borrowers = 0

export async function startOfficialWorld(
  env: Record<string, string> = {},
  meddle?: LenderOptions['meddle'],
): Promise<OfficialWorld> {
  let world: TestWorld | undefined
  let consents: Consents | undefined
  const lender = new OfficialLender({
    async flowOf(transactionId) {
      const [row] = await world!.db<{ externalId: string }>`
        select b.external_id from journey j join borrower b using (tenant_id, borrower_id)
        where j.network_transaction_id = ${transactionId}`
      return flowNamed(row!.externalId.split('--')[0]!)
    },
    consents: {
      ask: (customer, purpose) => consents!.ask(customer, purpose),
      isGiven: (handle) => consents!.isGiven(handle),
    },
    ...(meddle && { meddle }),
  })
  await lender.start()
  after(() => lender.stop())
  world = await startWorld({
    judgedElsewhere: true,
    env: {
      NETWORK_REGISTRY_URL: `${lender.url}/registry`,
      NETWORK_GATEWAY_URL: `${lender.url}/gateway`,
      NETWORK_SEARCH_TTL: 'PT3S',
      STATUS_POLL_SECONDS: '1',
      ...env,
    },
  })
  consents = await consentsAt(world)
  const { db, tenant } = world
  const keyOf: PublicKeyOf = (claimed) => lender.directory.keyOf(claimed.subscriberId, claimed.uniqueKeyId) ?? null
  const on = (journeyId: string) => ({ tenantId: tenant.tenantId, journeyId })
  return {
    ...world,
    lender,
    async talkOf(journeyId) {
      const [row] = await db<{ networkTransactionId: string }>`
        select network_transaction_id from journey where journey_id = ${journeyId}`
      return until('the lender was asked', () => lender.talks.get(row!.networkTransactionId))
    },
    faultsOf: (journeyId) => faultsOfJourney(world!, on(journeyId), keyOf),
    faultsOfOurs: (journeyId) => faultsOfOurs(world!, on(journeyId), keyOf),
  }
}

/** The sandbox's aggregator, asked as the sandbox's own lenders ask it: what is under test here is the network. */
async function consentsAt(world: TestWorld): Promise<Consents> {
  const seal = sealWith(world.keys.sandbox, '', sandboxColumns)
  const at = {
    url: world.sandboxUrl,
    clock: () => new Date(),
    log: quietLog,
    seal,
    signers: await openSigners(world.sandboxDb, seal, new Date()),
  } as Partial<SandboxWorld> as SandboxWorld
  const policy = { slug: 'official' } as Policy
  return {
    ask: (customer, purpose) =>
      wishConsent(at, { policy, customer, purpose, seconds: 86_400, wishId: crypto.randomUUID() }),
    isGiven: async (handle) => (await consentStanding(at, handle)).is === 'active',
  }
}
