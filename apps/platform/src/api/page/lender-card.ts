// What the page shows of a lender: its legal name, kind and contact.

import { grouped } from '@lendloom/foundation/lists'
import { wordsOf } from '@lendloom/lending/reason/reason'
import type { Seal } from '@lendloom/seal/seal'
import type { EmbedLender, LenderKind } from '@lendloom/wire/hosted/embed-lender'
import { logoPath } from '#platform/lenders/network/logo.ts'
import type { Payouts } from '#platform/records/figures/read/payout-time.ts'
import type { SearchedLender } from './store.ts'

const statusesBestFirst: SearchedLender['status'][] = ['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE']

/** Returns each lender once, with its best status. A lender may have two offer requests (FIS12 §19.1). */
export function uniqueLenders(searched: readonly SearchedLender[]): SearchedLender[] {
  const byId = grouped(searched, ({ lenderId }) => lenderId)
  const betterOf = (a: SearchedLender, b: SearchedLender) =>
    statusesBestFirst.indexOf(b.status) < statusesBestFirst.indexOf(a.status) ? b : a
  return [...byId.values()].map(([first, ...otherRequests]) => otherRequests.reduce(betterOf, first))
}

/** What the page shows of one lender of the search. */
export const lenderCard = (
  seal: Seal,
  { lenderId, identity, status, reason, requestedAt }: SearchedLender,
  { at, payouts }: { at: Date; payouts: Payouts },
): EmbedLender => ({
  id: lenderId,
  name: identity.name,
  legalName: legalNameOf(identity),
  logoUrl: logoPath(seal, identity.logoUrl),
  about: identity.shortDescription ?? null,
  kind: lenderKindOf(identity.shortDescription ?? ''),
  status,
  waitedSeconds:
    status === 'OFFER_AWAITED' ? Math.max(0, Math.floor((at.getTime() - requestedAt.getTime()) / 1000)) : null,
  usualPayoutSeconds: payouts.get(lenderId) ?? null,
  reason: wordsOf(status === 'NO_OFFER_AVAILABLE' ? reason : null),
  grievanceOfficer: {
    name: identity.contact.groName ?? '',
    designation: identity.contact.groDesignation ?? '',
    email: identity.contact.groEmail ?? '',
    phone: identity.contact.groContactNumber ?? '',
    address: identity.contact.groAddress ?? '',
  },
  support: {
    link: identity.contact.customerSupportLink ?? '',
    phone: identity.contact.customerSupportContactNumber ?? '',
    email: identity.contact.customerSupportEmail ?? '',
  },
})

/** The keys contain only letters, because lenders punctuate their description in many ways. */
const kindsByLetters = new Map<string, LenderKind>([
  ['bank', 'bank'],
  ['smallfinancebank', 'smallFinanceBank'],
  ['sfb', 'smallFinanceBank'],
  ['cooperativebank', 'cooperativeBank'],
  ['nbfc', 'nbfc'],
  ['nonbankingfinancialcompany', 'nbfc'],
  ['nonbankingfinancecompany', 'nbfc'],
  ['hfc', 'housingFinance'],
  ['housingfinancecompany', 'housingFinance'],
])

/** The kind of lender that a short description names and nothing else; otherwise null. */
export const lenderKindOf = (description: string): LenderKind | null =>
  kindsByLetters.get(description.toLowerCase().replace(/[^a-z]/g, '')) ?? null

/**
 * Returns the legal name at the beginning of a long description such as `Kaveri Bank Limited. A private bank.` (FIS12
 * `long_desc`): capitalized words up to the company type. Null if it is absent or equals the displayed name.
 */
export function legalNameOf({ name, longDescription }: { name: string; longDescription?: string | null }) {
  const [legalName] =
    /^(?:(?:[A-Z(][^\s.,;:]*|Pvt\.|&|and|of) ){1,8}(?:Limited|Ltd|LLP)\b/.exec(longDescription?.trim() ?? '') ?? []
  return legalName && legalName !== name ? legalName : null
}
