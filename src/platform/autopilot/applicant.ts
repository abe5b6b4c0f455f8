// The borrower that the sandbox plays where nobody has said anything: sound, and never over what somebody did say.
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'

/** Fills what is missing. `refused` makes an applicant whom no lender wants: an income below every policy. */
export function applicant(known: BorrowerDetails, refused: boolean): BorrowerDetails {
  const { personal, work, address, gold } = known
  return {
    personal: {
      pan: 'ABCPE1234F',
      panName: 'Asha Kulkarni',
      dob: '1992-02-29',
      gender: 'female',
      personalEmail: 'asha@mail.example',
      ...personal,
    },
    work: {
      employmentType: 'salaried',
      companyName: 'Example Industries',
      income: 85_000,
      ...work,
      ...(refused && { income: 1000 }),
    },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001', ...address },
    gold: gold && { jewelleryWeightGrams: 40, purity: '22K', ...gold, ...(refused && { jewelleryWeightGrams: 0.1 }) },
  }
}

export const bankAccount = {
  accountHolderName: 'Asha Kulkarni',
  accountNumber: '50100123456789',
  ifsc: 'HDFC0000001',
  accountType: 'saving',
} as const
