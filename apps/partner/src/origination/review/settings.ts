// The lender's product and contacts as program settings.

import { choice, number, type Setting, text } from '@lendloom/foundation/config'
import { line, settingGroup } from '@lendloom/foundation/setting-group'
import { isGstin } from '@lendloom/wire/identifier'

const percentage = (about: string, fallback: string): Setting<string> => ({
  ...text(about, fallback),
  read(value) {
    if (!/^\d{1,2}(\.\d{1,2})?$/.test(value))
      throw new Error(`must be a percentage with up to two decimals, not "${value}"`)
    return value
  },
})

const gstin = (about: string, fallback: string): Setting<string> => ({
  ...text(about, fallback),
  read(value) {
    if (!isGstin(value)) throw new Error(`must be a GSTIN with a valid check character, not "${value}"`)
    return value
  },
})

export const productSettings = {
  PARTNER_RATE_PERCENT: percentage('Yearly interest rate, on the reducing balance', '24.00'),
  PARTNER_FEE_PERCENT: percentage('Processing fee, as a percentage of the amount', '2.00'),
  PARTNER_TAX_PERCENT: percentage('Tax, as a percentage of the fee', '18.00'),
  PARTNER_ROUNDING: choice(
    'Rounding of schedule amounts: whole rupees, as the regulator requires, or paise',
    ['RUPEE', 'PAISE'],
    'RUPEE',
  ),
  PARTNER_COOL_OFF_DAYS: number(
    'Length of the cooling-off period, in days from disbursal: the borrower pays principal and accrued interest, the fee is refunded',
    3,
    1,
    30,
  ),
  PARTNER_DUES_TOLERANCE: number(
    'Overdue amount, in rupees, up to which a loan is not past due for its class, and up to which the rest of a loan can be rounded off',
    10,
    0,
    100,
  ),
  PARTNER_LENDER: settingGroup('The lender, for borrowers', {
    name: line('PARTNER_LENDER_NAME'),
    address: line('PARTNER_LENDER_ADDRESS'),
    grievanceOfficer: line('PARTNER_GRIEVANCE_OFFICER'),
    repaymentAccount: line('PARTNER_REPAYMENT_ACCOUNT'),
  }),
  PARTNER_LENDER_NAME: text('The name of the lender, as shown to borrowers', 'Celestium Finance Limited'),
  PARTNER_LENDER_ADDRESS: text('The address of the lender', '14 Residency Road, Bengaluru 560025'),
  PARTNER_GRIEVANCE_OFFICER: text(
    "The lender's grievance officer: name, telephone and e-mail",
    'Meera Iyer, Principal Nodal Officer, 080-40001200, nodal@celestium.example',
  ),
  PARTNER_REPAYMENT_ACCOUNT: text(
    "The lender's account for transfers from borrowers: holder, bank, number and IFSC",
    'Celestium Finance Limited, Sandbox Bank, account 50200047110101, IFSC SBXB0000101',
  ),
  PARTNER_LENDER_GSTIN: gstin("The lender's GSTIN, on invoices for fees", '29AAZCC9999Q1ZO'),
  PARTNER_SERVICE_CODE: {
    ...text('The service accounting code (SAC) of the processing fee, on invoices', '997113'),
    read(value) {
      if (!/^99\d{2,4}$/.test(value)) throw new Error(`must be a code of 4 to 6 digits from 99, not "${value}"`)
      return value
    },
  } satisfies Setting<string>,
}
