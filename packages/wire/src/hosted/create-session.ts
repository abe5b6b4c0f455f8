// POST /api/lab/sessions: body and response (D1 §2.1, §2.2).

import { durationMs } from '@lendloom/foundation/clock'
import { type FieldError, faultsOf, invalid } from '@lendloom/foundation/refusal'
import { Closed, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { contractOf, defaultProduct, type ProductsThat, productsThat } from '@lendloom/lending/product/products'
import { Instant } from '#wire/basic-schemas.ts'
import { canonicalPersonal, canonicalWork } from './canonical-profile.ts'
import { Address, EndUse, FreeText, GoldFields, PersonalProfile, WorkProfile } from './profile.ts'
import { refuseAadhaar, refuseHiddenCharacters } from './refused-text.ts'

const Months = Type.Union([Type.String({ pattern: '^0*[1-9]\\d{0,2}$' }), Type.Integer({ minimum: 1, maximum: 999 })], {
  'x-says': 'must be a positive number of months',
})
const Amount = Type.Union(
  [
    Type.String({ pattern: '^(?=.*[1-9])\\d{1,12}(?:\\.\\d{1,2})?$' }),
    Type.Number({ exclusiveMinimum: 0, maximum: 999_999_999_999 }),
  ],
  { 'x-says': 'must be a positive amount in rupees' },
)

export const GoldLoan = Closed({
  ...GoldFields,
  endUse: Type.Optional(EndUse),
  bureauConsent: Type.Optional(Type.Boolean()),
  aaID: Type.Optional(FreeText(200)),
  requestedAmount: Type.Optional(Amount),
  requestedTenureMonths: Type.Optional(Months),
})
export type GoldLoan = Static<typeof GoldLoan>

export const BorrowerProviderID = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$',
  'x-says': 'must be your own pseudonymous identifier of the borrower, 1 to 255 characters',
})

/** The journey types of this call (D1 §4); a loan against mutual funds starts by the hybrid API. */
export const SessionJourneyType = OneOf(productsThat('opensBySession'), {
  'x-says': `must be ${productsThat('opensBySession').join(' or ')}`,
})
export type SessionJourneyType = ProductsThat<'opensBySession'>

/** The return address of a standalone page. */
export const ReturnUrl = Type.String({ minLength: 1, maxLength: 2000, 'x-says': 'must be an https URL' })

/** How long a link that can be sent may live. */
const linkTtlRange = { shortest: 'PT5M', longest: 'P7D' } as const
const linkTtlRule = `must be an ISO 8601 duration from ${linkTtlRange.shortest} to ${linkTtlRange.longest}`

export const SessionRequest = Closed({
  borrowerProviderID: BorrowerProviderID,
  journeyType: Type.Optional(SessionJourneyType),
  profile: PersonalProfile,
  workProfile: Type.Optional(WorkProfile),
  address: Type.Optional(Address),
  goldLoan: Type.Optional(GoldLoan),
  callbackUrl: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, 'x-says': 'must be an https URL' })),
  returnUrl: Type.Optional(ReturnUrl),
  /** Asks for a link that can be sent, beside the embed URL. */
  linkTtl: Type.Optional(Type.String({ minLength: 3, maxLength: 40, 'x-says': linkTtlRule, examples: ['P3D'] })),
})
export type SessionRequest = Static<typeof SessionRequest>

/** A link that opens the journey for days, after a code to the borrower's mobile number. */
const JourneyLink = Closed({
  id: Type.String({ examples: ['0aQd81XzRk2'] }),
  url: Type.String({ examples: ['https://api.lendloom.example/open/lk_…'] }),
  expiresAt: Instant,
})
export type JourneyLink = Static<typeof JourneyLink>

export const SessionReply = Closed({
  embedUrl: Type.String({ examples: ['https://api.lendloom.example/lab/embed?tenant_id=…#token=bt_…'] }),
  /** Only if `linkTtl` asked for it. */
  link: Type.Optional(JourneyLink),
})
export type SessionReply = Static<typeof SessionReply>

/**
 * Canonicalizes a body that matches the schema and enforces the remaining rules (D1 §2.1, §7). Throws `invalid` with every
 * faulty field, including those in `known`. Also checks the valid part of a body that does not match, in which any field
 * may be absent.
 */
export function canonicalSession(body: SessionRequest, at: Date, known: FieldError[] = []) {
  const faults = [...known, ...faultsOf(() => refuseAadhaar(body)), ...faultsOf(() => refuseHiddenCharacters(body))]
  const journeyType = body.journeyType ?? defaultProduct
  const { needsPersonPan, minIncomeDigits, pledgesGold } = contractOf(journeyType)
  if (body.goldLoan && !pledgesGold)
    faults.push({
      path: 'journeyType',
      message: `must be ${productsThat('pledgesGold').join(' or ')} when goldLoan is present`,
    })
  const linkTtlMs = linkTtlIn(body.linkTtl)
  if (linkTtlMs === undefined) faults.push({ path: 'linkTtl', message: linkTtlRule })
  const order = {
    borrowerProviderID: body.borrowerProviderID,
    journeyType,
    profile: canonicalPersonal(body.profile ?? {}, { at, needsPersonPan }, faults),
    workProfile: canonicalWork(body.workProfile ?? {}, { minDigits: minIncomeDigits }, faults),
    address: body.address ?? {},
    goldLoan: pledgesGold ? (body.goldLoan ?? {}) : null,
    callbackUrl: body.callbackUrl ?? null,
    returnUrl: body.returnUrl ?? null,
    linkTtlMs: linkTtlMs ?? null,
  }
  const [first, ...more] = faults
  if (first) throw invalid(first, ...more)
  return order
}

const msOf = (duration: string): number => durationMs(duration) ?? Number.NaN

/** Returns the milliseconds of a duration; null if there is none, undefined if it is malformed or out of range. */
function linkTtlIn(text: string | undefined): number | null | undefined {
  if (text === undefined) return null
  const ms = durationMs(text)
  const { shortest, longest } = linkTtlRange
  return ms !== null && ms >= msOf(shortest) && ms <= msOf(longest) ? ms : undefined
}

/** The session body in canonical form (D1 §2.1). */
export type CanonicalSession = ReturnType<typeof canonicalSession>
