// POST /sessions and /sessions/refresh as D2 §2.3 and §4 spell them.
import { Instant, Text } from '#contract/atoms.ts'
import { JourneyType } from '#contract/headless/fields.ts'
import { Journey } from '#contract/headless/journey.ts'
import { ContactNumber, Email, FreeText, maybe, Pan } from '#contract/hosted/profile.ts'
import { BorrowerProviderID } from '#contract/hosted/session.ts'
import { Closed, type Static, Type, Uuid } from '#kit/http/schema.ts'

export const SessionRequest = Closed({
  borrowerExternalID: BorrowerProviderID,
  /** What the borrower came for: of several active journeys the newest of this type is given. */
  journeyType: maybe(JourneyType),
  profile: Closed({
    contactNumber: ContactNumber,
    pan: maybe(Pan),
    panName: maybe(FreeText()),
    personalemail: maybe(Email),
  }),
})
export type SessionRequest = Static<typeof SessionRequest>

const tokens = {
  /** `st_…`: what the borrower's runtime presents. */
  sessionToken: Text,
  /** `rt_…`: trades the pair for a new one, once. */
  refreshToken: Text,
  sessionExpiresAt: Instant,
  refreshExpiresAt: Instant,
}

export const Session = Closed({
  borrowerID: Uuid,
  borrowerExternalID: Text,
  ...tokens,
  activeJourney: Type.Union([Journey, Type.Null()]),
})
export type Session = Static<typeof Session>

export const RefreshResult = Closed(tokens)
export type RefreshResult = Static<typeof RefreshResult>
