// The network's error codes: what each means for a journey, and what a borrower is told (FIS12 §3.4).
import type { Dialect } from './context.ts'

/**
 * What an error asks the journey to do.
 * `retry` send again after a delay · `noOffer` this lender does not offer · `rejected` the lender ends the journey ·
 * `kycFailed` no second attempt · `kycRetry` another attempt is allowed · `bankFailed`, `mandateFailed`,
 * `agreementFailed` that step failed and may be repeated · `consentFailed` the account-aggregator session failed ·
 * `aaIdNeeded` ask for the borrower's account-aggregator id · `disbursalPending` keep waiting for the money ·
 * `servicingFailed` an action after disbursal failed · `backToForm` something the borrower gave is wrong ·
 * `newFile` another file is needed.
 */
export type Effect =
  | 'retry'
  | 'noOffer'
  | 'rejected'
  | 'kycFailed'
  | 'kycRetry'
  | 'bankFailed'
  | 'mandateFailed'
  | 'agreementFailed'
  | 'consentFailed'
  | 'aaIdNeeded'
  | 'disbursalPending'
  | 'servicingFailed'
  | 'backToForm'
  | 'newFile'

/** Before the offer a refusal means that there is none; after it, that the lender withdrew. */
export type Stage = 'before-offer' | 'after-offer'

interface Meaning {
  effect: Effect | 'declined'
  /** Said to a borrower: plain, and free of the network's own words. */
  reason: string
}

const busy = 'The lender could not be reached. We will try again shortly.'
const noMatch = 'The lender could not make an offer on this application.'
const check = 'The lender could not accept some of the details. Please check them and send them again.'
const incomplete = 'The lender could not take the application further.'
const kycOpen = 'Your identity has not been verified yet. Please complete it.'

const meanings: Record<string, Meaning> = {
  80101: { effect: 'retry', reason: 'The application did not reach the lender. We will send it again.' },
  80102: { effect: 'retry', reason: 'Your acceptance did not reach the lender. We will send it again.' },
  80103: { effect: 'retry', reason: 'Your account details did not reach the lender. We will send them again.' },
  80104: { effect: 'retry', reason: 'The payout could not be completed. We will try again.' },
  80105: { effect: 'newFile', reason: 'The file could not be uploaded. Please upload it again.' },
  80201: { effect: 'consentFailed', reason: 'The lender could not ask for your consent to share data.' },
  80202: { effect: 'consentFailed', reason: 'The lender could not read the data that you shared.' },
  80203: { effect: 'declined', reason: noMatch },
  80204: { effect: 'kycFailed', reason: 'The lender could not verify your identity.' },
  80205: { effect: 'kycRetry', reason: 'Your identity could not be verified yet. You can try once more.' },
  80206: { effect: 'bankFailed', reason: 'The bank account could not be verified. Please check it and send it again.' },
  80207: { effect: 'mandateFailed', reason: 'The repayment mandate could not be set up. Please try again.' },
  80208: { effect: 'agreementFailed', reason: 'The lender could not prepare the loan agreement. Please try again.' },
  80209: { effect: 'agreementFailed', reason: 'The loan agreement could not be signed. Please try again.' },
  80210: { effect: 'disbursalPending', reason: 'The lender is still preparing the payout.' },
  80211: { effect: 'disbursalPending', reason: 'The lender is still waiting for a consent before the payout.' },
  80212: { effect: 'servicingFailed', reason: 'The lender could not prepare a payment link. Please try again later.' },
  80213: { effect: 'servicingFailed', reason: 'The payment could not be completed. Please try again.' },
  80214: { effect: 'retry', reason: 'The lender took too long to answer. We will try again shortly.' },
  80215: { effect: 'retry', reason: busy },
  80216: { effect: 'backToForm', reason: check },
  80217: { effect: 'backToForm', reason: 'The lender needs a detail that is missing. Please complete the form.' },
  80218: { effect: 'backToForm', reason: check },
  80219: { effect: 'retry', reason: 'The lender is not available at the moment. We will try again shortly.' },
  80220: { effect: 'newFile', reason: 'The lender did not find the file. Please upload it again.' },
  80221: { effect: 'newFile', reason: 'The lender cannot read this kind of file. Please upload another one.' },
  80222: { effect: 'newFile', reason: 'The file is too large or too small. Please upload another one.' },
  80223: { effect: 'retry', reason: busy },
  80224: { effect: 'consentFailed', reason: 'The consent to share your data was not completed in time.' },
  80225: { effect: 'declined', reason: 'The lender does not serve this PIN code.' },
  80226: { effect: 'declined', reason: 'The credit score does not meet what this lender asks for.' },
  80227: { effect: 'declined', reason: 'The amount or the term is outside what this lender offers.' },
  80228: { effect: 'declined', reason: "The application does not match this lender's policy." },
  80229: { effect: 'declined', reason: 'The lender found no credit history to decide on.' },
  80230: { effect: 'aaIdNeeded', reason: 'The lender needs your account aggregator id.' },
  30001: { effect: 'declined', reason: noMatch },
  30004: { effect: 'declined', reason: noMatch },
  30018: { effect: 'declined', reason: incomplete },
  40000: { effect: 'declined', reason: incomplete },
  40001: { effect: 'servicingFailed', reason: 'The lender cannot do this for the loan at the moment.' },
  40003: { effect: 'declined', reason: 'The offer is no longer available.' },
}

