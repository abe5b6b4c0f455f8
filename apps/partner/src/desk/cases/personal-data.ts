// The personal data of a case: masked on every page, and revealed for a reason, which the audit log keeps.

import { isKeyOf, keysOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { type Html, html } from '@lendloom/http/markup'
import { dayText } from '@lendloom/lending/calendar'
import { type RefusedForm, selectField } from '#partner/desk/parts/form-parts.ts'
import { maskedDay, maskedEmail, maskedNumber } from '#partner/desk/parts/mask.ts'
import type { changedPayoutAccount } from '#partner/servicing/collection/transfer/payout-account.ts'
import type { openLead } from './open-lead.ts'

/** The data that can be revealed, with their names on the page. */
export const personalFields = {
  mobile: 'Mobile',
  email: 'E-mail',
  dateOfBirth: 'Date of birth',
  pan: 'PAN',
  account: 'Account',
  payoutAccount: 'Payout account',
} as const
export type PersonalField = keyof typeof personalFields

/** Why a person looks at personal data. Codes, because the audit log keeps no text about borrowers. */
const reasons = {
  CONTACT_BORROWER: 'To contact the borrower',
  CHECK_DOCUMENT: 'To check a document or an account',
  ANSWER_COMPLAINT: 'To answer a complaint',
  ANSWER_AUTHORITY: 'To answer a court or an authority',
  CORRECT_DATA: 'To correct the data',
}

/** What a case knows of its borrower. */
interface Personal {
  lead: ReturnType<typeof openLead>
  changedAccount: Awaited<ReturnType<typeof changedPayoutAccount>>
  /** The data that the person has just revealed. */
  revealed?: ReadonlySet<PersonalField> | undefined
}

/** Shows a personal datum, masked unless this person has just revealed it; null without the datum. */
export function personalText({ lead, changedAccount, revealed }: Personal, field: PersonalField): string | null {
  const isRevealed = revealed?.has(field) ?? false
  const { borrower, banking } = lead
  const numberText = (number: string): string => (isRevealed ? number : maskedNumber(number))
  switch (field) {
    case 'mobile':
      return numberText(borrower.mobile)
    case 'pan':
      return numberText(borrower.pan)
    case 'email':
      return borrower.email && (isRevealed ? borrower.email : maskedEmail(borrower.email))
    case 'dateOfBirth':
      return isRevealed ? dayText(borrower.date_of_birth) : maskedDay(borrower.date_of_birth)
    case 'account':
      return banking.account && numberText(banking.account.account_number)
    case 'payoutAccount':
      return (
        changedAccount &&
        `${numberText(changedAccount.account_number)}, ${changedAccount.holder_name}, ${changedAccount.ifsc}`
      )
  }
}

/** The form that asks what a person needs to see, and why. */
export function revealForm(view: Personal, action: string, refusedForm: RefusedForm | null): Html {
  const submitted = refusedForm?.action === 'reveal' ? refusedForm : null
  const chosen = submitted?.form.getAll('field') ?? []
  const known = keysOf(personalFields).filter((field) => personalText(view, field) !== null)
  return html`<p>The audit log keeps what you reveal, and why. Leaving the page masks it again.</p>
<form method="post" action="${action}"><fieldset class="roles"><legend>What you need to see</legend>${known.map(
    (field) =>
      html`<label><input type="checkbox" name="field" value="${field}"${chosen.includes(field) && html` checked`}> ${personalFields[field]}</label>`,
  )}</fieldset>
<div class="fields">${selectField({ name: 'reason', label: 'Why', options: Object.entries(reasons), chosen: submitted?.form.get('reason') ?? null, emptyOption: 'Choose a reason', isRequired: true })}</div>
<button class="primary">Reveal</button></form>`
}

/** Reads the form. Refused as `invalid` without a field or a reason. */
export function readReveal(form: URLSearchParams): { fields: PersonalField[]; reason: string } {
  const names = form.getAll('field')
  const fields = keysOf(personalFields).filter((field) => names.includes(field))
  const reason = form.get('reason') ?? ''
  if (fields.length === 0) throw new Refusal('invalid', 'choose what you need to see', { field: 'field' })
  if (!isKeyOf(reasons, reason)) throw new Refusal('invalid', 'choose a reason', { field: 'reason' })
  return { fields, reason }
}
