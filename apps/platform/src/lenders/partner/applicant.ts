// Pure functions that convert the profile and bank data to the partner's format (D3 §2.3, §4.1).

import { isPersonPan } from '@lendloom/wire/identifier'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { productOf } from '#platform/lending/product/products.ts'

interface PostalAddress {
  line1: string
  line2: string | null
  city: string
  state: string
  postalCode: string
}

/** The borrower's data for a lead. */
export interface ApplicantDetails {
  name: string
  pan: string
  mobile: string
  bornOn: string
  email: string | null
  companyName: string
  work: BorrowerDetails['work']
  address: PostalAddress
  /** Null if the business has no complete address of its own. */
  businessAddress: PostalAddress | null
  account: { holderName: string; accountNumber: string; ifsc: string; accountType: 'saving' | 'current' } | null
}

/** Whether the partner's product fits the borrower (D3 §1). */
export const fitsPartnerProduct = (journey: Pick<Journey, 'type'>, { work }: BorrowerDetails): boolean =>
  work.employmentType !== undefined && productOf(journey).partnerLendsTo.includes(work.employmentType)

/** Whether the partner's product fits the borrower and all required data is present. */
export const canApplyToPartner = (journey: Pick<Journey, 'type'>, person: BorrowerDetails): boolean =>
  fitsPartnerProduct(journey, person) && applicantOf(person) !== null

/** Returns null when required data is missing, or the PAN does not belong to a person. */
export function applicantOf({ personal, work, address, bank }: BorrowerDetails): ApplicantDetails | null {
  const { pan, panName, dob, mobile } = personal
  const { addressL1: line1, addressL2, city, state, pincode } = address
  if (!pan || !panName || !dob || !work.companyName || !line1 || !city || !state || !pincode) return null
  if (!isPersonPan(pan)) return null
  return {
    name: toOneLine(panName),
    pan,
    mobile,
    bornOn: dob,
    email: personal.personalEmail ?? work.officialEmail ?? null,
    companyName: toOneLine(work.companyName),
    work,
    address: toPostalAddress({ line1, line2: addressL2, city, state, postalCode: pincode }),
    businessAddress: businessAddressOf(work),
    account: accountOf(bank),
  }
}

function businessAddressOf(work: BorrowerDetails['work']): PostalAddress | null {
  const { businessAddressL1: line1, businessAddressL2: line2, businessCity: city, businessState: state } = work
  const { businessPincode: postalCode } = work
  return line1 && city && state && postalCode ? toPostalAddress({ line1, line2, city, state, postalCode }) : null
}

type AddressInput = Omit<PostalAddress, 'line2'> & { line2: string | null | undefined }

const toPostalAddress = ({ line1, line2, city, state, postalCode }: AddressInput): PostalAddress => ({
  line1: toOneLine(line1),
  line2: line2 ? toOneLine(line2) : null,
  city: toOneLine(city),
  state: toOneLine(state),
  postalCode,
})

/** Normalizes text to one line, as the exchange requires. */
export const toOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Returns the borrower's account; null unless its holder, number and IFSC are known. */
export const accountOf = (bank: BorrowerDetails['bank']): ApplicantDetails['account'] =>
  bank?.accountHolderName && bank.accountNumber && bank.ifsc
    ? {
        holderName: toOneLine(bank.accountHolderName),
        accountNumber: bank.accountNumber,
        ifsc: bank.ifsc,
        accountType: bank.accountType ?? 'saving',
      }
    : null

interface SplitName {
  first: string
  middle: string | null
  last: string
  /** Whether the person has one name, which `last` repeats. */
  isLastFiller: boolean
}

/** Splits a name. A single word is both first and last name, because the partner requires both (D3 §2.3). */
export function namesOf(name: string): SplitName {
  const [first = name, ...otherNames] = name.split(' ')
  const last = otherNames.pop()
  return {
    first,
    middle: otherNames.length > 0 ? otherNames.join(' ') : null,
    last: last ?? first,
    isLastFiller: last === undefined,
  }
}
