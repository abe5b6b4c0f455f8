// Error codes of the network: their effect on a journey, and the reason shown to the borrower (FIS12 §3.4).

import { ownValue } from '@lendloom/foundation/record'
import type { Refusal, RefusalKind } from '@lendloom/foundation/refusal'
import { type Answer, answer } from '@lendloom/http/route'
import type { ErrorReason } from '@lendloom/lending/reason/reason'
import { type Dialect, nack } from './context.ts'

export type ErrorEffect =
  | 'retry' // the request is resent after a delay
  | 'noOffer' // this lender makes no offer
  | 'rejected' // the lender ends the journey
  | 'kycFailed' // no further KYC attempt is allowed
  | 'kycRetry' // another KYC attempt is allowed
  | 'bankFailed' // the bank account step failed and may be repeated
  | 'mandateFailed' // the mandate step failed and may be repeated
  | 'agreementFailed' // the agreement step failed and may be repeated
  | 'consentFailed' // the account-aggregator session failed
  | 'aaIdNeeded' // the lender needs the borrower's account-aggregator id
  | 'disbursalPending' // the payout is still expected
  | 'servicingFailed' // a request after disbursal failed
  | 'backToForm' // the borrower must correct a value
  | 'newFile' // another file is required

/** A decline has the effect `noOffer` before the offer, and `rejected` after the offer. */
type ErrorStage = 'before-offer' | 'after-offer'

interface Meaning {
  effect: ErrorEffect | 'declined'
  reason: ErrorReason
}

const meanings: Record<string, Meaning> = {
  80101: { effect: 'retry', reason: 'APPLICATION_NOT_DELIVERED' },
  80102: { effect: 'retry', reason: 'ACCEPTANCE_NOT_DELIVERED' },
  80103: { effect: 'retry', reason: 'ACCOUNT_NOT_DELIVERED' },
  80104: { effect: 'retry', reason: 'PAYOUT_NOT_COMPLETED' },
  80105: { effect: 'newFile', reason: 'FILE_NOT_UPLOADED' },
  80201: { effect: 'consentFailed', reason: 'CONSENT_NOT_REQUESTED' },
  80202: { effect: 'consentFailed', reason: 'SHARED_DATA_UNREADABLE' },
  80203: { effect: 'declined', reason: 'NO_OFFER_POSSIBLE' },
  80204: { effect: 'kycFailed', reason: 'IDENTITY_NOT_VERIFIED' },
  80205: { effect: 'kycRetry', reason: 'IDENTITY_ONCE_MORE' },
  80206: { effect: 'bankFailed', reason: 'ACCOUNT_NOT_VERIFIED' },
  80207: { effect: 'mandateFailed', reason: 'MANDATE_NOT_POSSIBLE' },
  80208: { effect: 'agreementFailed', reason: 'AGREEMENT_NOT_PREPARED' },
  80209: { effect: 'agreementFailed', reason: 'AGREEMENT_NOT_POSSIBLE' },
  80210: { effect: 'disbursalPending', reason: 'PAYOUT_IN_PREPARATION' },
  80211: { effect: 'disbursalPending', reason: 'PAYOUT_AWAITS_CONSENT' },
  80212: { effect: 'servicingFailed', reason: 'PAYMENT_LINK_NOT_PREPARED' },
  80213: { effect: 'servicingFailed', reason: 'PAYMENT_NOT_COMPLETED' },
  80214: { effect: 'retry', reason: 'LENDER_SLOW' },
  80215: { effect: 'retry', reason: 'LENDER_BUSY' },
  80216: { effect: 'backToForm', reason: 'DETAILS_TO_CHECK' },
  80217: { effect: 'backToForm', reason: 'DETAIL_MISSING' },
  80218: { effect: 'backToForm', reason: 'DETAILS_TO_CHECK' },
  80219: { effect: 'retry', reason: 'LENDER_UNAVAILABLE' },
  80220: { effect: 'newFile', reason: 'FILE_NOT_FOUND' },
  80221: { effect: 'newFile', reason: 'FILE_KIND' },
  80222: { effect: 'newFile', reason: 'FILE_SIZE' },
  80223: { effect: 'retry', reason: 'LENDER_BUSY' },
  80224: { effect: 'consentFailed', reason: 'CONSENT_NOT_COMPLETED' },
  80225: { effect: 'declined', reason: 'PINCODE_NOT_SERVED' },
  80226: { effect: 'declined', reason: 'CREDIT_SCORE' },
  80227: { effect: 'declined', reason: 'AMOUNT_OR_TERM' },
  80228: { effect: 'declined', reason: 'LENDER_POLICY' },
  80229: { effect: 'declined', reason: 'NO_CREDIT_HISTORY' },
  80230: { effect: 'aaIdNeeded', reason: 'AA_HANDLE_NEEDED' },
  30001: { effect: 'declined', reason: 'NO_OFFER_POSSIBLE' },
  30004: { effect: 'declined', reason: 'NO_OFFER_POSSIBLE' },
  30018: { effect: 'declined', reason: 'NOT_TAKEN_FURTHER' },
  40000: { effect: 'declined', reason: 'NOT_TAKEN_FURTHER' },
  40001: { effect: 'servicingFailed', reason: 'NOT_POSSIBLE_FOR_LOAN' },
  40003: { effect: 'declined', reason: 'OFFER_GONE' },
}

