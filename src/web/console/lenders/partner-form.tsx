// A lending partner is added or changed; the credentials of a new one are shown once.
import { useSignal } from '@preact/signals'
import type { LendingPartner, NewCredentials } from '#contract/console/lending-partners.ts'
import { bankStatementModes, contactNames, kycModes, mandateFrequencies } from '#contract/console/lists.ts'
import { patch, post } from '../api.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useForm } from '../ui/form.tsx'
import { worded } from '../ui/words.ts'
import { Made } from './partner-rotate.tsx'
import { contactWords, isWhole, ruleWords } from './words.ts'

type Rules = LendingPartner['rules']

/** Everything as it is typed. */
interface Typed {
  sender: string
  name: string
  url: string
  /** By their names, the rules and the contacts. */
  fields: Record<string, string>
}

/** What holds unless something else is said, as the platform has it. */
const usual: Rules = {
  ...{ leastRupees: 10_000, mostRupees: 200_000, incomeMultiple: 3, leastScore: 650 },
  ...{ ratePercent: '24.00', feePercent: '2.00', taxPercent: '18.00', coolOffDays: 3, penalCharges: '', offerDays: 7 },
  ...{ bankStatement: 'OPTIONAL', mostReturnedDebits: 2, mostObligationsPercent: 60 },
  ...{ kycMode: 'STANDARD', mandateFrequency: 'AS_PRESENTED' },
}

const typedOf = (partner: LendingPartner | null): Typed => ({
  sender: partner?.sender ?? '',
  name: partner?.name ?? '',
  url: partner?.url ?? '',
  fields: Object.fromEntries(
    Object.entries({ ...(partner?.rules ?? usual), ...partner?.contact }).map(([field, value]) => [
      field,
      String(value),
    ]),
  ),
})

const known = [
  'sender',
  'name',
  'url',
  ...ruleWords.map(([field]) => `rules.${field}`),
  ...contactNames.map((field) => `contact.${field}`),
]

/** What is no whole number is sent as it was typed, so that the platform says what is wrong with it. */
const bodyOf = ({ name, url, fields }: Typed): object => ({
  name,
  url,
  rules: Object.fromEntries(
    ruleWords.map(([field]) => {
      const text = (fields[field] ?? '').trim()
      return [field, isWhole(field) && /^\d{1,9}$/.test(text) ? Number(text) : text]
    }),
  ),
  contact: Object.fromEntries(contactNames.map((field) => [field, fields[field] ?? ''])),
})

export function EditPartner({ partner, onClose }: { partner: LendingPartner | null; onClose(): void }) {
  const typed = useSignal(typedOf(partner))
  const made = useSignal<NewCredentials | null>(null)
  const act = useForm(known)
  const set = (change: Partial<Typed>) => assign(typed, { ...typed.value, ...change })
  async function submit(): Promise<void> {
    const body = bodyOf(typed.value)
    if (partner) {
      await patch(`/lending-partners/${partner.partnerId}`, body)
      return onClose()
    }
    made.value = await post<NewCredentials>('/lending-partners', { ...body, sender: typed.value.sender.trim() })
  }
  const title = made.value ? 'Its credentials' : partner ? `Change ${partner.name}` : 'Add a lending partner'
  return (
    <Dialog title={title} onClose={onClose} wide>
      {made.value ? (
        <Made made={made.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button={partner ? 'Save' : 'Add the partner'}>
          <Fields typed={typed.value} faults={act.faults} isNew={partner === null} set={set} />
        </Form>
      )}
    </Dialog>
  )
}

interface FieldsProps {
  typed: Typed
  faults: Record<string, string>
  isNew: boolean
  set(change: Partial<Typed>): void
}

const Fields = ({ typed, faults, isNew, set }: FieldsProps) => (
  <>
    {isNew && (
      <Field
        label="Sender"
        hint="What it calls itself in its events. It cannot be changed later."
        required
        value={typed.sender}
        fault={faults.sender}
        onValue={(sender) => set({ sender })}
      />
    )}
    <Field
      label="Name"
      hint="What borrowers read."
      required
      value={typed.name}
      fault={faults.name}
      onValue={(name) => set({ name })}
    />
    <Field
      label="Address"
      hint="/dedupe, /events, /documents and /status are added to it."
      required
      value={typed.url}
      fault={faults.url}
      onValue={(url) => set({ url })}
    />
    <fieldset class="partner-fields">
      <legend>Limits and prices</legend>
      {ruleWords.map(([field, label]) => (
        <Rule key={field} {...{ field, label, typed, faults, set }} />
      ))}
    </fieldset>
    <fieldset class="partner-fields">
      <legend>Contacts for borrowers</legend>
      {contactWords.map(([field, label]) => (
        <Field
          key={field}
          label={label}
          value={typed.fields[field] ?? ''}
          fault={faults[`contact.${field}`]}
          onValue={(value) => set({ fields: { ...typed.fields, [field]: value } })}
        />
      ))}
    </fieldset>
  </>
)

const choices: Partial<Record<keyof Rules, readonly string[]>> = {
  bankStatement: bankStatementModes,
  kycMode: kycModes,
  mandateFrequency: mandateFrequencies,
}

type RuleProps = Pick<FieldsProps, 'typed' | 'faults' | 'set'> & { field: keyof Rules; label: string }

function Rule({ field, label, typed, faults, set }: RuleProps) {
  const options = choices[field]
  const common = {
    label,
    value: typed.fields[field] ?? '',
    fault: faults[`rules.${field}`],
    onValue: (value: string) => set({ fields: { ...typed.fields, [field]: value } }),
  }
  if (options) return <Choice {...common} options={options.map((each) => [each, worded(each)] as const)} />
  return <Field {...common} inputMode={isWhole(field) ? 'numeric' : 'text'} />
}
