// Texts of a credit line: its state, what it waits for, and how far a drawdown has come.

import type { ConsoleLine, JourneyHead } from '@lendloom/wire/console/journeys'
import { type DrawdownStatus, drawdownStatuses } from '@lendloom/wire/hosted/drawdown-status'
import { inlineLabelOf, labelOf, rupees } from '../ui/code-labels.ts'
import type { Tone } from '../ui/components.tsx'

const drawdownStates: Record<DrawdownStatus, readonly [Tone, string]> = {
  REQUESTED: ['warn', 'Terms asked for'],
  TERMS_READY: ['info', 'Terms stated'],
  AGREED: ['info', 'Agreed, not paid out yet'],
  PAID_OUT: ['good', 'Paid out'],
  FAILED: ['bad', 'Not paid out'],
  CANCELLED: ['plain', 'Left by the borrower'],
}

interface DrawdownWords {
  tone: Tone
  word: string
  /** Empty if the word says it, or nothing is known. */
  reason: string
}

const isRefused = (status: string, reason: string | null): boolean =>
  status === 'FAILED' && reason === 'DRAWDOWN_REFUSED'

/** How far a drawdown has come, and why it was not paid out; an unknown status is shown as it is. */
export function drawdownWords(status: string, reason: string | null): DrawdownWords {
  if (isRefused(status, reason)) return { tone: 'bad', word: 'Refused', reason: '' }
  const known = drawdownStatuses.find((each) => each === status)
  const [tone, word] = known ? drawdownStates[known] : (['plain', labelOf(status)] as const)
  return { tone, word, reason: reason ? labelOf(reason) : '' }
}

type Line = Pick<ConsoleLine, 'closedAt' | 'drawn' | 'available' | 'drawdowns'>

const wasDrawn = ({ drawn, drawdowns }: Line): boolean =>
  Number(drawn) > 0 || drawdowns.some(({ status }) => status === 'PAID_OUT')

/** What an open line waits for: an answer about a drawdown, or nobody; empty if nothing is to be said. */
export function openLineText(line: Line, lender: string): string {
  const newest = line.drawdowns[0]
  switch (newest?.status) {
    case 'REQUESTED':
      return `Waiting for ${lender} to state its terms for a drawdown of ${rupees(newest.amount)}.`
    case 'TERMS_READY':
      return `Waiting for the borrower to agree to a drawdown of ${rupees(newest.amount)}.`
    case 'AGREED':
      return `Waiting for ${lender} to pay out ${rupees(newest.amount)}.`
    case 'FAILED':
      return `${failureText(newest, lender)} The line stays open: the borrower can draw up to ${rupees(line.available)}.`
    default:
      return wasDrawn(line) ? '' : 'Open, nothing drawn yet.'
  }
}

function failureText({ amount, status, reason }: Line['drawdowns'][number], lender: string): string {
  if (isRefused(status, reason)) return `${lender} refused the drawdown of ${rupees(amount)}.`
  return `${lender} did not pay out the drawdown of ${rupees(amount)}${reason === null ? '' : `: ${inlineLabelOf(reason)}`}.`
}

/** How a closed line ended, to follow "The credit line is closed". */
export const closedLineText = (line: Line, { isCancelled }: Pick<JourneyHead, 'isCancelled'>): string => {
  if (!wasDrawn(line)) return ', never drawn'
  return isCancelled ? ', within the cooling-off period' : ''
}
