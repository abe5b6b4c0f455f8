// A lending partner: its contact, its credentials of both directions, and the lender that represents it.

import { recordOf } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import type { Lender, LenderContact } from '@lendloom/lending/lender'
import type { ProductId } from '@lendloom/lending/product/products'
import { digestOf, sameDigest } from '@lendloom/seal/token'
import type { PartnerContact, PartnerRules } from '@lendloom/wire/console/lending-partners'
import { contactNames } from '@lendloom/wire/console/lists'
import type { LenderKey } from '#platform/lending/lender/switch/store.ts'

/** A bearer token, and the event signing secret with its `X-Key-Id`. */
export interface PartnerCredential {
  bearer: string
  keyId: string
  secret: string
}

/** Our credential at the partner, used from `from` on, so that the partner can install the credential before. */
export interface OutgoingCredential extends PartnerCredential {
  from: string
}

/** The partner's credential at the platform; `until` is null until a rotation replaces the credential. */
export interface IncomingCredential extends PartnerCredential {
  until: string | null
}

/** At least one credential in each direction, newest last. No credential is used in both directions. */
export interface Credentials {
  /** The platform's sender name in events to this partner. */
  ourSender: string
  outgoing: OutgoingCredential[]
  incoming: IncomingCredential[]
}

export interface Partner {
  partnerId: string
  /** The sender name in the partner's events, unique among partners. */
  sender: string
  name: string
  url: string
  products: ProductId[]
  rules: PartnerRules
  contact: PartnerContact
  credentials: Credentials
  createdAt: Date
  updatedAt: Date
}

/** The id of the first partner that is created from settings. */
export const firstPartnerId = '00000000-0000-4000-8000-000000000001'

/** The binding context of a partner's sealed values. */
export const partnerContext = ({ tenantId, partnerId }: { tenantId: string; partnerId: string }): string =>
  `lending_partner:${tenantId}:${partnerId}`

/** Returns the newest outgoing credential that is in use at an instant. */
export const outgoingAt = ({ credentials: { outgoing } }: Pick<Partner, 'credentials'>, at: Date): OutgoingCredential =>
  required(outgoing.findLast(({ from }) => new Date(from) <= at) ?? outgoing[0], 'our credential to a partner')

/** Returns the partner's valid incoming credentials at an instant. */
export const incomingAt = ({ credentials: { incoming } }: Pick<Partner, 'credentials'>, at: Date) =>
  incoming.filter(({ until }) => until === null || new Date(until) > at)

/**
 * Returns the partner with this bearer; undefined if no valid credential has the bearer. Compares every credential in
 * constant time, so that timing does not reveal how close a guess was.
 */
export function holderOf(partners: Partner[], bearer: string, at: Date): Partner | undefined {
  const digest = digestOf(bearer)
  return partners.filter((partner) =>
    incomingAt(partner, at).reduce((found, each) => sameDigest(digestOf(each.bearer), digest) || found, false),
  )[0]
}

/** Returns the ids that identify the partner among all lenders. */
export const lenderKeyOf = ({ sender }: Pick<Partner, 'sender'>): LenderKey => ({
  bppId: sender,
  providerId: partnerProvider,
})

export const partnerProvider = 'partner'

/** Returns the partner's contact; empty values become null, as for every lender. */
export const contactOf = ({ contact }: Pick<Partner, 'contact'>): LenderContact =>
  recordOf(contactNames, (name) => contact[name].trim() || null)

/** Returns the partner as a lender that borrowers see (D1 §2.4 lenders). */
export const identityOf = (partner: Pick<Partner, 'name' | 'contact'>): Lender => ({
  providerId: partnerProvider,
  name: partner.name,
  shortDescription: null,
  longDescription: null,
  logoUrl: null,
  contact: contactOf(partner),
  serviceProvider: { name: null, email: null, contactNumber: null, address: null },
})
