// A consent at the aggregator: its states, the limits of a request, its sealed parts, the accounts that a customer can
// share, and the approved artefact.

import { daysAfter } from '@lendloom/foundation/clock'
import type { Table } from '@lendloom/foundation/machine'
import { required } from '@lendloom/foundation/required'
import type { Seal } from '@lendloom/seal/seal'
import type { ConsentAccount, ConsentDetail, SignedConsent } from '@lendloom/wire/aggregator/consent-api'
import { aggregatorHandle } from './directory.ts'
import { registrarIds } from './holdings.ts'
import type { ConsentRow } from './store.ts'

type ConsentStatus = ConsentRow['status']

/** A decision is final. An undecided request expires at its deadline. */
export const consentMachine: Table<ConsentStatus, 'approve' | 'reject' | 'lapse'> = {
  PENDING: { approve: 'APPROVED', reject: 'REJECTED', lapse: 'EXPIRED' },
  APPROVED: {},
  REJECTED: {},
  EXPIRED: {},
}

/** The status at an instant. Expiry of requests and consents is computed here; no job records it. */
export function statusOf(
  consent: ConsentRow,
  detail: ConsentDetail,
  at: Date,
): Pick<ConsentRow, 'status' | 'artefactStatus'> {
  const { status, artefactStatus, expiresAt } = consent
  if (status === 'PENDING' && expiresAt <= at) return { status: 'EXPIRED', artefactStatus }
  if (artefactStatus === 'ACTIVE' && new Date(detail.consentExpiry) <= at) return { status, artefactStatus: 'EXPIRED' }
  return { status, artefactStatus }
}

/** Limits of the fair-use templates. Underwriting: a month of consent, fourteen months of data. Monitoring: five years. */
const maxUnderwritingDays = 31
const maxMonitoringDays = 5 * 366
const maxUnderwritingDataDays = 14 * 31

export interface ConsentFault {
  errorCode: string
  errorMsg: string
}

/** Why a consent may not be requested; null when it may. Purpose 103 is underwriting, 104 is loan monitoring. */
export function consentFault(
  { Purpose, consentStart, consentExpiry, FIDataRange, Customer }: ConsentDetail,
  at: Date,
): ConsentFault | null {
  const fault = (errorCode: string, errorMsg: string): ConsentFault => ({ errorCode, errorMsg })
  const maxDays = { 103: maxUnderwritingDays, 104: maxMonitoringDays }[Purpose.code]
  if (maxDays === undefined) return fault('InvalidConsentPurpose', `purpose ${Purpose.code} is not supported`)
  if (!Customer.id.endsWith(`@${aggregatorHandle}`))
    return fault('InvalidCustomerAddress', 'is not a customer of this aggregator')
  const start = new Date(consentStart)
  const expiry = new Date(consentExpiry)
  const from = new Date(FIDataRange.from)
  const to = new Date(FIDataRange.to)
  // Negated, so that an invalid date, which compares as false, is a fault.
  if (!(expiry > at) || expiry > daysAfter(start, maxDays))
    return fault('InvalidConsentDetail', `consentExpiry is not within ${maxDays} days`)
  if (!(from < to) || to > daysAfter(from, Purpose.code === '103' ? maxUnderwritingDataDays : maxMonitoringDays))
    return fault('InvalidDateRange', 'the data range is longer than the purpose allows')
  return null
}

/** The deadline for the customer's decision: a day, or the expiry of the consent if that is earlier. */
export function decisionDeadline({ consentExpiry }: ConsentDetail, at: Date): Date {
  const tomorrow = daysAfter(at, 1)
  const expiry = new Date(consentExpiry)
  return expiry < tomorrow ? expiry : tomorrow
}

const detailContext = (handle: string) => `aa_consent/${handle}/detail`
const signedContext = (handle: string) => `aa_consent/${handle}/signed`

/** Seals the terms of a requested consent. */
export const sealedDetail = (seal: Seal, handle: string, detail: ConsentDetail): Buffer =>
  seal.json(detail, detailContext(handle))
/** Opens the terms of a consent. */
export const detailOf = (seal: Seal, { handle, detailSealed }: ConsentRow): ConsentDetail =>
  seal.openJson<ConsentDetail>(detailSealed, detailContext(handle))
/** Seals the signed artefact of an approval. */
export const sealedSignedConsent = (seal: Seal, handle: string, jws: string): Buffer =>
  seal.bytes(Buffer.from(jws), signedContext(handle))
/** Opens the signed artefact of an approved consent. */
export const signedConsentOf = (seal: Seal, { handle, signedConsentSealed }: ConsentRow): string =>
  seal.open(required(signedConsentSealed, 'signed consent of an approval'), signedContext(handle)).toString()

/** The digest by which the consents of a customer are found. */
export const customerDigest = (seal: Seal, customer: string): Buffer =>
  seal.digest(customer.toLowerCase(), 'aa customer')

/** The type of financial information of holdings in mutual funds. */
export const mutualFunds = 'MUTUAL_FUNDS'
/** The banks at which each customer has an account. */
const banks = ['ganga-bank', 'vindhya-bank']

/** A customer's fixed sandbox accounts: two bank accounts, or two folios if the consent is for mutual funds. */
export function accountsOf(seal: Seal, { Customer, fiTypes }: Pick<ConsentDetail, 'Customer' | 'fiTypes'>) {
  const account = (at: string, fipId: string, fiType: string, accType: string): ConsentAccount => ({
    fiType,
    fipId,
    accType,
    linkRefNumber: seal.digest(Customer.id, `aa link at ${at}`).toString('hex').slice(0, 24),
    maskedAccNumber: `XXXXXXXX${String(seal.digest(Customer.id, `aa account at ${at}`).readUInt32BE() % 10_000).padStart(4, '0')}`,
  })
  return fiTypes.includes(mutualFunds)
    ? registrarIds.map((fipId) => account(fipId, fipId, mutualFunds, 'FOLIO'))
    : banks.map((bank) => account(bank, `${bank}.sandbox.example`, 'DEPOSIT', 'SAVINGS'))
}

/** The artefact that the aggregator signs when the customer approves. */
export const approvedConsent = (detail: ConsentDetail, accounts: ConsentAccount[]): SignedConsent => ({
  ...detail,
  DataProvider: { id: required(accounts[0], 'account that is shared').fipId, type: 'FIP' },
  Accounts: accounts,
})
