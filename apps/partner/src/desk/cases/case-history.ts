// The history of a case: status changes, decisions with their authors, staff acts, and what happened to the loan.
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import { clockText } from '@lendloom/lending/time-text'
import { contentWords } from '#partner/desk/audit/act-notice.ts'
import type { CaseTransition } from '#partner/desk/cases/store.ts'
import {
  badge,
  capitalize,
  formatDay,
  formatExactTime,
  formatTime,
  inlineLabelOf,
  inr,
  labelOf,
  wireInr,
} from '#partner/desk/parts/format.ts'
import { csvMark, tableOf } from '#partner/desk/parts/table.ts'
import { actText } from '#partner/desk/staff/staff-acts.ts'
import type { CaseMove } from '#partner/origination/case/lifecycle.ts'
import type { Stop } from '#partner/origination/case/store.ts'
import { stopText } from './cancel-application-form.ts'
import { tabAddress } from './case-head.ts'
import type { CaseView } from './case-view.ts'
import { loanEvents } from './loan-history.ts'

const table = 'History'

/** Acts that are not listed, because the history lists the decisions or the cancellation that they made. */
const unlistedActs = new Set(['OFFERED', 'REJECTED', 'KYC_REVIEWED', 'CASE_STOPPED'])

interface HistoryEntry {
  at: Date
  /** Whether the day alone is shown. */
  isDay?: boolean
  what: Html | string
  status?: string
  who?: string
  details?: string | null | undefined
}

/** By whom a status came about, and the sum that it concerns. A decision of the lender is an entry of its own. */
function causeOf(
  move: CaseMove,
  { offers, disbursement, lead, requests }: CaseView,
  at: Date,
): Pick<HistoryEntry, 'who' | 'details'> {
  const terms = offers.findLast(({ createdAt }) => createdAt <= at)?.terms
  // People order a payout with a request; without one, the rules ordered it.
  const payout = requests.findLast(({ act, state, madeAt }) => act === 'PAYOUT' && state === 'APPROVED' && madeAt <= at)
  switch (move) {
    case 'awaitDocuments':
    case 'documentsStored':
      return { who: 'The platform', details: `recommends ${wireInr(lead.proposed_offer.loan_amount)}` }
    case 'offered':
      return { details: terms && `${inr(terms.amountPaise)} at ${terms.annualRatePercent}%` }
    case 'accepted':
      return { who: 'The borrower', details: terms && inr(terms.amountPaise) }
    case 'awaitKyc':
      return { who: theRules, details: 'the KYC is missing' }
    case 'awaitMandate':
      return { who: theRules, details: 'the mandate is missing' }
    case 'awaitEsign':
      return { who: theRules, details: 'the signature is missing' }
    case 'ready':
      return { who: theRules, details: 'all checks are complete' }
    case 'disbursing':
      return { who: payout?.decider ?? theRules, details: terms && `${inr(terms.netPaise)} ordered from the bank` }
    case 'disbursed':
      return {
        who: 'The bank',
        details: [terms && `${inr(terms.netPaise)} paid out`, disbursement?.bankReference].filter(Boolean).join(', '),
      }
    case 'disbursementFailed':
    case 'payoutReturned':
      return { who: 'The bank', details: disbursement?.reasonCode && labelOf(disbursement.reasonCode) }
    case 'expired':
    case 'lapsed':
      return { who: theRules, details: 'not completed in time' }
    case 'rejected':
    case 'stopped':
      return {}
  }
}

function newestFirst(view: CaseView): HistoryEntry[] {
  const { transitions, reviews, staffActs, stop } = view
  const entries: HistoryEntry[] = [
    ...reviews.map(({ reviewedAt, kind, decision, reviewer, reasonCode, reasonMessage }) => ({
      at: reviewedAt,
      what: html`${kind === 'KYC' ? 'KYC' : 'Review'}: ${badge(decision)}`,
      who: reviewerName(reviewer),
      details: reasonText({ reasonCode, reasonMessage }),
    })),
    ...(stop
      ? [{ at: stop.stoppedAt, what: stopText(stop), who: stopperOf(stop, staffActs), details: reasonText(stop) }]
      : []),
    ...staffActs
      .filter(({ act }) => !unlistedActs.has(act))
      .map(({ at, act, name, subject, detail }) => ({
        at,
        what: capitalize(actText(act)),
        who: name ?? 'The command line',
        details: [subjectText(subject), ...contentWords({ detail })].filter(Boolean).join(', '),
      })),
    // Last, so that a status is above the decision that caused it at the same instant.
    ...inTimeOrder(transitions).map(({ at, status, move }) => ({
      at,
      what: badge(status),
      status,
      ...causeOf(move, view, at),
    })),
  ]
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime()).reverse()
}

/** The newest entries of the history, documents and payments since a time; other data and ends of a day are neither. */
export function changesSince(view: CaseView, at: Date): Html {
  const payments = view.payments.map(({ updatedAt, amountPaise, status }) => ({
    at: updatedAt,
    what: 'Payment',
    details: `${inr(amountPaise)}, ${inlineLabelOf(status)}`,
  }))
  const documents = view.stored.map(({ storedAt, documentType }) => ({
    at: storedAt,
    what: `Document received: ${labelOf(documentType)}`,
  }))
  const moves = newestFirst(view).map((each) => (each.status === undefined ? each : { at: each.at, what: each.what }))
  const texts = [...payments, ...documents, ...moves]
    .filter((each) => each.at >= at)
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, 3)
    .map(changeText)
  if (texts.length > 0)
    return html`What changed: ${texts}. <a href="${tabAddress(view.loanCase.caseRef, 'history', view.worklist?.place)}">See the history</a>`
  return view.account
    ? html`What changed: the account, by the work of the day: interest, a due instalment, a notice.`
    : html`What changed: the data or the checks of the application.`
}

