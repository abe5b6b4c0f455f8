// Changes of settings as admins see them: what waits, each with what is different, and what was decided.

import { type Html, html } from '#kit/http/markup.ts'
import { decisionCells } from '#partner/desk/cases/requests-part.ts'
import { tableOf } from '#partner/desk/frame.ts'
import { ageOf, capital, day, sentence } from '#partner/desk/parts/format.ts'
import { policyPath } from '#partner/desk/policy/parts.ts'
import { policyTexts as texts } from '#partner/desk/policy/text-en.ts'
import { isMaker, isWaiting, onePerson, unproven } from '#partner/desk/staff/one-person.ts'
import type { SignedIn } from '#partner/desk/staff/staff.ts'
import { differences } from './change.ts'
import { settings } from './settings.ts'
import type { ChangeLine } from './store.ts'

const titleOf = ({ setting, subject }: ChangeLine): string =>
  capital(subject === '' ? settings[setting].label : `${settings[setting].label}: ${subject}`)

const partsOf = ({ before, after }: ChangeLine) => differences(JSON.parse(before), JSON.parse(after))

/** Confirm or refuse, withdraw, or why neither. */
function forms(change: ChangeLine, who: SignedIn): Html {
  const { changeId, madeBy, setting, subject } = change
  const action = `${policyPath}/changes/${changeId}`
  if (madeBy === who.staffId)
    return html`<form method="post" action="${action}/withdraw"><p>${texts.own}</p><button class="secondary">${texts.withdraw}</button></form>`
  if (isMaker(who, change)) return html`<p>${sentence(onePerson)}</p>`
  if (settings[setting].isAbout?.(who, subject)) return html`<p>${texts.about}</p>`
  return html`<div class="decide">${who.isProven ? html`<form method="post" action="${action}/confirm"><button class="primary">${texts.confirm}</button></form>` : html`<p>${sentence(unproven)} <a href="/desk/me">${texts.secondFactor}</a></p>`}
<form class="inline" method="post" action="${action}/refuse"><input name="reason" aria-label="${texts.refusing}" placeholder="${texts.refusing}" maxlength="500" required><button class="danger">${texts.refuse}</button></form></div>`
}

const { columns } = texts

/** The changes, before and after. */
const differencesOf = (change: ChangeLine): Html =>
  html`<ul class="changes">${partsOf(change).map(
    ({ name, before, after }) =>
      html`<li><span class="quiet">${name}</span> ${before ?? texts.none} → <strong>${after ?? texts.none}</strong></li>`,
  )}</ul>`

const cardOf = (
  change: ChangeLine,
  who: SignedIn,
  now: Date,
): Html => html`<section class="card todo"><h3>${titleOf(change)}</h3>
<p>${texts.proposed(change.maker, ageOf(change.madeAt, now))} ${change.fromOn === null ? texts.atOnce : html`${texts.holdsOn} ${day(change.fromOn)}.`}</p>
<p>${texts.because} ${change.reason}</p>
${differencesOf(change)}
${forms(change, who)}</section>`

/** Pending changes as cards, decided ones as a table. */
export function changesPart(changes: ChangeLine[], who: SignedIn, now: Date): Html {
  const waiting = changes.filter((each) => isWaiting(each, now)).reverse()
  const over = changes.filter((each) => !isWaiting(each, now))
  return html`<section id="changes"><h2>${texts.waiting}</h2>
${waiting.length === 0 ? html`<p class="empty">${texts.nothingWaits}</p>` : waiting.map((each) => cardOf(each, who, now))}
${
  over.length > 0 &&
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
    over.map((each) => [
      titleOf(each),
      differencesOf(each),
      each.fromOn && day(each.fromOn),
      each.maker,
      each.reason,
      ...decisionCells(each),
    ]),
    { empty: '' },
  )}</details>`
}</section>`
}

/** On the page of a setting: a pending change, or the lack of another admin to confirm one. */
export const changeNotices = (waiting: ChangeLine[], hasOther: boolean): Html =>
  html`${!hasOther && html`<p class="notice warn">${texts.alone}</p>`}${waiting.map(
    (each) =>
      html`<p class="notice">${texts.waits} ${titleOf(each)}. <a href="${policyPath}#changes">${texts.see}</a></p>`,
  )}`
