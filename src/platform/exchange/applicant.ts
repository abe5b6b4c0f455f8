// The borrower as the partner is told of them, from what the profile knows; pure (D3 §2.3, §4.1).

import { isPersonPan } from '#contract/identifier.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { productOf } from '#platform/product/products.ts'

interface PostalAddress {
  line1: string
  line2: string | null
  city: string
  state: string
  postalCode: string
}

/** Everything that a lead cannot do without. */
export interface Applicant {
  name: string
  pan: string
  mobile: string
  bornOn: string
  email: string | null
  companyName: string
  /** What the partner need not know is read from here. */
  work: BorrowerDetails['work']
  address: PostalAddress
  /** Where the business is, if it is not at home. */
  businessAddress: PostalAddress | null
  account: { holderName: string; accountNumber: string; ifsc: string; accountType: 'saving' | 'current' } | null
}

/** Whether the partner lends to such a borrower (D3 §1). */
export const meetsPartner = (journey: Pick<Journey, 'type'>, { work }: BorrowerDetails): boolean =>
  work.employmentType !== undefined && productOf(journey).partnerLendsTo.includes(work.employmentType)

/** Whether a partner is told of such a borrower: it lends to them, and everything that it must know is there. */
export const mayGoToPartner = (journey: Pick<Journey, 'type'>, person: BorrowerDetails): boolean =>
  meetsPartner(journey, person) && applicantOf(person) !== null

/** Null when something is missing that the partner must know, or the PAN is not that of a person. */
export function applicantOf({ personal, work, address, bank }: BorrowerDetails): Applicant | null {
  const { pan, panName, dob, mobile } = personal
  const { addressL1: line1, addressL2, city, state, pincode } = address
  if (!pan || !panName || !dob || !work.companyName || !line1 || !city || !state || !pincode) return null
  if (!isPersonPan(pan)) return null
  return {
    name: plain(panName),
    pan,
    mobile,
    bornOn: dob,
    email: personal.personalEmail ?? work.officialEmail ?? null,
    companyName: plain(work.companyName),
    work,
    address: postal({ line1, line2: addressL2, city, state, postalCode: pincode }),
    businessAddress: businessAddressOf(work),
    account: accountOf(bank),
  }
}

function businessAddressOf(work: BorrowerDetails['work']): PostalAddress | null {
  const { businessAddressL1: line1, businessAddressL2: line2, businessCity: city, businessState: state } = work
  const { businessPincode: postalCode } = work
  return line1 && city && state && postalCode ? postal({ line1, line2, city, state, postalCode }) : null
}

type Written = Omit<PostalAddress, 'line2'> & { line2: string | null | undefined }

const postal = ({ line1, line2, city, state, postalCode }: Written): PostalAddress => ({
  line1: plain(line1),
  line2: line2 ? plain(line2) : null,
  city: plain(city),
  state: plain(state),
  postalCode,
})

/** One line of text, as the exchange takes it. */
export const plain = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** The account as far as it is whole. */
export const accountOf = (bank: BorrowerDetails['bank']): Applicant['account'] =>
  bank?.accountHolderName && bank.accountNumber && bank.ifsc
    ? {
        holderName: plain(bank.accountHolderName),
        accountNumber: bank.accountNumber,
        ifsc: bank.ifsc,
        accountType: bank.accountType ?? 'saving',
      }
    : null

/** First, middle and last name. Somebody with a single name has it for both: the partner wants two (D3 §2.3). */
export function namesOf(name: string): { first: string; middle: string | null; last: string } {
  const [first = name, ...rest] = name.split(' ')
  const last = rest.pop() ?? first
  return { first, middle: rest.length > 0 ? rest.join(' ') : null, last }
}
