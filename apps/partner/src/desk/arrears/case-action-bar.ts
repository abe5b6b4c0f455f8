// The bar of links with which an officer works on a case in arrears: call, contact, promise, payments, next case. On a phone
// it stays at the bottom of the screen.

import { type Html, html } from '@lendloom/http/markup'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { callReason } from '#partner/desk/cases/personal-data.ts'
import { maskedNumber } from '#partner/desk/parts/mask.ts'
import type { Staff } from '#partner/people/person.ts'
import { barTexts } from './arrears-text-en.ts'
import { callObstacle } from './call-obstacle.ts'
import { caseAddress } from './worklist.ts'

export function caseActionBar(view: CaseView, who: Staff, at: Date): Html | false {
  const { arrears, worklist } = view
  const obstacle = callObstacle(view, who, at)
  const isCollected = obstacle !== 'NOT_OVERDUE' && obstacle !== 'ROLE'
  if (!isCollected && !worklist) return false
  const to = (query: string): string => caseAddress(view.loanCase.caseRef, worklist?.place, query)
  const isPromised = arrears.promises.some(({ state }) => state === 'OPEN')
  return html`<nav class="case-bar" aria-label="${barTexts.label}">${
    isCollected &&
    html`${callPart(view, obstacle, to)}
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

/** The number to call is revealed first, which the audit log keeps. There is none while a call would break a rule. */
function callPart(
  { arrears: { policy }, lead: { borrower }, revealed }: CaseView,
  obstacle: 'HOURS' | 'NOT_INTRODUCED' | null,
  to: (query: string) => string,
): Html {
  if (obstacle === 'HOURS')
    return html`<a class="secondary" role="link" aria-disabled="true">${barTexts.call} <small>${barTexts.callFrom(policy.contactFromHour)}</small></a>`
  if (obstacle === 'NOT_INTRODUCED')
    return html`<a class="secondary" href="${to('?act=agent')}#act">${barTexts.call} <small>${barTexts.notIntroduced}</small></a>`
  const digits = borrower.mobile.slice(-10)
  if (revealed?.has('mobile'))
    return html`<a class="secondary" href="tel:+91${digits}">${barTexts.call} <small>${digits.slice(0, 5)} ${digits.slice(5)}</small></a>`
  return html`<form method="post" action="${to('/reveal')}"><input type="hidden" name="field" value="mobile"><input type="hidden" name="reason" value="${callReason}"><button class="secondary">${barTexts.showNumber} <small>${maskedNumber(digits)}</small></button></form>`
}
