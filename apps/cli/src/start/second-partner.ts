// The second lending partner of a sandbox. Its prices and limits differ, so that borrowers can compare offers.

import type { SandboxPartner } from '@lendloom/platform/operations/exchange'
import type { PartnerCredentials } from '@lendloom/wire/exchange/credentials'

export const secondSender = 'KAVERI'
const name = 'Kaveri Capital Limited'
const repaymentAccount = 'Kaveri Capital Limited, Sandbox Bank, account 50200047110202, IFSC SBXB0000101'
const rate = '21.00'
const fee = '2.50'
const coolOffDays = 5

/** Settings of the second partner's own program: a higher fee and a lower rate than the first partner's. */
export const secondPartnerProduct = {
  PARTNER_SENDER: secondSender,
  PARTNER_RATE_PERCENT: rate,
  PARTNER_FEE_PERCENT: fee,
  PARTNER_COOL_OFF_DAYS: String(coolOffDays),
  PARTNER_LENDER_NAME: name,
  PARTNER_LENDER_ADDRESS: '7 Cauvery Street, Mysuru 570001',
  PARTNER_LENDER_GSTIN: '29AAZCK9998Q1ZH',
  PARTNER_GRIEVANCE_OFFICER: 'Arjun Rao, Principal Nodal Officer, 0821-4000700, nodal@kaveri.example',
  PARTNER_REPAYMENT_ACCOUNT: repaymentAccount,
}

/** The second partner as the platform stores it. */
export const secondPartnerRow = (url: string, credentials: PartnerCredentials): SandboxPartner => ({
  name,
  url,
  credentials,
  rules: { ratePercent: rate, feePercent: fee, coolOffDays, mostRupees: 150_000, incomeMultiple: 2, leastScore: 700 },
  contact: {
    groName: 'Arjun Rao',
    groEmail: 'nodal@kaveri.example',
    groContactNumber: '0821-4000700',
    groDesignation: 'Principal Nodal Officer',
    groAddress: '7 Cauvery Street, Mysuru 570001',
    customerSupportLink: 'https://kaveri.example/support',
    customerSupportContactNumber: '1800-700-4000',
    customerSupportEmail: 'care@kaveri.example',
    repaymentAccount,
  },
})
