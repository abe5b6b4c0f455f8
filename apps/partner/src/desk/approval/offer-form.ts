// The form of an offer: the proposed terms, what they make of the loan, and the decision beside its opposite.

import { Refusal } from '@lendloom/foundation/refusal'
import { type Html, html } from '@lendloom/http/markup'
import type { Paise } from '@lendloom/lending/money'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { Context } from '#partner/context.ts'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { factList } from '#partner/desk/parts/facts.ts'
import { amountAttributes, fieldRenderer, type RefusedForm } from '#partner/desk/parts/form-parts.ts'
import { amountValue, countText, inr } from '#partner/desk/parts/format.ts'
import { finalTerms, type LoanTerms } from '#partner/origination/terms/terms.ts'
import type { Staff } from '#partner/people/person.ts'
import { actId } from './act-address.ts'
import { soleLimit } from './approval-rules.ts'
import { readTerms } from './read-act-forms.ts'

interface OfferForm {
  view: CaseView
  who: Staff
  /** The address to which the form of an act is sent. */
  action(name: string): string
  refusedForm: RefusedForm | null
}

/** The terms of the submitted form, as an offer would have them. Throws `invalid` for a field that cannot be read. */
export const termsOfForm = (config: Context['config'], form: URLSearchParams): LoanTerms =>
  finalTerms(readTerms(config, form), config.PARTNER_ROUNDING)

const percentAttributes = html`inputmode="decimal" pattern="[0-9]{1,2}([.][0-9]{1,2})?" required`
const daysAttributes = html`inputmode="numeric" pattern="[1-9][0-9]?" required`

/**
 * The form is prefilled with the previous offer, or with the recommended amount and the default terms. Enter calculates,
 * because the button that offers comes later.
 */
export function offerForm(
  { view, who, action, refusedForm }: OfferForm,
  { config }: Context,
  rejectLink: Html | false,
): Html {
  const { loanCase, offer, limits } = view
  const suggested = suggestedForm(view, config)
  const submitted = refusedForm?.action === 'offer' ? refusedForm : null
  const field = fieldRenderer('offer', refusedForm)
  const termField = (name: string, label: string, attributes: Html): Html =>
    field({ name, label, value: suggested.get(name) ?? '', attributes })
  const limit = soleLimit(limits, who, 'OFFER')
  const reasonLabel = html`Reason, for the approver${limit > 0n && html`, needed above ${inr(limit)}`}`
  const isFolded = recommendedPaise(view) <= limit && !foldedFields.has(submitted?.field ?? '')
  return html`<form class="offer" method="post" action="${action('offer')}">
<div class="terms"><div class="fields">
${termField('amount', 'Amount, ₹', amountAttributes)}
${termField('annualRatePercent', 'Interest a year, %', percentAttributes)}
</div>
<details class="part phone-only"${!isFolded && html` open`}><summary>Fee, charges, validity, reason</summary><div class="fields">
${termField('feePercent', 'Fee, %', percentAttributes)}
${termField('taxPercent', 'Tax on the fee, %', percentAttributes)}
${termField('otherCharges', 'Other charges, ₹', amountAttributes)}
${termField('validDays', 'Valid for, days', daysAttributes)}
${field({ name: 'reason', label: reasonLabel, attributes: html`maxlength="500"`, isWide: true })}
</div></details></div>
<section class="result" aria-label="What these terms make"><button class="secondary small" formaction="${action('calculate')}#${actId}">Calculate</button>${resultOf(submitted?.form ?? suggested, config)}</section>
${loanCase.status === 'OFFERED' && html`<p>This replaces the earlier offer, so the borrower must decide again.</p>`}
<div class="inline"><button class="primary">${offer ? 'Make this offer instead' : 'Approve and offer'}</button>${rejectLink}</div>
</form>`
}

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
function resultOf(form: URLSearchParams, config: Context['config']): Html {
  const terms = readableTerms(form, config)
  if (!terms) return html`<p>Correct the terms, then calculate.</p>`
  return html`<p class="quiet">${inr(terms.amountPaise)} at ${terms.annualRatePercent}%</p>
<p><strong>${inr(terms.installmentPaise)}</strong> a week, ${countText(terms.numberOfInstallments, 'instalment')}</p>${factList(
    [
      ['Borrower receives', inr(terms.netPaise)],
      ['Fee, tax, other charges', inr(terms.feePaise + terms.taxPaise + terms.otherChargesPaise)],
      ['APR', `${terms.aprPercent}%`],
      ['Total to repay', inr(terms.totalPayablePaise)],
    ],
  )}`
}

function readableTerms(form: URLSearchParams, config: Context['config']): LoanTerms | null {
  try {
    return termsOfForm(config, form)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
