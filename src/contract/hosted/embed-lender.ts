// A lender as the hosted page knows it, and the branches where gold is brought.
import { Text } from '#contract/atoms.ts'
import { Words } from '#contract/reason/words.ts'
import { Closed, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'

/** Kinds of lender that the Reserve Bank regulates, for which the page has words. */
const lenderKinds = ['bank', 'smallFinanceBank', 'cooperativeBank', 'nbfc', 'housingFinance'] as const
export type LenderKind = (typeof lenderKinds)[number]

export const EmbedLender = Closed({
  id: Text,
  name: Text,
  /** The name under which it is registered, where it tells one and that is another; null otherwise. */
  legalName: Nullable(Text),
  /** Where the platform serves it, as a path; null where the lender has none. */
  logoUrl: Nullable(Text),
  /** What kind of lender it says it is, such as `Bank`; null where it says nothing. */
  about: Nullable(Text),
  /** The same where it is a known kind; otherwise `about` is shown as it came. */
  kind: Nullable(OneOf([...lenderKinds])),
  status: OneOf(['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE']),
  /** For how long the lender has been asked, in whole seconds by the server's clock; null once it has answered. */
  waitedSeconds: Nullable(Type.Integer()),
  /** From the accepted terms to the money, in seconds, as it usually was for borrowers of this platform; null while few have had it. */
  usualPayoutSeconds: Nullable(Type.Integer()),
  /** Why there is no offer. */
  reason: Nullable(Words),
  grievanceOfficer: Closed({ name: Text, designation: Text, email: Text, phone: Text, address: Text }),
  support: Closed({ link: Text, phone: Text, email: Text }),
})
export type EmbedLender = Static<typeof EmbedLender>

/** Where gold may be brought, nearest first as far as the borrower's PIN code tells. */
export const EmbedBranch = Closed({
  id: Text,
  name: Text,
  address: Text,
  pincode: Text,
  /** From the borrower's home, roughly; 0 in the same postal district, null where nobody knows. */
  aboutKm: Nullable(Type.Integer()),
})
export type EmbedBranch = Static<typeof EmbedBranch>
