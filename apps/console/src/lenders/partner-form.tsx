// Form to add or change a lending partner. The credentials of a new partner are shown once.

import type { LendingPartner, NewCredentials } from '@lendloom/wire/console/lending-partners'
import { bankStatementModes, contactNames, kycModes, mandateFrequencies } from '@lendloom/wire/console/lists'
import { useSignal } from '@preact/signals'
import { patch, post } from '../api.ts'
import { labelOf } from '../ui/code-labels.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useTyped } from '../ui/form.tsx'
import { contactFieldNames, isInteger, ruleNames } from './lender-texts.ts'
import { NewCredentialsNotice } from './partner-credential-rotation.tsx'

type Rules = LendingPartner['rules']

/** Input by path, such as `rules.ratePercent`. */
type PartnerDraft = Record<string, string>

/** The platform's defaults. */
const defaultRules: Rules = {
  leastRupees: 10_000,
  mostRupees: 200_000,
  incomeMultiple: 3,
  leastScore: 650,
  ratePercent: '24.00',
  feePercent: '2.00',
  taxPercent: '18.00',
  coolOffDays: 3,
  penalCharges: '',
  offerDays: 7,
  bankStatement: 'OPTIONAL',
  mostReturnedDebits: 2,
  mostObligationsPercent: 60,
  kycMode: 'STANDARD',
  mandateFrequency: 'AS_PRESENTED',
}

const draftOf = (partner: LendingPartner | null): PartnerDraft => ({
  sender: partner?.sender ?? '',
  name: partner?.name ?? '',
  url: partner?.url ?? '',
  ...Object.fromEntries(
    ruleNames.map(([field]) => [`rules.${field}`, String((partner?.rules ?? defaultRules)[field])]),
  ),
  ...Object.fromEntries(contactNames.map((field) => [`contact.${field}`, partner?.contact[field] ?? ''])),
})

/** The request body. Invalid numbers are sent as typed, so that the platform reports the error. */
const bodyOf = ({ name, url, ...typed }: PartnerDraft): object => ({
  name,
  url,
  rules: Object.fromEntries(
    ruleNames.map(([field]) => {
      const text = (typed[`rules.${field}`] ?? '').trim()
      return [field, isInteger(field) && /^\d{1,9}$/.test(text) ? Number(text) : text]
    }),
  ),
  contact: Object.fromEntries(contactNames.map((field) => [field, typed[`contact.${field}`]])),
})

export function EditPartner({ partner, onClose }: { partner: LendingPartner | null; onClose(): void }) {
  const { act, bind, typed } = useTyped(draftOf(partner))
  const fieldProps = (name: string) => ({ ...bind(name), value: typed[name] ?? '' })
  const credentials = useSignal<NewCredentials | null>(null)
  async function submit(): Promise<void> {
    const body = bodyOf(typed)
    if (partner) {
      await patch(`/lending-partners/${partner.partnerId}`, body)
      return onClose()
    }
    credentials.value = await post<NewCredentials>('/lending-partners', { ...body, sender: typed.sender?.trim() })
  }
  const title = credentials.value ? 'New credentials' : partner ? `Edit ${partner.name}` : 'Add a lending partner'
  return (
    <Dialog title={title} onClose={onClose} wide>
      {credentials.value ? (
        <NewCredentialsNotice credentials={credentials.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button={partner ? 'Save' : 'Add the partner'}>
          <Fields bind={fieldProps} isNew={partner === null} />
        </Form>
      )}
    </Dialog>
  )
}

interface FieldsProps {
  bind(name: string): Pick<Parameters<typeof Field>[0], 'value' | 'fault' | 'onValue'>
}

const Fields = ({ bind, isNew }: FieldsProps & { isNew: boolean }) => (
  <>
    {isNew && (
      <Field
        label="Sender"
        hint="The partner’s sender id in events. You cannot change it later."
        required
        {...bind('sender')}
      />
    )}
    <Field label="Name" hint="Shown to borrowers." required {...bind('name')} />
    <Field label="Address" hint="/dedupe, /events, /documents and /status are appended." required {...bind('url')} />
    <fieldset class="partner-fields">
      <legend>Limits and prices</legend>
      {ruleNames.map(([field, label]) => (
        <RuleField key={field} field={field} label={label} bind={bind} />
      ))}
    </fieldset>
    <fieldset class="partner-fields">
      <legend>Contacts for borrowers</legend>
      {contactFieldNames.map(([field, label]) => (
        <Field
          key={field}
          label={label}
          hint={field === 'repaymentAccount' ? 'Bank, number and IFSC.' : undefined}
          {...bind(`contact.${field}`)}
        />
      ))}
    </fieldset>
  </>
)

const choiceFields: Partial<Record<keyof Rules, readonly string[]>> = {
  bankStatement: bankStatementModes,
  kycMode: kycModes,
  mandateFrequency: mandateFrequencies,
}

function RuleField({ field, label, bind }: FieldsProps & { field: keyof Rules; label: string }) {
  const options = choiceFields[field]
  const common = { label, ...bind(`rules.${field}`) }
  if (options) return <Choice {...common} options={options.map((each) => [each, labelOf(each)] as const)} />
  return <Field {...common} inputMode={isInteger(field) ? 'numeric' : 'text'} />
}
