// What the hosted page is told of the mutual-fund units that secure a loan (FIS12 §10.2).
import { Text } from '#contract/atoms.ts'
import { kinds } from '#contract/hosted/portfolio.ts'
import { Closed, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'

const fund = {
  schemeCode: Text,
  /** As the borrower's statement calls it; its code where the statement does not tell. */
  name: Text,
  registrar: Nullable(Text),
  folio: Nullable(Text),
}

/** What the lender wants pledged for the whole of its offer. */
export const EmbedScheme = Closed({
  ...fund,
  unitsRequired: Text,
  /** What is lent of the value of these units, as `50%`. */
  ltv: Nullable(Text),
  /** In rupees, as the borrower's statement tells it; null where it does not. */
  nav: Nullable(Text),
})
export type EmbedScheme = Static<typeof EmbedScheme>

/** A fund that the borrower holds, as the statement tells it; amounts in rupees at its NAV. */
export const EmbedHolding = Closed({
  name: Text,
  /** Null where the statement does not tell it. */
  kind: Nullable(OneOf([...kinds])),
  worth: Text,
  /** What of it may be pledged: without what is under a lien or locked in. */
  free: Text,
})
export type EmbedHolding = Static<typeof EmbedHolding>

/** What the borrower pledges, once the amount is chosen. */
export const EmbedPledge = Closed({ ...fund, units: Text })
export type EmbedPledge = Static<typeof EmbedPledge>

/** How many units of a scheme the borrower chooses to pledge; `0` for none. */
export const chosenUnits = Type.String({
  pattern: '^\\d{1,15}(?:\\.\\d{1,6})?$',
  'x-says': 'must be a number of units, such as 312.450',
})
export const schemeCode = Type.String({ minLength: 1, maxLength: 100 })
/** How many schemes may be named at most. */
export const fewSchemes = { maxItems: 500 }
export const EmbedChosen = Type.Array(Closed({ schemeCode, units: chosenUnits }), fewSchemes)
