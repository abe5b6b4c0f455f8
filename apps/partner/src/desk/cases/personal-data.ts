// The personal data of a case: masked on every page, and revealed for a reason, which the audit log keeps.

import { isKeyOf, keysOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { type Html, html } from '@lendloom/http/markup'
import { dayText } from '@lendloom/lending/calendar'
import type { CheckedActName } from '#partner/desk/approval/approval-rules.ts'
import { type Collected, callObstacle } from '#partner/desk/arrears/call-obstacle.ts'
import { type RefusedForm, selectField } from '#partner/desk/parts/form-parts.ts'
import { maskedDay, maskedEmail, maskedNumber } from '#partner/desk/parts/mask.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import type { changedPayoutAccount } from '#partner/servicing/collection/transfer/payout-account.ts'
import type { openLead } from './open-lead.ts'

/** The data that can be revealed, with their names on the page. */
export const personalFields = {
  mobile: 'Mobile',
  email: 'Email',
  dateOfBirth: 'Date of birth',
  pan: 'PAN',
  account: 'Account',
  payoutAccount: 'Payout account',
  requestedAccount: 'Requested account',
} as const
export type PersonalField = keyof typeof personalFields

/** Why a person looks at personal data. Codes, because the audit log keeps no text about borrowers. */
const reasons = {
  CALL_ABOUT_DUES: 'To call about an overdue instalment',
  CONTACT_BORROWER: 'To contact the borrower',
  CHECK_DOCUMENT: 'To check a document or an account',
  ANSWER_COMPLAINT: 'To answer a complaint',
  ANSWER_AUTHORITY: 'To answer a court or an authority',
  RETURN_MONEY: 'To send money back',
  CORRECT_DATA: 'To correct the data',
} as const
export type RevealReason = keyof typeof reasons

/** The reason for which the bar of an overdue case reveals the number to call. */
export const callReason: RevealReason = 'CALL_ABOUT_DUES'

/** The datum of a request to change the account, and the reason for which its approver reveals it. */
export const requestedField: PersonalField = 'requestedAccount'
export const checkReason: RevealReason = 'CHECK_DOCUMENT'

/** What a case knows of its borrower. */
interface Personal {
  lead: ReturnType<typeof openLead>
  changedAccount: Awaited<ReturnType<typeof changedPayoutAccount>>
  /** The requests, with the content of those that wait for approval. */
  requests: { act: CheckedActName; content: unknown[] }[]
  /** The data that the person has just revealed. */
  revealed?: ReadonlySet<PersonalField> | undefined
}

/** Data that a list of facts shows; a requested account is part of its request. */
type PersonalFact = Exclude<PersonalField, 'requestedAccount'>

/** Shows a personal datum, masked unless this person has just revealed it; null without the datum. */
export function personalText(
  { lead, changedAccount, revealed }: Omit<Personal, 'requests'>,
  field: PersonalFact,
): string | null {
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

/** The data that the case has, in the order of the form. */
const knownFields = (view: Personal): PersonalField[] =>
  keysOf(personalFields).filter((field) =>
    field === 'requestedAccount' ? isAccountRequested(view) : personalText(view, field) !== null,
  )

const isAccountRequested = ({ requests }: Personal): boolean =>
  requests.some(({ act, content }) => act === 'ACCOUNT' && content.length > 0)

/** The data that a person may reveal: all if they may open the files; else the mobile number, while they may call. */
export function revealableFields(view: Personal & Collected, who: Staff, at: Date): PersonalField[] {
  if (!can(who, 'PERSONAL_DATA_REVEALED')) return []
  if (can(who, 'FILE_READ')) return knownFields(view)
  return callObstacle(view, who, at) === null ? ['mobile'] : []
}

/** The form that asks what a person needs to see, and why. False if there is nothing that they may reveal. */
export function revealForm(fields: PersonalField[], action: string, refusedForm: RefusedForm | null): Html | false {
  if (fields.length === 0) return false
  const submitted = refusedForm?.action === 'reveal' ? refusedForm.form : null
  const isToCall = fields.length === 1 && fields[0] === 'mobile'
  const suggested = isToCall ? fields : fields.filter((field) => field === requestedField)
  const chosen = submitted?.getAll('field') ?? suggested
  const reason = submitted?.get('reason') ?? (isToCall ? callReason : null)
  return html`<p>The audit log keeps what you reveal, and why. Leaving the page masks it again.</p>
<form method="post" action="${action}"><fieldset class="roles"><legend>What you need to see</legend>${fields.map(
    (field) =>
      html`<label><input type="checkbox" name="field" value="${field}"${chosen.some((each) => each === field) && html` checked`}> ${personalFields[field]}</label>`,
  )}</fieldset>
<div class="fields">${reasonChoice(reason)}</div>
<button class="primary">Reveal</button></form>`
}

/** The field that asks why. */
export const reasonChoice = (chosen: string | null): Html =>
  selectField({
    name: 'reason',
    label: 'Why',
    options: Object.entries(reasons),
    chosen,
    emptyOption: 'Choose a reason',
    isRequired: true,
  })

/**
 * Reads the form. Data that the case does not have is left out, so that the audit log has only what was shown. Refused:
 * `invalid` without a field or a reason · `forbidden` for a field that the person may not reveal.
 */
export function readReveal(
  form: URLSearchParams,
  view: Personal,
  mayReveal: PersonalField[],
): { fields: PersonalField[]; reason: RevealReason } {
  const names = form.getAll('field')
  const fields = knownFields(view).filter((field) => names.includes(field))
  if (fields.length === 0) throw new Refusal('invalid', 'choose what you need to see', { field: 'field' })
  if (fields.some((field) => !mayReveal.includes(field)))
    throw new Refusal('forbidden', 'your role may reveal only the mobile number, and only while you may call')
  return { fields, reason: readRevealReason(form) }
}

export function readRevealReason(form: URLSearchParams): RevealReason {
  const reason = form.get('reason') ?? ''
  if (!isKeyOf(reasons, reason)) throw new Refusal('invalid', 'choose a reason', { field: 'reason' })
  return reason
}
