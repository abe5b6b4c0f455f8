// The form that cancels an application before the payout, and the parser of the form.

import { next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { type Html, html } from '@lendloom/http/markup'
import { fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { labelOf } from '#partner/desk/parts/format.ts'
import { reasonIn } from '#partner/desk/parts/read-fields.ts'
import { caseLifecycle } from '#partner/origination/case/lifecycle.ts'
import type { Stop } from '#partner/origination/case/store.ts'
import type { StopDetails } from '#partner/servicing/collection/stop-case.ts'
import { cancellationTexts as texts } from './cancel-application-text-en.ts'
import type { CaseView } from './case-view.ts'

/** The reasons for which the lender or the borrower cancels. The codes are internal to the lender. */
const reasons = {
  LENDER: [
    'SUSPECTED_FRAUD',
    'INFORMATION_WRONG',
    'CREDIT_CHANGED',
    'KYC_NOT_ACCEPTED',
    'BORROWER_NOT_REACHED',
    'OTHER',
  ],
  BORROWER: ['NO_LONGER_NEEDED', 'OTHER_LENDER', 'TERMS_NOT_LIKED', 'NO_REASON_GIVEN'],
} as const
const causes = ['LENDER', 'BORROWER'] as const

/** Whether the application can still be cancelled. After the transfer is sent to the bank, it cannot. */
export const canStop = ({ loanCase, disbursement }: Pick<CaseView, 'loanCase' | 'disbursement'>): boolean =>
  next(caseLifecycle, loanCase.status, 'stopped') !== undefined ||
  (loanCase.status === 'DISBURSEMENT_PENDING' && disbursement?.status === 'ORDERED')

export function stopForm(action: string, refusedForm: RefusedForm | null): Html {
  const submitted = refusedForm?.action === 'stop' ? refusedForm : null
  const chosen = submitted?.form.get('why')
  const option = (value: string, code: string): Html =>
    html`<option value="${value}"${value === chosen && html` selected`}>${labelOf(code)}</option>`
  return html`<p>${texts.effect}</p>
<form method="post" action="${action}"><div class="fields">
<label><span>${texts.reason}</span><select name="why" required><option value="">${texts.choose}</option>${causes.map(
    (cause) =>
      html`<optgroup label="${texts.causes[cause]}">${reasons[cause].map((code) => option(`${cause}:${code}`, code))}</optgroup>`,
  )}</select></label>
${fieldRenderer('stop', submitted)({ name: 'reasonMessage', label: texts.explanation, attributes: reasonAttributes, isWide: true })}
</div><button class="danger">${texts.button}</button></form>`
}

/** Parses the form. Refused as `invalid` for a missing or unknown reason. */
export function readStop(form: URLSearchParams, staffId: string): StopDetails {
  const [causeCode, code] = (form.get('why') ?? '').split(':')
  const cause = causes.find((each) => each === causeCode)
  const reasonCode = cause && reasons[cause].find((each) => each === code)
  if (!cause || !reasonCode) throw new Refusal('invalid', 'choose a reason', { field: 'why' })
  return { cause, reasonCode, reasonMessage: reasonIn(form, 'reasonMessage'), stoppedBy: staffId }
}

/** Describes a cancellation in the history of a case. */
export const stopText = ({ cause }: Pick<Stop, 'cause'>): string => texts.ended[cause]
