// The closing of a bank statement on its page: the form to close or to propose it, the forms to decide, or who closed it.

import { type Html, html } from '@lendloom/http/markup'
import { proposalForms, refuseForm } from '#partner/desk/approval/proposal-forms.ts'
import { type TurnCard, turnOf } from '#partner/desk/approval/turns.ts'
import { decisionCells } from '#partner/desk/cases/approval-requests-part.ts'
import { factList } from '#partner/desk/parts/facts.ts'
import { reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { ageOf, countText, formatTime, toSentence } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import type { SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { onePersonMessage } from '#partner/people/one-person.ts'
import { isMaker, isWaiting } from '#partner/people/proposal.ts'
import { digestOfDifferences, type Reconciliation } from '#partner/servicing/collection/statement/reconcile.ts'
import type { StatementClosingLine } from './statement-closing-store.ts'

const path = '/desk/books/bank'
const notAllowedText = 'Accounts or operations confirm the closing.'
const ownProposalText = 'You proposed this, so another person must decide.'
const changedText = 'The differences have changed since the proposal, so it can no longer be confirmed.'

export interface StatementView extends Reconciliation {
  /** All proposals to close the statement, newest first. */
  closings: StatementClosingLine[]
}

const waitingOf = ({ closings }: StatementView, now: Date): StatementClosingLine | undefined =>
  closings.find((each) => isWaiting(each, now))

const closeForm = ({ statement, mismatches }: Reconciliation, submit: Html): Html =>
  html`<form method="post" action="${path}/${statement.statementId}/close">${mismatches.length > 0 && html`<input type="hidden" name="shown" value="${digestOfDifferences(mismatches)}">`}${submit}</form>`

const proposalText = ({ maker, madeAt, expiresAt, reason, differences }: StatementClosingLine, now: Date): Html =>
  html`<p>Proposed by ${maker} ${ageOf(madeAt, now)} ago. It expires on ${formatTime(expiresAt)}.</p>${factList([
    ['Differences', differences],
    ['Reason', reason],
  ])}`

function waitingCard(closing: StatementClosingLine, view: StatementView, who: SignedIn, now: Date): Html {
  const action = `${path}/${closing.statementId}/closings/${closing.closingId}`
  const isSame = digestOfDifferences(view.mismatches) === closing.shown
  const mayRefuse = can(who, 'STATEMENT_CLOSED') && !isMaker(who, closing)
  const confirm = `Close with ${countText(closing.differences, 'difference')}`
  const forms = {
    action,
    confirm,
    ownProposal: ownProposalText,
    obstacle: can(who, 'STATEMENT_CLOSED') ? null : notAllowedText,
  }
  return html`<section class="card todo" id="closing"><h2>${mayRefuse ? 'Waiting for your decision' : 'Waiting for a second person'}</h2>
${proposalText(closing, now)}${!isSame && html`<p class="notice bad">${changedText}</p>`}
${isSame || !mayRefuse ? proposalForms(closing, who, forms) : refuseForm(`${action}/refuse`)}</section>`
}

function closedNotice({ statement: { closedAt, closingReason }, closings }: StatementView): Html | false {
  if (closedAt === null) return false
  const confirmed = closings.find(({ state }) => state === 'CONFIRMED')
  return html`<p class="notice">Closed on ${formatTime(closedAt)}: you can no longer match or undo.${confirmed && html` Proposed by ${confirmed.maker}, confirmed by ${confirmed.decider}.`}${closingReason && html`<br>Reason for the differences: ${closingReason}`}</p>`
}

/** The closing above the differences: closed, waiting, or the form for a statement without differences. */
export function closingPart(view: StatementView, who: SignedIn, now: Date): Html | false {
  const { statement, mismatches } = view
  if (statement.closedAt !== null) return closedNotice(view)
  const waiting = waitingOf(view, now)
  if (waiting) return waitingCard(waiting, view, who, now)
  if (mismatches.length > 0 || !can(who, 'STATEMENT_CLOSED')) return false
  return html`<section class="card todo"><h2>Close the statement</h2><p>All lines match. Closing cannot be undone.</p>
${closeForm(view, html`<button class="primary">Close the statement</button>`)}</section>`
}

/** The form below the differences that proposes to close the statement with them; false where it does not apply. */
export function closeQuestion(view: StatementView, who: SignedIn, now: Date): Html | false {
  const { statement, mismatches } = view
  if (statement.closedAt !== null || mismatches.length === 0 || waitingOf(view, now)) return false
  if (!can(who, 'STATEMENT_CLOSED')) return false
  const differences = countText(mismatches.length, 'difference')
  return html`<details class="question"><summary class="secondary">Close the statement</summary><p>${differences} will stay unmatched: after closing, you can no longer match or undo. A second person confirms this.</p>
${closeForm(view, html`<label class="broad"><span>Reason for the ${mismatches.length === 1 ? 'difference' : 'differences'}, for the second person</span><input name="reason" ${reasonAttributes}></label><button class="danger">Propose to close with ${differences}</button>`)}</details>`
}

/** The proposals that were refused, withdrawn or not decided. */
export function earlierClosings({ closings }: StatementView, now: Date): Html | false {
  const earlier = closings.filter((each) => each.state !== 'CONFIRMED' && !isWaiting(each, now))
  return (
    earlier.length > 0 &&
    html`<details class="part"><summary>Earlier proposals</summary>${tableOf(
      'Earlier proposals',
      ['Proposed by', 'Proposed', 'Reason', 'State', 'Decided by', 'When', 'Decision note'],
      earlier.map((each) => [each.maker, formatTime(each.madeAt), each.reason, ...decisionCells(each)]),
      { empty: '', csv: false },
    )}</details>`
  )
}

/** The card of the page of approvals, without the forms: the approver decides on the page of the statement. */
export function statementClosingCard(closing: StatementClosingLine, who: SignedIn, now: Date): TurnCard {
  const title = `Close the statement ${closing.fileName}`
  const mayDecide = can(who, 'STATEMENT_CLOSED') && !isMaker(who, closing)
  const link = mayDecide ? 'See the differences and decide' : 'See the statement'
  const card = html`<section class="card todo" aria-label="${title}"><h3>${title}</h3>${proposalText(closing, now)}
${!mayDecide && html`<p>${closing.madeBy === who.staffId ? ownProposalText : can(who, 'STATEMENT_CLOSED') ? toSentence(onePersonMessage) : notAllowedText}</p>`}
<p><a class="${mayDecide ? 'primary' : 'secondary'}" href="${path}/${closing.statementId}">${link}</a></p></section>`
  return { turn: turnOf(closing, who, mayDecide), since: closing.madeAt, card }
}
