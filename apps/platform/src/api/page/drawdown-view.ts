// What the page shows of the drawdowns from a credit line (FIS12 §27.5).

import { rupees } from '@lendloom/lending/money'
import { wordsOf } from '@lendloom/lending/reason/reason'
import type { EmbedDrawdown } from '@lendloom/wire/hosted/drawdown'
import { type Drawdown, isAwaited, isLate, mayBeAgreedTo, quoteOf } from '#platform/lending/drawdown/drawdown.ts'

/** More would be a list that nobody reads; the console has them all. */
const shownDrawdowns = 20

/** Newest first. Those that the borrower has left are of no interest any more. */
export const drawdownViews = (drawdowns: Drawdown[], at: Date): EmbedDrawdown[] =>
  drawdowns
    .filter(({ status }) => status !== 'CANCELLED')
    .map((each) => drawdownView(each, at))
    .reverse()
    .slice(0, shownDrawdowns)

function drawdownView(drawdown: Drawdown, at: Date): EmbedDrawdown {
  const { drawdownId, status, requestedAt, requestedPaise, accountEnding, reason } = drawdown
  return {
    drawdownId,
    status,
    askedAt: requestedAt.toISOString(),
    amount: rupees(requestedPaise),
    terms: termsView(drawdown, at),
    accountEnding,
    paid: paidView(drawdown),
    isLate: isLate(drawdown, at),
    problem: wordsOf(reason),
  }
}

function termsView(drawdown: Drawdown, at: Date): EmbedDrawdown['terms'] {
  const { status, principalPaise, interestPaise, chargesPaise, totalPaise, interestRate, termsUntil } = drawdown
  const quote = quoteOf(drawdown)
  if (principalPaise === null || totalPaise === null || quote === null) return null
  return {
    principal: rupees(principalPaise),
    interest: rupees(interestPaise ?? 0n),
    charges: rupees(chargesPaise ?? 0n),
    total: rupees(totalPaise),
    quote,
    interestRate,
    until: termsUntil?.toISOString() ?? null,
    isOver: status === 'TERMS_READY' && !mayBeAgreedTo(drawdown, at),
  }
}

function paidView(drawdown: Drawdown): EmbedDrawdown['paid'] {
  const { status, paidPaise, paidOutAt, payoutReference, paidAccountEnding } = drawdown
  return status === 'PAID_OUT' && paidPaise !== null && paidOutAt
    ? {
        amount: rupees(paidPaise),
        at: paidOutAt.toISOString(),
        reference: payoutReference,
        accountEnding: paidAccountEnding,
      }
    : null
}

/** While the lender owes an answer. */
const pollMs = 2000

/** The poll interval while the lender owes terms or a payout; otherwise null. */
export const drawdownPollMs = (drawdowns: Drawdown[], at: Date): number | null =>
  drawdowns.some((each) => isAwaited(each, at)) ? pollMs : null
