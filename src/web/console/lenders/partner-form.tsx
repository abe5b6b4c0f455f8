// The form to add or change a lending partner; a new one's credentials are shown once.
import { useSignal } from '@preact/signals'
import type { LendingPartner, NewCredentials } from '#contract/console/lending-partners.ts'
import { bankStatementModes, contactNames, kycModes, mandateFrequencies } from '#contract/console/lists.ts'
import { patch, post } from '../api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useTyped } from '../ui/form.tsx'
import { worded } from '../ui/words.ts'
import { Made } from './partner-rotate.tsx'
import { contactWords, isWhole, ruleWords } from './words.ts'

type Rules = LendingPartner['rules']

/** All input: rules and contacts by path. */
type PartnerDraft = Record<string, string>

/** The platform's defaults. */
const usual: Rules = {
  ...{ leastRupees: 10_000, mostRupees: 200_000, incomeMultiple: 3, leastScore: 650 },
  ...{ ratePercent: '24.00', feePercent: '2.00', taxPercent: '18.00', coolOffDays: 3, penalCharges: '', offerDays: 7 },
  ...{ bankStatement: 'OPTIONAL', mostReturnedDebits: 2, mostObligationsPercent: 60 },
  ...{ kycMode: 'STANDARD', mandateFrequency: 'AS_PRESENTED' },
}

const typedOf = (partner: LendingPartner | null): PartnerDraft => ({
  sender: partner?.sender ?? '',
  name: partner?.name ?? '',
  url: partner?.url ?? '',
  ...Object.fromEntries(ruleWords.map(([field]) => [`rules.${field}`, String((partner?.rules ?? usual)[field])])),
  ...Object.fromEntries(contactNames.map((field) => [`contact.${field}`, partner?.contact[field] ?? ''])),
})

/** Anything but a whole number is sent as typed, so that the platform reports the fault. */
const bodyOf = ({ name, url, ...typed }: PartnerDraft): object => ({
  ...{ name, url },
  rules: Object.fromEntries(
    ruleWords.map(([field]) => {
      const text = (typed[`rules.${field}`] ?? '').trim()
      return [field, isWhole(field) && /^\d{1,9}$/.test(text) ? Number(text) : text]
    }),
  ),
  contact: Object.fromEntries(contactNames.map((field) => [field, typed[`contact.${field}`]])),
})

export function EditPartner({ partner, onClose }: { partner: LendingPartner | null; onClose(): void }) {
  const { act, of, typed } = useTyped(typedOf(partner))
  const tied = (name: string) => ({ ...of(name), value: typed[name] ?? '' })
  const made = useSignal<NewCredentials | null>(null)
  async function submit(): Promise<void> {
    const body = bodyOf(typed)
    if (partner) {
      await patch(`/lending-partners/${partner.partnerId}`, body)
      return onClose()
    }
    made.value = await post<NewCredentials>('/lending-partners', { ...body, sender: typed.sender?.trim() })
  }
  const title = made.value ? 'Its credentials' : partner ? `Change ${partner.name}` : 'Add a lending partner'
  return (
    <Dialog title={title} onClose={onClose} wide>
      {made.value ? (
        <Made made={made.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button={partner ? 'Save' : 'Add the partner'}>
          <Fields of={tied} isNew={partner === null} />
        </Form>
      )}
    </Dialog>
  )
}

interface FieldsProps {
  of(name: string): Pick<Parameters<typeof Field>[0], 'value' | 'fault' | 'onValue'>
}

const Fields = ({ of, isNew }: FieldsProps & { isNew: boolean }) => (
  <>
    {isNew && (
      <Field
        label="Sender"
        hint="The name it uses in its events. You cannot change it later."
        required
        {...of('sender')}
      />
    )}
    <Field label="Name" hint="Shown to borrowers." required {...of('name')} />
    <Field label="Address" hint="/dedupe, /events, /documents and /status are appended." required {...of('url')} />
    <fieldset class="partner-fields">
      <legend>Limits and prices</legend>
      {ruleWords.map(([field, label]) => (
        <Rule key={field} {...{ field, label, of }} />
      ))}
    </fieldset>
    <fieldset class="partner-fields">
      <legend>Contacts for borrowers</legend>
      {contactWords.map(([field, label]) => (
        <Field key={field} label={label} {...of(`contact.${field}`)} />
      ))}
    </fieldset>
  </>
)

const choices: Partial<Record<keyof Rules, readonly string[]>> = {
  bankStatement: bankStatementModes,
  kycMode: kycModes,
  mandateFrequency: mandateFrequencies,
}

function Rule({ field, label, of }: FieldsProps & { field: keyof Rules; label: string }) {
  const options = choices[field]
  const common = { label, ...of(`rules.${field}`) }
  if (options) return <Choice {...common} options={options.map((each) => [each, worded(each)] as const)} />
  return <Field {...common} inputMode={isWhole(field) ? 'numeric' : 'text'} />
}
