// The identity, which is the first of the profile's three parts; also the layout of all parts.
import type { ComponentChildren } from 'preact'
import { ChoiceField, DateField, TextField } from '../form/field.tsx'
import { Actions, Button, Form } from '../form/form.tsx'
import { deferred, Loading, loadDeferred } from '../page/deferred-content.tsx'
import { errorOf } from '../page/field-errors.ts'
import { page } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { t, textOf } from '../text.ts'
import { type Field, firstFields } from './profile-fields.ts'
import { attempt, errors, openPart, part, setProfileValue, values } from './profile-form.ts'

export const parts = 3

export function ProfileScreen() {
  const { session } = page
  const LaterParts = deferred.value?.screens.PROFILE
  if (part.value > 0) return LaterParts ? <LaterParts /> : <Loading />
  const view = session.view.value
  /** Waits for the chunk that validates and saves, and for the session that prefills the form. */
  async function next(): Promise<void> {
    session.busy.value = true
    await loadDeferred()
    await session.untilOpen()
    session.busy.value = false
    if (deferred.value) await deferred.value.openSecondPart()
    else session.failure.value = { kind: 'offline', path: '', again: () => void next() }
  }
  return (
    <ProfilePart lead={deferred.value?.formLead()} submitLabel={t('profile.next')} onSubmit={() => void next()}>
      <p class="known">{view && t('profile.mobile', { mobile: view.profile.contactNumber.slice(-10) })}</p>
      {(deferred.value?.shownFields() ?? firstFields).map(control)}
    </ProfilePart>
  )
}

export function ProfilePart({
  submitLabel,
  onSubmit,
  children,
  name = part.value,
  lead,
}: {
  submitLabel: string
  /** The part's name in the keys of its texts; by default its number. */
  name?: number | string
  lead?: string | undefined
  onSubmit(): void
  children: ComponentChildren
}) {
  const index = part.value
  return (
    <section key={index}>
      <Title lead={lead || textOf(`profile.${name}.lead`)}>{textOf(`profile.${name}`)}</Title>
      <Form errors={errors.value} attempt={attempt.value} onSubmit={onSubmit}>
        {children}
        <Actions>
          <Button submit>{submitLabel}</Button>
          {index > 0 && (
            <Button kind="quiet" onClick={() => openPart(index - 1)}>
              {t('profile.back')}
            </Button>
          )}
        </Actions>
      </Form>
    </section>
  )
}

/** Props that all controls share. */
export const props = ({ name, optional }: Field) => ({
  name,
  label: values.value.employmentType === 'selfEmployed' ? textOf(`business.${name}`) : '',
  optional,
  value: values.value[name] ?? '',
  error: errorOf(errors.value, name),
  onValue: (value: string) => setProfileValue(name, value),
})

export function control(field: Field) {
  const { name, kind, options, input } = field
  if (kind === 'date') return <DateField key={name} {...props(field)} />
  if (kind === 'choice') return <ChoiceField key={name} {...props(field)} options={options} />
  const Text = kind === 'amount' ? page.AmountField : TextField
  return (
    <div key={name} onFocusOut={(event) => checkOnLeave(field, event.relatedTarget)}>
      <Text {...props(field)} {...input} />
    </div>
  )
}

/** Does not validate if the user taps a button: a new error line would move the button before the tap registers. */
function checkOnLeave(field: Field, to: EventTarget | null): void {
  if (to instanceof HTMLInputElement) deferred.value?.check(field)
}
