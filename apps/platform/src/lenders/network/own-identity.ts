// Our identity on the network and our terms with lenders, from the configuration.

import type { Config } from '@lendloom/foundation/config'
import { type Terms, totalOf } from '@lendloom/lending/terms'
import { type Dialect, type NetworkDomain, networkDomains, type Party } from '@lendloom/wire/network/context'
import { signatureHeader } from '@lendloom/wire/network/signing'
import {
  type BuyerSettlement,
  type BuyerTerms,
  type FinderFee,
  finderFeeOwed,
} from '@lendloom/wire/network/v203/settlement'
import type { Context } from '#platform/context.ts'
import type { networkSettings } from './settings.ts'

/** The part of the context for network messages, small enough for a command line to create. */
export type NetworkContext = Pick<Context, 'clock' | 'log'> & { config: NetworkConfig }
export type NetworkConfig = Config<typeof networkSettings> & Pick<Context['config'], 'PUBLIC_URL' | 'SANDBOX'>

/**
 * `bap_id` and `bap_uri` of every message. Dialect 2.3.0 forbids a port in an address (FIS12 §4). If ours has one, as
 * in the sandbox, the address is built from our subscriber id.
 */
export function identityOf(config: NetworkConfig, dialect: Dialect = '2.0.3'): Party {
  const { NETWORK_SUBSCRIBER_ID: id, NETWORK_SUBSCRIBER_URL: configured, PUBLIC_URL: publicUrl } = config
  const uri = configured || `${publicUrl}/ondc`
  const { protocol, port, pathname } = new URL(uri)
  return { id, uri: dialect === '2.3.0' && port !== '' ? `${protocol}//${id}${pathname}` : uri }
}

/** The domains in which we are subscribed. */
export const domainsOf = ({ NETWORK_DOMAINS }: Pick<NetworkConfig, 'NETWORK_DOMAINS'>): NetworkDomain[] =>
  networkDomains.filter((domain) => NETWORK_DOMAINS.split(',').includes(domain))

/** Returns the URL to call. In the sandbox, the gateway's server has all parties, whose addresses have no port. */
export const endpointOf = ({ SANDBOX, NETWORK_GATEWAY_URL }: NetworkConfig, uri: string): string =>
  SANDBOX ? uri.replace(/^http:\/\/[a-z0-9-]+\.sandbox\.example(?=\/)/, new URL(NETWORK_GATEWAY_URL).origin) : uri

/** Returns an `Authorization` header that signs the body. Every attempt needs a new header (FIS12 §5). */
export const authorizationHeader = (config: NetworkConfig, body: Uint8Array | string, at: Date): string =>
  signatureHeader(body, {
    subscriberId: config.NETWORK_SUBSCRIBER_ID,
    uniqueKeyId: config.NETWORK_KEY_ID,
    privateKey: config.NETWORK_SIGNING_KEY,
    at,
  })

/** What the lender pays us for a loan. */
export const finderFee = (config: NetworkConfig): FinderFee => ({
  type: config.NETWORK_FINDER_FEE_TYPE,
  value: config.NETWORK_FINDER_FEE,
})

/** The terms of ours that every order has (FIS12 §7.2). */
export const buyerTerms = (config: NetworkConfig): BuyerTerms => ({
  delayInterest: config.NETWORK_DELAY_INTEREST,
  staticTerms: config.NETWORK_STATIC_TERMS_URL || `${identityOf(config).uri}/terms`,
  offlineContract: config.NETWORK_OFFLINE_CONTRACT,
})

/** Returns the ON_ORDER payment of `init` and `confirm`: our fee for the loan, and our account (FIS12 §7.2). */
export const settlementFor = (config: NetworkConfig, paymentId: string | null, terms: Terms): BuyerSettlement => ({
  paymentId,
  fee: finderFee(config),
  terms: buyerTerms(config),
  settlementAmount: finderFeeOwed(finderFee(config), { ...terms, total: totalOf(terms) }),
  settlementType: config.NETWORK_SETTLEMENT_TYPE,
  account: {
    ifsc: config.NETWORK_SETTLEMENT_IFSC,
    accountNumber: config.NETWORK_SETTLEMENT_ACCOUNT,
    vpa: config.NETWORK_SETTLEMENT_VPA,
  },
})
