// The head of a case: its states, its tabs, the menu of acts, and the form of the act that is shown.

import { chevronDown } from '@lendloom/design/icons'
import { keysOf } from '@lendloom/foundation/record'
import { type Html, html, icon } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import { actAddress, actId } from '#partner/desk/approval/act-address.ts'
import { type ActGroup, actOfForm } from '#partner/desk/approval/act-forms.ts'
import { caseAddress, withPlace } from '#partner/desk/arrears/worklist.ts'
import { heldPaymentTitle } from '#partner/desk/books/exit-form.ts'
import { openAgreement } from '#partner/desk/books/money-forms.ts'
import type { RefusedForm } from '#partner/desk/parts/form-parts.ts'
import { badge, countText, formatTime, toneBadge } from '#partner/desk/parts/format.ts'
import { loanBadge } from '#partner/desk/parts/loan-badge.ts'
import { isHeldPayment } from '#partner/servicing/collection/held-payment.ts'
import { caseNumberText } from './case-number.ts'
import type { CaseView } from './case-view.ts'

/** The tabs of a case; the first is shown by default, and named after an application before there is a loan. */
const tabNames = { loan: 'Loan', documents: 'Documents', ledger: 'Ledger', history: 'History' } as const
export type CaseTab = keyof typeof tabNames
const tabs = keysOf(tabNames)

/** Reads the tab of an address; the first tab for an unknown one. */
export const tabIn = (name: string | undefined): CaseTab => tabs.find((each) => each === name) ?? 'loan'

export const tabAddress = (caseRef: string, tab: CaseTab, place: string | undefined): string =>
  caseAddress(caseRef, place, tab === 'loan' ? '' : `?tab=${tab}`)

/** The states of the case, its number and its tabs. */
export function caseHead(view: CaseView, now: Date, current: CaseTab, place: string | undefined): Html {
  const { account, loanCase } = view
  const tabLink = (tab: CaseTab): Html =>
    html`<a href="${tabAddress(loanCase.caseRef, tab, place)}"${tab === current && html` aria-current="page"`}>${tab === 'loan' && !account ? 'Application' : tabNames[tab]}</a>`
  const waiting = waitingText(view)
  return html`<p class="lead">${stateBadges(view, now)} <span>${caseNumberText({ ...loanCase, hasLoan: account !== null })}</span>${waiting && html`<span>${waiting}</span>`}</p>
<nav class="tabs" aria-label="Parts of the case">${tabs.map(tabLink)}</nav>`
}

/** For whom else than the lender the case waits; null if for nobody. */
function waitingText({ loanCase, offer, pending, facts: { checks } }: CaseView): Html | string | null {
  switch (loanCase.status) {
    case 'DOCUMENTS_PENDING':
      return `Waiting for ${countText(pending.length, 'file')} of the platform`
    case 'OFFERED':
      return offer ? html`Waiting for the borrower to accept, until ${formatTime(offer.validUntil)}` : null
    case 'OFFER_ACCEPTED':
    case 'KYC_PENDING':
      return checks.kyc.status === 'REVIEW_READY' ? null : 'Waiting for the borrower’s KYC'
    case 'MANDATE_PENDING':
      return 'Waiting for the borrower’s mandate'
    case 'ESIGN_PENDING':
      return 'Waiting for the borrower’s signature'
    case 'DISBURSEMENT_PENDING':
      return 'Waiting for the bank'
    default:
      return null
  }
}

/** The states of the application and of its loan, and what is unusual about the loan. */
function stateBadges({ loanCase, account, loanState, payments }: CaseView, now: Date): Html {
  const badges = [
    // An overdue loan has been paid out; the green badge would only soothe.
    loanState !== 'OVERDUE' && badge(loanCase.status),
    account && loanState && loanBadge({ ...account, loanStatus: loanState }, now),
    account?.settlement?.settledOn && toneBadge('warn', 'Settled for less'),
    account && openAgreement(account, businessDate(now)) && toneBadge('warn', 'Settlement agreed'),
    payments.some(isHeldPayment) && toneBadge('warn', heldPaymentTitle),
  ]
  return html`${badges.filter((each) => each).map((each, i) => html`${i > 0 && ' '}${each}`)}`
}

interface ActsOnPage {
  groups: ActGroup[]
  /** The page of the case on which the forms are shown, without a query. */
  page: string
  /** The place in the list from which the person came. */
  place: string | undefined
}

/** The menu of all acts that the person may do now; false without any. */
export const actsMenu = ({ groups, page, place }: ActsOnPage): Html | false =>
  groups.length > 0 &&
  html`<details class="menu acts-menu" name="filter"><summary><span>Actions</span>${icon(chevronDown)}</summary><ul>${groups.map(
    ({ title, acts }) =>
      html`<li><span class="menu-title">${title}</span><ul>${acts.map((each) => html`<li><a href="${'href' in each ? each.href : actAddress(page, place, each.name)}">${each.label}</a></li>`)}</ul></li>`,
  )}</ul></details>`

interface ShownActs extends ActsOnPage {
  /** Whose case it is. The form says it, because the head of the page may be out of view. */
  borrower: string
  /** The act in the address. */
  chosen: string | undefined
  refusedForm: RefusedForm | null
}

/**
 * The form of the act that the person chose or whose input was refused; by default those of the acts for which the case
 * waits. Of several forms, the style sheet fills the button of the first.
 */
export function shownActs({ groups, page, place, borrower, chosen, refusedForm }: ShownActs): Html {
  const acts = groups.flatMap((group) => group.acts.filter((each) => 'form' in each))
  const wanted = refusedForm ? actOfForm(refusedForm) : chosen
  const one = acts.find(({ name }) => name === wanted)
  if (one) {
    const closeLink = html`<a class="secondary small" href="${withPlace(page, place)}">Close</a>`
    return html`<div id="${actId}"><section class="card todo act"><div class="head"><h2>${one.label} <small>${borrower}</small></h2>${closeLink}</div>${one.form}</section></div>`
  }
  const sections = acts
    .filter(({ isNext }) => isNext)
    .map(({ label, form }) => html`<section class="card todo act"><h2>${label}</h2>${form}</section>`)
  return sections.length > 1 ? html`<div class="columns">${sections}</div>` : html`${sections}`
}
