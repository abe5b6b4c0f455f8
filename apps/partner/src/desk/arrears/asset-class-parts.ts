// Asset classes at the desk: the class of one loan with its history, and the loan book after the last end of day.

import type { StateTone } from '@lendloom/design/icons'
import { type Html, html } from '@lendloom/http/markup'
import { percent } from '@lendloom/lending/annual-rate'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { countText, formatDay, formatTime, inr, toneBadge } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import {
  type AssetClass,
  assetClasses,
  daysPastDue,
  isNonPerforming,
} from '#partner/servicing/loan/class/asset-class.ts'
import type { BusinessDay, ProvisionedClass } from '#partner/servicing/loan/class/store.ts'
import { classNames, noDayClosed, provisionNote, reasonTexts } from './asset-class-text-en.ts'

function toneOf(assetClass: AssetClass): StateTone {
  if (isNonPerforming(assetClass)) return 'bad'
  return assetClass === 'STANDARD' ? 'plain' : 'warn'
}

/** An asset class as a badge. */
export const classBadge = (assetClass: AssetClass): Html => toneBadge(toneOf(assetClass), classNames[assetClass])

/** The class of a loan, with its days past due at the last day-end. */
export function classFigure(
  { assetClass, npaOn }: NonNullable<CaseView['account']>,
  pastDueSince: string | null,
  at: Date,
): Html {
  const overdue = daysPastDue(pastDueSince, plusDays(businessDate(at), -1))
  return html`${classBadge(assetClass)}${overdue > 0 && html` <small>${countText(overdue, 'day')} past due</small>`}${npaOn && html` <small>NPA since ${formatDay(npaOn)}</small>`}`
}

/** The classes that a loan has had, corrected ones included. */
export const classHistory = ({ classes, loanCase }: CaseView): Html | false =>
  classes.length > 0 &&
  html`<details class="part"><summary>Asset classes</summary>${tableOf(
    `Asset classes of loan ${loanCase.loanId}`,
    ['From', 'Until', { name: 'Class', phone: 'main' }, { number: 'Days past due' }, 'Reason'],
    classes.map((each) => [
      formatDay(each.fromOn),
      each.correctedOn
        ? toneBadge('plain', html`Corrected on ${formatDay(each.correctedOn)}`)
        : each.untilOn && formatDay(each.untilOn),
      classBadge(each.assetClass),
      each.daysPastDue,
      each.remark ? `${reasonTexts[each.reason]}: ${each.remark}` : reasonTexts[each.reason],
    ]),
    { empty: '' },
  )}</details>`

/** The loans, principal and provision of each class. */
export const bookTable = (classes: ProvisionedClass[]): Html =>
  tableOf(
    'Loans by asset class',
    ['Class', { number: 'Loans' }, { number: 'Principal', phone: 'main' }, { number: 'Rate' }, { number: 'Provision' }],
    assetClasses
      .flatMap((each) => classes.filter(({ assetClass }) => assetClass === each))
      .map((each) => [
        html`<a href="/desk/cases?class=${each.assetClass}">${classNames[each.assetClass]}</a>`,
        each.loans,
        inr(each.principalPaise),
        `${percent(BigInt(each.provisionBps))}%`,
        inr(each.provisionPaise),
      ]),
    { empty: 'No active loans on that day.' },
  )

const provisionChangeText = (paise: Paise): string =>
  paise === 0n
    ? 'unchanged from the day before'
    : `${inr(paise < 0n ? -paise : paise)} ${paise < 0n ? 'less' : 'more'} than the day before`

/** The last day-end with its figures, for the page of the portfolio. */
export function dayEndPart(lastDay: BusinessDay | undefined, classes: ProvisionedClass[]): Html {
  if (!lastDay) return html`<section><h2>End of day</h2><p class="empty">${noDayClosed}</p></section>`
  return html`<section><div class="head"><h2>End of day, ${formatDay(lastDay.endedOn)}</h2><a class="secondary" href="/desk/books/month-end">Month-end</a></div>
<p class="quiet">${lastDay.entries + lastDay.classified === 0 ? 'Nothing to post' : `Processed ${countText(lastDay.loans, 'loan')}, posted ${countText(lastDay.entries, 'entry', 'entries')}, reclassified ${countText(lastDay.classified, 'loan')}`}${
    lastDay.failed > 0 && html`; <strong>${countText(lastDay.failed, 'loan')} could not be processed</strong>`
  }. Provisions: ${inr(lastDay.provisionPaise)}, ${provisionChangeText(lastDay.provisionChangePaise)}. Completed ${formatTime(lastDay.endedAt)}.</p>
${classes.length > 0 && html`${bookTable(classes)}<p class="hint">${provisionNote}</p>`}</section>`
}
