// The form of an offer: the proposed terms, what they make of the loan, and the decision beside its opposite.

import { Refusal } from '@lendloom/foundation/refusal'
import { type Html, html } from '@lendloom/http/markup'
import type { Paise } from '@lendloom/lending/money'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { Context } from '#partner/context.ts'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { factList } from '#partner/desk/parts/facts.ts'
import { amountAttributes, fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { amountValue, countText, inr, toSentence, wireInr } from '#partner/desk/parts/format.ts'
import { exposureText, largestOffer } from '#partner/origination/case/exposure/require-limit.ts'
import { isBeyondPolicy } from '#partner/origination/review/bank/review-offer.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import type { Staff } from '#partner/people/person.ts'
import { actId } from './act-address.ts'
import { soleLimit } from './approval-rules.ts'
import { burdenWarning, incomeDataOf, monthFacts, offerReview } from './burden.ts'
import { readTerms, termsOfForm } from './read-act-forms.ts'

interface OfferForm {
  view: CaseView
  who: Staff
  /** The address to which the form of an act is sent. */
  action(name: string): string
  refusedForm: RefusedForm | null
  /** Whether the form was stopped once, to show the figures of terms that the page had not shown. */
  isStopped?: boolean | undefined
}

/** The field with the figures that the page showed when the form was sent. */
const shownField = 'shown'

/** The figures that the form shows of its terms, as one text to compare. */
const figuresOf = (terms: LoanTerms): string =>
  [
    terms.amountPaise,
    terms.annualRatePercent,
    terms.installmentPaise,
    terms.numberOfInstallments,
    terms.netPaise,
    terms.feePaise + terms.taxPaise + terms.otherChargesPaise,
    terms.aprPercent,
    terms.totalPayablePaise,
  ].join(' ')

/** Whether the person changed the terms after the page showed their figures, so that nobody has seen what is offered. */
export const hasUnseenFigures = (config: Context['config'], form: URLSearchParams): boolean =>
  form.has(shownField) && form.get(shownField) !== figuresOf(termsOfForm(config, form))

/**
 * The form with calculated terms, as if refused, so that it keeps them. An amount above the borrower's limit is marked.
 */
export function calculatedForm(
  { otherExposures }: Pick<CaseView, 'otherExposures'>,
  form: URLSearchParams,
  { config }: Pick<Context, 'config'>,
): RefusedForm {
  const most = largestOffer(otherExposures, config)
  const isTooMuch = most === null || readTerms(config, form).amountPaise > most
  return {
    action: 'offer',
    form,
    field: isTooMuch ? 'amount' : null,
    message: isTooMuch ? toSentence(exposureText(most)) : '',
  }
}

const percentAttributes = html`inputmode="decimal" pattern="[0-9]{1,2}([.][0-9]{1,2})?" required`
const daysAttributes = html`inputmode="numeric" pattern="[1-9][0-9]?" required`

/**
 * The form is prefilled with the previous offer, or with the recommended amount and the default terms. Enter calculates,
 * because the button that offers comes later.
 */
export function offerForm(
  { view, who, action, refusedForm, isStopped }: OfferForm,
  { config }: Context,
  rejectLink: Html | false,
): Html {
  const { loanCase, offer, limits } = view
  const suggested = suggestedForm(view, config)
  const submitted = refusedForm?.action === 'offer' ? refusedForm : null
  const field = fieldRenderer('offer', refusedForm)
  const termField = (name: string, label: string, attributes: Html, hint?: string): Html =>
    field({ name, label, value: suggested.get(name) ?? '', attributes, ...(hint !== undefined && { hint }) })
  const mostText = toSentence(exposureText(largestOffer(view.otherExposures, config)))
  const amountHint = `Recommended ${wireInr(view.lead.proposed_offer.loan_amount)}. ${mostText}`
  const limit = soleLimit(limits, who, 'OFFER')
  const terms = formTerms(view, refusedForm, config)
  const isAboveLimit = terms !== null && terms.amountPaise > limit
  const isBeyond = terms !== null && isBeyondPolicy(offerReview(terms, view))
  const isForTwo = isAboveLimit || isBeyond
  const texts = textsOf(isForTwo, offer !== undefined)
  const isFolded = !isForTwo && !foldedFields.has(submitted?.field ?? '')
  return html`<form class="offer" method="post" action="${action('offer')}"><input type="hidden" name="${shownField}" value="${terms && figuresOf(terms)}">
${isStopped && terms && submitted?.field === null && html`<p class="notice warn" role="alert">These are the figures for ${inr(terms.amountPaise)} at ${terms.annualRatePercent}%. ${texts.again}.</p>`}
<div class="terms"><div class="fields">
${termField('amount', 'Amount, ₹', amountAttributes, submitted?.field === 'amount' ? undefined : amountHint)}
${termField('annualRatePercent', 'Interest a year, %', percentAttributes)}
</div>
<details class="part phone-only"${!isFolded && html` open`}><summary>Fee, charges, validity, reason</summary><div class="fields">
${termField('feePercent', 'Fee, %', percentAttributes)}
${termField('taxPercent', 'Tax on the fee, %', percentAttributes)}
${termField('otherCharges', 'Other charges, ₹', amountAttributes)}
${termField('validDays', 'Valid for, days', daysAttributes)}
${field({ name: 'reason', label: isForTwo ? 'Reason, for the approver' : `Reason, needed above ${inr(limit)} or beyond the policy`, attributes: isForTwo ? reasonAttributes : html`maxlength="500"`, isWide: true })}
</div></details></div>
<section class="result" aria-label="What these terms make"><button class="secondary small" formaction="${action('calculate')}#${actId}" formnovalidate>Calculate</button>${terms ? resultOf(terms, view) : html`<p>Correct the terms, then calculate.</p>`}</section>
${loanCase.status === 'OFFERED' && html`<p>This replaces the earlier offer, so the borrower must decide again.</p>`}
<div class="inline"><button class="primary">${texts.button}</button>${rejectLink}${isForTwo && html`<small>${isAboveLimit && `Above ${inr(limit)}`}${isAboveLimit && isBeyond && ' and '}${isBeyond && html`${isAboveLimit ? 'beyond' : 'Beyond'} the policy’s limit`}, a second person decides.</small>`}</div>
</form>`
}

/** What the button does: above the person's limit, and beyond the policy's, it only asks. */
function textsOf(isForTwo: boolean, isOffered: boolean): { button: string; again: string } {
  if (isForTwo) return { button: 'Ask for approval', again: 'Ask again to have them approved' }
  return isOffered
    ? { button: 'Make this offer instead', again: 'Make this offer again to send them' }
    : { button: 'Approve and offer', again: 'Approve again to offer them' }
}

/** The terms in the form as the page shows it; null if they cannot be read. */
function formTerms(view: CaseView, refusedForm: RefusedForm | null, config: Context['config']): LoanTerms | null {
  const submitted = refusedForm?.action === 'offer' ? refusedForm.form : null
  return readableTerms(submitted ?? suggestedForm(view, config), config)
}

/** The terms that a person would decide on: those that wait for a second person, or those in the form. */
export const termsOnPage = (
  view: CaseView,
  refusedForm: RefusedForm | null,
  { config }: Pick<Context, 'config'>,
): LoanTerms | null =>
  (refusedForm === null && view.requests.find(({ terms }) => terms !== null)?.terms) ||
  formTerms(view, refusedForm, config)

/** Fields that phones fold: they rarely change, and a small loan needs no reason. */
const foldedFields = new Set(['feePercent', 'taxPercent', 'otherCharges', 'validDays', 'reason'])

const recommendedPaise = ({ offer, lead }: CaseView): Paise =>
  offer?.terms.amountPaise ?? paiseOf(lead.proposed_offer.loan_amount)

function suggestedForm(view: CaseView, config: Context['config']): URLSearchParams {
  const terms = view.offer?.terms
  return new URLSearchParams({
    amount: amountValue(recommendedPaise(view)),
    annualRatePercent: terms?.annualRatePercent ?? config.PARTNER_RATE_PERCENT,
    feePercent: config.PARTNER_FEE_PERCENT,
    taxPercent: config.PARTNER_TAX_PERCENT,
    otherCharges: amountValue(terms?.otherChargesPaise ?? 0n),
    validDays: String(config.PARTNER_OFFER_DAYS),
  })
}

/** What the terms make of the loan, computed as the offer itself is. */
const resultOf = (terms: LoanTerms, view: CaseView): Html => {
  const warning = burdenWarning(terms, incomeDataOf(view))
  return html`<p class="quiet">${inr(terms.amountPaise)} at ${terms.annualRatePercent}%</p>
<p><strong>${inr(terms.installmentPaise)}</strong> a week, ${countText(terms.numberOfInstallments, 'instalment')}</p>${factList(
    [
      ...monthFacts(terms, view.lead),
      ['Borrower receives', inr(terms.netPaise)],
      ['Fee, tax, other charges', inr(terms.feePaise + terms.taxPaise + terms.otherChargesPaise)],
      ['APR', `${terms.aprPercent}%`],
      ['Total to repay', inr(terms.totalPayablePaise)],
    ],
  )}${warning !== null && html`<p class="burden">${warning}</p>`}`
}

function readableTerms(form: URLSearchParams, config: Context['config']): LoanTerms | null {
  try {
    return termsOfForm(config, form)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
