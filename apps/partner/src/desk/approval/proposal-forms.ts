// The forms with which a second person decides a proposal, or why this person cannot.

import { type Html, html } from '@lendloom/http/markup'
import { toSentence } from '#partner/desk/parts/format.ts'
import type { SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { onePersonMessage, unprovenMessage } from '#partner/people/one-person.ts'
import { isMaker, type ProposalLine } from '#partner/people/proposal.ts'

interface ProposalForms {
  /** The address of the proposal, under which `confirm`, `refuse` and `withdraw` are. */
  action: string
  confirm: string
  ownProposal: string
  /** Why this person cannot decide for another reason; null if there is none. */
  obstacle: string | null
  /** The page to return to, if it is not that of the proposal. */
  returnTo?: 'approvals' | undefined
}

export const refuseForm = (action: string, fields: Html | false = false): Html =>
  html`<form class="inline" method="post" action="${action}">${fields}<label><span>Reason for refusing</span><input name="reason" maxlength="500" required></label><button class="secondary">Refuse</button></form>`

/** Says why a sign-in with only a password decides nothing. */
export const unprovenPart: Html = html`<p>${toSentence(unprovenMessage)} <a href="/desk/me">Go to your page</a></p>`

export function proposalForms(proposal: ProposalLine, who: SignedIn, forms: ProposalForms): Html {
  const { action, confirm, ownProposal, obstacle, returnTo } = forms
  const place = returnTo !== undefined && html`<input type="hidden" name="returnTo" value="${returnTo}">`
  if (proposal.madeBy === who.staffId)
    return html`<form method="post" action="${action}/withdraw">${place}<p>${ownProposal}</p><button class="secondary">Withdraw</button></form>`
  if (isMaker(who, proposal)) return html`<p>${toSentence(onePersonMessage)}</p>`
  if (obstacle !== null) return html`<p>${obstacle}</p>`
  return html`<div class="decide">${who.isProven ? html`<form method="post" action="${action}/confirm">${place}<button class="primary">${confirm}</button></form>` : unprovenPart}
${refuseForm(`${action}/refuse`, place)}</div>`
}
