// The bar of links with which an officer works on a case in arrears: call, contact, promise, payments, next case. On a phone
// it stays at the bottom of the screen.

import { type Html, html } from '@lendloom/http/markup'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { maskedNumber } from '#partner/desk/parts/mask.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import { mayContact } from '#partner/servicing/collection/collection-calendar.ts'
import { barTexts } from './arrears-text-en.ts'
import { caseAddress } from './worklist.ts'

export function caseActionBar(view: CaseView, who: Staff, at: Date): Html | false {
  const { account, arrears, worklist } = view
  const mayCall = account?.loanStatus === 'OVERDUE' && can(who, 'CONTACT_NOTED')
  if (!mayCall && !worklist) return false
  const to = (query: string): string => caseAddress(view.loanCase.caseRef, worklist?.place, query)
  const isPromised = arrears.promises.some(({ state }) => state === 'OPEN')
  return html`<nav class="case-bar" aria-label="${barTexts.label}">${
    mayCall &&
    html`${callLink(view, who, at, to('?act=agent'))}
<a class="secondary" href="${to('?act=contact')}#act">${barTexts.contact}</a>
<a class="secondary" href="${isPromised ? `${to('')}#promises-to-pay` : `${to('?act=promise')}#act`}">${barTexts.promise}</a>
<a class="secondary" href="${to('?tab=ledger')}">${barTexts.money}</a>`
  }${
    worklist &&
    (worklist.next
      ? html`<a class="primary" rel="next" href="${caseAddress(worklist.next.caseRef, worklist.next.place)}">${barTexts.next}</a>`
      : html`<a class="primary" href="${worklist.address}">${barTexts.list}</a>`)
  }</nav>`
}

/** No number to call while a call would break a rule. */
function callLink(
  { arrears: { policy, agentId, notice }, lead: { borrower } }: CaseView,
  who: Staff,
  at: Date,
  toAgent: string,
): Html {
  if (!mayContact(policy, at))
    return html`<a class="secondary" role="link" aria-disabled="true">${barTexts.call} <small>${barTexts.callFrom(policy.contactFromHour)}</small></a>`
  if (agentId === who.staffId && notice?.state !== 'SENT')
    return html`<a class="secondary" href="${toAgent}#act">${barTexts.call} <small>${barTexts.notIntroduced}</small></a>`
  const digits = borrower.mobile.slice(-10)
  return html`<a class="secondary" href="tel:+91${digits}">${barTexts.call} <small>${maskedNumber(digits)}</small></a>`
}
