// The borrower's identity: the first of three short parts, and their common frame.
import type { ComponentChildren } from 'preact'
import { ChoiceField, DateField, TextField } from '../form/field.tsx'
import { Actions, Button, Form } from '../form/form.tsx'
import { deferred, Loading, loadDeferred } from '../page/deferred.tsx'
import { here } from '../page/here.ts'
import { Title } from '../page/title.tsx'
import { wordsFor } from '../page/wrong.ts'
import { t, textOf } from '../text.ts'
import { type Field, firstFields } from './profile.ts'
import { attempt, go, part, set, values, wrong } from './profile-form.ts'

export const parts = 3

export function ProfileScreen() {
  const { session } = here
  const Rest = deferred.value?.screens.PROFILE
  if (part.value > 0) return Rest ? <Rest /> : <Loading />
  const view = session.view.value
  /** Validation and saving may still be running, and so may the prefill. */
  async function next(): Promise<void> {
    session.busy.value = true
    await loadDeferred()
    await session.opened()
    session.busy.value = false
    if (deferred.value) await deferred.value.leaveFirst()
    else session.trouble.value = { kind: 'offline', again: () => void next() }
  }
  return (
    <ProfilePart send={t('profile.next')} onSubmit={() => void next()}>
      <p class="known">{view && t('profile.mobile', { mobile: view.profile.contactNumber.slice(-10) })}</p>
      {(deferred.value?.shownFields() ?? firstFields).map(control)}
    </ProfilePart>
  )
}

export function ProfilePart({
  send,
  onSubmit,
  children,
  name = part.value,
}: {
  send: string
  /** The name of this part in the keys of texts, where its number is not enough. */
  name?: number | string
  onSubmit(): void
  children: ComponentChildren
}) {
  const at = part.value
  return (
    <section key={at}>
      <Title lead={textOf(`profile.${name}.lead`)}>
        <span class="part">{t('profile.part', { at: at + 1, of: parts })}</span> {textOf(`profile.${name}`)}
      </Title>
      <Form wrong={wrong.value} attempt={attempt.value} onSubmit={onSubmit}>
        {children}
        <Actions>
          <Button submit>{send}</Button>
          {at > 0 && (
            <Button kind="quiet" onClick={() => go(at - 1)}>
              {t('profile.back')}
            </Button>
          )}
        </Actions>
      </Form>
    </section>
  )
}

/** The common props of all controls. */
export const common = ({ name, optional }: Field) => ({
  name,
  optional,
  value: values.value[name] ?? '',
  wrong: wordsFor(wrong.value, name),
  onValue: (value: string) => set(name, value),
})

export function control(field: Field) {
  const { name, kind, options, input } = field
  if (kind === 'date') return <DateField key={name} {...common(field)} />
  if (kind === 'choice') return <ChoiceField key={name} {...common(field)} options={options} />
  return (
    <div key={name} onFocusOut={(event) => leaveField(field, event.relatedTarget)}>
      <TextField {...common(field)} {...input} />
    </div>
  )
}

/** Only when moving to another field: before a button, a new line would move the button from under the tap. */
function leaveField(field: Field, to: EventTarget | null): void {
  if (to instanceof HTMLInputElement) deferred.value?.check(field)
}
