// Shows changes of settings to admins: pending changes with their differences and decision forms, and decided changes.

import { arrowRight } from '@lendloom/design/icons'
import { type Html, html, icon } from '@lendloom/http/markup'
import { proposalForms } from '#partner/desk/approval/proposal-forms.ts'
import { type TurnCard, turnOf } from '#partner/desk/approval/turns.ts'
import { decisionCells } from '#partner/desk/cases/approval-requests-part.ts'
import { ageOf, capitalize, formatDay, formatTime } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { policyPath } from '#partner/desk/policy/policy-section.ts'
import { policyTexts as texts } from '#partner/desk/policy/text-en.ts'
import type { SignedIn } from '#partner/desk/staff/desk-auth.ts'
import type { DeskPerson } from '#partner/people/person.ts'
import { isWaiting } from '#partner/people/proposal.ts'
import { changeableSettings } from './changeable-settings.ts'
import { newsSince, settingDifferences } from './setting-change.ts'
import type { ChangeLine } from './store.ts'

function titleOf({ setting, subject, subjectName }: ChangeLine): string {
  const { label } = changeableSettings[setting]
  return capitalize(subject === '' ? label : `${label}: ${subjectName ?? subject}`)
}

const differencesIn = ({ before, after }: ChangeLine) => settingDifferences(JSON.parse(before), JSON.parse(after))

/** Why this person may not decide a change of another; null if they may. */
export const obstacleFor = (
  { setting, subject }: ChangeLine,
  who: Pick<DeskPerson, 'possibleUserEmails'>,
): string | null => (changeableSettings[setting].isAbout?.(who, subject) ? texts.aboutYou : null)

const decisionForms = (change: ChangeLine, who: SignedIn, returnTo?: 'approvals'): Html =>
  proposalForms(change, who, {
    action: `${policyPath}/changes/${change.changeId}`,
    confirm: texts.confirm,
    ownProposal: texts.ownProposal,
    obstacle: obstacleFor(change, who),
    returnTo,
  })

const { columns } = texts

const differenceList = (change: ChangeLine): Html =>
  html`<ul class="changes">${differencesIn(change).map(
    ({ name, before, after }) =>
      html`<li><span class="quiet">${name}</span> <span>${before ?? texts.none} ${icon(arrowRight)} <span class="unseen">${texts.becomes}</span> <strong>${after ?? texts.none}</strong></span></li>`,
  )}</ul>`

const changeCard = (change: ChangeLine, who: SignedIn, now: Date): Html =>
  html`<section class="card todo"><h3>${titleOf(change)}</h3>
${changeContent(change, now)}
${decisionForms(change, who)}</section>`

/** The card on the page of everything that waits for a second person, to which a decision returns. */
export const approvalCard = (change: ChangeLine, who: SignedIn, now: Date): TurnCard => ({
  turn: turnOf(change, who, obstacleFor(change, who) === null),
  since: change.madeAt,
  card: html`<section class="card todo" aria-label="${titleOf(change)}"><h3>${titleOf(change)}</h3>
${changeContent(change, now)}
${decisionForms(change, who, 'approvals')}</section>`,
})

const changeContent = (change: ChangeLine, now: Date): Html =>
  html`<p>${texts.proposed(change.maker, ageOf(change.madeAt, now))} ${change.fromOn === null ? texts.effectiveWhenConfirmed : html`${texts.effectiveOn} ${formatDay(change.fromOn)}.`}</p>
<p>${texts.reasonLabel} ${change.reason}</p>
${differenceList(change)}`

/** Tells the proposer who refused a change, when and why; until the proposer proposes another one, or a week is over. */
function refusalNotices(changes: ChangeLine[], who: SignedIn, now: Date): Html {
  const refused = changes.filter((each) => isRefusedNews(each, changes, who, now))
  return html`${refused.map(
    (
      each,
    ) => html`<div class="notice warn"><p><strong>${texts.refusedBy(each.decider ?? '')} ${titleOf(each)}</strong></p>
<p>${texts.reasonLabel} ${each.decisionReason ?? texts.none}</p>
<p class="small">${formatTime(each.decidedAt ?? each.expiresAt)}. ${texts.tryAgain}</p></div>`,
  )}`
}

/** Whether the person does not know yet that a proposal was refused, and has not proposed another one. */
function isRefusedNews(change: ChangeLine, changes: ChangeLine[], { staffId }: SignedIn, now: Date): boolean {
  const { state, madeBy, decidedBy, decidedAt, setting, subject, madeAt } = change
  return (
    state === 'REFUSED' &&
    madeBy === staffId &&
    decidedBy !== staffId &&
    decidedAt !== null &&
    decidedAt > newsSince(now) &&
    !changes.some((each) => each.setting === setting && each.subject === subject && each.madeAt > madeAt)
  )
}

/** Shows pending changes as cards, and decided changes in a table. */
export function changesPart(changes: ChangeLine[], who: SignedIn, now: Date): Html {
  const waiting = changes.filter((each) => isWaiting(each, now)).reverse()
  const decided = changes.filter((each) => !isWaiting(each, now))
  return html`<section id="changes"><h2>${texts.waiting}</h2>
${refusalNotices(changes, who, now)}
${waiting.length === 0 ? html`<p class="quiet">${texts.noneWaiting}</p>` : waiting.map((each) => changeCard(each, who, now))}
${
  decided.length > 0 &&
  html`<details class="part"><summary>${texts.decided}</summary>${tableOf(
    texts.decided,
    [
      columns.what,
      columns.change,
      columns.from,
      columns.by,
      columns.reason,
      columns.state,
      columns.decidedBy,
      columns.when,
      columns.why,
    ],
    decided.map((each) => [
      titleOf(each),
      differenceList(each),
      each.fromOn && formatDay(each.fromOn),
      each.maker,
      each.reason,
      ...decisionCells(each),
    ]),
    { empty: '' },
  )}</details>`
}</section>`
}

/** Notices on the page of a setting: the pending changes, and a warning if no other admin can confirm a change. */
export const changeNotices = (waiting: ChangeLine[], hasOtherAdmin: boolean): Html =>
  html`${!hasOtherAdmin && html`<p class="notice warn">${texts.onlyAdmin}</p>`}${waiting.map(
    (each) =>
      html`<p class="notice">${texts.pendingChange} ${titleOf(each)}. <a href="${policyPath}#changes">${texts.seePolicy}</a></p>`,
  )}`
