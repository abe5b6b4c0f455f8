// A consent at the aggregator: its states as a table, what may be requested, and what an approval is made of.

import type { ConsentAccount, ConsentDetail, SignedConsent } from '#contract/aggregator/consent.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Table } from '#kit/runtime/machine.ts'
import { required } from '#kit/runtime/record.ts'
import { registrarIds } from './holdings.ts'
import { aggregatorHandle } from './parties.ts'
import type { ConsentRow } from './store.ts'

type ConsentStatus = ConsentRow['status']

/** A decision is final. An undecided request lapses at its deadline. */
export const consentMachine: Table<ConsentStatus, 'approve' | 'reject' | 'lapse'> = {
  PENDING: { approve: 'APPROVED', reject: 'REJECTED', lapse: 'EXPIRED' },
  APPROVED: {},
  REJECTED: {},
  EXPIRED: {},
}

/** The status at an instant: requests lapse, and approved consents expire, without a job. */
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

/** Fair use of the underwriting and monitoring templates: a month of consent, fourteen months of data. */
const mostConsentDays = 31
const monitoringDays = 5 * 366
const mostDataDays = 14 * 31

export interface ConsentFault {
  errorCode: string
  errorMsg: string
}

/** Why a consent may not be asked for; null when it may. Purpose 103 is underwriting, 104 monitoring of a running loan. */
export function consentFault(
  { Purpose, consentStart, consentExpiry, FIDataRange, Customer }: ConsentDetail,
  at: Date,
): ConsentFault | null {
  const fault = (errorCode: string, errorMsg: string): ConsentFault => ({ errorCode, errorMsg })
  const mostDays = { 103: mostConsentDays, 104: monitoringDays }[Purpose.code]
  if (mostDays === undefined) return fault('InvalidConsentPurpose', `purpose ${Purpose.code} is not served here`)
  if (!Customer.id.endsWith(`@${aggregatorHandle}`))
    return fault('InvalidCustomerAddress', 'is no customer of this aggregator')
  const [start, expiry] = [new Date(consentStart), new Date(consentExpiry)] as const
  const [from, to] = [new Date(FIDataRange.from), new Date(FIDataRange.to)] as const
  if (!(expiry > at) || expiry > daysAfter(start, mostDays))
    return fault('InvalidConsentDetail', `consentExpiry is not within ${mostDays} days`)
  if (!(from < to) || to > daysAfter(from, Purpose.code === '103' ? mostDataDays : monitoringDays))
    return fault('InvalidDateRange', 'the range of data is longer than the purpose allows')
  return null
}

/** A request waits a day for its customer, and never longer than the consent itself would last. */
export function waitsUntil({ consentExpiry }: ConsentDetail, at: Date): Date {
  const tomorrow = daysAfter(at, 1)
  const expiry = new Date(consentExpiry)
  return expiry < tomorrow ? expiry : tomorrow
}

const detailPlace = (handle: string) => `aa_consent/${handle}/detail`
const signedPlace = (handle: string) => `aa_consent/${handle}/signed`

export const sealedDetail = (seal: Seal, handle: string, detail: ConsentDetail): Buffer =>
  seal.json(detail, detailPlace(handle))
export const detailOf = (seal: Seal, { handle, detailSealed }: ConsentRow): ConsentDetail =>
  seal.openJson<ConsentDetail>(detailSealed, detailPlace(handle))
export const sealedSigned = (seal: Seal, handle: string, jws: string): Buffer =>
  seal.bytes(Buffer.from(jws), signedPlace(handle))
export const signedOf = (seal: Seal, { handle, signedConsentSealed }: ConsentRow): string =>
  seal.open(required(signedConsentSealed, 'signed consent of an approval'), signedPlace(handle)).toString()

export const customerDigest = (seal: Seal, customer: string): Buffer =>
  seal.digest(customer.toLowerCase(), 'aa customer')

export const mutualFunds = 'MUTUAL_FUNDS'
const banks = ['ganga-bank', 'vindhya-bank']

/**
 * What the sandbox reports of a customer: always the same two bank accounts, and where mutual funds are asked for, always
 * the same two folios instead.
 */
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

/** What is signed at an approval. */
export const approvedConsent = (detail: ConsentDetail, accounts: ConsentAccount[]): SignedConsent => ({
  ...detail,
  DataProvider: { id: required(accounts[0], 'account that is shared').fipId, type: 'FIP' },
  Accounts: accounts,
})
