// Sorts the proposals of the page of approvals by whose turn they are: first what waits for this person.

import { type Html, html } from '@lendloom/http/markup'
import type { DeskIdentity } from '#partner/people/person.ts'
import { isMaker, type ProposalLine } from '#partner/people/proposal.ts'

/** YOURS: this person may confirm it. ASKED: this person made it. OTHERS: only another person may confirm it. */
type Turn = 'YOURS' | 'ASKED' | 'OTHERS'

export interface TurnCard {
  turn: Turn
  since: Date
  card: Html
}

export function turnOf(proposal: ProposalLine, who: DeskIdentity, mayConfirm: boolean): Turn {
  if (proposal.madeBy === who.staffId) return 'ASKED'
  return mayConfirm && !isMaker(who, proposal) ? 'YOURS' : 'OTHERS'
}

const titles: Record<Turn, string> = {
  YOURS: 'Waiting for you',
  ASKED: 'You asked for',
  OTHERS: 'Waiting for others',
}

const noneForYou = html`<p class="empty">Nothing waits for you.</p>`

/** A section for each turn; in each, the proposal that has waited longest is first. */
export const turnSections = (cards: TurnCard[]): Html =>
  html`${(['YOURS', 'ASKED', 'OTHERS'] as const).map((turn) => {
    const own = cards.filter((each) => each.turn === turn).toSorted((a, b) => a.since.getTime() - b.since.getTime())
    const isEmpty = own.length === 0
    if (isEmpty && turn !== 'YOURS') return false
    return html`<section class="turn"><h2>${titles[turn]}${!isEmpty && html` <small>${own.length}</small>`}</h2>${isEmpty ? noneForYou : html`<div class="columns">${own.map(({ card }) => card)}</div>`}</section>`
  })}`
