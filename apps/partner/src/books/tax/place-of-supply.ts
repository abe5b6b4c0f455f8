// The state in which a fee is taxed. Each state has the code that begins the GSTINs of its taxpayers.

import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { placeOfPincode } from '@lendloom/wire/pincode-place'

/** Codes of the Goods and Services Tax, by the names of `placeOfPincode`. */
const stateCodes = Object.entries({
  'Jammu and Kashmir': '01',
  'Himachal Pradesh': '02',
  Punjab: '03',
  Chandigarh: '04',
  Uttarakhand: '05',
  Haryana: '06',
  Delhi: '07',
  Rajasthan: '08',
  'Uttar Pradesh': '09',
  Bihar: '10',
  Sikkim: '11',
  'Arunachal Pradesh': '12',
  Nagaland: '13',
  Manipur: '14',
  Mizoram: '15',
  Tripura: '16',
  Meghalaya: '17',
  Assam: '18',
  'West Bengal': '19',
  Jharkhand: '20',
  Odisha: '21',
  Chhattisgarh: '22',
  'Madhya Pradesh': '23',
  Gujarat: '24',
  'Dadra and Nagar Haveli and Daman and Diu': '26',
  Maharashtra: '27',
  Karnataka: '29',
  Goa: '30',
  Lakshadweep: '31',
  Kerala: '32',
  'Tamil Nadu': '33',
  Puducherry: '34',
  'Andaman and Nicobar Islands': '35',
  Telangana: '36',
  'Andhra Pradesh': '37',
  Ladakh: '38',
})
const namesByCode = new Map(stateCodes.map(([name, code]) => [code, name]))
const codesByName = new Map(stateCodes.map(([name, code]) => [name.toLowerCase(), code]))

/** The parts of a lead that decide the state. */
export type TaxedBorrower = Pick<DataOf<'LEAD_SUBMITTED'>, 'borrower' | 'business'>

/**
 * Returns the code of the state: that of the borrower's GSTIN, otherwise of the address. Without a known state, it is
 * the lender's (Integrated Goods and Services Tax Act, section 12).
 */
export function placeOfSupply({ borrower, business }: TaxedBorrower, lenderGstin: string): string {
  const { postal_code, state } = borrower.residential_address
  const byName = (name: string | null) => (name === null ? undefined : codesByName.get(name.trim().toLowerCase()))
  return (
    business.gstin?.slice(0, 2) ??
    byName(placeOfPincode(postal_code).state) ??
    byName(state) ??
    stateOfGstin(lenderGstin)
  )
}

/** Returns the code of the state in which a GSTIN is registered. */
export const stateOfGstin = (gstin: string): string => gstin.slice(0, 2)

/** Returns a state as an invoice names it, such as `27 Maharashtra`. */
export const stateText = (code: string): string => [code, namesByCode.get(code)].filter(Boolean).join(' ')
