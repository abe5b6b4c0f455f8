// A lending partner: where it is, what each side knows the other by, what may be recommended to it; pure (D3 §1, §5).
import type { PartnerContact, PartnerRules } from '#contract/console/lending-partners.ts'
import { contactNames } from '#contract/console/view-lists.ts'
import type { Lender, LenderContact } from '#contract/network/v203/lender.ts'
import type { ProductId } from '#contract/product/products.ts'
import { digestOf, sameDigest } from '#kit/crypto/token.ts'
import { recordOf, required } from '#kit/runtime/record.ts'
import type { LenderName } from '#platform/lender/switch/store.ts'

/** A bearer, and the secret that events are signed with, by the name that `X-Key-Id` gives it. */
export interface Credential {
  bearer: string
  keyId: string
  secret: string
}

/** What we present: used from an instant on, when the partner has learned it. */
export interface OutgoingCredential extends Credential {
  from: string
}

/** What the partner presents: good until an instant where it was replaced, without an end otherwise. */
export interface IncomingCredential extends Credential {
  until: string | null
}

/** Both directions, which are never interchangeable; the newest come last, and each has one at least. */
export interface Credentials {
  /** What we call ourselves to this partner. */
  ourSender: string
  outgoing: OutgoingCredential[]
  incoming: IncomingCredential[]
}

export interface Partner {
  partnerId: string
  /** What it calls itself in its events, and nobody else may. */
  sender: string
  /** What borrowers read. */
  name: string
  url: string
  /** For which products it is asked. */
  products: ProductId[]
  rules: PartnerRules
  contact: PartnerContact
  credentials: Credentials
  createdAt: Date
  updatedAt: Date
}

/** The id of the first partner that settings describe. */
export const firstPartnerId = '00000000-0000-4000-8000-000000000001'

/** Where what is sealed of a partner belongs to. */
export const partnerContext = ({ tenantId, partnerId }: { tenantId: string; partnerId: string }): string =>
  `lending_partner:${tenantId}:${partnerId}`

/** What we present at an instant: the newest that is used by then. */
export const outgoingAt = ({ credentials: { outgoing } }: Pick<Partner, 'credentials'>, at: Date): OutgoingCredential =>
  required(outgoing.findLast(({ from }) => new Date(from) <= at) ?? outgoing[0], 'what is presented to a partner')

/** What the partner may present at an instant. */
export const incomingAt = ({ credentials: { incoming } }: Pick<Partner, 'credentials'>, at: Date) =>
  incoming.filter(({ until }) => until === null || new Date(until) > at)

/**
 * Whose credential it is; undefined when it is nobody's at this instant. Every one is compared, each in constant time: how
 * long it takes says nothing about how near a guess was.
 */
export function holderOf(partners: Partner[], bearer: string, at: Date): Partner | undefined {
  const given = digestOf(bearer)
  return partners.filter((partner) =>
    incomingAt(partner, at).reduce((found, each) => sameDigest(digestOf(each.bearer), given) || found, false),
  )[0]
}

/** What it is known by among the lenders. */
export const lenderNameOf = ({ sender }: Pick<Partner, 'sender'>): LenderName => ({
  bppId: sender,
  providerId: partnerProvider,
})
export const partnerProvider = 'partner'

/** What is not known of it is null, as with every lender. */
export const contactOf = ({ contact }: Pick<Partner, 'contact'>): LenderContact =>
  recordOf(contactNames, (name) => contact[name].trim() || null)

/** The partner as borrowers see it among the lenders: its name, and whom to turn to (D1 §2.4 lenders). */
export const identityOf = (partner: Pick<Partner, 'name' | 'contact'>): Lender => ({
  providerId: partnerProvider,
  name: partner.name,
  shortDescription: null,
  longDescription: null,
  logoUrl: null,
  contact: contactOf(partner),
  serviceProvider: { name: null, email: null, contactNumber: null, address: null },
})
