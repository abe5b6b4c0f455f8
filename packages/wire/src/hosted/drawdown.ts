// Drawdowns of a credit line, as the hosted page has them (FIS12 §27.5).

import { Closed, Nullable, OneOf, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { Words } from '@lendloom/lending/reason/reason'
import { Money, Text } from '#wire/basic-schemas.ts'
import { drawdownStatuses } from './drawdown-status.ts'
import { EmbedQuote } from './embed-offer.ts'

export const EmbedDrawdown = Closed({
  drawdownId: Text,
  status: OneOf([...drawdownStatuses]),
  askedAt: Text,
  /** What the borrower asked for. */
  amount: Money,
  /** The lender's terms; null before it has stated them. */
  terms: Nullable(
    Closed({
      principal: Money,
      interest: Money,
      charges: Money,
      /** What the borrower repays in all. */
      total: Money,
      /** With which the borrower agrees to these terms. */
      quote: EmbedQuote,
      /** Percent a year, such as `12%`; null if the lender does not state it. */
      interestRate: Nullable(Text),
      /** Until when they stand. */
      until: Nullable(Text),
      isOver: Type.Boolean(),
    }),
  ),
  /** The last digits of the account that receives the money; null if the lender does not tell them. */
  accountEnding: Nullable(Text),
  paid: Nullable(Closed({ amount: Money, at: Text, reference: Nullable(Text), accountEnding: Nullable(Text) })),
  /** Whether the lender has not told for a day whether it has paid out what was agreed to. */
  isLate: Type.Boolean(),
  problem: Nullable(Words),
})
export type EmbedDrawdown = Static<typeof EmbedDrawdown>

export const DrawdownParams = Closed({ drawdownId: Uuid })

export const embedDrawdownParts = {
  /** Whether the lender of the open credit line takes drawdowns here, and not only at its own place. */
  drawsHere: Type.Boolean(),
  /** Newest first; at most twenty. */
  drawdowns: Type.Array(EmbedDrawdown),
}