const changeText = ({ what, details, who, at }: HistoryEntry, i: number): Html =>
  html`${i > 0 && '; '}${what}${details && ` (${details})`}${who && ` by ${who}`}, ${formatTime(at)}`

/** Who ended the application, when and why. */
export function endingNotice({ loanCase, reviews, stop, staffActs }: CaseView): Html | false {
  const rejection = reviews.findLast(({ decision }) => decision === 'REJECTED')
  if (loanCase.status !== 'REJECTED' && loanCase.status !== 'EXPIRED') return false
  const ending = stop
    ? { at: stop.stoppedAt, what: stopText(stop), who: stopperOf(stop, staffActs), why: reasonText(stop) }
    : rejection && {
        at: rejection.reviewedAt,
        what: labelOf(loanCase.status),
        who: reviewerName(rejection.reviewer),
        why: reasonText(rejection),
      }
  return (
    ending !== undefined &&
    html`<p class="notice bad"><strong>${ending.what}</strong> · ${ending.who} · ${formatTime(ending.at)}<br>${ending.why}</p>`
  )
}

function stopperOf({ cause }: Pick<Stop, 'cause'>, staffActs: CaseView['staffActs']): string {
  if (cause === 'BANK') return 'The bank'
  return staffActs.find(({ act }) => act === 'CASE_STOPPED')?.name ?? theRules
}
const reviewerName = (reviewer: string): string => (reviewer === 'autopilot' ? theRules : reviewer)
const theRules = 'The rules'

/** The history with what happened to the loan, newest first. Of one instant, the events of the loan are above a status. */
function wholeHistory(view: CaseView, now: Date): HistoryEntry[] {
  const loan: HistoryEntry[] = loanEvents(view, now).map((event) => ({ ...event, isDay: true }))
  return [...loan, ...newestFirst(view)].sort((a, b) => b.at.getTime() - a.at.getTime())
}

export function historyPart(view: CaseView, now: Date): Html {
  const groups: { heading: HistoryEntry | null; entries: HistoryEntry[] }[] = []
  for (const entry of wholeHistory(view, now)) {
    if (entry.status !== undefined) groups.push({ heading: entry, entries: [] })
    else if (groups.length > 0) groups.at(-1)?.entries.push(entry)
    else groups.push({ heading: null, entries: [entry] })
  }
  const older = groups.slice(shownGroups)
  return html`<section class="timeline" aria-labelledby="history"><h2 id="history">${table}</h2>${csvMark(table)}
${groups.slice(0, shownGroups).map(groupPart)}${older.length > 0 && html`<details class="part"><summary>Earlier <small>${older.length}</small></summary>${older.map(groupPart)}</details>`}</section>`
}
/** The usual way of an application to its payout. */
const shownGroups = 12

const groupPart = ({ heading, entries }: { heading: HistoryEntry | null; entries: HistoryEntry[] }): Html =>
  html`<section class="group${heading && ' of-update'}"><header><h3>${heading?.status ? labelOf(heading.status) : 'Since the last status'}</h3>${
    heading &&
    html`<span class="when">${formatExactTime(heading.at)}</span><span class="quiet">${[heading.who, heading.details].filter(Boolean).join(' · ')}</span>`
  }</header>${entryList(entries.slice(0, shownEntries), heading)}${entries.length > shownEntries && html`<details class="part"><summary>Earlier <small>${entries.length - shownEntries}</small></summary>${entryList(entries.slice(shownEntries), heading)}</details>`}</section>`

/** About two months of a loan with weekly instalments. */
const shownEntries = 30

const entryList = (entries: HistoryEntry[], heading: HistoryEntry | null): Html | false =>
  entries.length > 0 && html`<ol>${entries.map((each) => entryPart(each, heading))}</ol>`

const entryPart = ({ at, isDay, what, who, details }: HistoryEntry, heading: HistoryEntry | null): Html =>
  html`<li class="entry">${
    isDay
      ? formatDay(businessDate(at))
      : heading && businessDate(heading.at) === businessDate(at)
        ? formatTime(at, clockText(at))
        : formatExactTime(at)
  }<span class="what">${what}</span><span class="quiet">${[who, details].filter(Boolean).join(' · ')}</span></li>`

export const historyTable = (view: CaseView, now: Date): Html =>
  tableOf(
    table,
    ['When', 'What', 'Who', 'Details'],
    wholeHistory(view, now).map(({ at, isDay, what, who, details }) => [
      isDay ? formatDay(businessDate(at)) : formatTime(at),
      what,
      who ?? null,
      details ?? null,
    ]),
    { empty: '' },
  )

/** Formats the subject of an act, with a code in words. Ids are shown only in the audit log. */
function subjectText(subject: string | null) {
  if (subject === null || /^[\da-f]{8}-[\da-f-]{27}$/.test(subject)) return null
  return /^[A-Z]{3}[A-Z_]*$/.test(subject) ? labelOf(subject) : subject
}

const reasonText = ({ reasonCode, reasonMessage }: { reasonCode: string | null; reasonMessage: string | null }) =>
  reasonCode && `${labelOf(reasonCode)}${reasonMessage ? `: ${reasonMessage}` : ''}`

/**
 * Makes the times ascending. A request that waited for the lock of the case has an earlier time than the previous
 * transition.
 */
function inTimeOrder(transitions: CaseTransition[]): CaseTransition[] {
  let latest = 0
  return transitions.map((transition) => {
    latest = Math.max(latest, transition.at.getTime())
    return { ...transition, at: new Date(latest) }
  })
}