/** Dialect 2.3.0 redefines the codes 80228 to 80245. */
const meanings230: Record<string, Meaning> = {
  ...meanings,
  80228: { effect: 'newFile', reason: 'TAX_RETURNS_UNUSABLE' },
  80229: { effect: 'newFile', reason: 'BANK_STATEMENT_UNUSABLE' },
  80230: { effect: 'consentFailed', reason: 'CONSENT_MISSING' },
  ...Object.fromEntries(
    [80231, 80232, 80233, 80234, 80235, 80236, 80237].map((code) => [
      code,
      { effect: 'backToForm', reason: 'DETAILS_TO_CHECK' },
    ]),
  ),
  80238: { effect: 'kycRetry', reason: 'IDENTITY_NOT_YET_VERIFIED' },
  80239: { effect: 'kycRetry', reason: 'IDENTITY_NOT_YET_VERIFIED' },
  80240: { effect: 'kycRetry', reason: 'IDENTITY_DOCUMENT_UNUSABLE' },
  80241: { effect: 'disbursalPending', reason: 'PAYOUT_AWAITS_CALL' },
  80242: { effect: 'disbursalPending', reason: 'PAYOUT_AWAITS_VISIT' },
  80243: { effect: 'mandateFailed', reason: 'MANDATE_NOT_YET_SET_UP' },
  80244: { effect: 'disbursalPending', reason: 'PAYOUT_AWAITS_FEE' },
  80245: { effect: 'newFile', reason: 'FILE_PROTECTED' },
}

/** Whether the lender is temporarily unavailable, so that the same request may be retried later (in both dialects). */
export const isTransient = (code: string): boolean => /^80(?:214|215|219|223)$/.test(code)

/**
 * Codes of technical faults, which concern the message and not the borrower. The request is retried. 412: the network's
 * workbench does not await the message yet.
 */
const technicalCodes = /^(?:400|412|1020|90001|1000[0-2]|2000[12689]|23001|30000|30016|30022|31001)$/

/** Whether the lender rejected the message as invalid. A retry succeeds only after the lender's software changes. */
export const isAboutMessage = (code: string): boolean => /^(?:400|10000|10002|20006|30000)$/.test(code)

const unknownMeaning: Meaning = { effect: 'declined', reason: 'NOT_TAKEN_FURTHER' }

/** The effect of a code on the journey. An unpublished code counts as a decline. */
export function effectOf(code: string, stage: ErrorStage, dialect: Dialect = '2.0.3'): ErrorEffect {
  const { effect } = meaningOf(code, dialect)
  if (effect !== 'declined') return effect
  return stage === 'before-offer' ? 'noOffer' : 'rejected'
}

/** The reason for the borrower. The lender's own text is never shown (FIS12 §13.2). */
export const reasonOf = (code: string, dialect: Dialect = '2.0.3'): ErrorReason => meaningOf(code, dialect).reason

const meaningOf = (code: string, dialect: Dialect): Meaning =>
  ownValue(dialect === '2.3.0' ? meanings230 : meanings, code) ??
  (technicalCodes.test(code) ? { effect: 'retry', reason: 'LENDER_BUSY' } : unknownMeaning)

/** Why a party rejects a message with a NACK. */
type NackReason = 'signature' | 'stale' | 'invalid' | 'sequence' | 'late' | 'absent' | 'internal'

/** The NACK codes of each role: `BAP` the platform, `BPP` a lender, `BG` the gateway. */
export const nackCodes: Record<'BAP' | 'BPP' | 'BG', Record<NackReason, string>> = {
  BAP: {
    signature: '20001',
    stale: '20002',
    invalid: '20006',
    sequence: '20008',
    late: '20009',
    absent: '20006',
    internal: '23001',
  },
  BPP: {
    signature: '30016',
    stale: '30022',
    invalid: '30000',
    sequence: '40001',
    late: '30022',
    absent: '30018',
    internal: '31001',
  },
  BG: {
    signature: '10001',
    // The gateway has no code for a stale request, and reports a bad request.
    stale: '10000',
    invalid: '10000',
    sequence: '10000',
    late: '10000',
    absent: '10000',
    internal: '10000',
  },
}

/** The HTTP status and NACK code of each refusal. A message that was parsed is rejected with status 200. */
const nackResponses: Record<RefusalKind, [status: number, reason: NackReason]> = {
  malformed: [400, 'invalid'],
  invalid: [200, 'invalid'],
  'bad-api-key': [401, 'signature'],
  'bad-session': [401, 'signature'],
  'bad-credential': [401, 'signature'],
  forbidden: [403, 'invalid'],
  absent: [404, 'absent'],
  'wrong-method': [405, 'invalid'],
  'wrong-state': [200, 'sequence'],
  locked: [200, 'sequence'],
  pending: [200, 'sequence'],
  'reused-key': [200, 'sequence'],
  'too-large': [413, 'invalid'],
  'unsupported-media': [415, 'invalid'],
  'rate-limited': [429, 'internal'],
  damaged: [500, 'internal'],
  upstream: [503, 'internal'],
}

type Role = keyof typeof nackCodes

/** The code of a refusal: `details.code` if set, else the code of the refusal kind. */
export const codeOf = (role: Role, { kind, details }: Refusal): string =>
  typeof details.code === 'string' ? details.code : nackCodes[role][nackResponses[kind][1]]

/** Converts refusals to responses of a role's API. */
export const refusedAs =
  (role: Role) =>
  (refusal: Refusal | 'bug'): Answer => {
    if (refusal === 'bug') return answer(500, nack({ code: nackCodes[role].internal, message: 'an internal error' }))
    const { field, retryAfterSeconds } = refusal.details
    const path = field === undefined ? {} : { path: `$.${field}` }
    const headers: Record<string, string> =
      retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return answer(
      nackResponses[refusal.kind][0],
      nack({ code: codeOf(role, refusal), message: refusal.message, ...path }),
      headers,
    )
  }