/** Dialect 2.3.0 gives eighteen codes another meaning; those that only say what is pending leave the journey as it is. */
const meanings230: Record<string, Meaning> = {
  ...meanings,
  80228: { effect: 'newFile', reason: 'The lender could not use the tax returns. Please send other ones.' },
  80229: { effect: 'newFile', reason: 'The lender could not use the bank statement. Please upload another one.' },
  80230: { effect: 'consentFailed', reason: 'The lender is missing a consent of yours.' },
  ...Object.fromEntries(
    [80231, 80232, 80233, 80234, 80235, 80236, 80237].map((code) => [code, { effect: 'backToForm', reason: check }]),
  ),
  80238: { effect: 'kycRetry', reason: kycOpen },
  80239: { effect: 'kycRetry', reason: kycOpen },
  80240: { effect: 'kycRetry', reason: 'The lender could not use an identity document. You can try once more.' },
  80241: { effect: 'disbursalPending', reason: 'The lender wants to speak with you before the payout.' },
  80242: { effect: 'disbursalPending', reason: 'The lender wants to visit you before the payout.' },
  80243: { effect: 'mandateFailed', reason: 'The repayment mandate is not set up yet. Please complete it.' },
  80244: { effect: 'disbursalPending', reason: 'The lender is waiting for its processing fee.' },
  80245: { effect: 'newFile', reason: 'The file is protected by a password. Please upload one that is not.' },
}

/** Whether the lender is only away or busy for the moment: the same is worth asking again after a while, in either dialect. */
export const isMomentary = (code: string): boolean => /^80(?:214|215|219|223)$/.test(code)

/** Codes that speak of the message rather than of the borrower: ours to repair, worth another try. */
const technical = /^(?:400|1020|90001|1000[0-2]|2000[12689]|23001|30000|30016|30022|31001)$/

/** Whether the message itself was found wrong: the same message is not taken later either, unless the lender changes. */
export const isAboutMessage = (code: string): boolean => /^(?:400|10000|10002|20006|30000)$/.test(code)

const unknown: Meaning = { effect: 'declined', reason: incomplete }

/** What a code asks of the journey. One that nobody published is read as a refusal. */
export function effectOf(code: string, stage: Stage, dialect: Dialect = '2.0.3'): Effect {
  const { effect } = meaningOf(code, dialect)
  if (effect !== 'declined') return effect
  return stage === 'before-offer' ? 'noOffer' : 'rejected'
}

/** A plain sentence for the borrower. The lender's own text is never shown (FIS12 §13.2). */
export const reasonOf = (code: string, dialect: Dialect = '2.0.3'): string => meaningOf(code, dialect).reason

const meaningOf = (code: string, dialect: Dialect): Meaning =>
  (dialect === '2.3.0' ? meanings230 : meanings)[code] ??
  (technical.test(code) ? { effect: 'retry', reason: busy } : unknown)

/** Why a party turns a message away with a NACK. */
export type NackReason = 'signature' | 'stale' | 'invalid' | 'sequence' | 'late' | 'absent' | 'internal'

/** The code each role writes into its NACK: `BAP` the platform, `BPP` a lender, `BG` the gateway. */
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
    // The gateway has no code for a stale request: it is a bad one, whose signature may be good.
    stale: '10000',
    invalid: '10000',
    sequence: '10000',
    late: '10000',
    absent: '10000',
    internal: '10000',
  },
}
